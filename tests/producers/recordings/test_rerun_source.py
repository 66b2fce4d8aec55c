"""Earlier runs again: which, in what order, and where it goes on."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.clock import ManualClock
from radio.producers.recordings import rerun_source
from radio.producers.source import Brief, Over, Stretch
from radio.settings import Settings
from radio.stations.service.plan import AHEAD_MS
from radio.stations.service.producer_processes import FIRST_SILENT_S
from radio.streams import names
from radio.streams.contract import NewRecord
from radio.streams.records import ArchivedRun, encode
from radio.streams.stores.memory import MemoryStore
from tests.producers.samples import NOW, STATION, assignment
from tests.producers.texts.test_text_source import Told

RUNS = ["brief@20270110T0900", "story@20270111T0900", "brief@20270112T0900"]


@pytest.fixture
async def store() -> MemoryStore:
    """A broadcast of 200 records, of which three archived runs have 30, 10 and 50, the last in two spans."""
    made = MemoryStore(ManualClock(NOW))
    await made.append(names.broadcast(STATION), [NewRecord(b"x")] * 200)
    spans = [((10, 39),), ((50, 59),), ((70, 99), (110, 129))]
    for run, where in zip(RUNS, spans, strict=True):
        await archive(made, run, *where)
    return made


async def archive(store: MemoryStore, run: str, *spans: tuple[int, int]) -> None:
    show = run.partition("@")[0]
    record = ArchivedRun(
        run=run, show=show, title="T", spans=spans, at=NOW, until=NOW + 1, size=8 * 60_000, sentences=9
    )  # fmt: skip
    await store.append(names.shows(STATION), [encode(record)])


def brief(store: MemoryStore, show: str = "again", **more: Any) -> Brief:
    options = {key: more.pop(key) for key in ("shows", "newest", "order", "loop", "seqs") if key in more}
    return Brief(
        assignment=assignment(Path(), producer="rerun", show=show),
        options=producer_kinds.Rerun(**{"loop": False, **options}),
        settings=Settings(),
        clock=ManualClock(NOW),
        next_seg=0,
        written="",
        heard_at=lambda: NOW,
        store=store,
        **more,
    )


async def stretches(given: Brief, count: int = 99) -> list[Stretch]:
    found = []
    stream = rerun_source.open_source(given).pieces()
    async for piece in stream:
        found.append(piece)
        if len(found) == count:
            break
    await stream.aclose()
    return found


async def runs(given: Brief, count: int = 99) -> list[str]:
    """The runs in their order, each once a turn."""
    found: list[str] = []
    for piece in await stretches(given, count):
        run = str(piece.mark).partition("#")[0]
        if not found or found[-1] != run:
            found.append(run)
    return found


async def test_a_run_is_aired_again_in_stretches_of_all_its_spans(store: MemoryStore) -> None:
    found = await stretches(brief(store, newest=1))
    assert [(p.first, p.last) for p in found] == [(70, 93), (94, 99), (110, 129)]
    assert [p.mark for p in found] == [f"{RUNS[2]}#93", f"{RUNS[2]}#99", f"{RUNS[2]}#end"]
    assert sum(p.ms for p in found) == pytest.approx(60_000, abs=3)
    assert {p.seg for p in found} == {0}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, RUNS),
        ({"order": "newest"}, RUNS[::-1]),
        ({"newest": 2, "order": "oldest"}, RUNS[1:]),
        ({"shows": ("brief",)}, [RUNS[0], RUNS[2]]),
    ],
)
async def test_an_editor_chooses_runs_and_their_order(
    store: MemoryStore, options: dict[str, Any], wanted: list[str]
) -> None:
    assert await runs(brief(store, **options)) == wanted


async def test_fallbacks_and_the_show_s_own_runs_are_not_aired_again(store: MemoryStore) -> None:
    await archive(store, "fallback@9", (150, 160))
    await archive(store, "again@20270113T0900", (161, 170))
    assert await runs(brief(store)) == RUNS


async def test_what_is_not_kept_any_more_is_left_out(store: MemoryStore) -> None:
    await store.trim(names.broadcast(STATION), 20)
    assert await runs(brief(store)) == RUNS[1:]
    await archive(store, "far@20270113T0900", (900, 910))
    assert await runs(brief(store)) == RUNS[1:]


async def test_what_was_never_aired_again_comes_before_what_was(store: MemoryStore) -> None:
    heard = Told(f"{RUNS[1]}#end", f"{RUNS[0]}#end")
    assert await runs(brief(store, memory=heard)) == [RUNS[2], RUNS[1], RUNS[0]]


async def test_a_later_run_goes_on_within_a_run_that_was_not_heard_to_its_end(store: MemoryStore) -> None:
    found = await stretches(brief(store, memory=Told(f"{RUNS[2]}#99")), 2)
    assert [(p.first, p.last) for p in found] == [(110, 129), (10, 33)]
    assert (await stretches(brief(store, memory=Told(f"{RUNS[2]}#99"), order="oldest"), 1))[0].first == 10


async def test_after_a_crash_it_goes_on_after_what_stands(store: MemoryStore) -> None:
    given = brief(store, marks=[f"{RUNS[0]}#33"], order="oldest")
    assert [(p.first, p.last) for p in await stretches(given, 2)] == [(34, 39), (50, 59)]
    given = brief(store, marks=[f"{RUNS[0]}#33", f"{RUNS[0]}#end", f"{RUNS[1]}#end"])
    assert await runs(given) == [RUNS[2]]


@pytest.mark.parametrize("order", ["unplayed", "oldest", "newest"])
async def test_a_loop_airs_all_before_one_comes_again(store: MemoryStore, order: str) -> None:
    found = await runs(brief(store, loop=True, order=order), 18)
    assert len(found) >= 6
    assert sorted(found[:3]) == sorted(RUNS)
    assert found[3:6] == found[:3]


async def test_a_loop_takes_in_runs_that_come_meanwhile(store: MemoryStore) -> None:
    stream = rerun_source.open_source(brief(store, loop=True)).pieces()
    first = await anext(stream)
    await archive(store, "wires@20270113T0900", (150, 151))
    seen = {str(first.mark).partition("#")[0]}
    for _ in range(8):
        seen.add(str((await anext(stream)).mark).partition("#")[0])
    await stream.aclose()
    assert "wires@20270113T0900" in seen


async def test_stretches_may_be_named_by_seq(store: MemoryStore) -> None:
    found = await stretches(brief(store, seqs=((3, 4), (8, 8)), loop=True), 4)
    assert [(p.first, p.last) for p in found] == [(3, 4), (8, 8), (3, 4), (8, 8)]


@pytest.mark.parametrize("loop", [True, False])
@pytest.mark.parametrize(
    ("run", "until"),
    [("fallback@7", NOW + 3_600_000), ("again@20270115T0900", NOW - 1)],
    ids=["fallback", "over"],
)
async def test_where_there_is_nothing_the_run_ends_with_the_reason(loop: bool, run: str, until: int) -> None:
    given = brief(MemoryStore(ManualClock(NOW)), loop=loop)
    given = replace(given, assignment=replace(given.assignment, run=run, until=until))
    with pytest.raises(Over) as over:
        await stretches(given)
    assert over.value.reason == "nothing to air again"


async def test_a_show_waits_for_a_run_to_be_archived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerun_source, "LOOK_S", 0.01)
    made = MemoryStore(ManualClock(NOW))
    await made.append(names.broadcast(STATION), [NewRecord(b"x")] * 200)
    source = rerun_source.open_source(brief(made))
    assert source.first_piece_within_s >= rerun_source.LATE_MS / 1000
    pieces = source.pieces()
    first = asyncio.ensure_future(anext(pieces))
    await asyncio.sleep(0.05)
    assert not first.done()
    await archive(made, RUNS[0], (10, 39))
    assert (await first).first == 10
    await pieces.aclose()


async def test_a_show_waits_no_longer_than_the_scheduler_bears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerun_source, "LOOK_S", 0.01)
    clock = ManualClock(NOW - AHEAD_MS)
    given = brief(MemoryStore(clock))
    given = replace(given, clock=clock, assignment=replace(given.assignment, at=NOW))
    first = asyncio.ensure_future(anext(rerun_source.open_source(given).pieces()))
    await asyncio.sleep(0.05)
    assert not first.done()
    clock.advance((AHEAD_MS + rerun_source.LATE_MS) / 1000)
    with pytest.raises(Over, match="nothing to air again"):
        await asyncio.wait_for(first, 10)
    assert AHEAD_MS + rerun_source.LATE_MS < FIRST_SILENT_S * 1000
