"""The bridge from blocking iterators to asyncio. Nothing else in the rooms starts threads to iterate."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


async def iterate_in_thread(items: Iterable[T], *, name: str, bound: int = 8) -> AsyncGenerator[T, None]:
    """Yield the items of a blocking iterable, which runs in a thread of its own.

    At most `bound` items wait to be consumed; then the thread waits. What the iterable raises is raised here.
    Closing early (`contextlib.aclosing`) ends the thread at its next item, closes a generator in it, and
    returns when the thread has ended; cancelling that wait leaves the thread to end by itself.

    Args:
        items: iterated in the thread only, `iter()` included.
        name: of the thread.
        bound: items that may wait.
    """
    bridge = _Bridge(items, bound)
    threading.Thread(target=bridge.run, name=name, daemon=True).start()
    try:
        while (item := await bridge.queue.get()) is not _END:
            bridge.room.release()
            yield item  # type: ignore[misc]  # everything but _END is a T
    finally:
        bridge.closed.set()
        bridge.room.release()
        await bridge.done.wait()
    if bridge.error is not None:
        raise bridge.error


_END = object()


class _Bridge(Generic[T]):
    """What the thread and the generator share."""

    def __init__(self, items: Iterable[T], bound: int) -> None:
        self.items = items
        self.loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[T | object] = asyncio.Queue()  # bounded by `room`
        self.room = threading.Semaphore(bound)
        self.closed = threading.Event()
        self.done = asyncio.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._pass_on()
        except BaseException as error:  # noqa: BLE001 - crosses to the consumer, who raises it
            self.error = error
        try:
            self.loop.call_soon_threadsafe(self._finish)
        except RuntimeError:
            return  # the loop is closed: nobody waits

    def _pass_on(self) -> None:
        iterator = iter(self.items)
        try:
            for item in iterator:
                self.room.acquire()
                if self.closed.is_set():
                    return
                self.loop.call_soon_threadsafe(self.queue.put_nowait, item)
        finally:
            _close(iterator)

    def _finish(self) -> None:
        self.queue.put_nowait(_END)
        self.done.set()


def _close(iterator: Iterator[T]) -> None:
    close = getattr(iterator, "close", None)
    if close is not None:
        close()
