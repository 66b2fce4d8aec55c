"""A process that ends while another thread speaks: in good order, with the status that it was given."""

import subprocess
import sys

import pytest

from radio.models import KokoroFiles
from radio.models.graph_cut import Halves
from tests.need import need

pytestmark = pytest.mark.model

BEGIN = """
import os, signal, sys, threading
from contextlib import suppress
from pathlib import Path
import numpy as np
from radio.speech.engines import EngineFailed

def speak_on(call, *given):
    spoken = threading.Semaphore(0)
    def on():
        with suppress(EngineFailed):  # because the process ends
            while True:
                call(*given)
                spoken.release()
    threading.Thread(target=on, daemon=True).start()
    for _ in range(3):
        spoken.acquire()

def ones(*shape):
    return np.ones(shape, np.float32)
"""

ENGINE = """
from radio import models, voices
from radio.settings import Settings
from radio.speech.engines.{module} import {name}
engine = {name}(models.kokoro(Settings()), 2)
speak_on(engine.synthesise, "hˈI.", voices.parse("af_heart"))
"""

FRONT = """
from radio.models.graph_cut import Halves
from radio.speech.engines.onnx_session import OnnxSession
session = OnnxSession(Path(sys.argv[1]), 2)
speak_on(session.run, dict(tokens=np.ones((1, 40), np.int64), style=ones(1, 256), speed=ones(1)))
"""

LIBRARY = """
from radio.speech.engines.native_library import Library
library = Library(Path(sys.argv[2]), isa="auto", threads=4)
speak_on(library.speak, ones(512, 4), ones(4) * 10, ones(40, 512), ones(256))
"""

SPEAKERS = {
    "front": FRONT,
    "library": LIBRARY,
    "native engine": ENGINE.format(module="native_engine", name="NativeEngine"),
    "onnx engine": ENGINE.format(module="onnx_engine", name="OnnxEngine"),
}

WAYS = {
    "the last line": ("", 0, ""),
    "sys.exit": ("sys.exit(3)", 3, ""),
    "os._exit": ("os._exit(4)", 4, ""),
    "an exception": ("raise ValueError('no more')", 1, "ValueError: no more"),
    "SIGINT": ("signal.raise_signal(signal.SIGINT)", -2, "KeyboardInterrupt"),
    "SIGTERM": ("signal.raise_signal(signal.SIGTERM)", -15, ""),
}


QUICK = {(speaker, "the last line") for speaker in SPEAKERS} | {
    ("library", "SIGTERM"),
    ("front", "an exception"),
}
CASES = [
    pytest.param(speaker, way, marks=() if (speaker, way) in QUICK else pytest.mark.soak)
    for speaker in SPEAKERS
    for way in WAYS
]


@pytest.mark.parametrize(("speaker", "way"), CASES)
def test_a_process_ends_as_it_was_told_while_another_thread_speaks(
    speaker: str, way: str, files: KokoroFiles, halves: Halves
) -> None:
    need("native")
    ends, status, last = WAYS[way]
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + SPEAKERS[speaker] + ends, str(halves.front), str(halves.weights)],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    said = done.stderr.strip().rpartition("\n")[2]
    assert (done.returncode, said) == (status, last), done.stderr
