"""Asking that a cast is made ahead of its listener: someone waits for all of it, as a file."""

from typing import Final

from radio.streams import names, records
from radio.streams.contract import StreamStore

WAIT: Final = "wait"
"""The request in `control` by which it is asked."""


async def hurry(store: StreamStore, cast: str) -> int:
    """Ask the narrators to make this cast whole once nobody's lead is short; the seq of the request."""
    request = records.ControlRequest(what=WAIT, target=cast)
    return (await store.append(names.CONTROL, [records.encode(request)])).start.seq
