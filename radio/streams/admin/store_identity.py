"""Noticing that the store is not the one that this data folder was used with before.

The folder remembers the store's id (`store.id`), for this purpose only.
"""

import logging
from pathlib import Path

from radio.log import log_event
from radio.streams.admin.copying import refuse_unfinished
from radio.streams.contract import StreamStore

log = logging.getLogger(__name__)

ID_FILE = "store.id"


async def recognise(store: StreamStore, data: Path) -> None:
    """Warn once if the store is another than before; the radio then uses what it finds there.

    Raises:
        CopyRefused: it is half a copy.
    """
    await refuse_unfinished(store)
    mine = await store.store_id()
    before = remembered(data)
    if mine == before:
        return
    if before:
        log.warning(
            "this is another store than the one that was used here before; what was not copied is not in it",
            extra=log_event("store.other", before=before, store=mine),
        )
    _remember(data / ID_FILE, mine)


def remembered(data: Path) -> str:
    """The id of the store that the folder was used with last; "" if there was none."""
    try:
        return (data / ID_FILE).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def _remember(path: Path, store_id: str) -> None:
    """Replace the file atomically, even if another process does the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{store_id}")
    fresh.write_text(f"{store_id}\n", encoding="utf-8")
    fresh.replace(path)
