"""The share of this machine's peak arithmetic rate that the native voice reaches.

    python -m bench.voice_peak [--threads 2] [--isa avx512 ...]

The peak is that of loops in registers (`bench/peak.cpp`), measured beside each sentence; the best of three
counts. What is reached is that of the generator's residual blocks, most of the work: the multiply-adds of
their convolutions alone, as Winograd needs them (`bench/voice_work.py`), over all the time that the blocks
take. The rate by processor time is what remains comparable where others use the machine. AS DIRECT is the
share of it that direct convolutions would have to reach to be as fast. Half a minute. Without the native
voice, or a compiler for the loops, there is nothing to measure, and it says so.
"""

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench.voice_work import Scheme, convolutions, multiply_adds, shapes
from radio import models, voices
from radio.cli.terminal import table
from radio.models.graph_cut import cut
from radio.mp3 import RATE
from radio.settings import Settings
from radio.speech.engines.native_engine import NativeEngine
from radio.speech.engines.native_library import instruction_sets, path
from tests.native.sentences import LONG

SOURCE: Final = Path(__file__).with_name("peak.cpp")
REPEATS: Final = 3
TAPS: Final = (3, 7, 11)
"""Of the generator's convolutions."""


def compiled(folder: Path) -> Path:
    """The program of `bench/peak.cpp`."""
    program = folder / "peak"
    subprocess.run(["g++", "-O3", "-std=c++17", "-pthread", str(SOURCE), "-o", str(program)], check=True)
    return program


def schemes(program: Path) -> Mapping[int, Scheme]:
    """The library's own, by the number of taps."""
    command = [str(program), "schemes", *map(str, TAPS)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = (map(int, line.split()) for line in out.splitlines())
    return {taps: Scheme(outputs, group) for taps, outputs, group in lines}


def peaks(program: Path, threads: int) -> Mapping[str, tuple[float, float]]:
    """GMAC/s by the clock and by processor time, for each instruction set."""
    out = subprocess.run([str(program), str(threads)], capture_output=True, text=True, check=True).stdout
    lines = (line.split() for line in out.splitlines())
    return {name: (float(clock), float(processor)) for name, clock, processor in lines}


def measured(engine: NativeEngine) -> tuple[float, float]:
    """Seconds in the residual blocks for a second of audio: by the clock, and of processor time."""
    engine.library.take_times()
    cpu, begun = time.process_time(), time.perf_counter()
    audio_s = engine.synthesise(LONG, voices.parse("af_heart")).size / RATE
    busy = (time.process_time() - cpu) / (time.perf_counter() - begun)
    blocks = engine.library.take_times()["resblocks"] / audio_s
    return blocks, blocks * busy


def row(program: Path, isa: str, threads: int, work: float, direct: float) -> tuple[str, ...]:
    """`work`, `direct`: thousands of millions of multiply-adds for a second of audio."""
    engine = NativeEngine(models.kokoro(Settings()), threads, isa)
    measured(engine)
    clock = processor = least = least_cpu = 0.0
    for _ in range(REPEATS):
        peak = peaks(program, threads)[isa]
        clock, processor = max(clock, peak[0]), max(processor, peak[1])
        seconds = measured(engine)
        least = min(least or seconds[0], seconds[0])
        least_cpu = min(least_cpu or seconds[1], seconds[1])
    engine.close()
    rate, rate_cpu = work / least, work / least_cpu * threads
    return (
        isa,
        f"{clock:.0f}",
        f"{rate:.0f} ({100 * rate / clock:.0f} %)",
        f"{processor:.0f}",
        f"{rate_cpu:.0f} ({100 * rate_cpu / processor:.0f} %)",
        f"{100 * rate_cpu / processor * direct / work:.0f} %",
    )


def absent() -> str | None:
    """What it cannot do without; None if that is here."""
    if path() is None:
        return "the native voice library is not built; make setup"
    return None if shutil.which("g++") else "no command g++; deploy/system-parts run"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--isa", action="append", choices=("avx512", "avx2"))
    options = parser.parse_args()
    if missing := absent():
        print(f"bench.voice_peak measures nothing here: {missing}")
        return
    wanted = options.isa or [isa for isa in instruction_sets() if isa in ("avx512", "avx2")]
    layers = convolutions(shapes(cut(models.kokoro(Settings()).onnx).weights))
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        direct, work = (multiply_adds(layers, by) / 1e9 for by in (None, schemes(program)))
        rows = [row(program, isa, options.threads, work, direct) for isa in wanted]
    print(f"residual blocks: {work:.1f} thousand million multiply-adds for a second of audio")
    print(f"(direct convolutions: {direct:.1f}); {options.threads} threads, thousand millions a second")
    print(table(rows, ("SET", "PEAK", "REACHED", "PEAK OF CPU TIME", "REACHED", "AS DIRECT")))


if __name__ == "__main__":
    main()
