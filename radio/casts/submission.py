"""Submitting casts. Each step is safe to repeat, so that a crash between two repairs itself."""

import hashlib
import secrets
from dataclasses import dataclass, replace

from radio import voices, writable_text
from radio.casts.cast_state import CastState
from radio.casts.content_id import cast_id, normal
from radio.casts.lookup import GONE, StoredCast, look, newest_recipe, recipe
from radio.casts.retention import outlasts
from radio.clock import Clock
from radio.errors import NotFound, RadioError
from radio.streams import names, records
from radio.streams.contract import FenceMismatch, SeqMismatch, StreamStore, Trim
from radio.streams.reading import tail_of

_TITLE_CHARS = 60
_TOKEN_BYTES = 24


class CastGone(RadioError):
    """The operator removed this cast."""


@dataclass(frozen=True, slots=True)
class Submission:
    """The answer to who submits. `token` only if this call made the cast: it alone may remove it."""

    cast: str
    created: bool
    token: str | None
    state: CastState


async def submit(
    store: StreamStore,
    clock: Clock,
    *,
    text: str,
    voice: str,
    speed: float | None = None,
    title: str | None = None,
    keep_ms: int | None = None,
    usual_ms: int | None = None,
) -> Submission:
    """Ask for a text to be spoken; the same text and voice twice is one cast and one synthesis.

    Safe to repeat after any failure: it completes what a crash left half done, and makes one that failed, or
    that its submitter removed, anew.

    Args:
        keep_ms: how long it is to be kept from now on; None: as long as the operator keeps casts. Of two who
            submit the same, the longer counts.
        usual_ms: how long the operator keeps casts; None: no limit.

    Raises:
        BadInput: the text, the title or the voice.
        NotFound: it was removed meanwhile.
        CastGone: the operator removed it.
    """
    text, voice = normal(text), voices.canonical(voice, speed)
    title = None if title is None else writable_text.pasted(title)
    cast = cast_id(text, voice)
    tail = await tail_of(store, names.catalog(cast))  # before anything is looked at, as the claim needs it
    stored = await look(store, cast)
    if stored.fence == GONE:
        raise CastGone
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    new = records.Recipe(
        text=text,
        voice=voice,
        title=_title(title, text),
        created=_created(clock.now_ms(), stored.state),
        token=hashed(token),
        keep_ms=keep_ms,
    )
    is_mine = await _claim_recipe(store, cast, new, stored.state, tail)
    kept = new if is_mine else await recipe(store, cast)
    if kept is None:
        raise NotFound("the cast was removed while it was submitted", hint="submit it again")
    if stored.state.meta is None or stored.state.status == "failed":
        await _claim_output(store, cast, kept, stored)
    if not stored.state.is_over or is_mine:
        await _ensure_job(store, cast, stored.state, is_mine)
    if not is_mine:
        await _keep_longer(store, cast, kept, replace(kept, asked=clock.now_ms(), keep_ms=keep_ms), usual_ms)
    state = (await look(store, cast)).state
    if state.status == "removed":
        raise NotFound("the cast was removed while it was submitted", hint="submit it again")
    return Submission(cast, is_mine, token if is_mine else None, state)


async def _claim_recipe(
    store: StreamStore, cast: str, new: records.Recipe, state: CastState, tail: int
) -> bool:
    """Whether this recipe is now the cast's; of any number who claim at once exactly one wins.

    Args:
        tail: of the catalog, read before `state` was: whatever was appended since makes the claim fail.
    """
    found = await newest_recipe(store, cast)
    if found is not None and not _is_used_up(*found, state):
        return False
    try:
        await store.append(names.catalog(cast), [records.encode(new)], match_seq_num=tail)
    except SeqMismatch:
        return False
    return True


def _is_used_up(seq: int, standing: records.Recipe, state: CastState) -> bool:
    """Whether what failed or was removed was made by this recipe, so that the text can be submitted anew."""
    if state.status == "removed":
        return seq < state.recipes or standing.token == state.erased
    return state.status == "failed" and (state.meta is None or standing.created == state.meta.created)


def _created(now_ms: int, state: CastState) -> int:
    """When a recipe is made: later than that of the cast before it, by which `_is_used_up` tells the two."""
    return now_ms if state.meta is None else max(now_ms, state.meta.created + 1)


async def _keep_longer(
    store: StreamStore, cast: str, kept: records.Recipe, new: records.Recipe, usual_ms: int | None
) -> None:
    """The new recipe takes the place of the one that stands by now, if it keeps the cast longer."""
    if not outlasts(new, kept, usual_ms):
        return
    name = names.catalog(cast)
    tail = await tail_of(store, name)
    stands = await recipe(store, cast)
    if stands is None or stands.token != kept.token or not outlasts(new, stands, usual_ms):
        return  # it was removed meanwhile, or someone else wants it longer still
    try:
        await store.append(name, [records.encode(new), Trim(tail)], match_seq_num=tail)
    except SeqMismatch:
        return  # someone asked for the same at the same moment, or it is being removed


async def _claim_output(store: StreamStore, cast: str, kept: records.Recipe, stored: StoredCast) -> None:
    meta = records.CastMeta(
        title=kept.title, voice=kept.voice, created=kept.created, characters=len(kept.text)
    )
    try:
        await store.append(
            names.cast(cast),
            [records.encode(meta)],
            match_seq_num=stored.next_seq,
            fencing_token=stored.fence,
        )
    except (SeqMismatch, FenceMismatch):
        return  # another submitter or a narrator was faster: what this would have said stands


async def _ensure_job(store: StreamStore, cast: str, state: CastState, is_mine: bool) -> None:
    """A job for a cast that has none yet; who finds `meta` without `start` appends it again."""
    if is_mine or state.start is None:
        await store.append(names.JOBS, [records.encode(records.Job(cast=cast))])


def _title(title: str | None, text: str) -> str:
    """The given title, or the first words of the text, on one line."""
    words = " ".join((title or text).split())
    if len(words) <= _TITLE_CHARS or title:
        return words[: 2 * _TITLE_CHARS]
    return words[:_TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def hashed(token: str) -> str:
    """Of any text: a token from a header may hold bytes that are not UTF-8."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
