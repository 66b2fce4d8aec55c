"""The voice's engines against each other on this machine: same phonemes, same threads, one run.

    python -m bench.voice_peers     # once: installs the peers
    python -m bench.voice [--passes 5] [--threads 2] [--isa avx2 ...] [--peer openvino:f32 ...]

Each engine is resident in a process of its own and one of them runs at a time, in changing order; one pass
that does not count comes first. xRT is seconds of audio per second. FASTER is the median, over the passes, of
the two times of one pair, so that a machine whose speed drifts does not favour one side; it is relative to
the fastest peer, which the last line names; who took twice its time in a pass that counts is measured no
more. CPU S is the processor time of a second of audio: with one thread
it compares engines even where others use the machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import voice_peers
from radio import models, voices
from radio.cli.terminal import table
from radio.mp3 import RATE
from radio.settings import Settings
from radio.speech.engines.model_inputs import Inputs
from tests.native.sentences import SENTENCES, SHORT

VOICE = "af_heart"
ROOT = str(Path(__file__).parents[1])
SLOW = 2.0
"""Times the fastest peer's time for a pass: who is slower leaves the rest of the passes to the others."""
PAUSE_S = 0.05
"""Between two runs, so that the threads of the one before have stopped spinning."""
PEERS = (
    "kokoro-onnx:int8",
    "fastkokoro:int8",
    "kokoro-pi:float",
    "openvino:f32",
    "openvino:bf16",
    "torch:fp32",
    "torch:bf16",
    "torch:fp32 compiled",
    "torch:bf16 compiled",
)
HEADINGS = ("ENGINE", "PASSES", "xRT", "FASTER", "CPU S", "SHORT", "LOAD", "PEAK RSS")


@dataclass
class Measured:
    """What one engine showed; times by pass and sentence."""

    process: "subprocess.Popen[str]"
    ours: bool
    name: str = ""
    load_s: float = 0.0
    audio_s: dict[str, float] = field(default_factory=dict)
    wall_s: list[dict[str, float]] = field(default_factory=list)
    cpu_s: list[dict[str, float]] = field(default_factory=list)
    peak_bytes: int = 0

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Raises EOFError where the engine's process has ended."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise EOFError
        answer: dict[str, Any] = json.loads(line)
        return answer

    def speak(self, sentence: dict[str, Any]) -> None:
        answer = self.ask(sentence)
        phonemes = sentence["phonemes"]
        self.wall_s[-1][phonemes], self.cpu_s[-1][phonemes] = answer["wall_s"], answer["cpu_s"]
        self.audio_s[phonemes] = answer["samples"] / RATE
        self.peak_bytes = answer["peak_bytes"]

    def pass_s(self) -> list[float]:
        return [sum(times.values()) for times in self.wall_s]

    def xrt(self) -> float:
        return sum(self.audio_s.values()) / statistics.median(self.pass_s())

    def short_s(self) -> float:
        return statistics.median(times[SHORT] for times in self.wall_s)

    def cpu_per_s(self) -> float:
        return statistics.median(sum(times.values()) for times in self.cpu_s) / sum(self.audio_s.values())


def start(spec: str, threads: int, stack: ExitStack) -> Measured | None:
    """A loaded engine; None, and a line that says why, where it cannot be had."""
    kind, _, variant = spec.partition(":")
    python = voice_peers.python(kind)
    if not python.exists():
        print(f"{spec} is not installed: python -m bench.voice_peers --only {kind}")
        return None
    log = stack.enter_context((voice_peers.CACHE / f"{spec.replace(':', '-')}.log").open("w"))
    ours = kind == "radio"
    process = stack.enter_context(
        subprocess.Popen(
            [str(python), str(voice_peers.WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), **({"PYTHONPATH": ROOT} if ours else {})},
        )
    )
    assert process.stdin
    stack.callback(process.stdin.close)
    engine = Measured(process, ours=ours)
    setup = {"kind": kind, "variant": variant, "threads": threads, "voice": VOICE, **voice_peers.files()}
    try:
        answer = engine.ask(setup)
    except EOFError:
        print(f"{spec} does not run here: {last_line(Path(log.name))}")
        return None
    engine.name, engine.load_s = answer["name"], answer["load_s"]
    return engine


def last_line(log: Path) -> str:
    return (log.read_text().strip().splitlines() or ["it said nothing"])[-1]


def asked(phonemes: Sequence[str]) -> list[dict[str, Any]]:
    """The sentences as workers take them."""
    inputs, blend = Inputs(models.kokoro(Settings())), voices.parse(VOICE)
    numbers = [inputs.tokens(text) for text in phonemes]
    return [
        {
            "phonemes": text,
            "tokens": tokens[0].tolist(),
            "style": inputs.style(blend, tokens.size - 2)[0].tolist(),
        }
        for text, tokens in zip(phonemes, numbers, strict=True)
    ]


def measure(
    engines: Sequence[Measured], sentences: Sequence[dict[str, Any]], passes: int, until: float
) -> None:
    """All passes, or those that end soon after `until`; one at least."""
    racing = list(engines)
    for number in range(-1, passes):
        if number > 0 and time.monotonic() > until:
            break
        _measure_pass(racing, sentences, number)
        if number >= 0:
            racing = _not_slow(racing)
    for engine in engines:
        del engine.wall_s[0], engine.cpu_s[0]


def _measure_pass(engines: Sequence[Measured], sentences: Sequence[dict[str, Any]], number: int) -> None:
    for engine in engines:
        engine.wall_s.append({})
        engine.cpu_s.append({})
    for i, sentence in enumerate(sentences):
        first = (number + i) % len(engines)
        for engine in (*engines[first:], *engines[:first]):
            engine.speak(sentence)
            time.sleep(PAUSE_S)


def _not_slow(engines: Sequence[Measured]) -> list[Measured]:
    """Without the peers that the last pass showed to be far behind the fastest one."""
    least = min((engine.pass_s()[-1] for engine in engines if not engine.ours), default=0.0)
    return [engine for engine in engines if engine.ours or engine.pass_s()[-1] < SLOW * least]


def ratios(reference: Measured, engine: Measured) -> list[float]:
    """How many times faster `engine` was, by the passes of both."""
    pairs = zip(reference.pass_s(), engine.pass_s(), strict=False)
    return [theirs / ours for theirs, ours in pairs]


def row(reference: Measured, engine: Measured) -> tuple[str, ...]:
    times = ratios(reference, engine)
    return (
        engine.name,
        str(len(engine.wall_s)),
        f"{engine.xrt():.2f}",
        f"{statistics.median(times):.2f} [{min(times):.2f}, {max(times):.2f}]",
        f"{engine.cpu_per_s():.3f}",
        f"{engine.short_s() * 1000:.0f} ms",
        f"{engine.load_s:.1f} s",
        f"{engine.peak_bytes / 1e6:.0f} MB",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sentences", type=int, default=len(SENTENCES), help="the shortest ones of five")
    parser.add_argument("--isa", action="append", help="instruction sets of our library; repeat for more")
    parser.add_argument("--peer", action="append", help=f"of {', '.join(PEERS)}; default all")
    parser.add_argument(
        "--within", type=float, default=240.0, help="seconds; fewer passes where it takes more"
    )
    options = parser.parse_args()
    until = time.monotonic() + options.within
    specs = [f"radio:{isa}" for isa in options.isa or ["auto"]] + (options.peer or list(PEERS))
    with ExitStack() as stack:
        engines = [engine for spec in specs if (engine := start(spec, options.threads, stack))]
        sentences = asked(SENTENCES[: options.sentences])
        measure(engines, sentences, options.passes, until)
    fastest = max((engine for engine in engines if not engine.ours), key=Measured.xrt, default=engines[0])
    audio = sum(fastest.audio_s.values())
    print(f"{len(sentences)} sentences, {audio:.1f} s of audio, {len(fastest.wall_s)} passes, voice {VOICE}")
    print(f"{options.threads} threads; short: {fastest.audio_s[SHORT]:.1f} s of audio")
    print(table([row(fastest, engine) for engine in engines], HEADINGS))
    print(f"fastest peer: {fastest.name}")


if __name__ == "__main__":
    main()
