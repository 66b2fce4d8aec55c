"""The lane of one cast: owns its stream, cuts its text, appends each sentence, and ends it.

What was spoken is found again in the text by its captions, so that a cast goes on where it stands, whoever
spoke it before.
"""

import asyncio
import logging
from contextlib import suppress

from radio import casts, voices
from radio.casts import CastState, Line
from radio.clock import Clock
from radio.mp3 import FRAME_MS
from radio.narrator.lanes import Load, Piece
from radio.narrator.lead import Playhead, Standing
from radio.narrator.reading import longest
from radio.narrator.speaker import Spoken
from radio.narrator.tries import MOST, REASON, tries
from radio.sentences import next_sentence
from radio.streams import names, records
from radio.streams.contract import Appendable, Fence, StoreError, StreamStore
from radio.streams.ownership import Look, Member, Ownership, Sealed, free, parse, sealed, take
from radio.streams.records import AnyRecord
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

FIRST_CHARS = 80
"""The first piece is short, to be heard sooner."""
GIVES_UP = 3
"""Sentences in a row that killed their narrators, after which the cast fails."""
RELEASE_S = 1.0
"""How long giving up a lane in good order may take."""
DONE = "done"
FAILED = "failed"


class NoJob(StoreError):
    """The cast has no open job."""


def place_after(text: str, lines: list[Line]) -> int | None:
    """Where the text goes on after these sentences; None if it does not begin with them."""
    at = 0
    for line in lines:
        at += len(text[at:]) - len(text[at:].lstrip())
        if not text.startswith(line.t, at):
            return None
        at += len(line.t)
    return at


class CastLane:
    """See `radio.narrator.lanes.Lane`."""

    kind = "cast"

    def __init__(
        self,
        store: StreamStore,
        clock: Clock,
        cast: str,
        recipe: records.Recipe,
        taken: Ownership,
        state: CastState,
        *,
        job: int,
        tries: int,
        target_s: float,
    ) -> None:
        self.name = f"cast {cast}"
        self.cast = cast
        self.served = float("-inf")
        self.state = state
        self.job = job
        self._clock = clock
        self._store = store
        self._recipe = recipe
        self._ownership = taken
        self._target_s = target_s
        self._must_skip = tries >= MOST
        self._writer = CoalescingWriter(
            store, names.cast(cast), fencing_token=taken.token, start_at=taken.next_seq
        )
        kept = [state.lines[i] for i in range(state.next_index)]
        self._at = place_after(recipe.text, kept) or 0
        self._next_i = len(kept)
        self._pos = sum(line.size for line in kept)
        self._head = Playhead(made_s=state.audio_ms / 1000, played_s=state.audio_ms / 1000)
        self._until = self._at
        self._next = self._cut()
        self._gen_ms = 0.0
        self._waits_since: float | None = None
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # --- life ---

    async def run(self) -> None:
        """Wait until the cast is over, or the lane is lost (raises why)."""
        await self._over

    def lose(self, error: Exception) -> None:
        if not self._over.done():
            self._over.set_exception(error)

    @property
    def is_over(self) -> bool:
        return self._over.done()

    async def close(self, *, is_given_up: bool) -> None:
        """Let what is queued go in; in good order, give the cast up."""
        with suppress(StoreError, TimeoutError):  # whoever takes it next sees that the owner is gone
            if is_given_up and not self.state.is_over:
                async with asyncio.timeout(RELEASE_S):
                    await self._writer.append(Fence(free(self._ownership.epoch)))
        await self._writer.close()

    # --- for the scheduler ---

    @property
    def is_live(self) -> bool:
        return False

    def standing(self, load: Load) -> Standing:
        return Standing(
            name=self.name,
            kind="cast",
            lead=self._head.lead(self._clock.monotonic()),
            target=self._target_s,
            is_ready=self._next is not None and not self.is_over,
            served=self.served,
            waits_since=self._waits_since,
        )

    def hurry(self) -> None:
        """Someone waits for the whole cast as a file."""
        if self._waits_since is None:
            self._waits_since = self._clock.monotonic()

    def begin(self) -> Piece:
        assert self._next is not None
        self.served = self._clock.monotonic()
        return Piece(
            text=self._next,
            voice=self._recipe.voice,
            i=self._next_i,
            skip=REASON if self._must_skip else None,
        )

    # --- what is appended ---

    async def put(self, piece: Piece, spoken: Spoken) -> None:
        audio = records.Audio(
            i=piece.i, d=spoken.frames * FRAME_MS, t=piece.text, pos=self._pos, body=spoken.mp3
        )
        await self._append(audio)
        self._pos += len(spoken.mp3)
        self._gen_ms += spoken.gen_ms
        self._head.add(audio.d / 1000, self._clock.monotonic())
        self._advance(piece)

    async def skip(self, piece: Piece, reason: str) -> None:
        await self._append(records.Skip(i=piece.i, t=piece.text, reason=reason))
        log.warning(
            "sentence skipped", extra={"action": "sentence.skipped", "cast": self.cast, "reason": reason}
        )
        self._advance(piece)

    async def tidy(self, load: Load) -> None:
        """End the cast if all of it is spoken, or if it cannot be."""
        if self.is_over:
            return
        if self._is_hopeless():
            await self._fail(REASON)
        elif self._next is None:
            await (self._finish() if self.state.sentences else self._fail("silent"))

    def _is_hopeless(self) -> bool:
        last = [self.state.lines.get(i) for i in range(self._next_i - GIVES_UP, self._next_i)]
        return len(last) == GIVES_UP and all(line is not None and line.skipped == REASON for line in last)

    async def _finish(self) -> None:
        await self._end(records.CastEnd(reason=DONE, job=self.job), sealed(DONE))
        await self._give_receipt(DONE)

    async def _fail(self, reason: str) -> None:
        await self._end(records.CastEnd(reason=FAILED, job=self.job), free(self._ownership.epoch))
        dead = records.DeadJob(cast=self.cast, job=self.job, reason=reason)
        await self._store.append(names.JOBS_DEAD, [records.encode(dead)])
        await self._give_receipt(FAILED)

    async def _end(self, end: records.CastEnd, fence: str) -> None:
        await self._append(end, then=Fence(fence))

    async def remove(self, *, request: int, is_operator: bool) -> None:
        """Obey a request to remove the cast: its streams are emptied, and it is over."""
        end = records.CastEnd(reason="removed", job=self.job, c=request)
        then = casts.GONE if is_operator else free(self._ownership.epoch)
        await self._writer.close()
        await casts.erase(
            self._store,
            self.cast,
            fence=self._ownership.token,
            next_seq=self._writer.next_seq,
            end=end,
            then=then,
        )
        self.state.add(self._writer.next_seq, end)
        await self._give_receipt("removed")

    async def _give_receipt(self, reason: str) -> None:
        receipt = records.Receipt(
            id=self.cast,
            reason=reason,
            voice=self._recipe.voice,
            sentences=self.state.sentences,
            skipped=self.state.skipped,
            audio_ms=self.state.audio_ms,
            gen_ms=round(self._gen_ms),
            job=self.job,
        )
        await self._store.append(names.DONE, [records.encode(receipt)])
        log.log(
            logging.WARNING if reason == FAILED else logging.INFO,
            "cast over",
            extra={
                "action": f"cast.{reason}",
                "cast": self.cast,
                "sentences": receipt.sentences,
                "audio_ms": receipt.audio_ms,
                "gen_ms": receipt.gen_ms,
            },
        )
        if not self._over.done():
            self._over.set_result(None)

    async def _append(self, event: AnyRecord, *, then: Fence | None = None) -> None:
        batch: list[Appendable] = [records.encode(event)]
        ack = await self._writer.append(*batch, *([then] if then else []))
        self.state.add(ack.start.seq, event)

    # --- the text ---

    def _advance(self, piece: Piece) -> None:
        self._must_skip = False
        self._at = self._until
        self._next_i = piece.i + 1
        self._next = self._cut()

    def _cut(self) -> str | None:
        """The sentence at the place where the text goes on."""
        limit = longest(self._recipe.voice)
        found = next_sentence(
            self._recipe.text,
            self._at,
            limit=min(limit, FIRST_CHARS) if self._at == 0 else limit,
            language=voices.language(self._recipe.voice),
            is_all=True,
        )
        if found is None:
            return None
        self._until = found[1]
        return self._recipe.text[found[0] : found[1]]


async def open_cast(
    store: StreamStore, clock: Clock, member: Member, cast: str, *, job: int, target_s: float
) -> CastLane:
    """Take a cast.

    Args:
        job: the highest job of it that was read.

    Raises:
        NoJob: it has no open job (any more).
        Owned: someone else speaks it.
        StoreError
    """
    recipe = await casts.recipe(store, cast)
    state, count = CastState(), 0

    async def look() -> Look:
        nonlocal state, count
        stored = await casts.look(store, cast)
        state = stored.state
        if recipe is None or not casts.is_open(state, job, has_recipe=True, fence=stored.fence):
            raise NoJob
        start = _start(member, stored, recipe)
        count = start.tries
        return Look(records.encode(start), stored.next_seq)

    try:
        taken = await take(store, names.cast(cast), member, look, lives=member.lives)
    except Sealed as e:
        raise NoJob from e
    assert recipe is not None
    first = _first(state, recipe)
    state.add(taken.next_seq - 1, records.CastStart(owner=member.owner, first=first, tries=count))
    log.info(
        "cast begun",
        extra={"action": "cast.begun", "cast": cast, "from": first, "try": count, "owner": member.owner},
    )
    return CastLane(store, clock, cast, recipe, taken, state, job=job, tries=count, target_s=target_s)


def _first(state: CastState, recipe: records.Recipe) -> int:
    """The first sentence to speak: all anew if the last try ended, or if the text was cut otherwise."""
    if state.is_over:
        return 0
    kept = [state.lines[i] for i in range(state.next_index)]
    return len(kept) if place_after(recipe.text, kept) is not None else 0


def _start(member: Member, stored: casts.Stored, recipe: records.Recipe) -> records.CastStart:
    state = stored.state
    return records.CastStart(
        owner=member.owner,
        first=_first(state, recipe),
        tries=tries(
            state.start.tries if state.start else None,
            has_sentence=not state.is_new_start,
            was_free=parse(stored.fence).kind in ("none", "free"),
            is_ready=True,
        ),
    )
