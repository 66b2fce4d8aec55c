"""Memory of the engines over two thousand sentences of random length, each engine in a process of its own."""

import subprocess
import sys

import numpy as np
import pytest

from tests.need import need


@pytest.mark.soak
@pytest.mark.model
@pytest.mark.parametrize("engine", ["native", "onnx"])
def test_memory_is_flat_from_sentence_500_to_2000(engine: str) -> None:
    need("voice", *(["native"] if engine == "native" else []))
    done = subprocess.run(
        [sys.executable, "-m", "tests.speech.memory_child", engine, "2000"],
        capture_output=True,
        text=True,
        check=True,
        timeout=7200,
    )
    held = {int(number): int(size) for number, size in map(str.split, done.stdout.splitlines())}
    later = {number: size for number, size in held.items() if number >= 500}
    slope = np.polyfit(list(later), list(later.values()), 1)[0]
    megabytes = {number: held[number] / 1e6 for number in (500, 1000, 2000)}
    print(f"\n{engine}: MB at sentence {megabytes}; {slope / 1e3:+.1f} KB a sentence from 500 on")
    assert abs(held[2000] / held[500] - 1) <= 0.05
