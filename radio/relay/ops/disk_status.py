"""How the disk under the recordings stands, as health shows it: free space, its floor, what went for it."""

import asyncio
from typing import Any, Final

from radio.settings import Settings
from radio.streams import disk
from radio.streams.contract import StoreError
from radio.streams.ownership.observer import Observer

ASK_S: Final = 1.0
"""Health does not wait for a store that takes longer."""


class DiskStatus:
    """Remembers whether space is short, so that it does not flicker."""

    def __init__(self, settings: Settings, observer: Observer) -> None:
        self._folder = disk.watched(settings)
        self._level = disk.Level(settings.disk_floor)
        self._observer = observer

    async def describe(self) -> dict[str, Any] | None:
        """None if no disk is watched; `free_bytes` and `let_go_bytes` are None where they are not known."""
        if self._folder is None:
            return None
        try:
            free = await asyncio.to_thread(disk.free_bytes, self._folder)
        except OSError:
            free = None
        return {
            "free_bytes": free,
            "floor_bytes": self._level.floor,
            "low": None if free is None else self._level.see(free),
            "let_go_bytes": await self._let_go(),
        }

    async def _let_go(self) -> int | None:
        """Bytes of recordings that the narrators that live have trimmed for want of space."""
        try:
            async with asyncio.timeout(ASK_S):
                return sum(peer.let_go for peer in await self._observer.peers())
        except (StoreError, TimeoutError):
            return None
