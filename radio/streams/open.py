"""Which store the operator chose. The only module that knows them all."""

from radio.clock import Clock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.memory import MemoryStore
from radio.streams.sqlite import SqliteStore

SQLITE_FILE = "radio.sqlite3"
"""In the data folder."""


async def open_store(settings: Settings, clock: Clock) -> StreamStore:
    """The store of `settings.store`, open; it is the caller's to close.

    Raises:
        BadInput: there is no such kind of store.
        Unsupported, Unavailable: it cannot be opened; the hint says what to do.
    """
    if settings.store == "sqlite":
        return await SqliteStore.open(settings.data / SQLITE_FILE, clock)
    if settings.store == "memory":
        return MemoryStore(clock)
    raise BadInput(f"no store is called {settings.store!r}", hint="it is sqlite or memory")
