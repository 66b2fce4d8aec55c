"""Taking over a cast: reading what exists of it, and appending the `start` that says where it continues."""

import logging
from dataclasses import dataclass

from radio import casts
from radio.casts import CastState
from radio.log import log_event
from radio.narrator.cast.text import place_after
from radio.narrator.suspects import tries
from radio.streams import names, records
from radio.streams.contract import StoreError, StreamStore
from radio.streams.ownership.stream_owner import Look, Member, Ownership, Sealed, parse, take

log = logging.getLogger(__name__)


class NoJob(StoreError):
    """The cast has no open job."""


@dataclass(frozen=True, slots=True)
class TakenCast:
    """A cast as it stood when it was taken.

    Attributes:
        at: where its text continues, in characters.
        first: the index of the next sentence; those before it are kept.
    """

    ownership: Ownership
    recipe: records.Recipe
    state: CastState
    at: int
    first: int
    tries: int


async def take_cast(store: StreamStore, member: Member, cast: str, job: int) -> TakenCast:
    """Become the cast's owner.

    Args:
        job: the highest job of it that was read.

    Raises:
        NoJob: it has no open job.
        Owned: someone else speaks it.
        StoreError
    """
    recipe = await casts.recipe(store, cast)
    if recipe is None:
        raise NoJob
    seen, start = CastState(), records.CastStart(owner=member.owner, first=0)

    async def look() -> Look:
        nonlocal seen, start
        stored = await casts.look(store, cast)
        if not casts.is_open(stored.state, job, has_recipe=True, fence=stored.fence):
            raise NoJob
        seen, start = stored.state, _start(member, stored, recipe)
        return Look(records.encode(start), stored.next_seq)

    try:
        ownership = await take(store, names.cast(cast), member, look, lives=member.lives)
    except Sealed as e:
        raise NoJob from e
    seen.add(ownership.next_seq - 1, start)
    log.info(
        "cast begun",
        extra=log_event("cast.begun", cast=cast, first=start.first, attempt=start.tries, owner=member.owner),
    )
    at = place_after(recipe.text, _captions(seen, start.first)) or 0
    return TakenCast(ownership, recipe, seen, at, start.first, start.tries)


def _captions(state: CastState, count: int) -> list[str]:
    return [state.lines[i].t for i in range(count)]


def _start(member: Member, stored: casts.StoredCast, recipe: records.Recipe) -> records.CastStart:
    """The new `start`: from sentence 0 if the cast was over, or if the text was split differently before."""
    state = stored.state
    stands = state.next_index
    is_kept = not state.is_over and place_after(recipe.text, _captions(state, stands)) is not None
    return records.CastStart(
        owner=member.owner,
        first=stands if is_kept else 0,
        tries=tries(
            state.start.tries if state.start else None,
            has_sentence=not state.is_new_start,
            was_free=parse(stored.fence).kind in ("none", "free"),
            is_ready=True,
        ),
    )
