"""Who lives: by lock file at once, by `bye`, by silence on the observer's clock. And processes that take."""

import asyncio
import fcntl
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from radio.clock import ManualClock, SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.contract import (
    Appendable,
    AppendAck,
    AppendUncertain,
    FromSeq,
    FromTail,
    SeqMismatch,
    StreamDeleting,
    StreamNotFound,
    StreamStore,
    Unavailable,
)
from radio.streams.ownership import members
from radio.streams.ownership.members import Member, Vitals, ttl_of
from radio.streams.ownership.observer import Observer, is_unlocked, lock_file
from radio.streams.records import LaneId
from radio.streams.stores.open_store import open_store
from tests.streams.slow import Gated
from tests.waiting import until

DEADLINE_S = 60


def member(store: StreamStore, clock: ManualClock, data: Path) -> Member:
    return Member(store, clock, role="narrator", data=data)


async def beats(store: StreamStore, owner: str) -> list[records.AnyRecord]:
    result = await store.read(names.member(owner), FromSeq(0))
    return [records.decode(records.MEMBER, record) for record in result.records]


async def test_a_member_tells_what_it_is_and_says_bye(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    mine = member(store, clock, tmp_path)
    mine.status = lambda: Vitals(xrt=1.5, leads={LaneId.station("harbor"): 20.0})
    async with mine:
        assert lock_file(tmp_path / "members", mine.owner).exists()
        await mine.beat()
    told = await beats(store, mine.owner)
    assert [type(record).EVENT for record in told] == ["beat", "beat", "bye"]
    first = told[0]
    assert isinstance(first, records.Heartbeat)
    assert (first.role, first.xrt, first.leads) == ("narrator", 1.5, {"station harbor": 20.0})
    assert list((tmp_path / "members").iterdir()) == []


async def test_a_member_lives_for_others_until_it_says_bye(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    other = member(store, clock, tmp_path)
    assert not await observer.lives(other.owner)
    async with other:
        assert await observer.lives(other.owner)
        assert await other.lives(other.owner)
    assert not await observer.lives(other.owner)


async def test_a_member_whose_lock_can_be_had_is_dead_at_once(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as other:
        assert await observer.lives(other.owner)
        path = lock_file(tmp_path / "members", other.owner)
        path.rename(path.with_suffix(".kept"))
        path.touch()  # as after a crash: the file is there, and nobody holds it
        assert not await observer.lives(other.owner)
        path.with_suffix(".kept").rename(path)
        assert await observer.lives(other.owner)


async def test_observers_do_not_take_each_other_for_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    path.touch()
    with path.open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        assert is_unlocked(path)
    with path.open() as holding:
        fcntl.flock(holding, fcntl.LOCK_EX)
        assert not is_unlocked(path)
    assert not is_unlocked(tmp_path / "missing.lock")


async def test_a_silent_member_is_dead_after_its_time_on_the_observers_clock(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as other:
        clock.advance(100)  # counts from when the observer began to watch
        assert await observer.lives(other.owner)
        clock.advance(5.9)
        assert await observer.lives(other.owner)
        clock.advance(0.1)
        assert not await observer.lives(other.owner)
        await other.beat()
        assert await observer.lives(other.owner)
        clock.advance(5.9)
        assert await observer.lives(other.owner)


async def test_time_in_which_the_store_failed_makes_nobody_dead(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    gated = Gated(store)
    observer = Observer(gated, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as other:
        assert await observer.lives(other.owner)
        for _ in range(4):
            clock.advance(5)
            gated.read_failures = [Unavailable("away")]
            with pytest.raises(Unavailable):
                await observer.lives(other.owner)
        clock.advance(5.9)
        assert await observer.lives(other.owner), "it could not beat, nor could anybody hear it"
        clock.advance(0.1)
        assert not await observer.lives(other.owner), "it can again, and does not"


async def test_while_an_observers_own_heartbeats_fail_or_hang_the_others_are_not_dead(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    gated = Gated(store)
    async with member(gated, clock, tmp_path) as mine, member(store, clock, tmp_path) as other:
        assert await mine.lives(other.owner)
        clock.advance(5.9)
        gated.failures = [Unavailable("disk full")]
        with pytest.raises(Unavailable):
            await mine.beat()
        clock.advance(5.9)
        assert await mine.lives(other.owner)
        gated.gate.clear()
        gated.begun.clear()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(mine.beat())
            await gated.begun.wait()
            clock.advance(100)
            assert await mine.lives(other.owner)
            gated.gate.set()
        clock.advance(5.9)
        assert await mine.lives(other.owner)
        clock.advance(0.1)
        assert not await mine.lives(other.owner)


async def test_a_stream_that_is_not_there_is_no_failure_of_the_store(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as other:
        assert await observer.lives(other.owner)
        clock.advance(5.9)
        assert not await observer.lives("missing0")
        clock.advance(0.1)
        assert not await observer.lives(other.owner)


async def test_a_wall_clock_that_jumps_kills_nobody(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as other:
        assert await observer.lives(other.owner)
        clock.step(86400)
        assert await observer.lives(other.owner)
        clock.step(-2 * 86400)
        assert await observer.lives(other.owner)
        assert other.is_fresh


async def test_a_member_is_fresh_for_two_thirds_of_its_time_after_a_heartbeat(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    mine = member(store, clock, tmp_path)
    assert not mine.is_fresh
    async with mine:
        assert mine.is_fresh
        clock.advance(3.9)
        assert mine.is_fresh
        clock.advance(0.1)
        assert not mine.is_fresh
        await mine.beat()
        assert mine.is_fresh


async def test_a_heartbeat_counts_from_before_its_append(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    gated = Gated(store)
    async with member(gated, clock, tmp_path) as mine:
        gated.gate.clear()
        gated.begun.clear()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(mine.beat())
            await gated.begun.wait()
            clock.advance(5)
            gated.gate.set()
        assert not mine.is_fresh


async def test_a_member_whose_heartbeats_fail_is_not_fresh_and_beats_on(
    store: StreamStore, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "BEAT_S", 0.01)
    gated = Gated(store)
    async with member(gated, clock, tmp_path) as mine:
        gated.failures = [Unavailable("disk full")] * 3
        clock.advance(10)
        await until(lambda: mine.is_fresh)
        assert gated.failures == []


async def test_a_member_that_was_forgotten_goes_on_under_a_new_id(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    async with member(store, clock, tmp_path) as mine:
        before = mine.owner
        await store.delete(names.member(before))
        await mine.beat()
        assert mine.owner != before
        assert mine.is_fresh
        assert len(await beats(store, mine.owner)) == 1
        assert [p.stem for p in (tmp_path / "members").iterdir()] == [mine.owner]
        with pytest.raises(StreamNotFound):
            await store.check_tail(names.member(before))
        await mine.beat()
    assert len(await beats(store, mine.owner)) == 3


async def test_a_heartbeat_that_landed_unseen_is_no_reason_to_begin_anew(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    unsure = Unsure(store)
    async with member(unsure, clock, tmp_path) as mine:  # type: ignore[arg-type]  # it forwards
        before = mine.owner
        unsure.doubts = 1
        with pytest.raises(AppendUncertain):
            await mine.beat()
        await mine.beat()
        assert mine.owner == before
        assert mine.is_fresh
    assert [type(record).EVENT for record in await beats(store, before)] == ["beat", "beat", "beat", "bye"]


class Unsure:
    """A store that loses replies: the next `doubts` appends are applied, and raise `AppendUncertain`."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self.doubts = 0
        self.deleting: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, name: str, new: Sequence[Appendable], **how: Any) -> AppendAck:
        if name in self.deleting:
            raise StreamDeleting(name)
        ack = await self._store.append(name, new, **how)
        if self.doubts:
            self.doubts -= 1
            raise AppendUncertain
        return ack


async def test_a_member_whose_stream_is_being_deleted_goes_on_under_a_new_id(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    slow = Unsure(store)
    async with member(slow, clock, tmp_path) as mine:  # type: ignore[arg-type]  # it forwards
        before = mine.owner
        await store.delete(names.member(before))
        slow.deleting.add(names.member(before))
        await mine.beat()
        assert mine.owner != before
        assert mine.is_fresh


async def test_a_new_id_whose_first_heartbeat_failed_is_kept_and_tried_again(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    gated = Gated(store)
    async with member(gated, clock, tmp_path) as mine:
        before = mine.owner
        await store.delete(names.member(before))
        gated.failures = [SeqMismatch(0), Unavailable("disk full")]
        with pytest.raises(Unavailable):
            await mine.beat()
        renewed = mine.owner
        assert renewed != before
        assert not mine.is_fresh
        await mine.beat()
        assert mine.owner == renewed
        assert mine.is_fresh


async def test_members_see_what_the_others_that_live_tell(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    far = tmp_path / "elsewhere"
    async with member(store, clock, tmp_path) as mine, member(store, clock, tmp_path) as near:
        async with Member(store, clock, role="narrator", data=far) as distant:
            near.status = lambda: Vitals(xrt=3.5, live=2, leads={LaneId.station("harbor"): 12.0})
            await near.beat()
            seen = {peer.owner: peer for peer in await mine.peers()}
            assert seen.keys() == {near.owner, distant.owner}
            assert (seen[near.owner].xrt, seen[near.owner].live) == (3.5, 2)
            assert seen[near.owner].leads == {LaneId.station("harbor"): 12.0}
            assert (seen[distant.owner].xrt, seen[distant.owner].live) == (None, None)
        assert [peer.owner for peer in await mine.peers()] == [near.owner]
        clock.advance(6)
        assert await mine.peers() == []


async def test_who_said_bye_is_not_read_again(store: StreamStore, clock: ManualClock, tmp_path: Path) -> None:
    async with member(store, clock, tmp_path) as gone:
        pass
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    assert not await observer.lives(gone.owner)
    await store.append(names.member(gone.owner), [records.encode(records.Heartbeat(role="x", host="h"))])
    assert not await observer.lives(gone.owner)


async def test_outliving_ends_when_the_other_is_dead_or_the_time_is_over(
    store: StreamStore, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "OUTLIVE_S", 0.01)
    async with member(store, clock, tmp_path) as mine:
        async with member(store, clock, tmp_path) as other, asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(mine.wait_until_dead(other.owner, within_s=100))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            clock.advance(100)
        assert not await mine.lives(other.owner)
        async with member(store, clock, tmp_path) as other:
            waiting = asyncio.create_task(mine.wait_until_dead(other.owner, within_s=100))
        await waiting


def test_silence_is_longer_where_heartbeats_go_over_a_network() -> None:
    assert (ttl_of("sqlite"), ttl_of("memory"), ttl_of("s2://radio")) == (6.0, 6.0, 8.0)


async def test_an_error_inside_a_members_block_comes_out_as_it_is(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    mine = member(store, clock, tmp_path)
    with pytest.raises(LookupError):
        async with mine:
            raise LookupError
    assert isinstance((await beats(store, mine.owner))[-1], records.Bye)


async def test_a_broken_status_ends_the_members_block(
    store: StreamStore, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "BEAT_S", 0.01)

    def broken() -> Vitals:
        raise LookupError

    async def live() -> None:
        async with member(store, clock, tmp_path) as mine:
            mine.status = broken
            await asyncio.sleep(DEADLINE_S)

    with pytest.raises(ExceptionGroup) as failed:
        await live()
    assert failed.group_contains(LookupError)


async def test_a_cancelled_members_block_is_cancelled(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    mine = member(store, clock, tmp_path)

    async def live() -> None:
        async with mine:
            await asyncio.sleep(DEADLINE_S)

    living = asyncio.create_task(live())
    await until(lambda: mine.is_fresh)
    living.cancel()
    await asyncio.wait([living])
    assert living.cancelled()
    assert isinstance((await beats(store, mine.owner))[-1], records.Bye)


async def test_members_dead_for_ten_minutes_are_forgotten(
    store: StreamStore, clock: ManualClock, tmp_path: Path
) -> None:
    async with member(store, clock, tmp_path) as gone:
        pass
    crashed = lock_file(tmp_path / "members", "crashed0")
    crashed.touch()
    await store.append(names.member("crashed0"), [records.encode(records.Heartbeat(role="relay", host="h"))])
    observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
    async with member(store, clock, tmp_path) as living:
        for _ in range(2):
            await observer.forget_the_dead(but="")
            await living.beat()
            clock.advance(599)
        await observer.forget_the_dead(but="")
    left = {info.name for info in (await store.list(names.MEMBERS)).items}
    assert left == {names.member(living.owner)}
    assert gone.owner != living.owner
    assert not crashed.exists()


async def test_a_members_stream_stays_short(
    store: StreamStore, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "TRIM_EVERY", 20)
    async with member(store, clock, tmp_path) as mine:
        observer = Observer(store, clock, data=tmp_path, ttl_s=6.0)
        for _ in range(50):
            await mine.beat()
            assert await observer.lives(mine.owner)
        assert len(await beats(store, mine.owner)) < 40
        newest = await store.read(names.member(mine.owner), FromTail(1))
        assert newest.records


# --- real processes ---------------------------------------------------------------------------------------


class Other:
    """A process of `tests.streams.process`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.owner = ""

    async def hear(self) -> list[str]:
        assert self.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            return (await self.process.stdout.readline()).decode().split()

    def tell(self, word: str = "go") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())

    async def ask(self, word: str) -> list[str]:
        self.tell(word)
        return await self.hear()


@asynccontextmanager
async def others(data: Path, count: int) -> AsyncIterator[list[Other]]:
    started: list[Other] = []
    try:
        for _ in range(count):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.streams.process", str(data), "pub/stations/harbor"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            started.append(Other(process))
        for other in started:
            word, other.owner = await other.hear()
            assert word == "ready"
        yield started
    finally:
        for other in started:
            if other.process.returncode is None:
                other.process.kill()
            await other.process.wait()
            other.process._transport.close()  # type: ignore[attr-defined]


async def read_back(data: Path) -> list[str]:
    store = await open_store(Settings(data=data), SystemClock())
    try:
        result = await store.read("pub/stations/harbor", FromSeq(0))
    finally:
        await store.close()
    return [record.body.decode() for record in result.records]


async def test_of_several_processes_that_take_a_station_one_gets_it(tmp_path: Path) -> None:
    async with others(tmp_path, 4) as processes:
        for process in processes:
            process.tell()
        results = [await process.hear() for process in processes]
        winners = [p for p, r in zip(processes, results, strict=True) if r[0] == "took"]
        assert [r[0] for r in results].count("owned") == 3
        assert len(winners) == 1
        assert {r[1] for r in results if r[0] == "owned"} == {winners[0].owner}
        assert await winners[0].ask("hello") == ["wrote"]
    assert await read_back(tmp_path) == [f"start {winners[0].owner}", "hello"]


async def test_the_successor_of_a_killed_process_starts_at_once(tmp_path: Path) -> None:
    async with others(tmp_path, 2) as (first, second):
        assert (await first.ask("go"))[0] == "took"
        first.process.kill()
        await first.process.wait()
        assert (await second.ask("go")) == [
            "took",
            f"e2.{second.owner}",
        ]  # no `owned` first: nothing was awaited


async def test_a_frozen_process_that_thaws_is_refused(tmp_path: Path) -> None:
    async with others(tmp_path, 1) as (frozen,):
        assert await frozen.ask("go") == ["took", f"e1.{frozen.owner}"]
        assert await frozen.ask("first") == ["wrote"]
        store = await open_store(Settings(data=tmp_path), SystemClock())
        clock = ManualClock()
        successor = Member(store, clock, role="test", data=tmp_path)
        async with successor:
            assert await successor.lives(frozen.owner)
            os.kill(frozen.process.pid, signal.SIGSTOP)
            clock.advance(6)
            assert await is_dead(successor, frozen.owner, clock)
            from tests.streams.process import own

            mine = await own(store, successor, "pub/stations/harbor")
            assert mine.token == f"e2.{successor.owner}"
            os.kill(frozen.process.pid, signal.SIGCONT)
            assert await frozen.ask("late") == ["refused"]
            assert await frozen.ask("again") == ["refused"]
        await store.close()
    assert await read_back(tmp_path) == [f"start {frozen.owner}", "first", f"start {successor.owner}"]


async def is_dead(observer: Member, owner: str, clock: ManualClock) -> bool:
    """Its last heartbeat may have come after the observer began to watch: then it takes that long again."""
    if not await observer.lives(owner):
        return True
    clock.advance(6)
    return not await observer.lives(owner)
