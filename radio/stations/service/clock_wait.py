"""Waiting for a clock that cannot be right: small boards have none that runs while they are off.

A run that begins by such a clock would air under a time that is not.
"""

import asyncio
import logging
from collections.abc import Iterable

from radio.clock import Clock
from radio.log import log_event
from radio.streams import names
from radio.streams.contract import StreamNotFound, StreamStore

log = logging.getLogger(__name__)

EARLY_MS = 60_000
"""A clock that is so much earlier than the newest record of a station has not been set."""
PATIENCE_S = 120.0
"""How long it is waited for; after that it counts as set back."""
LOOK_S = 1.0


async def await_clock(store: StreamStore, clock: Clock, stations: Iterable[str], stop: asyncio.Event) -> None:
    """Return once the clock may be right, the patience is over, or `stop` is set."""
    newest = await _newest_ms(store, stations)
    if newest - clock.now_ms() <= EARLY_MS:
        return
    log.warning("the clock seems not to be set; waiting", extra=log_event("clock.early"))
    begun = clock.monotonic()
    while not stop.is_set() and newest - clock.now_ms() > EARLY_MS:
        if clock.monotonic() - begun >= PATIENCE_S:
            log.warning("the clock counts as set back", extra=log_event("clock.set_back"))
            return
        try:
            async with asyncio.timeout(LOOK_S):
                await stop.wait()
        except TimeoutError:
            continue


async def _newest_ms(store: StreamStore, stations: Iterable[str]) -> int:
    newest = 0
    for station in stations:
        try:
            tail = await store.check_tail(names.station_input(station))
        except StreamNotFound:
            continue
        newest = max(newest, tail.timestamp)
    return newest
