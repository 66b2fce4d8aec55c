"""Removing casts. Each step is safe to repeat, and what a crash leaves half done is seen and completed.

The output is emptied first, by one batch that says how far the catalog goes with it; then the catalog.
"""

import hmac
from dataclasses import replace

from radio.casts.lookup import look, recipe
from radio.casts.submission import hashed
from radio.errors import NotFound, RadioError
from radio.streams import names, records
from radio.streams.contract import Appendable, Fence, FromSeq, StreamNotFound, StreamStore, Trim
from radio.streams.reading import known, tail_of

REMOVE = "remove"
"""The request in `control` by which a cast is removed."""
OPERATOR, SUBMITTER = "operator", "submitter"
"""Who asked for it: what the operator removed cannot be submitted anew."""


class WrongToken(RadioError):
    """This token does not belong to the cast's submitter."""


async def remove(store: StreamStore, cast: str, token: str | None) -> int:
    """Ask the narrators to remove a cast; the seq of the request.

    Args:
        token: the submitter's; None if the operator asks: it cannot be submitted again then, even if it had
            been removed before.

    Raises:
        NotFound: there is no such cast (any more).
        WrongToken: the token is not its submitter's.
    """
    kept = await recipe(store, cast)
    is_there = kept is not None or (token is None and (await look(store, cast)).next_seq > 0)
    if not is_there:
        raise NotFound("there is no such cast")
    if token is not None and kept is not None and not hmac.compare_digest(kept.token, hashed(token)):
        raise WrongToken
    request = records.ControlRequest(
        what=REMOVE, target=cast, detail=OPERATOR if token is None else SUBMITTER
    )
    return (await store.append(names.CONTROL, [records.encode(request)])).start.seq


async def erase(
    store: StreamStore, cast: str, *, fence: str, next_seq: int, end: records.CastEnd, then: str
) -> records.CastEnd:
    """Empty a cast's streams: in one batch `end`, a trim of all before it, the fence `then`; then the recipe.

    Returns the end as it was written.

    Raises:
        FenceMismatch, SeqMismatch: someone else wrote meanwhile; look again.
    """
    kept = await recipe(store, cast)
    erased = None if kept is None else kept.token
    end = replace(end, recipes=await tail_of(store, names.catalog(cast)), token=erased)
    batch: list[Appendable] = [records.encode(end), Trim(next_seq), Fence(then)]
    await store.append(names.cast(cast), batch, match_seq_num=next_seq, fencing_token=fence)
    await forget(store, cast, end.recipes or 0, erased)
    return end


async def forget(store: StreamStore, cast: str, below: int, erased: str | None) -> bool:
    """Empty the catalog of a removed cast below that record; whether something was left of it.

    What was submitted since lies above. There may also lie a recipe by which someone wanted the removed cast
    kept longer at that moment: it has the same token, and goes too.

    Args:
        erased: the token of its recipe; None if it had none.
    """
    had_some = False
    while (first := await _first_to_stay(store, cast, below, erased)) is not None:
        await store.trim(names.catalog(cast), first)
        had_some = True
    return had_some


async def _first_to_stay(store: StreamStore, cast: str, below: int, erased: str | None) -> int | None:
    """Below this record the catalog is the removed cast's; None if nothing of that is left."""
    name = names.catalog(cast)
    try:
        page = await store.read(name, FromSeq(0), include_commands=True)
    except StreamNotFound:
        return None
    first = None
    for record in page.records:
        kept = known(records.CATALOG, record, name)
        if record.seq < below or (isinstance(kept, records.Recipe) and kept.token == erased):
            first = record.seq + 1
        elif kept is not None:
            break
    return first
