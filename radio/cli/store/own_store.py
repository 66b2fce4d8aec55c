"""The store of the radio here, for commands that write into it.

Whoever can write in the data folder, or has the token of the S2 store, may use them, and nobody else.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from radio.cli.store.store_arguments import must_exist
from radio.clock import SystemClock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams.admin.store_identity import remembered
from radio.streams.contract import StreamStore
from radio.streams.stores.open_store import open_store


@asynccontextmanager
async def own_store(settings: Settings) -> AsyncIterator[StreamStore]:
    """The radio's own store, and no other.

    Raises:
        NotFound: there is none.
        BadInput: the radio on this data folder uses another one: no one would read it here.
    """
    must_exist(settings)
    store = await open_store(settings, SystemClock())
    try:
        await _check_use(settings, store)
        yield store
    finally:
        await store.close()


async def _check_use(settings: Settings, store: StreamStore) -> None:
    if remembered(settings.data) not in ("", await store.store_id()):
        raise BadInput(
            f"the radio on {settings.data} uses another store than {settings.store}",
            hint="say --store, --s2-endpoint or --s2-lite as for its radio up",
        )
