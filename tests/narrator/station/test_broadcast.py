"""What stands in a broadcast is found from its tail, however long it is; finished runs are summed up."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.clock import ManualClock
from radio.mp3 import SILENCE_FRAME
from radio.narrator.station.archive_entry import finished
from radio.narrator.station.broadcast import BroadcastState, look_back
from radio.narrator.station.editor_requests import EDITOR, MADE
from radio.narrator.suspects import tries
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import ReadResult, Start
from radio.streams.records import AnyRecord, ScriptPosition
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import STATION, Studio

RUNS = ["one@1", "two@2", "fallback@9"]


def audio(run: str, i: int, at: int, pos: int) -> records.Audio:
    return records.Audio(
        i=i,
        d=48,
        t=f"{run} {i}",
        pos=pos,
        at=at,
        run=run,
        src=ScriptPosition(i + 1, 5),
        body=SILENCE_FRAME * 2,
    )


class Broadcast:
    """Writes a broadcast record by record; a second passes between two."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.store = MemoryStore(self.clock)
        self.whole = BroadcastState()
        self.begun: dict[str, int] = {}
        self.next_i: dict[str, int] = {}

    async def write(self, event: AnyRecord) -> None:
        self.clock.advance(1)
        ack = await self.store.append(names.broadcast(STATION), [records.encode(event)])
        self.whole.fold(ack.start.seq, event)

    async def speak(self, run: str) -> None:
        self.begun.setdefault(run, self.clock.now_ms())
        i = self.next_i.get(run, 0)
        self.next_i[run] = i + 1
        at = (self.whole.end or self.clock.now_ms() // 24 * 24) + 24
        if self.whole.run != run:
            await self.write(records.ShowBegin(run=run, show=run.partition("@")[0], title=run, at=at))
        await self.write(audio(run, i, at, self.whole.pos))

    async def skip(self, run: str, reason: str, *, c: int | None) -> None:
        self.begun.setdefault(run, self.clock.now_ms())
        i = self.next_i.get(run, 0)
        self.next_i[run] = i + 1
        src = ScriptPosition(i + 1, 5)
        await self.write(records.Skip(i=i, t="", reason=reason, run=run, src=src, c=c))


def next_try(on_air: BroadcastState) -> int:
    return tries(on_air.tries, has_sentence=on_air.has_sentence, was_free=False, is_ready=True)


class CountingStore:
    """Counts the records that are read."""

    def __init__(self, inner: MemoryStore) -> None:
        self._inner = inner
        self.records = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await self._inner.read(name, start, **how)
        self.records += len(result.records)
        return result


steps = st.lists(
    st.one_of(
        st.tuples(st.just("speak"), st.sampled_from(RUNS)),
        st.tuples(st.just("speak"), st.just(RUNS[0])),
        st.tuples(st.just(EDITOR), st.sampled_from(RUNS)),
        st.tuples(st.just(MADE), st.sampled_from(RUNS)),
        st.tuples(st.just("end"), st.sampled_from(RUNS)),
        st.tuples(st.just("start"), st.just("")),
        st.tuples(st.just("epoch"), st.just("")),
    ),
    min_size=0,
    max_size=120,
)


@settings(max_examples=60, deadline=None)
@given(steps)
async def test_looking_back_finds_what_folding_all_of_it_gives(script: list[tuple[str, str]]) -> None:
    broadcast = Broadcast()
    for kind, run in script:
        if kind == "speak":
            await broadcast.speak(run)
        elif kind in (EDITOR, MADE):
            await broadcast.skip(run, kind, c=7)
        elif kind == "end":
            await broadcast.write(records.BroadcastEnd(run=run, reason="done"))
        elif kind == "start":
            await broadcast.write(records.BroadcastStart(owner="abcdefgh"))
        else:
            await broadcast.write(records.Epoch(step=240))
    wanted = {run: ms for run, ms in broadcast.begun.items() if run not in broadcast.whole.ended}
    found, _ = await look_back(broadcast.store, STATION, wanted)
    whole = broadcast.whole
    if whole.run is not None:
        assert (found.end, found.pos, found.run) == (whole.end, whole.pos, whole.run)
    assert next_try(found) == next_try(whole)
    for run in wanted:
        assert found.place(run) == whole.place(run)
        assert found.needed([run]) == whole.needed([run])
    assert found.audio == whole.audio


async def test_a_skipped_segment_is_found_behind_many_records_that_are_no_word_of_the_script() -> None:
    broadcast = Broadcast()
    await broadcast.speak("one@1")
    await broadcast.skip("one@1", EDITOR, c=5)
    for c in range(200):
        await broadcast.speak("two@2")
        await broadcast.skip("one@1", MADE, c=6 + c)
    found, _ = await look_back(broadcast.store, STATION, broadcast.begun)
    assert found.place("one@1") == broadcast.whole.place("one@1")
    assert found.place("one@1").is_skipping


async def test_a_long_broadcast_is_not_read_whole() -> None:
    broadcast = Broadcast()
    await broadcast.write(records.BroadcastStart(owner="abcdefgh"))
    for _ in range(300):
        await broadcast.speak("one@1")
    await broadcast.write(records.BroadcastEnd(run="one@1", reason="done"))
    await broadcast.write(records.BroadcastStart(owner="abcdefgh"))
    for _ in range(5):
        await broadcast.speak("two@2")
    found, tail = await look_back(broadcast.store, STATION, {"two@2": broadcast.begun["two@2"]})
    assert len(found.places) == 2
    assert found.place("two@2").next_i == 5
    assert tail == 300 + 5 + 5


async def test_a_broadcast_of_one_owner_is_not_read_back_to_its_start() -> None:
    broadcast = Broadcast()
    await broadcast.write(records.BroadcastStart(owner="abcdefgh"))
    for _ in range(300):
        await broadcast.speak("one@1")
    counted = CountingStore(broadcast.store)
    found, _ = await look_back(counted, STATION, {"one@1": broadcast.begun["one@1"]})  # type: ignore[arg-type]  # it forwards
    assert counted.records < 100
    assert (found.end, found.pos) == (broadcast.whole.end, broadcast.whole.pos)
    assert next_try(found) == 0


async def test_an_interrupted_run_has_several_spans(tmp_path: Path) -> None:
    broadcast = Broadcast()
    for spoken in ["one@1", "one@1", "fallback@9", "one@1", "two@2"]:
        await broadcast.speak(spoken)
    await broadcast.write(records.BroadcastEnd(run="one@1", reason="done"))
    studio = Studio(tmp_path, broadcast.store, broadcast.clock)
    plan = await studio.begin("one@1", show="one")
    run = Run(0, broadcast.begun["one@1"], plan)
    done = await finished(broadcast.store, STATION, run, reason="done", gen_ms=5.4, is_aired=True)
    assert isinstance(done.entry, records.ArchivedRun)
    assert done.entry.spans == ((1, 2), (6, 6))
    assert (done.entry.sentences, done.entry.size) == (3, 3 * 384)
    assert done.entry.until - done.entry.at > 3 * 48
    assert (done.receipt.id, done.receipt.audio_ms, done.receipt.gen_ms) == (f"{STATION}/one@1", 144, 5)


@pytest.mark.parametrize("is_aired", [True, False])
async def test_a_fallback_and_an_unaired_run_are_over_and_not_in_the_archive(
    tmp_path: Path, is_aired: bool
) -> None:
    broadcast = Broadcast()
    await broadcast.speak("fallback@9")
    studio = Studio(tmp_path, broadcast.store, broadcast.clock)
    plan = await studio.begin("fallback@9" if is_aired else "two@2", show="fallback")
    run = Run(0, broadcast.begun["fallback@9"], plan)
    done = await finished(broadcast.store, STATION, run, reason="done", gen_ms=0, is_aired=is_aired)
    assert done.entry == records.RunOver(run=run.id)
    assert done.receipt.sentences == (1 if is_aired else 0)


async def test_a_run_is_summed_up_though_the_clock_stood_wrong_when_it_began(tmp_path: Path) -> None:
    broadcast = Broadcast()
    await broadcast.speak("one@1")
    studio = Studio(tmp_path, broadcast.store, broadcast.clock)
    plan = await studio.begin("one@1", show="one")
    late = Run(0, broadcast.clock.now_ms() + 3_600_000, plan)
    done = await finished(broadcast.store, STATION, late, reason="done", gen_ms=0, is_aired=True)
    assert isinstance(done.entry, records.ArchivedRun)
    assert done.entry.sentences == 1


@pytest.mark.parametrize(
    "aside",
    [
        records.Skip(i=1, t="", reason=MADE, run=RUNS[0], src=ScriptPosition(1, 5), c=7),
        records.Skip(i=1, t="Say this.", reason="silent", run=RUNS[0], src=ScriptPosition(1, 5), c=7),
        replace(audio(RUNS[0], 1, 24, 0), src=ScriptPosition(1, 5), c=7),
    ],
    ids=["made", "unspeakable", "said"],
)
@pytest.mark.parametrize("reason", [EDITOR, "silent"])
def test_what_is_no_word_of_the_script_changes_nothing_about_skipping(reason: str, aside: AnyRecord) -> None:
    on_air = BroadcastState()
    on_air.fold(0, records.Skip(i=0, t="", reason=reason, run=RUNS[0], src=ScriptPosition(1, 5)))
    on_air.fold(1, aside)
    assert on_air.place(RUNS[0]).is_skipping is (reason == EDITOR)
    assert on_air.place(RUNS[0]).next_i == 2
