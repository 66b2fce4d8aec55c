"""A cast as it stands in the store."""

from dataclasses import dataclass

from radio.casts.cast_state import CastState
from radio.streams import names, records
from radio.streams.contract import StreamNotFound, StreamStore
from radio.streams.reading import known, newest_events, pages

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
    async for page in pages(store, name):
        for record in page.records:
            if (event := known(records.CAST, record, name)) is not None:
                state.add(record.seq, event)
        next_seq = page.next_seq
    return StoredCast(state, fence, next_seq)


async def recipe(store: StreamStore, cast: str) -> records.Recipe | None:
    """What was submitted, as last; None if there is nothing, or it was removed."""
    found = await newest_recipe(store, cast)
    return None if found is None else found[1]


async def newest_recipe(store: StreamStore, cast: str) -> tuple[int, records.Recipe] | None:
    """As `recipe`, with its seq."""
    newest = await newest_events(store, records.CATALOG, names.catalog(cast))
    recipes = [(seq, event) for seq, event in newest if isinstance(event, records.Recipe)]
    return recipes[-1] if recipes else None
