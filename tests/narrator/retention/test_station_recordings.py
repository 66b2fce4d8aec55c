"""A broadcast is trimmed to its keep by its owner; who takes the station then repeats and loses nothing."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from radio.mp3 import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.narrator.retention import disk_quota, policy, station_recordings
from radio.narrator.retention.disk_quota import oldest_first
from radio.narrator.retention.policy import HEARD_MS
from radio.narrator.station.broadcast import RunProgress, look_back
from radio.narrator.station.editor_requests import EDITOR, MADE
from radio.streams import disk, names, records
from radio.streams.contract import FromSeq, Trim
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, memory_studio
from tests.waiting import until

KEEP_MS = 3_600_000
OLD = "brief@20261128T0700"
OTHER = "tale@20261128T0900"
HOUR_S = 3600
PIECES = [
    "Hello to all of you out there. ",
    "This is the second sentence of it. ",
    "And here you are with the third. ",
    "This one is the very last of them.",
]


@pytest.fixture
async def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(policy, "LOOK_S", (0.02, 0.02))
    monkeypatch.setattr(station_recordings, "TICK_S", 0.02)
    return await memory_studio(tmp_path)


class Tape:
    """Writes what was on air long ago, and hears all that is ever appended."""

    def __init__(self, studio: Studio, station: str = STATION, *, ago_s: float = 2 * HOUR_S) -> None:
        self.studio = studio
        self.station = station
        self.at = (studio.clock.now_ms() - round(ago_s * 1000)) // FRAME_MS * FRAME_MS
        self.pos = 0
        self.heard: list[records.AnyRecord] = []

    async def audio(self, run: str, i: int, text: str, src: records.ScriptPosition, frames: int = 10) -> int:
        audio = records.Audio(
            i=i,
            d=frames * FRAME_MS,
            t=text,
            pos=self.pos,
            at=self.at,
            run=run,
            src=src,
            body=SILENCE_FRAME * frames,
        )
        self.at, self.pos = self.at + audio.d, self.pos + frames * FRAME_BYTES
        ack = await self.studio.store.append(names.broadcast(self.station), [records.encode(audio)])
        return ack.start.seq

    async def show(self, run: str) -> None:
        show = records.ShowBegin(run=run, show="brief", title="Brief", at=self.at)
        await self.studio.write(names.broadcast(self.station), show)

    async def finished_run(self, run: str = OLD, sentences: int = 3) -> tuple[int, int]:
        """The first and the last record of its sound."""
        await self.studio.begin(run, starts_in_s=-2 * HOUR_S, length_s=4 * HOUR_S, station=self.station)
        await self.studio.end_run(run, station=self.station)
        await self.show(run)
        at, pos = self.at, self.pos
        seqs = [
            await self.audio(run, i, f"Old sentence {i}.", records.ScriptPosition(1, 9 * (i + 1)))
            for i in range(sentences)
        ]
        await self.studio.write(names.broadcast(self.station), records.BroadcastEnd(run=run, reason="done"))
        entry = records.ArchivedRun(
            run=run, show="brief", title="Brief", spans=((seqs[0], seqs[-1]),), at=at, until=self.at,
            size=self.pos - pos, sentences=sentences,
        )  # fmt: skip
        await self.studio.write(names.shows(self.station), entry)
        return seqs[0], seqs[-1]

    async def open_run(self, spoken: int, *, is_complete: bool = True) -> None:
        """A run so many sentences of which were on air; its script is whole, or ends with them."""
        await self.studio.begin(RUN, starts_in_s=-HOUR_S, length_s=2 * HOUR_S, station=self.station)
        pieces = PIECES if is_complete else PIECES[:spoken]
        await self.studio.script(*pieces, run=RUN, station=self.station, is_complete=is_complete)
        await self.show(RUN)
        for i in range(spoken):
            src = records.ScriptPosition(i + 1, len(PIECES[i].rstrip()))
            await self.audio(RUN, i, PIECES[i].strip(), src)

    async def other_sounds(self) -> None:
        """One every 20 minutes up to now, so that no gap is too long to count."""
        end = self.studio.clock.now_ms() - 1000
        count = (end - self.at) // (KEEP_MS // 3) + 1
        step = (end - self.at) // count // FRAME_MS * FRAME_MS
        for i in range(count):
            self.at += step
            await self.audio(OTHER, i, f"Other sound {i}.", records.ScriptPosition(1, i + 1))

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async def hear() -> None:
            name = names.broadcast(self.station)
            async with self.studio.store.follow(name, FromSeq(0), await_stream=True) as tail:
                async for result in tail:
                    assert not result.gap
                    self.heard += [records.decode(records.BROADCAST, r) for r in result.records]

        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(hear())
            yield
            task.cancel()

    def captions(self, run: str) -> list[str]:
        return [e.t for e in self.heard if isinstance(e, records.Audio | records.Skip) and e.run == run]


async def oldest_of(studio: Studio, name: str) -> int:
    page = await studio.store.read(name, FromSeq(0), max_records=1, include_commands=True)
    return page.records[0].seq if page.records else page.next_seq


async def is_trimmed_to(studio: Studio, name: str, seq: int) -> bool:
    return await oldest_of(studio, name) >= seq


async def test_what_is_older_than_keep_goes_and_what_announces_the_rest_stays(studio: Studio) -> None:
    tape = Tape(studio)
    _, last = await tape.finished_run(sentences=5)
    for ago_min in (100, 80, 61, 59, 40, 20, 1):
        tape.at = (studio.clock.now_ms() - ago_min * 60_000) // FRAME_MS * FRAME_MS
        await tape.show(OTHER)
        await tape.audio(OTHER, 100 - ago_min, "Other sound.", records.ScriptPosition(1, 100 - ago_min))
    await studio.card(keep_ms=KEEP_MS)
    async with studio.narrator():
        await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 1))
    stands = await studio.broadcast()
    assert isinstance(stands[0], records.ShowBegin)  # of the first sound that is kept
    assert [e.i for e in stands if isinstance(e, records.Audio)] == [100 - 59, 60, 80, 99]
    assert await oldest_of(studio, names.broadcast(STATION)) == last + 2 + 6


async def test_without_a_keep_nothing_goes(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=1)
    await tape.other_sounds()
    await studio.card()
    async with studio.narrator():
        await studio.finished()
    assert await oldest_of(studio, names.broadcast(STATION)) == 0


async def test_the_newest_sentence_of_a_run_without_end_stays_however_old(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=2, is_complete=False)
    await tape.other_sounds()
    await studio.card(keep_ms=KEEP_MS)
    async with studio.narrator():
        await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6))
    assert [sentence.t for sentence in await studio.on_air()] == [PIECES[1].strip()]


async def test_that_a_segment_is_skipped_is_still_known_when_all_else_is_old(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=1, is_complete=False)
    src = records.ScriptPosition(1, len(PIECES[0]))  # of what was skipped nothing more is to come
    skipped = records.Skip(i=1, t="", reason=EDITOR, run=RUN, src=src, c=3)
    made = records.Skip(i=2, t="", reason=MADE, run=RUN, src=src, c=4)
    await studio.write(names.broadcast(STATION), skipped)
    await studio.write(names.broadcast(STATION), made)
    await tape.other_sounds()
    await studio.card(keep_ms=KEEP_MS)
    async with studio.narrator():
        await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6))
    stands = await studio.broadcast()
    assert stands[:2] == [skipped, made]
    on_air, _ = await look_back(studio.store, STATION, {RUN: 0})
    assert on_air.place(RUN) == RunProgress(src, next_i=3, is_skipping=True)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("dies_at", range(9))
async def test_killed_at_any_append_while_it_trims_every_sentence_is_heard_once(
    studio: Studio, dies_at: int, after: bool
) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=2)
    await tape.other_sounds()
    await studio.card(keep_ms=KEEP_MS)
    async with tape.listening():
        await studio.killed_narrator(dies_at, after=after, until_over=names.broadcast("nobody"), within_s=5)
        async with studio.narrator():
            await until(lambda: any(e == records.BroadcastEnd(run=RUN, reason="done") for e in tape.heard))
            await studio.archived()
            await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6))
    assert tape.captions(RUN) == [piece.strip() for piece in PIECES]
    assert len(tape.captions(OLD)) == 3
    positions = [(e.pos, len(e.body)) for e in tape.heard if isinstance(e, records.Audio)]
    assert all(a + size == b for (a, size), (b, _) in pairwise(positions))


async def test_what_obeyed_the_editor_lately_stays_so_that_nobody_obeys_again(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.other_sounds()
    await studio.write(names.CONTROL, records.ControlRequest(what="dry", target=STATION))
    said = records.ControlRequest(what="say", target=STATION, detail="Somebody has lost a key.")
    taped_ms = studio.clock.now_ms()
    await until(lambda: studio.clock.now_ms() > taped_ms)
    asked = (await studio.store.append(names.CONTROL, [records.encode(said)])).start.seq
    obeyed = records.Audio(
        i=0, d=240, t="Somebody has lost a key.", pos=tape.pos, at=tape.at, run=OTHER, c=asked,
        src=records.ScriptPosition(9, 1), body=SILENCE_FRAME * 10,
    )  # fmt: skip
    tape.at, tape.pos = tape.at + 240, tape.pos + 1920
    ack = await studio.store.append(names.broadcast(STATION), [records.encode(obeyed)])
    await tape.audio(OTHER, 99, "And on it goes.", records.ScriptPosition(9, 2))
    await studio.begin(OTHER, starts_in_s=-HOUR_S, length_s=2 * HOUR_S)
    await studio.card(keep_ms=100)
    speaker = QuickSpeaker()
    for _ in range(2):
        async with studio.narrator(speaker):
            await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), ack.start.seq - 1))
    assert speaker.said == []
    assert await oldest_of(studio, names.broadcast(STATION)) <= ack.start.seq
    assert obeyed in await studio.broadcast()


async def test_a_run_whose_records_went_is_not_taken_up_again(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=4)
    await tape.other_sounds()
    await studio.script("Should it be said again, somebody would notice.", run=OLD)
    await studio.card(keep_ms=KEEP_MS)
    for _ in range(2):
        speaker = QuickSpeaker()
        async with studio.narrator(speaker):
            await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6))
            await studio.archived()
        assert speaker.said == []


async def test_entries_go_with_their_sound_once_their_begin_is_gone(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run(OLD)
    await tape.finished_run("brief@20261128T0800")
    await tape.open_run(spoken=2)
    await tape.other_sounds()
    await studio.card(keep_ms=KEEP_MS)
    shows = names.shows(STATION)
    async with studio.narrator():
        await studio.archived()
        await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6))
    runs = [e.run for e in await studio.events(shows, records.ARCHIVE) if isinstance(e, records.ArchivedRun)]
    assert runs == [OLD, "brief@20261128T0800", RUN]
    await studio.store.append(names.station_input(STATION), [Trim(2)])  # the begin and the end of OLD
    await studio.card(keep_ms=KEEP_MS // 2)
    async with studio.narrator():
        await until(lambda: _has_gone(studio, OLD))
    runs = [e.run for e in await studio.events(shows, records.ARCHIVE) if isinstance(e, records.ArchivedRun)]
    assert runs == ["brief@20261128T0800", RUN]


async def _has_gone(studio: Studio, run: str) -> bool:
    entries = await studio.events(names.shows(STATION), records.ARCHIVE)
    return all(isinstance(e, records.ArchivedRun | records.RunOver) and e.run != run for e in entries)


# --- the floor of the disk ---


async def two_stations(studio: Studio) -> dict[str, Tape]:
    """`harbor` was on air from 3 h ago on, `tower` from 2 h ago on; 60 sounds of half a minute each."""
    tapes = {name: Tape(studio, name, ago_s=hours * HOUR_S) for name, hours in (("harbor", 3), ("tower", 2))}
    for name, tape in tapes.items():
        await studio.begin(OLD, starts_in_s=-3 * HOUR_S, length_s=60, station=name)
        for i in range(60):
            await tape.audio("tale@1", i, f"Sound {i}.", records.ScriptPosition(1, i + 1), frames=1250)
        await studio.card(name)
    return tapes


async def test_the_oldest_of_all_stations_goes_first(studio: Studio) -> None:
    await two_stations(studio)
    one = 1250 * FRAME_BYTES
    now = studio.clock.now_ms()
    places = {p.station: p for p in await oldest_first(studio.store, ["harbor", "tower"], 20 * one, now)}
    assert places["tower"].head.i == 0
    assert 19 <= places["harbor"].head.i <= 25
    places = {p.station: p for p in await oldest_first(studio.store, ["harbor", "tower"], 80 * one, now)}
    assert places["harbor"].head.i == 59  # its newest stays
    assert 19 <= places["tower"].head.i <= 27


async def test_what_was_heard_within_the_last_minute_is_not_taken(studio: Studio) -> None:
    tape = Tape(studio, ago_s=300)
    for i in range(20):  # to 300 s ahead
        await tape.audio("tale@1", i, f"Sound {i}.", records.ScriptPosition(1, i + 1), frames=1250)
    now = studio.clock.now_ms()
    [place] = await oldest_first(studio.store, [STATION], 1 << 40, now)
    assert now - HEARD_MS - 30_000 <= place.head.until - 30_000 <= now - HEARD_MS


async def test_below_the_floor_room_is_made_once_and_said_once(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tapes = await two_stations(studio)
    one = 1250 * FRAME_BYTES
    store = studio.store
    whole = 120 * one
    went = 0

    def free_bytes(folder: Path) -> int:
        return 60 * one + went

    monkeypatch.setattr(disk, "free_bytes", free_bytes)
    monkeypatch.setattr(disk_quota, "LOOK_S", 0.02)
    monkeypatch.setattr(disk_quota, "SETTLE_SLOW_S", 0.5)
    settings = replace(studio.settings, disk_floor=80 * one, disk_folder=str(studio.data))
    with caplog.at_level(logging.INFO):
        async with studio.narrator(settings=settings):
            await until(lambda: _says(caplog, "disk.recordings_trimmed", 1))
            left = await _sound(studio, tapes)
            went = whole - left
            assert 40 * one <= went < 50 * one  # to five quarters of the floor
            await until(lambda: _says(caplog, "disk.enough", 1))
            await until(lambda: _tells(studio, went))
    assert await _sound(studio, tapes) == left
    assert len([r for r in caplog.records if getattr(r, "action", "") == "disk.low"]) == 1
    assert (await store.check_tail(names.broadcast("harbor"))).seq > 60
    assert await oldest_of(studio, names.broadcast("tower")) == 0


def _says(caplog: pytest.LogCaptureFixture, action: str, times: int) -> bool:
    return len([r for r in caplog.records if getattr(r, "action", "") == action]) >= times


async def _sound(studio: Studio, tapes: dict[str, Tape]) -> int:
    broadcasts = [await studio.broadcast(name) for name in tapes]
    return sum(len(e.body) for events in broadcasts for e in events if isinstance(e, records.Audio))


async def _tells(studio: Studio, let_go: int) -> bool:
    """A heartbeat says what went."""
    for info in (await studio.store.list(names.MEMBERS)).items:
        beats = await studio.events(info.name, records.MEMBER)
        if any(isinstance(b, records.Heartbeat) and b.let_go == let_go for b in beats):
            return True
    return False
