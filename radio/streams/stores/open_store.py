"""Opens the store that the operator chose. The only module that knows all of them."""

from radio.clock import Clock
from radio.settings import Settings, check_store
from radio.streams.contract import StreamStore
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.s2.address import place_of
from radio.streams.stores.sqlite.store import SqliteStore

SQLITE_FILE = "radio.sqlite3"
"""In the data folder."""


async def open_store(settings: Settings, clock: Clock) -> StreamStore:
    """The store of `settings.store`, open; the caller closes it.

    Raises:
        BadInput: there is no such kind of store.
        Unsupported, StoreError: it cannot be opened; the hint says what to do.
    """
    check_store(settings.store)
    if settings.store == "sqlite":
        return await SqliteStore.open(settings.data / SQLITE_FILE, clock)
    if settings.store == "memory":
        return MemoryStore(clock)
    from radio.streams.stores.s2.store import S2Store  # half a second to import

    return await S2Store.open(place_of(settings))
