"""How the disk under the recordings stands, as health shows it: free space, its floor, what went for it."""

import asyncio
from typing import Any, Final

from radio.settings import Settings
from radio.streams import disk, names
from radio.streams.contract import FromTail, StoreError, StreamNotFound, StreamStore
from radio.streams.records import MEMBER, Heartbeat, UnknownRecord, decode

ASK_S: Final = 1.0
"""Health does not wait for a store that takes longer."""


class DiskStatus:
    """Remembers whether space is short, so that it does not flicker."""

    def __init__(self, settings: Settings, store: StreamStore) -> None:
        self._folder = disk.watched(settings)
        self._level = disk.Level(settings.disk_floor)
        self._store = store

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
        """Bytes of recordings that the narrators of today let go for want of space."""
        try:
            async with asyncio.timeout(ASK_S):
                members = (await self._store.list(names.MEMBERS)).items
                return sum([await self._of(member.name) for member in members])
        except (StoreError, TimeoutError):
            return None

    async def _of(self, member: str) -> int:
        try:
            page = await self._store.read(member, FromTail(1))
            beat = decode(MEMBER, page.records[-1]) if page.records else None
        except (StreamNotFound, UnknownRecord):
            return 0
        return beat.let_go or 0 if isinstance(beat, Heartbeat) else 0
