"""What an LLM that writes without rest costs the voice, with the compute gate and without it.

    python -m bench.gate [--sentences 24] [--engine auto]

The voice speaks the same sentences alone, beside an LLM in a process of its own, and beside one that takes
turns with it at the gate; rounds alternate. WAIT is the time until the device was free, WHOLE that until the
sentence was there. The limit: no sentence waits longer than a burst and a look.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.narrator import SENTENCES
from radio import models
from radio.cli.terminal import table
from radio.compute_gate import BURST_S, Gate
from radio.producers.models.chat_model import Message, Sampling
from radio.producers.models.llama import LlamaModel
from radio.settings import Settings
from radio.speech.speaker import Speaker, load_speaker

VOICE = "af_heart"
ROUNDS = ("alone", "no gate", "gate")
LOOKS_S = 0.05
"""What the voice may wait longer than a burst: its own looks, and a process that has to be woken."""
CHAT = (
    Message("system", "You are Ada, a calm radio host. You speak in short sentences."),
    Message("user", "Talk about the harbour, its boats and the people who wait for them. " * 8),
)


@dataclass
class Measured:
    """Seconds."""

    waits: list[float] = field(default_factory=list)
    wholes: list[float] = field(default_factory=list)
    audio_s: float = 0.0
    llm_characters: int = 0
    llm_s: float = 0.0
    without: int = 0


@contextmanager
def writing(folder: Path, gate: str, measured: Measured) -> Iterator[None]:
    """An LLM beside, in a process of its own."""
    command = [sys.executable, "-m", "bench.gate", "--write", str(folder), "--gate", gate]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "writing\n"
        begun = time.monotonic()
        try:
            yield
        finally:
            measured.llm_s += time.monotonic() - begun
            child.stdin.close()
            measured.llm_characters += json.loads(child.stdout.readline())["characters"]


async def write(folder: Path, gate: str) -> None:
    """Write until stdin ends, then print how much."""
    settings = Settings(data=folder, gate=gate)
    model = await asyncio.to_thread(LlamaModel, models.llm(settings), settings)
    characters = 0
    over = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    print("writing", flush=True)
    turn = 0
    while not over.done():
        turn += 1
        chat = [*CHAT, Message("user", f"{turn}. Tell it another way.")] if turn % 2 else list(CHAT)
        sampling = Sampling(max_tokens=90, temperature=0.7, seed=turn)
        words = model.write(chat, "", sampling)
        async for word in words:
            characters += len(word)
            if over.done():
                break
        await words.aclose()
    print(json.dumps({"characters": characters}), flush=True)
    await model.close()


async def speak(speaker: Speaker, gate: Gate | None, sentences: list[str], measured: Measured) -> None:
    for sentence in sentences:
        begun = time.monotonic()
        if gate is None:
            measured.waits.append(0.0)
            spoken = await asyncio.to_thread(speaker.speak, sentence, VOICE)
        else:
            async with gate.speaking():
                measured.waits.append(time.monotonic() - begun)
                spoken = await asyncio.to_thread(speaker.speak, sentence, VOICE)
        measured.wholes.append(time.monotonic() - begun)
        measured.audio_s += spoken.frames * 0.024
        await asyncio.sleep(0.3)


async def measure(count: int, engine: str, folder: Path) -> dict[str, Measured]:
    speaker = await asyncio.to_thread(load_speaker, Settings(engine=engine))
    await asyncio.to_thread(speaker.warm_up)
    sentences = [SENTENCES[n % len(SENTENCES)] for n in range(count // 2)]
    found = {name: Measured() for name in ROUNDS}
    for name in ROUNDS * 2:
        measured = found[name]
        if name == "alone":
            await speak(speaker, None, sentences, measured)
            continue
        gate = Gate(folder / "gate", who="voice") if name == "gate" else None
        with writing(folder, "on" if gate else "off", measured):
            await speak(speaker, gate, sentences, measured)
        if gate is not None:
            measured.without += gate.without
            gate.close()
    await asyncio.to_thread(speaker.close)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=24)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--gate", default="on", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        asyncio.run(write(args.write, args.gate))
        return 0
    with tempfile.TemporaryDirectory() as place:
        found = asyncio.run(measure(args.sentences, args.engine, Path(place)))
    rows = [_row(name, measured, found["alone"]) for name, measured in found.items()]
    head = (
        "VOICE",
        "WAIT p50",
        "WAIT max",
        "WHOLE p50",
        "WHOLE max",
        "SLOWER",
        "xRT",
        "LLM chars/s",
        "WITHOUT",
    )
    print(table(rows, head))
    longest = max(found["gate"].waits)
    limit = BURST_S + LOOKS_S
    print(f"longest wait at the gate {1000 * longest:.0f} ms; limit {1000 * limit:.0f} ms")
    return 0 if longest <= limit and not found["gate"].without else 1


def _row(name: str, measured: Measured, alone: Measured) -> tuple[str, ...]:
    pairs = zip(measured.wholes, alone.wholes, strict=True)
    slower = statistics.median(whole - before for whole, before in pairs)
    return (
        name,
        f"{1000 * statistics.median(measured.waits):.0f} ms",
        f"{1000 * max(measured.waits):.0f} ms",
        f"{statistics.median(measured.wholes):.2f} s",
        f"{max(measured.wholes):.2f} s",
        f"{1000 * slower:+.0f} ms",
        f"{measured.audio_s / sum(measured.wholes):.1f}",
        f"{measured.llm_characters / measured.llm_s:.0f}" if measured.llm_s else "",
        str(measured.without) if name == "gate" else "",
    )


if __name__ == "__main__":
    sys.exit(main())
