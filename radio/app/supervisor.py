"""Keeps a radio's processes running, and stops them in order.

A process that ends is started again, after a growing pause. Stopping goes through the processes in the given
order, each with its share of the time before the next is asked to stop; those left at the end are killed. One
process may be the foundation of the others: they start once it is ready, and it stops once they have ended.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from radio.app import restart_backoff
from radio.child_processes import UNCHANGING_STATUS, Child
from radio.clock import Clock
from radio.errors import RadioError
from radio.log import log_event

log = logging.getLogger(__name__)

Start = Callable[[], Awaitable[Child]]
STOP_WITHIN_S = 4.5
"""Time for all of them to stop; half a second is left for the supervisor itself."""
HEAD_START_S = 0.5
"""Time that one process has before the next is asked to stop."""
FOUNDATION_S = 1.0
"""Share of that time for the foundation."""

NOT_STARTED = 71
"""Exit status of a process that the system had no resources for (EX_OSERR)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreProcess:
    """A process that the others need. `until_ready` returns once they can use it; it may be cancelled."""

    name: str
    start: Start
    until_ready: Callable[[], Awaitable[None]]


class ChildRefused(RadioError):
    """A process ended for a cause that another start does not change."""


class Supervisor:
    """Runs processes by name until it is asked to stop.

    Args:
        starts: how each process is started, in the order of starting.
        stop_order: all names, in the order of stopping.
    """

    def __init__(
        self,
        starts: Mapping[str, Start],
        stop_order: Sequence[str],
        clock: Clock,
        *,
        foundation: StoreProcess | None = None,
    ) -> None:
        assert set(starts) == set(stop_order)
        self._starts = dict(starts)
        self._stop_order = stop_order
        self._clock = clock
        self._foundation = foundation
        self._running: dict[str, Child] = {}
        self._last_words: dict[str, str] = {}
        """Of processes whose last start ended for a cause that will not change."""
        self._ended_with: dict[str, str] = {}
        self._refused: ChildRefused | None = None
        if foundation is not None:
            self._starts[foundation.name] = foundation.start

    async def run(self, stop: asyncio.Event, hurry: asyncio.Event) -> None:
        """Run until `stop` is set and every process has ended; once `hurry` is set, they are killed.

        Raises:
            ChildRefused: one ended twice in a row, soon, for a cause that will not change; all were stopped.
        """
        async with asyncio.TaskGroup() as group:
            keepers = [
                group.create_task(self._keep(name, stop), name=f"keep-{name}") for name in self._starts
            ]
            await stop.wait()
            rush = group.create_task(self._kill_on(hurry), name="hurry")
            await self._stop_all()
            await asyncio.wait(keepers)
            rush.cancel()
        if self._refused is not None:
            raise self._refused

    async def _keep(self, name: str, stop: asyncio.Event) -> None:
        pause: float | None = None
        while not stop.is_set():
            await self._until_may_start(name, stop)
            if stop.is_set():
                return
            started = self._clock.monotonic()
            status = await self._run_once(name, stop)
            if stop.is_set():
                return
            ran = self._clock.monotonic() - started
            if self._is_hopeless(name, status, ran):
                stop.set()
                return
            pause = restart_backoff.delay_s(pause, ran)
            log.error(
                "process ended, starting it again",
                extra=log_event("process.restarting", child=name, status=status, ran_s=ran, in_s=pause),
            )
            await _wait(stop, pause)

    def _is_hopeless(self, name: str, status: int, ran_s: float) -> bool:
        """Whether it ended like this the last time, too: two starts in a row for the same lasting cause."""
        words = self._ended_with.pop(name, "")
        if status != UNCHANGING_STATUS or ran_s >= restart_backoff.STEADY_S:
            self._last_words.pop(name, None)
            return False
        if self._last_words.get(name) == words:
            self._refused = ChildRefused(f"{name} cannot run: {words or 'see what it logged'}")
            return True
        self._last_words[name] = words
        return False

    async def _until_may_start(self, name: str, stop: asyncio.Event) -> None:
        """Wait until its foundation is ready, or everything must stop."""
        if self._foundation is None or name == self._foundation.name:
            return
        ready = asyncio.ensure_future(self._foundation.until_ready())
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait([ready, stopped], return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
            stopped.cancel()
            await asyncio.gather(ready, stopped, return_exceptions=True)

    async def _run_once(self, name: str, stop: asyncio.Event) -> int:
        try:
            child = await self._starts[name]()
        except OSError as refused:
            log.error(
                "process not started", extra=log_event("process.not_started", child=name, why=str(refused))
            )
            return NOT_STARTED
        if stop.is_set():
            return await child.stop()  # asked to stop while it was being started
        self._running[name] = child
        log.info("process started", extra=log_event("process.started", child=name, pid=child.pid))
        try:
            return await child.wait()
        finally:
            self._ended_with[name] = child.last_words.strip()
            del self._running[name]
            child.sweep()

    async def _stop_all(self) -> None:
        deadline = self._clock.monotonic() + STOP_WITHIN_S
        await self._stop_in_order(deadline if self._foundation is None else deadline - FOUNDATION_S)
        if self._foundation and (last := self._running.get(self._foundation.name)) is not None:
            await last.stop(max(deadline - self._clock.monotonic(), 0.0))

    async def _stop_in_order(self, deadline: float) -> None:
        async with asyncio.TaskGroup() as group:
            for name in self._stop_order:
                if (child := self._running.get(name)) is not None:
                    left = max(deadline - self._clock.monotonic(), 0.0)
                    stopping = group.create_task(child.stop(left), name=f"stop-{name}")
                    await asyncio.wait([stopping], timeout=HEAD_START_S)

    async def _kill_on(self, hurry: asyncio.Event) -> None:
        await hurry.wait()
        for child in list(self._running.values()):
            child.kill()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
