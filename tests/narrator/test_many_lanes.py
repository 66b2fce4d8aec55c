"""Several narrators on one store: the overloaded give up, the forgotten begin anew, the idle are spares."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from radio import casts
from radio.narrator import acquire, sharing, worker
from radio.narrator.context import new_context
from radio.narrator.lanes import Load
from radio.narrator.station.lane import StationLane
from radio.narrator.station.takeover import take_station
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Spoken
from radio.streams import names, records
from radio.streams.ownership import members
from radio.streams.ownership.observer import Peer
from radio.streams.ownership.stream_owner import Member, parse
from radio.streams.records import LaneId
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, assert_exact, memory_studio
from tests.waiting import until

SENTENCES = [f"Here is the sentence number {k} of the run." for k in range(30)]


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    for module in (members, worker):
        monkeypatch.setattr(module, "BEAT_S", 0.05)
    monkeypatch.setattr(members, "OUTLIVE_S", 0.02)
    monkeypatch.setattr(acquire, "OWNED_S", 0.1)
    monkeypatch.setattr(sharing, "STRAINED_S", 0.2)
    caplog.set_level(logging.INFO)


class RatedSpeaker(QuickSpeaker):
    """Says that it makes `xrt` seconds of audio per second, and takes a moment for each sentence."""

    def __init__(self, xrt: float, frames_a_word: int = 2) -> None:
        super().__init__(frames_a_word=frames_a_word)
        self.xrt = xrt

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        time.sleep(0.08)
        spoken = super().speak(text, voice)
        return Spoken(
            mp3=spoken.mp3,
            frames=spoken.frames,
            phonemes=spoken.phonemes,
            gen_ms=spoken.frames * 24 / self.xrt,
        )


def actions(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [str(record.__dict__.get("action")) for record in caplog.records]


async def owners(studio: Studio, station: str = STATION) -> list[str]:
    return [e.owner for e in await studio.broadcast(station) if isinstance(e, records.BroadcastStart)]


async def given_up(studio: Studio, station: str = STATION) -> int:
    stored = await studio.stored(names.broadcast(station))
    return sum(r.kind == "fence" and r.body.startswith(b"free.") for r in stored)


async def begin(studio: Studio) -> None:
    """A run whose station never gets to its guard."""
    await studio.card(lead=(900, 800))
    await studio.begin(length_s=3600)
    await studio.script(" ".join(SENTENCES))


async def count(studio: Studio, least: int) -> bool:
    return len(await studio.captions()) >= least


async def test_a_station_that_is_too_much_for_one_narrator_goes_to_another_with_room_and_stays(
    studio: Studio, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acquire, "GIVEN_UP_S", 0.5)
    await begin(studio)
    slow, fast = RatedSpeaker(0.8), RatedSpeaker(8.0)
    async with studio.narrator(slow):
        await until(lambda: count(studio, 1))
        async with studio.narrator(fast):
            await studio.finished()
            assert await given_up(studio) == 1
    assert await studio.captions() == SENTENCES
    assert_exact(await studio.on_air(), await studio.broadcast())
    assert len(set(await owners(studio))) == 2
    assert actions(caplog).count("lane.given_up") == 1
    assert fast.said


async def test_of_its_lanes_a_narrator_gives_casts_up_first_and_another_goes_on_with_them(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    """Its station holds its guard, until the editor wants a longer one."""
    await studio.card(lead=(30, 10))
    await studio.begin(length_s=3600)
    await studio.script(" ".join(SENTENCES))
    sentences = [f"The cast has the sentence {k}." for k in range(40)]
    async with studio.narrator(RatedSpeaker(1.5, frames_a_word=40)):
        await until(lambda: count(studio, 3))
        cast = (
            await casts.submit(studio.store, studio.clock, text=" ".join(sentences), voice="af_heart")
        ).cast
        await until(lambda: lines(studio, cast, 1))
        await studio.card(lead=(900, 800))
        async with studio.narrator(RatedSpeaker(8.0)):
            assert (await studio.cast_over(cast)).reason == "done"
    state = (await casts.look(studio.store, cast)).state
    assert [state.lines[i].t for i in range(len(state.lines))] == sentences
    told = [e for e in await studio.events(names.cast(cast), records.CAST)]
    assert [e.i for e in told if isinstance(e, records.Audio)] == list(range(len(sentences)))
    assert len({e.owner for e in told if isinstance(e, records.CastStart)}) == 2
    first = next(r.__dict__ for r in caplog.records if r.__dict__.get("action") == "lane.given_up")
    assert first["lane"] == f"cast {cast}"
    assert len(set(await owners(studio))) == 1


async def lines(studio: Studio, cast: str, least: int) -> bool:
    return len((await casts.look(studio.store, cast)).state.lines) >= least


async def test_a_narrator_that_is_alone_keeps_what_is_too_much_for_it(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(studio)
    async with studio.narrator(RatedSpeaker(0.8)):
        await studio.finished()
    assert await studio.captions() == SENTENCES
    assert len(await owners(studio)) == 1
    assert "lane.given_up" not in actions(caplog)


async def test_a_spare_narrator_takes_nothing_while_the_first_lives(studio: Studio) -> None:
    await studio.begin()
    await studio.script(" ".join(SENTENCES))
    spare = QuickSpeaker()
    async with studio.narrator():
        await until(lambda: count(studio, 3))
        async with studio.narrator(spare):
            await studio.finished()
    assert spare.said == []
    assert len(await owners(studio)) == 1


async def test_a_narrator_that_was_forgotten_takes_its_lanes_again_under_its_new_id(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    await studio.begin()
    await studio.script(" ".join(SENTENCES[:10]) + " ", is_complete=False)
    text = " ".join(f"{sentence} And again." for sentence in SENTENCES)
    async with studio.narrator():
        await until(lambda: count(studio, 5))
        [former] = await owners(studio)
        await studio.store.delete(names.member(former))
        await until(lambda: "member.renewed" in actions(caplog))
        cast = (await casts.submit(studio.store, studio.clock, text=text, voice="af_heart")).cast
        more = records.Text(seg=0, body=" ".join(SENTENCES[10:]).encode())
        await studio.write(names.script(STATION, RUN), more, records.ScriptEnd(reason="done"))
        await studio.finished()
        assert (await studio.cast_over(cast)).reason == "done"
    first, second = await owners(studio)
    assert first == former != second
    assert await studio.captions() == SENTENCES
    assert_exact(await studio.on_air(), await studio.broadcast())


async def test_a_guard_covers_the_time_in_which_another_narrator_would_take_over(studio: Studio) -> None:
    """Also on the same machine: of one that is frozen, only its heartbeats tell."""
    async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as mine:
        context = new_context(studio.settings, studio.store, studio.clock, asyncio.Event(), mine)
        async with Member(studio.store, studio.clock, role="relay", data=studio.data):
            await context.peers.refresh()
            assert context.load == Load(0, 1.0, None)
        async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as other:
            await context.peers.refresh()
            assert [peer.owner for peer in context.peers.seen] == [other.owner]
            assert context.load == Load(0, 1.0, 6.0)
        await context.peers.refresh()
        assert context.load == Load(0, 1.0, None)


async def test_the_guard_of_a_lane_grows_with_the_load(studio: Studio) -> None:
    async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as mine:
        bell = asyncio.Event()
        taken = await take_station(studio.store, studio.clock, mine, STATION, bell, bell.is_set)
        lane = StationLane(studio.store, studio.clock, STATION, taken, bell)
        assert lane.status(Load(1, 12.0)).guard == 10.0
        assert lane.status(Load(1, 12.0, 8.0)).guard == pytest.approx(8.0 + 1.0 + 3.0)
        await lane.close(is_given_up=True)


async def test_a_heartbeat_tells_what_its_narrator_carries(studio: Studio) -> None:
    await studio.begin()
    await studio.script(" ".join(SENTENCES))
    async with studio.narrator(), Member(studio.store, studio.clock, role="test", data=studio.data) as member:
        seen: list[Peer] = []

        async def shows_its_station() -> bool:
            seen[:] = [peer for peer in await member.peers() if peer.leads]
            return bool(seen)

        await until(shows_its_station)
        fence = await studio.store.fencing_token(names.broadcast(STATION))
        assert seen[0].owner == parse(fence).owner
        assert seen[0].xrt is not None
        assert (seen[0].role, seen[0].live) == ("narrator", 1)
        assert list(seen[0].leads) == [LaneId.station(STATION)]
