"""A timetable with shows of several kinds, one after another: each on time, each archived, no dead air."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest
import soundfile

from radio.streams.records import Audio, ShowBegin
from tests import hearing
from tests.flow import measure, players
from tests.flow.running import Radio
from tests.flow.stations import tale
from tests.flow.test_on_air import carried
from tests.need import need
from tests.waiting import until

pytestmark = pytest.mark.flow

DEAD_AIR_MS = 5_000
SENTENCE_MS = 12_000
"""A show begins within one sentence of its time."""
SET_UP_S = 45
"""From writing the station file to its first show: the processes start, and a fallback is heard."""
HEAD = """\
station: harbor
title: Harbor FM
timezone: UTC
voice: af_heart
persona: Ada, a calm night host who loves ships and small facts.
fallback: {producer: text, text: "This is Harbor FM. The programme begins in a moment.", loop: true}
shows:
"""
KINDS = {
    "written": "producer: llm, topics: [the tides of the sea, old lighthouses, how ships find their way]",
    "wires": "producer: feed, feeds: [news.xml], tell: read",
    "tales": "producer: text, files: [tales.txt]",
    "music": 'producer: audio, files: ["music/*.wav"], loop: true',
    "again": "producer: rerun, shows: [wires]",
}
ITEM = "<item><guid>{n}</guid><title>Report number {n}</title><description>{text}</description></item>"


@dataclass(frozen=True)
class Planned:
    """A show of the timetable, in epoch ms."""

    show: str
    at: int
    until: int


def timetable(minutes: int, kinds: Sequence[str]) -> tuple[str, list[Planned]]:
    """A station file whose shows follow one another from the next minute that leaves time to start."""
    first = -(-int(time.time() + SET_UP_S) // 60) * 60
    planned, lines = [], []
    for n, show in enumerate(kinds):
        at = first + n * minutes * 60
        clock = datetime.fromtimestamp(at, UTC).strftime("%H:%M")
        lines.append(
            f'  - {{id: {show}, title: {show.title()}, at: "{clock}", length: {minutes}m, {KINDS[show]}}}'
        )
        planned.append(Planned(show, at * 1000, (at + minutes * 60) * 1000))
    return HEAD + "\n".join(lines) + "\n", planned


def furnish(folder: Path) -> None:
    """What the shows read and play."""
    (folder / "tales.txt").write_text(" ".join(tale(400)), encoding="utf-8")
    items = [ITEM.format(n=n, text=text) for n, text in enumerate(tale(200))]
    feed = f'<rss version="2.0"><channel><title>News</title>{"".join(items)}</channel></rss>'
    (folder / "news.xml").write_text(feed, encoding="utf-8")
    (folder / "music").mkdir()
    for number in range(3):
        length = np.arange(20 * 44_100) / 44_100
        wave = 0.3 * np.sin(2 * np.pi * (220 + 110 * number) * length) * np.minimum(1, length)
        soundfile.write(folder / "music" / f"{number}.wav", np.stack([wave, wave], 1), 44_100)


async def on_the_air(tmp_path: Path, minutes: int, kinds: Sequence[str], *options: str) -> None:
    """Run the whole timetable, listen to all of it, and account for every second."""
    radio = Radio(tmp_path / "radio", {}, *options)
    furnish(radio.schedules)
    yaml, planned = timetable(minutes, kinds)
    (radio.schedules / "harbor.yaml").write_text(yaml, encoding="utf-8")
    radio.start()
    try:
        begins, ends = planned[0].at, planned[-1].until
        await until(lambda: time.time() * 1000 >= begins - 15_000, within_s=200)
        listened = (ends - time.time() * 1000) / 1000
        heard = await players.hear(f"{radio.url}stations/harbor/live.mp3", seconds=listened)
        sound = tmp_path / "live.mp3"
        sound.write_bytes(heard.sound[: len(heard.sound) // 192 * 192])
        assert await players.complaints(sound) == ""
        archived = await archive(radio, planned)
        async with radio.store() as store:
            entries = await measure.broadcast(store, "harbor")
            made = await measure.audio_of(store, "harbor")
    finally:
        radio.end()
    told = [report(entries, run, plan) for run, plan in zip(archived, planned, strict=True)]
    gap = longest_gap(made, begins, ends)
    print(f"\nlongest gap {gap / 1000:.3f} s from {begins} to {ends}\n" + "\n".join(told))
    assert gap <= DEAD_AIR_MS, "dead air"
    if "--engine=tone" not in options:
        openings = [opening(made, run["run"], heard) for run in archived]
        print("\n".join(openings))


async def archive(radio: Radio, planned: Sequence[Planned]) -> list[dict[str, Any]]:
    """The planned runs as the archive lists them, oldest first; waits until it has all of them, finished."""
    found: list[dict[str, Any]] = []

    async def is_whole() -> bool:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{radio.url}stations/harbor/archive") as got,
        ):
            runs = (await got.json())["runs"]
        by_show = {run["show"]: run for run in runs if run["finished"]}
        found[:] = [by_show[plan.show] for plan in planned if plan.show in by_show]
        return len(found) == len(planned)

    await until(is_whole, within_s=180)
    return found


def report(entries: Sequence[measure.Entry], run: dict[str, Any], plan: Planned) -> str:
    """Assert that the run was on time, by what the archive and the records say; one line about it."""
    shows = [e.record for e in entries if isinstance(e.record, ShowBegin) and e.record.run == run["run"]]
    audio = [e.record for e in entries if isinstance(e.record, Audio) and e.record.run == run["run"]]
    first, last = audio[0], audio[-1]
    assert first.at is not None
    assert shows[0].at == first.at == run["at"], "the records do not say when it began"
    assert run["until"] == last.until
    late_ms = first.at - plan.at
    assert 0 <= late_ms <= SENTENCE_MS, f"{plan.show} began {late_ms} ms after its time"
    assert abs(last.until - plan.until) <= SENTENCE_MS + DEAD_AIR_MS
    length = f"{len(audio)} records, {run['audio_ms'] / 1000:.1f} s"
    return f"{run['run']}: {late_ms / 1000:.3f} s after its time, {length}"


def longest_gap(made: Sequence[tuple[measure.Entry, Audio]], begins: int, ends: int) -> int:
    """The longest time (ms) without sound between those air times."""
    inside = [a for _, a in made if a.at is not None and a.until > begins and a.at < ends]
    edges = [begins, *(edge for a in inside for edge in (a.at or 0, a.until)), ends]
    return max(max(0, later - earlier) for earlier, later in list(pairwise(edges))[::2])


def opening(made: Sequence[tuple[measure.Entry, Audio]], run: str, heard: players.Heard) -> str:
    """Assert that live listeners heard the run's first spoken record at its air time; what was recognised."""
    whole = [a for _, a in carried(heard, made) if a.run == run]
    first = next(a for _, a in made if a.run == run)
    assert whole[0].at == first.at, "the first record of the run was not live at its air time"
    if not hearing.words(first.t) or run.startswith("music"):
        return f"{run}: begins with sound"
    words = hearing.hear(first.body)
    assert hearing.word_error_rate(words, first.t) <= 0.34, (words, first.t)
    return f"{run}: begins with {words!r}"


@pytest.mark.soak
@pytest.mark.model
@pytest.mark.player
async def test_twenty_minutes_of_five_kinds_are_on_time_without_dead_air(tmp_path: Path) -> None:
    need("ffmpeg", "whisper", "llm", "voice")
    await on_the_air(tmp_path, 4, list(KINDS))


@pytest.mark.player
async def test_two_minutes_of_two_kinds_are_on_time_without_dead_air(tmp_path: Path) -> None:
    need("ffmpeg", "espeak")
    await on_the_air(tmp_path, 1, ["wires", "again"], "--engine=tone")
