import json
import time
from pathlib import Path

import numpy as np
import pytest

from radio import models
from radio.models import KokoroFiles
from radio.settings import Settings
from radio.speech.engines import MAX_PHONEMES, Engine, EngineFailed
from radio.speech.engines.model_inputs import Inputs, VoiceDamaged, vocabulary
from radio.speech.engines.native_engine import NativeEngine
from radio.speech.engines.onnx_engine import EXPORT_GAIN, OnnxEngine
from radio.speech.engines.tone_engine import ToneEngine
from radio.voices import parse
from tests.need import need

HEART = parse("af_heart")
LINE = "ðə hˈɑɹbəɹ ɪz kˈɑm."


def style(value: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rows = np.arange(MAX_PHONEMES, dtype=np.float32)[:, None]
    return np.full((MAX_PHONEMES, 256), value, np.float32) + rows


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """Of two voices, whose style is 0 and 3 at row 0 and grows by 1 a row; and the vocabulary a, b, c."""
    style(0.0).tofile(tmp_path / "af_heart.bin")
    style(3.0).tofile(tmp_path / "bf_emma.bin")
    (tmp_path / "af_sky.bin").write_bytes(b"short")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"vocab": {"a": 1, "b": 2, "c": 3}}))
    return Inputs(KokoroFiles(onnx=tmp_path / "none", voices_dir=tmp_path, config=config))


def test_tokens_are_padded_at_both_ends_and_unknown_symbols_are_left_out(inputs: Inputs) -> None:
    assert inputs.tokens("ab?c").tolist() == [[0, 1, 2, 3, 0]]


@pytest.mark.parametrize("phonemes", ["", "???", "a" * (MAX_PHONEMES + 1)])
def test_too_few_or_too_many_phonemes_are_refused(inputs: Inputs, phonemes: str) -> None:
    with pytest.raises(EngineFailed):
        inputs.tokens(phonemes)


def test_the_style_of_n_phonemes_is_row_n_minus_1(inputs: Inputs) -> None:
    assert inputs.style(HEART, 1).shape == (1, 256)
    assert inputs.style(HEART, 1)[0, 0] == 0
    assert inputs.style(HEART, MAX_PHONEMES)[0, 0] == MAX_PHONEMES - 1


def test_a_blend_is_the_weighted_mean_of_its_voices(inputs: Inputs) -> None:
    assert inputs.style(parse("af_heart(2)+bf_emma(1)"), 5)[0, 0] == pytest.approx(4 + 1.0)
    assert inputs.style(parse("bf_emma"), 5)[0, 0] == pytest.approx(4 + 3.0)


def test_a_damaged_or_missing_voice_is_an_error_with_a_hint(inputs: Inputs) -> None:
    for voice in ("af_sky", "am_adam"):
        with pytest.raises(VoiceDamaged, match=voice) as raised:
            inputs.style(parse(voice), 1)
        assert raised.value.hint


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"vocab": 1}', '{"vocab": {"a": "x"}}'])
def test_a_damaged_vocabulary_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(VoiceDamaged):
        vocabulary(path)


def test_a_tone_is_as_long_as_its_text_up_to_12_seconds() -> None:
    tone = ToneEngine()
    assert tone.synthesise("x" * 10, HEART).size == 24_000 * 7 // 10
    assert tone.synthesise("x" * 10, parse("af_heart@2")).size == 24_000 * 7 // 20
    assert tone.synthesise("x" * 1000, HEART).size == 24_000 * 12
    with pytest.raises(EngineFailed):
        tone.synthesise("", HEART)


def test_a_tone_at_a_set_speed_takes_its_time() -> None:
    begun = time.perf_counter()
    ToneEngine(xrt=10).synthesise("x" * 20, HEART)
    assert time.perf_counter() - begun >= 0.14


@pytest.fixture(scope="module", params=["onnx", "native"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Both real engines, which keep the same promises."""
    need("voice", *(["native"] if request.param == "native" else []))
    files = models.kokoro(Settings())
    return OnnxEngine(files, 2) if request.param == "onnx" else NativeEngine(files, 2)


@pytest.mark.model
def test_an_engine_makes_samples_of_a_sentence(engine: Engine) -> None:
    sound = engine.synthesise(LINE, HEART)
    assert sound.dtype == np.float32
    assert sound.ndim == 1
    assert 1.0 < sound.size / 24_000 < 4.0
    assert 0.1 < np.abs(sound).max() < 0.9


@pytest.mark.model
def test_speed_and_voice_change_the_sound(engine: Engine) -> None:
    plain = engine.synthesise(LINE, HEART)
    assert engine.synthesise(LINE, parse("af_heart@2")).size < plain.size * 0.75
    blended = engine.synthesise(LINE, parse("af_heart+am_michael"))
    assert blended.size != plain.size or not np.allclose(blended, plain)


@pytest.mark.model
def test_a_refused_text_leaves_the_engine_usable(engine: Engine) -> None:
    for phonemes in ("", "💥", "a" * 511):
        with pytest.raises(EngineFailed):
            engine.synthesise(phonemes, HEART)
    assert engine.synthesise("hˈI.", HEART).size


@pytest.mark.model
def test_both_engines_are_equally_loud_and_the_exports_excess_is_mended() -> None:
    need("voice", "native")
    files = models.kokoro(Settings())
    levels = [
        float(np.sqrt(np.square(made.synthesise(LINE, HEART)).mean()))
        for made in (OnnxEngine(files, 2), NativeEngine(files, 2))
    ]
    assert 0.9 < levels[0] / levels[1] < 1.1
    assert pytest.approx(2 / 3) == EXPORT_GAIN


@pytest.mark.model
def test_a_damaged_export_is_an_error_with_a_hint(tmp_path: Path) -> None:
    need("voice")
    files = models.kokoro(Settings())
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model")
    with pytest.raises(EngineFailed) as raised:
        OnnxEngine(KokoroFiles(onnx=broken, voices_dir=files.voices_dir, config=files.config), 1)
    assert "radio models verify" in raised.value.hint
