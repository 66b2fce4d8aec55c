"""Who calls the voice, and what it keeps: one G2P at a time, voices read once, models in one process only."""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from radio.models import KokoroFiles
from radio.speech.engines import MAX_PHONEMES
from radio.speech.engines.model_inputs import STYLE_SIZE, Inputs
from radio.speech.engines.tone_engine import ToneEngine
from radio.speech.speaker import VoiceSpeaker
from radio.voices import parse


class Alone:
    """A G2P that notices a second caller while it is at work."""

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self.met = threading.Event()
        self.disturbed = False

    def phonemes(self, text: str, language: str, given: Mapping[str, Any] | None = None) -> str:
        self.disturbed |= not self.busy.acquire(blocking=False)
        self.met.wait(0.02)  # time for another to come in, never set
        self.busy.release()
        return text

    def close(self) -> None:
        """Nothing runs."""


def test_the_g2p_has_one_caller_at_a_time_however_many_threads_ask() -> None:
    g2p = Alone()
    made = VoiceSpeaker(ToneEngine(), g2p, lambda _: True, "af_heart")
    texts = [f"{'x' * number}." for number in range(1, 9)]
    with ThreadPoolExecutor(4) as callers:
        counts = list(callers.map(lambda text: made.units(text, "af_heart"), texts))
    assert counts == [len(text) for text in texts]
    assert not g2p.disturbed


def test_a_voice_is_read_once_and_a_blend_is_made_in_memory(tmp_path: Path) -> None:
    for number, name in enumerate(("af_heart", "bf_emma")):
        np.full((MAX_PHONEMES, STYLE_SIZE), number, "<f4").tofile(tmp_path / f"{name}.bin")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"vocab": {"a": 1}}))
    inputs = Inputs(KokoroFiles(onnx=tmp_path / "none", voices_dir=tmp_path, config=config))
    blends = [parse("af_heart"), parse("af_heart+bf_emma(3)")]
    before = [inputs.style(blend, 9)[0, 0] for blend in blends]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["af_heart.bin", "bf_emma.bin", "config.json"]
    for path in tmp_path.glob("*.bin"):
        path.unlink()
    assert [inputs.style(blend, 9)[0, 0] for blend in blends] == before == [0, 0.75]


def test_the_relay_loads_no_model() -> None:
    """It answers while a narrator loads: models lie in other processes."""
    loaded = "import json, sys, radio.relay.app; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True, timeout=120
    )
    assert not {"onnxruntime", "onnx", "torch", "spacy", "llama_cpp"} & set(json.loads(done.stdout))


def test_dictionaries_are_loaded_once_their_language_is_spoken() -> None:
    loaded = "import json, sys, radio.speech.speaker; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True, timeout=120
    )
    assert not {"spacy", "misaki", "jieba", "pypinyin", "janome", "torch"} & set(json.loads(done.stdout))
