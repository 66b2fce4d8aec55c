"""Whether other members are alive, as seen from this process, and what their heartbeats say.

To an observer, a member is dead when its newest record is `bye`, its stream is missing, its lock is free, or
its stream did not grow for `ttl_s` on the observer's own monotonic clock. Wall clocks are not compared. Time
in which the store failed does not count, since no heartbeat can arrive then.
"""

import fcntl
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from radio.clock import Clock
from radio.errors import BadInput
from radio.log import log_event
from radio.streams import names, records
from radio.streams.contract import (
    AppendConditionFailed,
    FromTail,
    ReadResult,
    StoreError,
    StreamDeleting,
    StreamNotFound,
    StreamStore,
)
from radio.streams.reading import known
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

FORGET_S = 600.0
"""A member that has been dead for this long is forgotten: its stream and lock file are removed."""
LOOK_BACK = 8
"""Records read from the tail: the newest heartbeat, possibly followed by a trim."""


_ANSWERS = (StreamNotFound, StreamDeleting, AppendConditionFailed)
"""Errors that show that the store works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another living member, by its newest heartbeat.

    Attributes:
        xrt: seconds of audio it makes per second; None: not measured, or it makes none.
        live: how many of its stations are live; None: not given.
        leads: of its lanes, in seconds; lanes that this version does not know are left out.
        let_go: bytes of sound that it trimmed because disk space was low.
        engine: of a narrator: its voice engine and what that runs on.
    """

    owner: str
    role: str
    host: str
    xrt: float | None = None
    live: int | None = None
    leads: Mapping[LaneId, float]
    let_go: int = 0
    engine: str | None = None


@dataclass(slots=True)
class _Sight:
    """An observed member: its stream's tail, and since when (monotonic) the tail has been the same."""

    tail: int
    since: float
    dead_since: float | None = None
    is_gone: bool = False
    """It said `bye`, its last record."""


class Observer:
    """Decides whether other members are alive, as seen from this process."""

    def __init__(self, store: StreamStore, clock: Clock, *, data: Path, ttl_s: float) -> None:
        self._store = store
        self._clock = clock
        self._folder = data / "members"
        self._ttl_s = ttl_s
        self._sights: dict[str, _Sight] = {}
        self._calls: list[float] = []
        """Since when (monotonic) calls to the store are in progress."""
        self._hears_since = float("-inf")
        """Since when (monotonic) the store has answered without failure; silence counts from there."""

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Wraps a call to the store, to notice failures and slow answers."""
        begun, fails = self._clock.monotonic(), False
        self._calls.append(begun)
        try:
            yield
        except StoreError as error:
            fails = not isinstance(error, _ANSWERS)
            raise
        finally:
            self._see_whether_it_answers(fails)
            self._calls.remove(begun)

    async def lives(self, owner: str) -> bool:
        """Whether it is alive; a frozen member counts as alive until `ttl_s` after this observer first
        asked."""
        return await self._newest(owner) is not None

    async def peers(self, *, but: str = "") -> list[Peer]:
        """All living members by owner, except one; those whose record this version does not know are left
        out."""
        owners = [name.removeprefix(names.MEMBERS) for name in await self._members()]
        found = [await self._peer(owner) for owner in owners if owner != but]
        return [peer for peer in found if peer is not None]

    async def forget_the_dead(self, *, but: str) -> None:
        """Remove the members that this observer has seen dead for ten minutes. Call it periodically."""
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
                log.info("member forgotten", extra=log_event("member.forgotten", owner=owner))
        for owner in self._sights.keys() - present:
            del self._sights[owner]

    async def _newest(self, owner: str) -> ReadResult | None:
        """The newest records of a living member; None: it is dead."""
        sight = self._sights.get(owner)
        if (sight is not None and sight.is_gone) or is_unlocked(lock_file(self._folder, owner)):
            return None
        try:
            with self.calling():
                newest = await self._store.read(names.member(owner), FromTail(LOOK_BACK))
        except StreamNotFound:
            return None
        now = self._clock.monotonic()
        if sight is None or sight.tail != newest.next_seq:
            sight = self._sights[owner] = _Sight(newest.next_seq, now)
        sight.is_gone = bool(newest.records) and records.event_of(newest.records[-1]) == records.Bye.EVENT
        is_dead = sight.is_gone or now - max(sight.since, self._hears_since) >= self._ttl_s
        return None if is_dead else newest

    def _see_whether_it_answers(self, fails: bool) -> None:
        now = self._clock.monotonic()
        if fails or any(now - begun >= self._ttl_s / 2 for begun in self._calls):
            self._hears_since = now

    async def _peer(self, owner: str) -> Peer | None:
        newest = await self._newest(owner)
        if newest is None or not newest.records:
            return None
        beat = known(records.MEMBER, newest.records[-1], names.member(owner))
        if not isinstance(beat, records.Heartbeat):
            return None
        return Peer(
            owner=owner,
            role=beat.role,
            host=beat.host,
            xrt=beat.xrt,
            live=beat.live,
            leads=_lanes(beat.leads or {}),
            let_go=beat.let_go or 0,
            engine=beat.engine,
        )

    async def _members(self) -> list[str]:
        found: list[str] = []
        while True:
            page = await self._store.list(names.MEMBERS, start_after=found[-1] if found else "")
            found += [info.name for info in page.items]
            if not page.has_more:
                return found


def _lanes(leads: Mapping[str, float]) -> Mapping[LaneId, float]:
    found: dict[LaneId, float] = {}
    for spelt, lead in leads.items():
        with suppress(BadInput):  # a kind of lane of a newer version
            found[LaneId.parse(spelt)] = lead
    return found


def lock_file(folder: Path, owner: str) -> Path:
    return folder / f"{owner}.lock"


def is_unlocked(path: Path) -> bool:
    """Whether the file exists and its owner does not hold it. Observers use a shared lock, so none sees
    another."""
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
