"""Casts: texts that listeners submit, spoken once, for ever at a link made from their content.

Everything here is a fold of streams or one append to them, safe to repeat, so that a crash between any two
steps repairs itself: claim `catalog/<cast>` (the private recipe), claim `pub/casts/<cast>` with its `meta`,
append a job. Narrators speak casts with an open job; the relay shows what `fold` says.
"""

import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Literal

from radio import voices
from radio.clock import Clock
from radio.errors import BadInput, NotFound, RadioError
from radio.streams import names, records
from radio.streams.contract import (
    Appendable,
    Fence,
    FenceMismatch,
    FromSeq,
    FromTail,
    Record,
    SeqMismatch,
    StreamNotFound,
    StreamStore,
    Trim,
)

Status = Literal["queued", "live", "done", "failed", "removed"]

REMOVE = "remove"
"""The request in `control` by which a cast is removed."""
GONE = "end.gone"
"""The fence of a cast that the operator removed."""
_TITLE_CHARS = 60
_TOKEN_BYTES = 24


class Gone(RadioError):
    """The operator removed this cast."""


class WrongToken(RadioError):
    """This token does not belong to the cast's submitter."""


def normal(text: str) -> str:
    """The text as it is spoken and named: NFC, LF ends, no white space around it.

    Raises:
        BadInput: nothing to speak, or not valid Unicode.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise BadInput("there is no text", hint="send the text that is to be spoken")
    try:
        text.encode()
    except UnicodeEncodeError as e:
        raise BadInput("the text is not valid Unicode", hint="send it as UTF-8") from e
    return text


def cast_id(text: str, voice: str) -> str:
    """The id that this text has in this voice; the same on every radio."""
    spelt = f"{voices.canonical(voice)}\0{normal(text)}"
    return base64.urlsafe_b64encode(hashlib.sha256(spelt.encode()).digest()).decode()[:12]


# --- what stands: folds -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a cast. `d` in ms and `size` in bytes; both 0 where `skipped` gives a reason."""

    i: int
    seq: int
    t: str
    d: int = 0
    size: int = 0
    skipped: str | None = None


@dataclass(slots=True)
class CastState:
    """What the records of a cast come to; grows by `add`, in order."""

    status: Status = "queued"
    meta: records.CastMeta | None = None
    start: records.CastStart | None = None
    lines: dict[int, Line] = field(default_factory=dict)
    """By sentence index; the newest record of each."""
    reason: str | None = None
    """Why it failed or was removed."""
    job: int = -1
    """Jobs up to this one are over."""
    obeyed: int = -1
    """Requests up to this one are obeyed."""
    is_new_start: bool = True
    """No sentence stands since the last `start`."""

    def add(self, seq: int, record: records.AnyRecord) -> None:
        match record:
            case records.CastMeta():
                self.meta, self.status, self.reason = record, "queued", None
                self.start, self.lines, self.is_new_start = None, {}, True
            case records.CastStart():
                self.start, self.status, self.reason, self.is_new_start = record, "live", None, True
                self.lines = {i: line for i, line in self.lines.items() if i < record.first}
            case records.Audio():
                self.lines[record.i] = Line(record.i, seq, record.t, record.d, len(record.body))
                self.is_new_start = False
            case records.Skip():
                self.lines[record.i] = Line(record.i, seq, record.t, skipped=record.reason)
                self.is_new_start = False
            case records.CastEnd():
                self._end(record)

    def _end(self, record: records.CastEnd) -> None:
        self.job = max(self.job, record.job)
        self.obeyed = max(self.obeyed, -1 if record.c is None else record.c)
        self.reason = None if record.reason == "done" else record.reason
        self.status = (
            "done" if record.reason == "done" else "removed" if record.reason == "removed" else "failed"
        )
        if self.status == "removed":
            self.meta, self.lines = None, {}

    @property
    def is_over(self) -> bool:
        return self.status not in ("queued", "live")

    @property
    def next_index(self) -> int:
        """The first sentence that is neither spoken nor skipped."""
        return next(i for i in range(len(self.lines) + 1) if i not in self.lines)

    @property
    def sentences(self) -> int:
        return sum(line.skipped is None for line in self.lines.values())

    @property
    def skipped(self) -> int:
        return len(self.lines) - self.sentences

    @property
    def audio_ms(self) -> int:
        return sum(line.d for line in self.lines.values())

    @property
    def size(self) -> int:
        """Bytes of audio."""
        return sum(line.size for line in self.lines.values())


def fold(stored: Iterable[Record]) -> CastState:
    """The state of a cast from the records of `pub/casts/<cast>`, in order; commands are passed over."""
    state = CastState()
    for record in stored:
        if record.kind == "data":
            state.add(record.seq, records.decode(records.CAST, record))
    return state


def is_open(state: CastState, job: int, *, has_recipe: bool, fence: str) -> bool:
    """Whether this job (its seq in `jobs`) of the cast is still to be done."""
    return state.meta is not None and has_recipe and not fence.startswith("end.") and state.job < job


@dataclass(frozen=True, slots=True)
class Stored:
    """A cast as it stands in the store: its state, its fence, and the seq that comes next."""

    state: CastState
    fence: str
    next_seq: int


async def look(store: StreamStore, cast: str) -> Stored:
    """The cast as it stands; a missing one has no `meta` and `next_seq` 0."""
    name = names.cast(cast)
    try:
        fence = await store.fencing_token(name)
    except StreamNotFound:
        return Stored(CastState(), "", 0)
    state, next_seq = CastState(), 0
    async for seq, found in _pages(store, name):
        for record in found:
            state.add(record.seq, records.decode(records.CAST, record))
        next_seq = seq
    return Stored(state, fence, next_seq)


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
    recipes = [r for r in map(_recipe, found) if r is not None]
    return recipes[-1] if recipes else None


def _recipe(record: Record) -> records.Recipe | None:
    decoded = records.decode(records.CATALOG, record)
    return decoded if isinstance(decoded, records.Recipe) else None


# --- what is done: submit and remove ----------------------------------------------------------------------


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
) -> Submission:
    """Ask for a text to be spoken; the same text and voice twice is one cast and one synthesis.

    Safe to repeat after any failure: it completes what a crash left half done, and makes one that failed, or
    that its submitter removed, anew.

    Raises:
        BadInput: the text or the voice.
        Gone: the operator removed it.
    """
    text, voice = normal(text), voices.canonical(voice, speed)
    cast = cast_id(text, voice)
    stored = await look(store, cast)
    if stored.fence == GONE:
        raise Gone
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    new = records.Recipe(
        text=text,
        voice=voice,
        title=_title(title, text),
        created=clock.now_ms(),
        token=_hashed(token),
    )
    is_mine = await _claim_recipe(store, cast, new, anew=stored.state.status in ("failed", "removed"))
    kept = new if is_mine else await recipe(store, cast)
    if kept is None:
        raise NotFound("the cast was removed while it was submitted", hint="submit it again")
    if stored.state.meta is None or stored.state.status == "failed":
        await _claim_output(store, cast, kept, stored)
    if not stored.state.is_over or is_mine:
        await _ensure_job(store, cast, stored.state, is_mine)
    state = (await look(store, cast)).state
    return Submission(cast, is_mine, token if is_mine else None, state)


async def _claim_recipe(store: StreamStore, cast: str, new: records.Recipe, *, anew: bool) -> bool:
    """Whether this recipe is now the cast's; of two who claim at once one wins."""
    name, match = names.catalog(cast), 0
    if anew or await recipe(store, cast) is None:
        match = await _tail(store, name)
    try:
        await store.append(name, [records.encode(new)], match_seq_num=match)
    except SeqMismatch:
        return False
    return True


async def _tail(store: StreamStore, name: str) -> int:
    try:
        return (await store.check_tail(name)).seq
    except StreamNotFound:
        return 0


async def _claim_output(store: StreamStore, cast: str, kept: records.Recipe, stored: Stored) -> None:
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


async def remove(store: StreamStore, cast: str, token: str | None) -> int:
    """Ask the narrators to remove a cast; the seq of the request.

    Args:
        token: the submitter's; None if the operator asks.

    Raises:
        NotFound: there is no such cast (any more).
        WrongToken: the token is not its submitter's.
    """
    kept = await recipe(store, cast)
    if kept is None:
        raise NotFound("there is no such cast")
    if token is not None and not hmac.compare_digest(kept.token, _hashed(token)):
        raise WrongToken
    request = records.Request(what=REMOVE, target=cast, detail="operator" if token is None else "submitter")
    return (await store.append(names.CONTROL, [records.encode(request)])).start.seq


async def erase(
    store: StreamStore, cast: str, *, fence: str, next_seq: int, end: records.CastEnd, then: str
) -> None:
    """Empty a cast's streams: in one batch `end`, a trim of all before it, the fence `then`; then the recipe.

    Raises:
        FenceMismatch, SeqMismatch: someone else wrote meanwhile; look again.
    """
    batch: list[Appendable] = [records.encode(end), Trim(next_seq), Fence(then)]
    await store.append(names.cast(cast), batch, match_seq_num=next_seq, fencing_token=fence)
    catalog = names.catalog(cast)
    tail = await _tail(store, catalog)
    if tail:
        await store.trim(catalog, tail)


def _title(title: str | None, text: str) -> str:
    """The given title, or the first words of the text, on one line."""
    words = " ".join((title or text).split())
    if len(words) <= _TITLE_CHARS or title:
        return words[: 2 * _TITLE_CHARS]
    return words[:_TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
