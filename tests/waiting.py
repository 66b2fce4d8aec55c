"""Waiting for a condition with a deadline: the only way in which a test lets time pass."""

import asyncio
from collections.abc import Awaitable, Callable

POLL_S = 0.02


async def until(holds: Callable[[], bool | Awaitable[bool]], *, within_s: float = 60.0) -> None:
    """Return as soon as `holds()` is true; `TimeoutError` after `within_s` seconds, a generous deadline."""
    async with asyncio.timeout(within_s):
        while True:
            answer = holds()
            if answer if isinstance(answer, bool) else await answer:
                return
            await asyncio.sleep(POLL_S)
