"""Processes that own streams: each shows that it lives, and sees whether another does.

A member holds a file lock in the data folder and appends a heartbeat to its stream. It is dead for an
observer when its newest record is `bye`, its stream is missing, its lock can be had, or its stream did not
grow for `ttl_s` on the observer's own monotonic clock. No wall clocks are compared.
"""

import asyncio
import fcntl
import logging
import os
import platform
import re
import secrets
import string
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from radio.clock import Clock
from radio.streams import names, records
from radio.streams.contract import (
    FromTail,
    NewRecord,
    SeqMismatch,
    StoreClosed,
    StoreError,
    StreamNotFound,
    StreamStore,
)

log = logging.getLogger(__name__)

OWNER = re.compile(r"[0-9a-z]{8}")
BEAT_S = 2.0
BYE_S = 2.0
"""How long a stopping member tries to say so."""
FORGET_S = 600.0
"""A member that has been dead for so long is forgotten: its stream and lock file go."""
KEEP_BEATS = 8
TRIM_EVERY = 256
"""Heartbeats between two trims of one's own stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """What a heartbeat tells: seconds of audio made per second, and the lead of each lane in seconds."""

    xrt: float | None = None
    leads: Mapping[str, float] | None = None


@dataclass(slots=True)
class _Sight:
    """An observed member: its stream's tail, and since when (monotonic) it is that."""

    tail: int
    since: float
    dead_since: float | None = None


class Observer:
    """Tells whether other members live, as seen from this process."""

    def __init__(self, store: StreamStore, clock: Clock, *, data: Path, ttl_s: float) -> None:
        self._store = store
        self._clock = clock
        self._folder = data / "members"
        self._ttl_s = ttl_s
        self._sights: dict[str, _Sight] = {}

    async def lives(self, owner: str) -> bool:
        """Whether it lives; a frozen one does until `ttl_s` after this observer first asked."""
        if _is_unlocked(lock_file(self._folder, owner)):
            return False
        try:
            newest = await self._store.read(names.member(owner), FromTail(KEEP_BEATS))
        except StreamNotFound:
            return False
        if newest.records and records.event_of(newest.records[-1]) == records.Bye.EVENT:
            return False
        now = self._clock.monotonic()
        sight = self._sights.get(owner)
        if sight is None or sight.tail != newest.next_seq:
            self._sights[owner] = _Sight(newest.next_seq, now)
            return True
        return now - sight.since < self._ttl_s

    async def forget_the_dead(self, *, but: str) -> None:
        """Remove the members that this observer has seen dead for ten minutes. Call it now and then."""
        now = self._clock.monotonic()
        present = set()
        for name in await self._members():
            owner = name.removeprefix(names.MEMBERS)
            present.add(owner)
            if owner == but or await self.lives(owner):
                continue
            sight = self._sights.setdefault(owner, _Sight(-1, now))
            if sight.dead_since is None:
                sight.dead_since = now
            elif now - sight.dead_since >= FORGET_S:
                await self._store.delete(name)
                lock_file(self._folder, owner).unlink(missing_ok=True)
                log.info("member forgotten", extra={"action": "member.forgotten", "owner": owner})
        for owner in self._sights.keys() - present:
            del self._sights[owner]

    async def _members(self) -> list[str]:
        found: list[str] = []
        while True:
            page = await self._store.list(names.MEMBERS, start_after=found[-1] if found else "")
            found += [info.name for info in page.items]
            if not page.has_more:
                return found


class Member:
    """This process as one that may own streams. Enter it before the first `take`.

    Args:
        data: the data folder.
        ttl_s: silence, in seconds, after which others call it dead.
    """

    def __init__(
        self, store: StreamStore, clock: Clock, *, role: str, data: Path, ttl_s: float = 6.0
    ) -> None:
        self.owner = new_owner()
        """Changes if the member was forgotten while it was frozen: then what it owned is lost to it."""
        self.status: Callable[[], Vitals] = Vitals
        self._store = store
        self._clock = clock
        self._role = role
        self._folder = data / "members"
        self._ttl_s = ttl_s
        self._observer = Observer(store, clock, data=data, ttl_s=ttl_s)
        self._lock: int | None = None
        self._place = 0
        self._last_beat: float | None = None
        self._last_round = clock.monotonic()
        self._tasks = asyncio.TaskGroup()
        self._beating: asyncio.Task[None] | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether the others surely still see it live; if not, make nothing until a heartbeat succeeds."""
        return self._last_beat is not None and self._clock.monotonic() - self._last_beat < self._ttl_s * 2 / 3

    async def lives(self, owner: str) -> bool:
        """Whether `owner` lives, with this member as the observer."""
        return owner == self.owner or await self._observer.lives(owner)

    async def beat(self) -> None:
        """Append one heartbeat now. `is_fresh` counts from before the append."""
        begun = self._clock.monotonic()
        try:
            await self._append(self._heartbeat())
        except SeqMismatch:  # someone forgot us
            await self._begin_anew()
            return
        self._last_beat = begun
        if self._place % TRIM_EVERY == 0:
            await self._store.trim(names.member(self.owner), self._place - KEEP_BEATS)
            self._place += 1

    async def __aenter__(self) -> Self:
        self._lock = _lock(self._folder, self.owner)
        try:
            await self.beat()
            await self._tasks.__aenter__()
        except BaseException:
            self._unlock()
            raise
        self._beating = self._tasks.create_task(self._keep_beating(), name=f"heartbeat {self.owner}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._beating is not None:
                self._beating.cancel()
            # an error of the caller's block comes out as it is; a cancellation may be the group's own
            if isinstance(error, asyncio.CancelledError):
                await self._tasks.__aexit__(kind, error, trace)
            else:
                await self._tasks.__aexit__(None, None, None)
        finally:
            try:
                await self._say_bye()
            finally:
                self._unlock()

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                await self.beat()
                await self._make_rounds()
            except StoreClosed:
                return
            except StoreError as e:
                log.warning("heartbeat failed: %s", e, extra={"action": "member.beat_failed"})

    async def _make_rounds(self) -> None:
        now = self._clock.monotonic()
        if now - self._last_round >= FORGET_S / 10:
            self._last_round = now
            await self._observer.forget_the_dead(but=self.owner)

    async def _begin_anew(self) -> None:
        log.warning("forgotten by the others", extra={"action": "member.renewed", "owner": self.owner})
        self._last_beat = None
        self._unlock()
        self.owner = new_owner()
        self._lock = _lock(self._folder, self.owner)
        self._place = 0
        begun = self._clock.monotonic()
        await self._append(self._heartbeat())
        self._last_beat = begun

    async def _append(self, record: NewRecord) -> None:
        ack = await self._store.append(names.member(self.owner), [record], match_seq_num=self._place)
        self._place = ack.end.seq

    def _heartbeat(self) -> NewRecord:
        vitals = self.status()
        return records.encode(
            records.Heartbeat(role=self._role, host=platform.node(), xrt=vitals.xrt, leads=vitals.leads)
        )

    async def _say_bye(self) -> None:
        try:
            async with asyncio.timeout(BYE_S):
                await self._append(records.encode(records.Bye()))
        except (StoreError, TimeoutError) as e:
            log.warning("could not say bye: %s", e, extra={"action": "member.bye_failed"})

    def _unlock(self) -> None:
        if self._lock is not None:
            lock_file(self._folder, self.owner).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None


def new_owner() -> str:
    """A new owner id: 8 random base-36 characters."""
    return "".join(secrets.choice(string.digits + string.ascii_lowercase) for _ in range(8))


def lock_file(folder: Path, owner: str) -> Path:
    return folder / f"{owner}.lock"


def _lock(folder: Path, owner: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    fd = os.open(lock_file(folder, owner), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


def _is_unlocked(path: Path) -> bool:
    """Whether the file is there and its owner does not hold it. Observers share, so none sees another."""
    with suppress(FileNotFoundError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(fd)
        return True
    return False
