"""How the sample host talks: repeated sentences, discards by reason, words a minute of air time.

    python -m bench.host [--minutes 60] [--within SECONDS] [--station harbor] [--model default] [--text FILE]

The LLM shows of a station follow each other from its first one on, as on air: the time is that of the text
as it is spoken (`SPEECH_BYTES_PER_S`), and each run knows the captions of those before it. A sentence of five
words or more is repeated if it stood in the text before, word for word.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from bench.samples import host_shows
from radio import models, producer_kinds
from radio.cli.terminal import table
from radio.clock import SystemClock
from radio.producers.host import host_source
from radio.producers.host.repetition import words_of
from radio.producers.models.model_cache import ModelCache
from radio.producers.source import Brief, Words
from radio.runs import SPEECH_BYTES_PER_S, Assignment
from radio.sentences import Splitter
from radio.settings import Settings

FEWEST_WORDS = 5
BEGIN = 1_796_014_800_000
"""Monday 2026-11-30, 06:00 in Berlin."""


class Hour:
    """What was written."""

    def __init__(self, settings: Settings, model: str, minutes: float, within_s: float) -> None:
        self.settings = settings
        self.model = model
        self.until = BEGIN + round(minutes * 60_000)
        self.now = BEGIN
        self.deadline_s = time.monotonic() + within_s
        self.texts: list[str] = []
        self.discarded: Counter[str] = Counter()
        self.model_cache = ModelCache()

    async def write(self, task: Assignment, options: producer_kinds.Llm) -> None:
        """One run, to its end or that of the hour."""
        task = replace(task, at=self.now, model=self.model)
        run: list[tuple[int, str]] = []
        brief = Brief(
            assignment=task, options=options, settings=self.settings, clock=SystemClock(),
            next_seg=0, written="", heard_at=lambda: self.now,
            stands=lambda seg: "".join(text for n, text in run if n == seg),
            aired=tuple(sentences(" ".join(self.texts))), discarded=self.discarded,
            model_cache=self.model_cache,
        )  # fmt: skip
        begun = self.now
        async with aclosing(host_source.open_source(brief).pieces()) as pieces:
            async for piece in pieces:
                if isinstance(piece, Words):
                    run.append((piece.seg, piece.text))
                else:
                    run = [(seg, text) for seg, text in run if seg != piece.seg]
                size = sum(len(text.encode()) for _, text in run)
                self.now = begun + round(size / SPEECH_BYTES_PER_S * 1000)
                if self.now >= task.until or self.is_over:
                    break
        self.texts.append("".join(text for _, text in run))

    @property
    def is_over(self) -> bool:
        return self.now >= self.until or time.monotonic() > self.deadline_s


def sentences(text: str) -> list[str]:
    splitter = Splitter(max_chars=4000)
    return [sentence.text for sentence in [*splitter.feed(text), *splitter.finish()]]


def repeated(said: Sequence[str]) -> list[str]:
    """Sentences of five words or more that repeat an earlier one word for word."""
    seen: set[tuple[str, ...]] = set()
    found = []
    for sentence in said:
        words = words_of(sentence)
        if len(words) >= FEWEST_WORDS and words in seen:
            found.append(sentence)
        seen.add(words)
    return found


async def _main(args: argparse.Namespace) -> int:
    settings = Settings()
    hour = Hour(settings, args.model, args.minutes, args.within)
    begun = time.monotonic()
    for task, options in host_shows(Path("schedules"), args.station, BEGIN, hour.until):
        await hour.write(task, options)
        if hour.is_over:
            break
    seconds = time.monotonic() - begun
    await hour.model_cache.close()
    text = "\n\n".join(hour.texts)
    said = sentences(text)
    counted = [sentence for sentence in said if len(words_of(sentence)) >= FEWEST_WORDS]
    again = repeated(said)
    if args.text:
        args.text.write_text(text)
    minutes = (hour.now - BEGIN) / 60_000
    words = sum(len(words_of(sentence)) for sentence in said)
    print(f"command              python -m bench.host {' '.join(sys.argv[1:])}".rstrip())
    print(f"model                {models.llm(settings, args.model).name}")
    print(f"air time             {minutes:.1f} min, written in {seconds:.0f} s")
    print(f"words a minute       {words / minutes:.0f} ({words} words)")
    print(f"sentences            {len(said)}, of five words or more {len(counted)}")
    print(f"repeated             {len(again)} ({100 * len(again) / max(len(counted), 1):.2f} %; limit 1 %)")
    for sentence in again[:10]:
        print(f"                     {sentence}")
    print(table((+hour.discarded).most_common(), ("DISCARDED", "TIMES")))
    return 0 if len(again) < 0.01 * len(counted) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="of air time")
    parser.add_argument("--within", type=float, default=float("inf"), help="seconds; then with what there is")
    parser.add_argument("--station", default="harbor")
    parser.add_argument("--model", default="default")
    parser.add_argument("--text", type=Path, help="write the text there")
    return asyncio.run(_main(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
