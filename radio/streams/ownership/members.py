"""Processes that own streams, and how they show that they are alive: a lock file and heartbeats.

A member holds a file lock in the data folder and appends heartbeats to its stream; `observer` judges those of
others.
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
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from radio.clock import Clock
from radio.log import log_event
from radio.streams import names, records
from radio.streams.contract import (
    NewRecord,
    SeqMismatch,
    StoreClosed,
    StoreError,
    StreamDeleting,
    StreamStore,
)
from radio.streams.ownership.observer import FORGET_S, Observer, Peer, lock_file
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

OWNER = re.compile(r"[0-9a-z]{8}")
BEAT_S = 2.0
TTL_S = 6.0
"""Silence after which a member counts as dead."""
TTL_REMOTE_S = 8.0
"""The same where heartbeats go over a network."""
BYE_S = 2.0
"""How long a stopping member tries to append its `bye`."""
OUTLIVE_S = 0.3
"""Pause between two checks of a member that is being waited for."""
KEEP_BEATS = 8
TRIM_EVERY = 256
"""Heartbeats between two trims of one's own stream."""


def ttl_of(store: str) -> float:
    """Silence in seconds after which a member on that store (`settings.store`) counts as dead."""
    return TTL_REMOTE_S if store.startswith("s2:") else TTL_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The content of a heartbeat.

    Attributes:
        xrt: seconds of audio made per second, as measured.
        live: how many of its stations are live: each needs a second of audio per second.
        leads: the lead of each lane in seconds.
        let_go: bytes of sound that were trimmed because disk space was low.
        engine: the voice engine and what it runs on.
    """

    xrt: float | None = None
    live: int | None = None
    leads: Mapping[LaneId, float] | None = None
    let_go: int | None = None
    engine: str | None = None


class Member:
    """This process as one that may own streams. Enter it before the first `take`.

    Args:
        data: the data folder.
        ttl_s: silence, in seconds, after which others consider it dead.
    """

    def __init__(
        self, store: StreamStore, clock: Clock, *, role: str, data: Path, ttl_s: float = TTL_S
    ) -> None:
        self.owner = new_owner()
        """Changes if others forgot the member while it was frozen: it has then lost what it owned.

        Code that holds a stream compares this with the owner id under which it took the stream.
        """
        self.host = platform.node()
        self.ttl_s = ttl_s
        self.status: Callable[[], Vitals] = Vitals
        self._store = store
        self._clock = clock
        self._role = role
        self._folder = data / "members"
        self._observer = Observer(store, clock, data=data, ttl_s=ttl_s)
        self._lock: int | None = None
        self._place = 0
        self._last_beat: float | None = None
        self._last_round = clock.monotonic()
        self._tasks = asyncio.TaskGroup()
        self._beating: asyncio.Task[None] | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether the others surely still consider it alive; if not, make nothing until a heartbeat
        succeeds."""
        return self._last_beat is not None and self._clock.monotonic() - self._last_beat < self.ttl_s * 2 / 3

    async def lives(self, owner: str) -> bool:
        """Whether `owner` is alive, as seen by this member."""
        return owner == self.owner or await self._observer.lives(owner)

    async def peers(self) -> list[Peer]:
        """The other living members, as seen by this member."""
        return await self._observer.peers(but=self.owner)

    async def wait_until_dead(self, owner: str, *, within_s: float) -> None:
        """Return when `owner` is dead, or after that many seconds."""
        until = self._clock.monotonic() + within_s
        while await self.lives(owner):
            left_s = until - self._clock.monotonic()
            if left_s <= 0:
                return
            await asyncio.sleep(min(OUTLIVE_S, left_s))

    async def beat(self) -> None:
        """Append one heartbeat now. `is_fresh` counts from before the append."""
        begun = self._clock.monotonic()
        try:
            await self._append(self._heartbeat())
        except StreamDeleting:
            await self._begin_anew()
            return
        except SeqMismatch as stands:
            if stands.actual < self._place:  # the stream was deleted
                await self._begin_anew()
                return
            self._place = stands.actual  # nobody else appends here: it was ours
            await self._append(self._heartbeat())
        self._last_beat = begun
        if self._place % TRIM_EVERY == 0:
            await self._trim()

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
            # an error from the caller's block is raised as it is; a cancellation may be the group's own
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
                log.warning("heartbeat failed: %s", e, extra=log_event("member.beat_failed"))

    async def _make_rounds(self) -> None:
        now = self._clock.monotonic()
        if now - self._last_round >= FORGET_S / 10:
            self._last_round = now
            await self._observer.forget_the_dead(but=self.owner)

    async def _begin_anew(self) -> None:
        """The others considered this member dead for so long that they removed its stream."""
        log.warning("forgotten by the others", extra=log_event("member.renewed", owner=self.owner))
        self._last_beat = None
        self._unlock()
        self.owner = new_owner()
        self._lock = _lock(self._folder, self.owner)
        self._place = 0
        begun = self._clock.monotonic()
        await self._append(self._heartbeat())
        self._last_beat = begun

    async def _trim(self) -> None:
        ack = await self._store.trim(names.member(self.owner), self._place - KEEP_BEATS)
        self._place = ack.end.seq

    async def _append(self, record: NewRecord) -> None:
        with self._observer.calling():
            ack = await self._store.append(names.member(self.owner), [record], match_seq_num=self._place)
        self._place = ack.end.seq

    def _heartbeat(self) -> NewRecord:
        vitals = self.status()
        leads = None if vitals.leads is None else {str(lane): s for lane, s in vitals.leads.items()}
        return records.encode(
            records.Heartbeat(
                role=self._role,
                host=self.host,
                xrt=vitals.xrt,
                live=vitals.live,
                leads=leads,
                let_go=vitals.let_go,
                engine=vitals.engine,
            )
        )

    async def _say_bye(self) -> None:
        try:
            async with asyncio.timeout(BYE_S):
                await self._append(records.encode(records.Bye()))
        except (StoreError, TimeoutError) as e:
            log.warning("could not say bye: %s", e, extra=log_event("member.bye_failed"))

    def _unlock(self) -> None:
        if self._lock is not None:
            lock_file(self._folder, self.owner).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None


def new_owner() -> str:
    """A new owner id: 8 random base-36 characters."""
    return "".join(secrets.choice(string.digits + string.ascii_lowercase) for _ in range(8))


def _lock(folder: Path, owner: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    fd = os.open(lock_file(folder, owner), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd
