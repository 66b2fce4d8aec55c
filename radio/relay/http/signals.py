"""One thing happens, any number wait for it; and waits that end when the relay closes."""

import asyncio


class Signal:
    """Take `next()` before looking at the state, wait for it after: then no change is missed."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def next(self) -> asyncio.Event:
        """The event that the next `notify` sets."""
        return self._event

    def notify(self) -> None:
        """Wake everyone who waits."""
        event, self._event = self._event, asyncio.Event()
        event.set()


async def wait(event: asyncio.Event, timeout_s: float) -> bool:
    """True once the event is set, False after `timeout_s`."""
    try:
        async with asyncio.timeout(timeout_s):
            return await event.wait()
    except TimeoutError:
        return False
