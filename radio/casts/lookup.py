"""A cast as it stands in the store."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from radio.casts.cast_state import CastState
from radio.streams import names, records
from radio.streams.contract import FromSeq, FromTail, Record, StreamNotFound, StreamStore

GONE = "end.gone"
"""The fence of a cast that the operator removed."""


@dataclass(frozen=True, slots=True)
class StoredCast:
    """A cast as it stands in the store: its state, its fence, and the seq that comes next."""

    state: CastState
    fence: str
    next_seq: int


async def look(store: StreamStore, cast: str) -> StoredCast:
    """The cast as it stands; a missing one has no `meta` and `next_seq` 0."""
    name = names.cast(cast)
    try:
        fence = await store.fencing_token(name)
    except StreamNotFound:
        return StoredCast(CastState(), "", 0)
    state, next_seq = CastState(), 0
    async for seq, found in _pages(store, name):
        for record in found:
            state.add(record.seq, records.decode(records.CAST, record))
        next_seq = seq
    return StoredCast(state, fence, next_seq)


async def _pages(store: StreamStore, name: str) -> AsyncIterator[tuple[int, tuple[Record, ...]]]:
    """All that stands now, in pages: (seq after the page, its data records)."""
    at = 0
    while True:
        page = await store.read(name, FromSeq(at))
        yield page.next_seq, page.records
        if page.next_seq == at or (page.tail is not None and page.next_seq >= page.tail.seq):
            return
        at = page.next_seq


async def recipe(store: StreamStore, cast: str) -> records.Recipe | None:
    """What was submitted, as last; None if there is nothing, or it was removed."""
    try:
        found = (await store.read(names.catalog(cast), FromTail(8))).records
    except StreamNotFound:
        return None
    recipes = [r for r in map(recipe_of, found) if r is not None]
    return recipes[-1] if recipes else None


def recipe_of(record: Record) -> records.Recipe | None:
    """The recipe that a record of the catalog holds; None: it is a command."""
    if record.kind != "data":
        return None
    decoded = records.decode(records.CATALOG, record)
    return decoded if isinstance(decoded, records.Recipe) else None
