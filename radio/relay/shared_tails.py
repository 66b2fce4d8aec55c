"""Shared tails of streams other than broadcasts: one per stream and process, however many wait for it.

A tail only tells that there is more; who waits reads the store. It lives as long as somebody waits.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from radio.log import log_event
from radio.relay.http.signals import Signal
from radio.streams.contract import FromTail, StoreClosed, StoreError, StreamStore

log = logging.getLogger(__name__)

RETRY_S: Final = 1.0


@dataclass(slots=True)
class _Shared:
    signal: Signal = field(default_factory=Signal)
    waiting: int = 0
    task: asyncio.Task[None] | None = None


class SharedTails:
    """Watches streams while `run` runs."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self._shared: dict[str, _Shared] = {}
        self._group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Own the tails until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            await asyncio.Event().wait()

    @asynccontextmanager
    async def watch(self, name: str) -> AsyncIterator[Signal]:
        """A signal that comes at every append, and once soon after the watch began."""
        shared = self._shared.setdefault(name, _Shared())
        if shared.task is None and self._group is not None:
            following = self._follow(name, shared.signal)
            shared.task = self._group.create_task(following, name=f"relay-watch-{name}")
        shared.waiting += 1
        try:
            yield shared.signal
        finally:
            shared.waiting -= 1
            if shared.waiting == 0:
                self._shared.pop(name, None)
                if shared.task is not None:
                    shared.task.cancel()

    def watched(self) -> list[str]:
        """Streams that somebody waits for."""
        return list(self._shared)

    def finish(self) -> None:
        """Wake all who wait, so that they see that the relay closes."""
        for shared in self._shared.values():
            shared.signal.notify()

    async def _follow(self, name: str, signal: Signal) -> None:
        while True:
            try:
                # the last record again: whoever read before this tail began misses nothing
                tail = self._store.follow(name, FromTail(1), include_commands=True, await_stream=True)
                async with tail as follow:
                    async for page in follow:
                        if page.records:
                            signal.notify()
            except StoreClosed:
                raise
            except StoreError as error:
                said = log_event("tail.lost", stream=name, error=str(error))
                log.warning("stream tail lost", extra=said)
                await asyncio.sleep(RETRY_S)
