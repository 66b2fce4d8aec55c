"""The loudness of each voice of the model, so that one gain per voice makes all equally loud."""

from collections.abc import Mapping
from typing import Final

from radio.voices import Blend

TARGET_LUFS: Final = -23.0
"""Integrated loudness by EBU R128, to which recorded sound is brought too; most peaks fit below full
scale."""

LEVELS_LUFS: Final[Mapping[str, float]] = {
    "af_alloy": -24.5,
    "af_aoede": -21.1,
    "af_bella": -25.1,
    "af_heart": -25.7,
    "af_jessica": -24.4,
    "af_kore": -21.8,
    "af_nicole": -25.0,
    "af_nova": -29.5,
    "af_river": -23.8,
    "af_sarah": -23.6,
    "af_sky": -26.5,
    "am_adam": -21.3,
    "am_echo": -25.1,
    "am_eric": -24.0,
    "am_fenrir": -22.1,
    "am_liam": -24.2,
    "am_michael": -27.6,
    "am_onyx": -25.5,
    "am_puck": -21.5,
    "am_santa": -25.4,
    "bf_alice": -23.7,
    "bf_emma": -23.0,
    "bf_isabella": -21.1,
    "bf_lily": -24.5,
    "bm_daniel": -24.5,
    "bm_fable": -25.1,
    "bm_george": -24.8,
    "bm_lewis": -26.4,
    "ef_dora": -27.0,
    "em_alex": -26.6,
    "em_santa": -26.4,
    "ff_siwis": -22.5,
    "hf_alpha": -19.4,
    "hf_beta": -20.5,
    "hm_omega": -19.5,
    "hm_psi": -21.0,
    "if_sara": -17.3,
    "im_nicola": -22.6,
    "jf_alpha": -23.1,
    "jf_gongitsune": -23.5,
    "jf_nezumi": -24.3,
    "jf_tebukuro": -23.5,
    "jm_kumo": -23.2,
    "pf_dora": -26.2,
    "pm_alex": -26.3,
    "pm_santa": -26.1,
    "zf_xiaobei": -23.7,
    "zf_xiaoni": -21.4,
    "zf_xiaoxiao": -19.7,
    "zf_xiaoyi": -22.3,
    "zm_yunjian": -24.2,
    "zm_yunxi": -23.8,
    "zm_yunxia": -23.7,
    "zm_yunyang": -25.7,
}
"""Integrated loudness of speech without its pauses, by the native engine; see `docs/voice.md`."""


def gain(blend: Blend) -> float:
    """The factor for the blend's samples: the weighted mean of its voices' gains."""
    total = sum(weight for _, weight in blend.parts)
    return sum(_gain(name) * weight for name, weight in blend.parts) / total


def _gain(name: str) -> float:
    return float(10 ** ((TARGET_LUFS - LEVELS_LUFS[name]) / 20))
