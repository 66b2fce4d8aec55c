"""The voice beside others: two streams at once, and an LLM at work, against the fastest peers in one run.

    python -m bench.voice_peers --only openvino --only kokoro-onnx     # once: installs the peers
    python -m bench.voice_beside [--only streams|llm] [--passes 5] [--within 120] [--peer openvino:f32 ...]

Two streams speak the same sentences, either in turn in one process with two threads, or each in a process of
its own with one thread; xRT is the seconds of audio of both together per second. Beside an LLM the engine has
two threads and the LLM one (RADIO_MODEL, the radio's own by default; see `bench.voice_writer`): at the rate
at which stations use up text, and without rest. All engines are resident, one way of one engine runs at a
time, in changing order; one pass of one sentence that does not count comes first. FASTER is the median, over
the passes, of the ratio to the fastest peer of the same way. KEPT is the share of its speed alone that an
engine keeps in the same pass. A narrator waits at the compute gate, which no peer can; see `bench.gate`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, Final

from bench.voice import PAUSE_S, Measured, asked, start
from radio.cli.terminal import table
from radio.mp3 import RATE
from tests.native.sentences import SENTENCES

PEERS: Final = ("openvino:f32", "kokoro-onnx:int8")
IN_TURN, APART = "one process, 2 threads, in turn", "two processes, 1 thread each"
ALONE, PACED, RESTLESS = "alone", "beside an LLM at {:g} tokens/s", "beside an LLM without rest"
TOKENS_PER_S: Final = 8.0
"""About what two stations use up."""
LEAST_S: Final = 4.0
"""Beside an LLM an engine speaks at least so long, so that several bursts of the LLM fall into it."""

Sentences = Sequence[dict[str, Any]]
Way = Callable[[Sentences], float]
"""Speaks the sentences; returns seconds of audio per second."""
Key = tuple[str, str]
"""Way and engine."""


def said(engine: Measured, sentences: Sentences) -> float:
    """Seconds of audio."""
    return sum(int(engine.ask(sentence)["samples"]) for sentence in sentences) / RATE


def in_turn(engine: Measured, streams: int) -> Way:
    """One process for all streams."""

    def speak(sentences: Sentences) -> float:
        begun = time.perf_counter()
        audio_s = said(engine, [sentence for sentence in sentences for _ in range(streams)])
        return audio_s / (time.perf_counter() - begun)

    return speak


def lasting(engine: Measured) -> Way:
    """One stream, again and again for `LEAST_S`."""

    def speak(sentences: Sentences) -> float:
        begun, audio_s = time.perf_counter(), 0.0
        while (elapsed_s := time.perf_counter() - begun) < LEAST_S:
            audio_s += said(engine, sentences)
        return audio_s / elapsed_s

    return speak


def apart(engines: Sequence[Measured]) -> Way:
    """A process for each stream; every other stream begins with the last sentence."""

    def speak(sentences: Sentences) -> float:
        orders = [sentences[:: -1 if i % 2 else 1] for i in range(len(engines))]
        begun = time.perf_counter()
        with ThreadPoolExecutor(len(engines)) as callers:
            audio_s = sum(callers.map(said, engines, orders))
        return audio_s / (time.perf_counter() - begun)

    return speak


class Writer:
    """The LLM's process."""

    def __init__(self, stack: ExitStack) -> None:
        command = [sys.executable, "-m", "bench.voice_writer"]
        self._process = stack.enter_context(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert self._process.stdin
        stack.callback(self._process.stdin.close)
        self.name = str(self._told()["name"])
        self._told()
        self.tokens_per_s: dict[Key, list[float]] = {}
        self.speeds: dict[Key, list[float]] = {}
        """Tokens per second of computing."""

    def beside(self, key: Key, rate: float, way: Way) -> Way:
        """`way` with the LLM at work; what it wrote is noted under `key`."""

        def speak(sentences: Sentences) -> float:
            self._say(f"{rate} {'/'.join(key)}")
            xrt = way(sentences)
            self._say("")
            wrote = self._told()
            self.tokens_per_s.setdefault(key, []).append(wrote["tokens"] / wrote["seconds"])
            if wrote["computing_s"]:
                self.speeds.setdefault(key, []).append(wrote["tokens"] / wrote["computing_s"])
            return xrt

        return speak

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _told(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise EOFError("the LLM's process has ended")
        told: dict[str, Any] = json.loads(line)
        return told


def measured(
    ways: Mapping[Key, Way], sentences: Sentences, passes: int, until: float
) -> dict[Key, list[float]]:
    """xRT by pass; all passes, or those that end soon after `until`, one at least."""
    keys = list(ways)
    for key in keys:
        ways[key](sentences[:1])
    found: dict[Key, list[float]] = {key: [] for key in keys}
    for number in range(passes):
        if number and time.monotonic() > until:
            break
        for i in range(len(keys)):
            key = keys[(number + i) % len(keys)]
            found[key].append(ways[key](sentences))
            time.sleep(PAUSE_S)
    return found


def spread(values: Sequence[float], digits: int = 2) -> str:
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def ratios(found: Mapping[Key, Sequence[float]], over: Key, under: Key) -> list[float]:
    """Of two keys, by pass."""
    return [a / b for a, b in zip(found[over], found[under], strict=True)]


def fastest(found: Mapping[Key, Sequence[float]], way: str, ours: str) -> Key:
    """The peer that is fastest in this way; ourselves where there is none."""
    peers = [key for key in found if key[0] == way and key[1] != ours]
    return max(peers, key=lambda key: statistics.median(found[key]), default=(way, ours))


def streams(options: argparse.Namespace, sentences: Sentences) -> None:
    with ExitStack() as stack:
        ways: dict[Key, Way] = {}
        for spec in ["radio:auto", *options.peers]:
            engines = [start(spec, threads, stack) for threads in (2, 1, 1)]
            loaded = [engine for engine in engines if engine]
            if len(loaded) == len(engines):
                ways[IN_TURN, spec] = in_turn(loaded[0], 2)
                ways[APART, spec] = apart(loaded[1:])
        found = measured(ways, sentences, options.passes, time.monotonic() + options.within)
    rows = []
    for way in (IN_TURN, APART):
        best = fastest(found, way, "radio:auto")
        rows += [
            (*key, spread(found[key]), spread(ratios(found, key, best))) for key in found if key[0] == way
        ]
    print(table(rows, ("TWO STREAMS", "ENGINE", "xRT OF BOTH", "FASTER")))


def beside_llm(options: argparse.Namespace, sentences: Sentences) -> None:
    with ExitStack() as stack:
        writer = Writer(stack)
        paced = PACED.format(options.rate)
        ways: dict[Key, Way] = {}
        for spec in ["radio:auto", *options.peers]:
            if engine := start(spec, 2, stack):
                ways[ALONE, spec] = lasting(engine)
                for way, rate in ((paced, options.rate), (RESTLESS, 0.0)):
                    ways[way, spec] = writer.beside((way, spec), rate, lasting(engine))
        for way, rate in ((paced, options.rate), (RESTLESS, 0.0)):
            ways[way, "no voice"] = writer.beside((way, "no voice"), rate, nothing)
        found = measured(ways, sentences, options.passes, time.monotonic() + options.within)
    print(f"LLM: {writer.name}, 1 thread; its tokens/s by the clock, and per second that it computes")
    print(
        table(
            [
                llm_row(key, found, writer)
                for way in (ALONE, paced, RESTLESS)
                for key in ways
                if key[0] == way
            ],
            ("VOICE", "ENGINE", "xRT", "KEPT", "FASTER", "TOKENS/S", "COMPUTING"),
        )
    )


def nothing(_: Sentences) -> float:
    """As long as an engine speaks at least."""
    time.sleep(LEAST_S)
    return 0.0


def llm_row(key: Key, found: Mapping[Key, Sequence[float]], writer: Writer) -> tuple[str, ...]:
    way, engine = key
    tokens = [
        spread(by.get(key, [])[1:], 0) if len(by.get(key, [])) > 1 else ""  # the first is not of a pass
        for by in (writer.tokens_per_s, writer.speeds)
    ]
    if engine == "no voice":
        return way, engine, "", "", "", *tokens
    kept = ratios(found, key, (ALONE, engine))
    faster = ratios(found, key, fastest(found, way, "radio:auto"))
    return way, engine, spread(found[key]), f"{100 * statistics.median(kept):.0f} %", spread(faster), *tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=("streams", "llm"), help="one of the two; default both")
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=2, help=f"the shortest ones of {len(SENTENCES)}")
    parser.add_argument("--peer", action="append", dest="peers", help=f"default {', '.join(PEERS)}")
    parser.add_argument("--rate", type=float, default=TOKENS_PER_S, help="tokens a second")
    parser.add_argument(
        "--within", type=float, default=120.0, help="seconds of both; fewer passes where it takes more"
    )
    options = parser.parse_args()
    options.peers = options.peers or list(PEERS)
    parts = [
        part for name, part in (("streams", streams), ("llm", beside_llm)) if options.only in (None, name)
    ]
    options.within /= len(parts)
    sentences = asked(SENTENCES[: options.sentences])
    for part in parts:
        part(options, sentences)


if __name__ == "__main__":
    main()
