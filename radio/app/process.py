"""What every long-running process has: its log, its signals, its parent's pipe, and the store."""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from radio import log
from radio.app.checks.preconditions import make_data_folder
from radio.child_processes import stop_when_parent_is_gone
from radio.clock import Clock, SystemClock
from radio.log import log_event
from radio.settings import Settings
from radio.streams.admin.store_identity import recognise
from radio.streams.contract import StreamStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a process gives its room. `stop` is set by SIGTERM, Ctrl-C, or the end of the parent."""

    settings: Settings
    clock: Clock
    stop: asyncio.Event


def run(settings: Settings, role: str, body: Callable[[Frame], Awaitable[None]]) -> None:
    """Run a process until its body returns; the body ends soon after `stop` is set. Raises the body's
    error."""
    log.setup(settings, role)
    asyncio.run(_main(settings, body))


async def _main(settings: Settings, body: Callable[[Frame], Awaitable[None]]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    stop_when_parent_is_gone(stop)
    await body(Frame(settings=settings, clock=SystemClock(), stop=stop))
    logger.debug("process ends", extra=log_event("process.ending"))


async def with_store(frame: Frame, work: Callable[[StreamStore], Awaitable[None]]) -> None:
    """Open the store for `work`, and close it after. If it is replaced, the process ends at once."""
    from radio.app import store_watch
    from radio.streams.stores.open_store import open_store

    await asyncio.to_thread(make_data_folder, frame.settings.data)
    store = await open_store(frame.settings, frame.clock)
    was = await store_watch.standing(frame.settings, store)
    try:
        if frame.settings.store != "memory":
            await recognise(store, frame.settings.data)
        async with asyncio.TaskGroup() as tasks:
            watch = tasks.create_task(store_watch.end_when_replaced(was, store), name="store watch")
            await work(store)
            watch.cancel()
    except BaseExceptionGroup:
        await store_watch.end_if_replaced(was, store)  # any failure is a consequence of that
        raise
    finally:
        if was.is_file_replaced():
            store_watch.end_at_once()
        await store.close()
