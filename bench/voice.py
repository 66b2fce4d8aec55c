"""The native voice against ONNX Runtime's int8 on this machine.

    python -m bench.voice [--passes 5] [--threads 2] [--isa auto --isa avx2 ...]

Each engine is resident in a process of its own and one of them runs at a time, in changing order. One pass
that does not count comes first. xRT is seconds of audio per second; FASTER is the median, over sentences and
passes, of the two times of one pair, so that a machine whose speed drifts does not favour one side.
"""

import argparse
import multiprocessing
import resource
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from radio import models, voices
from radio.cli.terminal import table
from radio.mp3 import RATE
from radio.narrator.engines import Engine
from radio.narrator.engines.native import NativeEngine
from radio.narrator.engines.onnx import OnnxEngine
from radio.settings import Settings
from tests.native.sentences import SENTENCES, SHORT

VOICE = "af_heart"
REFERENCE = "onnx"
PAUSE_S = 0.05
"""Between two runs, so that the threads of the one before have stopped spinning."""


@dataclass
class Measured:
    """What one engine showed."""

    connection: Connection
    name: str
    load_s: float
    audio_s: dict[str, float] = field(default_factory=dict)
    wall_s: list[dict[str, float]] = field(default_factory=list)
    peak_bytes: int = 0

    def speak(self, phonemes: str) -> float:
        self.connection.send(phonemes)
        wall, self.audio_s[phonemes], self.peak_bytes = self.connection.recv()
        return float(wall)

    def median(self, phonemes: str) -> float:
        return statistics.median(times[phonemes] for times in self.wall_s)

    def xrt(self) -> float:
        return sum(self.audio_s.values()) / sum(self.median(phonemes) for phonemes in SENTENCES)


def serve(connection: Connection, kind: str, threads: int) -> None:
    """Loads an engine, then speaks what comes."""
    begun = time.perf_counter()
    files = models.kokoro(Settings())
    engine: Engine = OnnxEngine(files, threads) if kind == REFERENCE else NativeEngine(files, threads, kind)
    connection.send((engine.name, time.perf_counter() - begun))
    while phonemes := connection.recv():
        begun = time.perf_counter()
        samples = engine.synthesise(phonemes, voices.parse(VOICE))
        wall = time.perf_counter() - begun
        connection.send(
            (wall, samples.size / RATE, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        )


def start(kind: str, threads: int, stack: ExitStack) -> Measured:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, kind, threads))
    process.start()
    stack.callback(process.join)
    stack.callback(ours.send, "")
    name, load_s = ours.recv()
    return Measured(ours, name, load_s)


def measure(engines: Sequence[Measured], passes: int) -> None:
    for number in range(-1, passes):
        for engine in engines:
            engine.wall_s.append({})
        for i, phonemes in enumerate(SENTENCES):
            first = (number + i) % len(engines)
            for engine in (*engines[first:], *engines[:first]):
                engine.wall_s[-1][phonemes] = engine.speak(phonemes)
                time.sleep(PAUSE_S)
    for engine in engines:
        del engine.wall_s[0]


def ratio(reference: Measured, engine: Measured) -> float:
    pairs = zip(reference.wall_s, engine.wall_s, strict=True)
    return statistics.median(a[phonemes] / b[phonemes] for a, b in pairs for phonemes in SENTENCES)


def row(reference: Measured, engine: Measured) -> tuple[str, ...]:
    return (
        engine.name,
        f"{engine.xrt():.2f}",
        f"{ratio(reference, engine):.2f}",
        f"{engine.median(SHORT) * 1000:.0f} ms",
        f"{engine.load_s:.1f} s",
        f"{engine.peak_bytes / 1e6:.0f} MB",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--isa", action="append", help="instruction sets of the native voice; repeat for more"
    )
    options = parser.parse_args()
    with ExitStack() as stack:
        engines = [start(kind, options.threads, stack) for kind in (REFERENCE, *(options.isa or ["auto"]))]
        measure(engines, options.passes)
        rows = [row(engines[0], engine) for engine in engines]
    audio = sum(engines[0].audio_s.values())
    print(f"{len(SENTENCES)} sentences, {audio:.1f} s of audio, {options.passes} passes, voice {VOICE}")
    short = f"{engines[0].audio_s[SHORT]:.1f} S OF AUDIO"
    print(table(rows, ("ENGINE", "xRT", "FASTER", short, "LOAD", "PEAK RSS")))


if __name__ == "__main__":
    main()
