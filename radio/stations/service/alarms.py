"""Waking at a time. The only module that knows APScheduler: it wakes, the timetable decides."""

from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol, Self

from apscheduler.schedulers.asyncio import AsyncIOScheduler


class Wakes(Protocol):
    """One alarm for each key; setting it anew moves it."""

    def at(self, key: str, ms: int, call: Callable[[], None]) -> None:
        """Call `call` in the event loop at `ms` (epoch ms), or soon if that is past."""
        ...

    def forget(self, key: str) -> None:
        """No alarm for this key any more."""
        ...


class Alarms:
    """Alarms by the machine's wall clock, while it is entered."""

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def at(self, key: str, ms: int, call: Callable[[], None]) -> None:
        when = datetime.fromtimestamp(ms / 1000, UTC)
        self._scheduler.add_job(
            _ring, "date", [call], run_date=when, id=key, replace_existing=True, misfire_grace_time=None
        )

    def forget(self, key: str) -> None:
        if self._scheduler.get_job(key) is not None:
            self._scheduler.remove_job(key)

    async def __aenter__(self) -> Self:
        self._scheduler.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._scheduler.shutdown(wait=False)


async def _ring(call: Callable[[], None]) -> None:
    """A coroutine, for APScheduler calls a plain function in a thread."""
    call()
