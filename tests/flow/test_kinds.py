"""From a producer of each kind to the broadcast: what is written is heard, once, with its captions."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from radio.producers import runner
from radio.runs import Assignment
from radio.streams import names, records
from tests.narrator.studio import STATION, Studio, assert_exact, memory_studio
from tests.waiting import until

RSS = "<rss version='2.0'><channel><title>Wires</title>{}</channel></rss>"


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def write(studio: Studio, run: str, producer: str, *, at: int, until_ms: int, **options: Any) -> None:
    """A producer process's work for a run that its scheduler began and ends."""
    show = run.partition("@")[0]
    begin = records.Begin(
        run=run, show=show, title=show.title(), voice="af_heart", producer=producer, at=at, until=until_ms
    )
    await studio.write(names.station_input(STATION), begin)
    task = Assignment(
        station=STATION, station_title="Harbor FM", run=run, show=show, title=show.title(), producer=producer,
        options={"producer": producer, **options}, at=at, until=until_ms,
    )  # fmt: skip
    await runner.run(studio.settings, studio.store, studio.clock, asyncio.Event(), task)
    await studio.end_run(run)


async def on_air(studio: Studio, run: str, producer: str, **options: Any) -> list[str]:
    """The captions of a run, after it was written and heard to its end."""
    now = studio.clock.now_ms()
    await write(studio, run, producer, at=now, until_ms=now + 600_000, **options)
    await studio.archived(run)
    return await studio.captions(run)


def prepare(folder: Path) -> None:
    (folder / "tale.txt").write_text("The lamp was lit at dusk.\n\nThe keeper went down the stairs.")
    item = "<item><guid>{0}</guid><title>News number {0}</title><description>It is so.</description></item>"
    (folder / "wires.xml").write_text(RSS.format(item.format(1) + item.format(2)))
    tone = 0.2 * np.sin(2 * np.pi * 440 * np.arange(44_100 * 13) / 44_100)
    soundfile.write(folder / "tune.flac", tone, 44_100)


async def test_runs_of_five_kinds_are_heard_one_after_the_other(studio: Studio, tmp_path: Path) -> None:
    prepare(tmp_path)
    studio.settings.schedules.mkdir(exist_ok=True)
    await studio.card(lead=(900, 10))
    async with studio.narrator():
        tale = await on_air(studio, "tale@1", "text", files=[str(tmp_path / "tale.txt")])
        tune = await on_air(studio, "tune@2", "audio", files=[str(tmp_path / "tune.flac")])
        wires = await on_air(studio, "wires@3", "feed", feeds=[str(tmp_path / "wires.xml")], tell="read")
        said = await on_air(
            studio, "said@4", "exec", exec=[sys.executable, "-c", "print('The tide is high.')"]
        )
        again = await on_air(studio, "again@5", "rerun", loop=False)
    assert tale == ["The lamp was lit at dusk.", "The keeper went down the stairs."]
    assert tune == ["♪ tune", "♪ tune"]
    assert wires == ["Wires. News number 1. It is so.", "News number 2. It is so."]
    assert said == ["The tide is high."]
    assert again == [*tale, *tune, *wires, *said]
    broadcast = await studio.broadcast()
    for run in ("tale@1", "tune@2", "wires@3", "said@4", "again@5"):
        assert_exact(await studio.on_air(run), broadcast)
    sound = {
        run: [e.body for e in await studio.on_air(run) if isinstance(e, records.Audio)]
        for run in ("tune@2", "again@5")
    }
    assert sound["again@5"][2:4] == sound["tune@2"]
    assert not any(isinstance(e, records.Skip) for e in broadcast)


async def test_a_show_that_comes_again_goes_on_and_tells_nothing_twice(
    studio: Studio, tmp_path: Path
) -> None:
    prepare(tmp_path)
    tale = tmp_path / "tale.txt"
    tale.write_text("\n\n".join(f"This is the paragraph number {n} of a tale." for n in range(40)))
    await studio.card(lead=(900, 10))
    async with studio.narrator():
        now = studio.clock.now_ms()
        await write(studio, "tale@1", "text", at=now, until_ms=now + 9_000, files=[str(tale)])
        await until(lambda: _has_end(studio, "tale@1"))
        first = await studio.captions("tale@1")
        now = studio.clock.now_ms()
        await write(studio, "tale@2", "text", at=now, until_ms=now + 9_000, files=[str(tale)])
        await until(lambda: _has_end(studio, "tale@2"))
        second = await studio.captions("tale@2")
        wires = {"feeds": [str(tmp_path / "wires.xml")], "tell": "read"}
        assert len(await on_air(studio, "wires@1", "feed", **wires)) == 2
        now = studio.clock.now_ms()
        await write(studio, "wires@2", "feed", at=now, until_ms=now + 600_000, **wires)
    assert first
    assert second
    assert first + second == [
        f"This is the paragraph number {n} of a tale." for n in range(len(first + second))
    ]
    end = (await studio.events(names.script(STATION, "wires@2"), records.SCRIPT))[-1]
    assert isinstance(end, records.ScriptEnd)
    assert end.reason == "no news"


async def _has_end(studio: Studio, run: str) -> bool:
    return any(isinstance(e, records.BroadcastEnd) and e.run == run for e in await studio.broadcast())
