"""What ONNX Runtime's arena and its memory patterns cost and save the engine `onnx`, by length of text.

    python -m bench.voice_arena [--sentences 60] [--longest 16] [--threads 2] [--within 150]

The int8 export speaks texts of random length in each of four ways, each in a process of its own, one sentence
at a time in changing order. The first sentence does not count in xRT. FASTER is the median of the ratios by
sentence to the radio's own choice, which is the first row.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from radio import models, voices
from radio.cli.terminal import table
from radio.mp3 import RATE
from radio.settings import Settings
from radio.speech.engines import onnx_session
from radio.speech.engines.onnx_engine import OnnxEngine
from tests.native.sentences import LONGEST

WAYS: Final = {
    "arena, no patterns": (True, False),
    "arena, patterns": (True, True),
    "no arena, no patterns": (False, False),
    "no arena, patterns": (False, True),
}
EARLY: Final = 10
"""Sentences after which memory is looked at first."""


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def serve(threads: int, arena: bool, patterns: bool) -> None:
    """Speaks as many phonemes as each line says."""
    own = onnx_session._options

    def options(threads: int, lets_go: bool) -> Any:
        made = own(threads, lets_go)
        made.enable_cpu_mem_arena, made.enable_mem_pattern = arena, patterns
        return made

    onnx_session._options = options
    engine, blend = OnnxEngine(models.kokoro(Settings()), threads), voices.parse("af_heart")
    for line in sys.stdin:
        begun = time.perf_counter()
        samples = engine.synthesise(LONGEST[: int(line)], blend).size
        wall_s = time.perf_counter() - begun
        print(json.dumps({"s": wall_s, "audio_s": samples / RATE, "mb": resident_mb()}), flush=True)


class Engine:
    """One way, in a process of its own."""

    def __init__(self, way: str, threads: int, stack: ExitStack) -> None:
        command = [sys.executable, "-m", "bench.voice_arena", f"--threads={threads}", f"--serve={way}"]
        self.process = stack.enter_context(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert self.process.stdin
        stack.callback(self.process.stdin.close)
        self.way = way
        self.told: list[dict[str, float]] = []

    def speak(self, phonemes: int) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{phonemes}\n")
        self.process.stdin.flush()
        self.told.append(json.loads(self.process.stdout.readline()))

    def row(self, own: "Engine") -> tuple[str, ...]:
        counted = self.told[1:]
        faster = [a["s"] / b["s"] for a, b in zip(own.told[1:], counted, strict=True)]
        early = self.told[min(EARLY, len(self.told)) - 1]
        return (
            self.way,
            f"{sum(t['audio_s'] for t in counted) / sum(t['s'] for t in counted):.2f}",
            f"{statistics.median(faster):.2f}",
            f"{early['mb']:.0f} MB",
            f"{self.told[-1]['mb']:.0f} MB",
            f"{max(t['mb'] for t in self.told):.0f} MB",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sentences", type=int, default=60)
    parser.add_argument("--longest", type=int, default=16, help="phonemes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--within", type=float, default=150.0, help="seconds; fewer sentences if it takes more"
    )
    parser.add_argument("--serve", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.threads, *WAYS[options.serve])
    until, chance = time.monotonic() + options.within, random.Random(7)
    with ExitStack() as stack:
        engines = [Engine(way, options.threads, stack) for way in WAYS]
        for number in range(options.sentences):
            if number > 1 and time.monotonic() > until:
                break
            phonemes, first = chance.randint(1, options.longest), number % len(engines)
            for engine in (*engines[first:], *engines[:first]):
                engine.speak(phonemes)
    count = len(engines[0].told)
    print(f"{count} sentences of 1 to {options.longest} phonemes, {options.threads} threads")
    print(
        table(
            [engine.row(engines[0]) for engine in engines],
            ("MEMORY", "xRT", "FASTER", f"RSS AFTER {min(EARLY, count)}", f"AFTER {count}", "PEAK"),
        )
    )
    return None


if __name__ == "__main__":
    main()
