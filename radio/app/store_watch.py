"""Notices that the store under a running process was replaced by another one.

Then nothing that the process knows about its streams is true, and nothing that it still does may reach the
new store. So it ends at once, without closing the old store: SQLite would delete files by names that belong
to the new store by then. The process that started it starts it again, on the new store.
"""

import asyncio
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from radio.errors import RadioError
from radio.log import log_event
from radio.settings import Settings
from radio.streams.contract import StreamStore, Unavailable
from radio.streams.stores.open_store import SQLITE_FILE

log = logging.getLogger(__name__)

LOOK_S = 2.0
REPLACED_STATUS = 75
"""The exit status (EX_TEMPFAIL): it can be started again."""


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """The store as it was opened: its id, and for a file its device and number."""

    store_id: str
    path: Path | None
    file: tuple[int, int] | None

    def is_file_replaced(self) -> bool:
        """Whether another file, or none, is now where the store's file was."""
        return self.path is not None and _file(self.path) != self.file


async def standing(settings: Settings, store: StreamStore) -> OpenedStore:
    """What later checks compare with; taken right after the store was opened."""
    path = settings.data / SQLITE_FILE if settings.store == "sqlite" else None
    return OpenedStore(await store.store_id(), path, _file(path) if path else None)


async def end_when_replaced(was: OpenedStore, store: StreamStore) -> NoReturn:
    """Check repeatedly. Only another store counts as replaced, not one that answers with an error."""
    told = ""
    while True:
        await asyncio.sleep(LOOK_S)
        error = await end_if_replaced(was, store)
        told = "" if error is None else _tell(error, told)


async def end_if_replaced(was: OpenedStore, store: StreamStore) -> RadioError | None:
    """Check once; returns the store's answer if it does not give its id."""
    if was.is_file_replaced():
        end_at_once()
    try:
        if await store.store_id() != was.store_id:
            end_at_once()
    except RadioError as error:
        return error
    return None


def _tell(error: RadioError, told: str) -> str:
    """Log the store's answer instead of its id, once while it stays the same; returns what is known now."""
    if isinstance(error, Unavailable):
        return told  # the code that waits for it logs it
    if str(error) != told:
        log.error("the store does not tell its id: %s", error, extra=log_event("store.no_id"))
    return str(error)


def end_at_once() -> NoReturn:
    """End this process as `kill -9` would."""
    log.critical(
        "the store was replaced by another one while the radio ran; beginning anew on that one",
        extra=log_event("store.replaced"),
    )
    logging.shutdown()
    os._exit(REPLACED_STATUS)


def _file(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino
