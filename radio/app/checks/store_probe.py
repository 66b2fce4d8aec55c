"""Checks the store once before the radio's processes start on it.

A store that no process can use is reported once here, instead of by each process at each of its starts. A
server that does not answer may still come: the processes wait for it.
"""

import asyncio
import logging

from radio.app.s2_lite import local_server
from radio.clock import SystemClock
from radio.log import log_event
from radio.settings import Settings
from radio.streams.admin.copying import CopyRefused, refuse_unfinished
from radio.streams.contract import StoreError
from radio.streams.stores.open_store import open_store
from radio.streams.stores.s2.address import place_of

log = logging.getLogger(__name__)

SERVER_S = 5.0
"""How long to wait for a server."""


async def before_all(settings: Settings) -> None:
    """Check it now; a store on a local S2 Lite that does not run yet, as far as possible.

    Raises:
        BadInput, Unsupported, CopyRefused: it cannot be used.
        StoreError: its file cannot be used.
    """
    if settings.s2_lite:
        place_of(local_server.on_it(settings))
    elif settings.store == "sqlite":
        await _open_once(settings)
    else:
        await _try_server(settings)


class StoreReady:
    """The same for a server that this radio starts: checked once, when it is healthy.

    Args:
        stop: set if the store is refused; `refused` says why.
    """

    def __init__(self, settings: Settings, stop: asyncio.Event) -> None:
        self.refused: CopyRefused | None = None
        self._settings = settings
        self._stop = stop
        self._looking = asyncio.Lock()
        self._has_looked = False

    async def look(self) -> None:
        async with self._looking:
            if self._has_looked:
                return
            try:
                await _try_server(self._settings)
            except CopyRefused as refused:
                self.refused = refused
                self._stop.set()
            self._has_looked = True

    def raise_refusal(self) -> None:
        if self.refused is not None:
            raise self.refused


async def _try_server(settings: Settings) -> None:
    try:
        async with asyncio.timeout(SERVER_S):
            await _open_once(settings)
    except (StoreError, TimeoutError) as away:
        log.warning(
            "the store does not answer as it should; starting all the same: %s",
            away or f"nothing within {SERVER_S:g} s",
            extra=log_event("store.not_tried"),
        )


async def _open_once(settings: Settings) -> None:
    store = await open_store(settings, SystemClock())
    try:
        await refuse_unfinished(store)
    finally:
        await store.close()
