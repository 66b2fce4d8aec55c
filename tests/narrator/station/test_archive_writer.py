import asyncio

from radio.clock import ManualClock
from radio.narrator.station.archive_writer import ArchiveWriter
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import Fence
from radio.streams.ownership.stream_owner import token
from radio.streams.reading import all_events
from radio.streams.records import Begin
from radio.streams.stores.memory import MemoryStore

MINE = token(1, "aaaaaaaa")


def run(run_id: str) -> Run:
    plan = Begin(run=run_id, show="a", title="A", voice="af_heart", producer="text", at=1000, until=2000)
    return Run(0, 0, plan)


async def test_a_run_is_pending_from_the_call_until_its_entry_stands_and_has_a_receipt() -> None:
    store = MemoryStore(ManualClock())
    await store.append(names.shows("harbor"), [Fence(MINE)])
    archive = ArchiveWriter(store, "harbor", token=MINE, next_seq=1)
    async with asyncio.TaskGroup() as tasks:
        archive.enter(run("a@1"), tasks, reason="until", gen_ms=1.6, is_aired=False)
        archive.enter(run("a@2"), tasks, reason="done", gen_ms=0.0, is_aired=False)
        assert archive.pending == {"a@1", "a@2"}, "so that nothing of them is trimmed before the tasks begin"
    assert archive.pending == set()
    await archive.close()
    entered = [event async for _, event in all_events(store, records.ARCHIVE, names.shows("harbor"))]
    assert entered == [records.RunOver(run="a@1"), records.RunOver(run="a@2")]
    told = [event async for _, event in all_events(store, records.DONE, names.DONE)]
    receipts = [event for event in told if isinstance(event, records.Receipt)]
    assert [(one.id, one.reason, one.gen_ms) for one in receipts] == [
        ("harbor/a@1", "until", 2), ("harbor/a@2", "done", 0),
    ]  # fmt: skip
