"""How loud each voice of the model is, so that all come out equally loud by one gain a voice."""

from collections.abc import Mapping
from typing import Final

from radio.voices import Blend

TARGET_DB: Final = -22.0
"""Level of speech without its pauses, relative to full scale; the peaks of most voices stay below it."""

LEVELS_DB: Final[Mapping[str, float]] = {
    "af_alloy": -23.4,
    "af_aoede": -19.9,
    "af_bella": -23.8,
    "af_heart": -24.8,
    "af_jessica": -24.3,
    "af_kore": -20.7,
    "af_nicole": -23.2,
    "af_nova": -28.3,
    "af_river": -23.4,
    "af_sarah": -22.6,
    "af_sky": -25.2,
    "am_adam": -20.3,
    "am_echo": -24.0,
    "am_eric": -23.2,
    "am_fenrir": -21.4,
    "am_liam": -23.7,
    "am_michael": -25.6,
    "am_onyx": -24.0,
    "am_puck": -20.7,
    "am_santa": -24.6,
    "bf_alice": -22.6,
    "bf_emma": -22.4,
    "bf_isabella": -19.7,
    "bf_lily": -23.4,
    "bm_daniel": -23.4,
    "bm_fable": -24.0,
    "bm_george": -23.3,
    "bm_lewis": -25.1,
    "ef_dora": -25.4,
    "em_alex": -24.6,
    "em_santa": -24.8,
    "ff_siwis": -21.6,
    "hf_alpha": -17.2,
    "hf_beta": -18.9,
    "hm_omega": -17.6,
    "hm_psi": -19.1,
    "if_sara": -16.2,
    "im_nicola": -21.2,
    "jf_alpha": -22.0,
    "jf_gongitsune": -21.9,
    "jf_nezumi": -21.9,
    "jf_tebukuro": -22.1,
    "jm_kumo": -21.6,
    "pf_dora": -25.6,
    "pm_alex": -24.7,
    "pm_santa": -24.8,
    "zf_xiaobei": -22.4,
    "zf_xiaoni": -20.9,
    "zf_xiaoxiao": -18.6,
    "zf_xiaoyi": -21.5,
    "zm_yunjian": -22.9,
    "zm_yunxi": -22.1,
    "zm_yunxia": -22.5,
    "zm_yunyang": -25.4,
}
"""Measured: mean square of those 20 ms parts of two sentences that are within 30 dB of the loudest."""


def gain(blend: Blend) -> float:
    """What the blend's samples are multiplied by: the weighted mean of its voices' gains."""
    total = sum(weight for _, weight in blend.parts)
    return sum(_gain(name) * weight for name, weight in blend.parts) / total


def _gain(name: str) -> float:
    return float(10 ** ((TARGET_DB - LEVELS_DB[name]) / 20))
