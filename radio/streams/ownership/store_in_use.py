"""Whether processes of a radio use a store: its members are watched for as long as one may be silent."""

import asyncio
from pathlib import Path

from radio.clock import Clock
from radio.errors import RadioError
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.listing import every_name
from radio.streams.ownership.observer import Observer

POLL_S = 0.25


class StillRunning(RadioError):
    """Processes of a radio use the store."""


async def living(store: StreamStore, clock: Clock, *, data: Path, ttl_s: float) -> list[str]:
    """The owner ids of living members. Takes up to `ttl_s` seconds if one may live, no time otherwise."""
    observer = Observer(store, clock, data=data, ttl_s=ttl_s)
    begun = clock.monotonic()
    while True:
        owners = [name.removeprefix(names.MEMBERS) for name in await every_name(store, names.MEMBERS)]
        alive = [owner for owner in owners if await observer.lives(owner)]
        if not alive or clock.monotonic() - begun > ttl_s:
            return alive
        await asyncio.sleep(POLL_S)


async def refuse_living(store: StreamStore, clock: Clock, *, data: Path, ttl_s: float) -> None:
    """Raises `StillRunning` if a member lives."""
    alive = await living(store, clock, data=data, ttl_s=ttl_s)
    if alive:
        raise StillRunning(
            f"a radio uses the store: {', '.join(alive)}",
            hint="stop it first, on every machine that runs one",
        )
