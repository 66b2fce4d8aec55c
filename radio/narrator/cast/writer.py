"""What the owner of a cast appends: its sentences and its end."""

from radio import casts
from radio.casts import CastState
from radio.mp3 import FRAME_MS
from radio.narrator.cast.takeover import TakenCast
from radio.narrator.cast.text import CastText
from radio.narrator.station.run_reader import is_voice
from radio.narrator.suspects import why_failed
from radio.speech.speaker import Spoken
from radio.streams import names, records
from radio.streams.contract import Appendable, Fence, StreamStore
from radio.streams.ownership.stream_owner import free, parse, sealed
from radio.streams.records import AnyRecord
from radio.streams.writer import CoalescingWriter

VOICE = "voice"
"""Why a cast fails if its voice is unknown here: its link promises that voice, so no other may speak it."""
STAND_IN = "af_heart"
"""The voice by whose rules the text of such a cast is split; it is never spoken."""
DONE = "done"
FAILED = "failed"
REMOVED = "removed"


def skips(state: CastState) -> list[str | None]:
    """For each sentence, in order, why it was skipped; None: it was spoken."""
    return [state.lines[i].skipped for i in sorted(state.lines)]


class CastWriter:
    """A cast that this narrator owns: its state, and all appends to it.

    Attributes:
        state: the fold of its records, with all that was appended.
        text: the part that is still to be spoken.
        is_speakable: whether this narrator knows its voice.
        owner: the owner id under which it was taken.
        tries: how many narrators died at the next sentence, or just before it.
    """

    def __init__(self, store: StreamStore, cast: str, taken: TakenCast) -> None:
        self.state = taken.state
        self.voice = taken.recipe.voice
        self.is_speakable = is_voice(self.voice)
        self.text = CastText(taken.recipe.text, self.voice if self.is_speakable else STAND_IN, taken.at)
        self.next_i = taken.first
        self.tries = taken.tries
        self.gen_ms = 0.0
        self._store = store
        self._cast = cast
        self._ownership = taken.ownership
        self.owner = parse(taken.ownership.token).owner
        self._pos = taken.state.size
        self._writer = CoalescingWriter(
            store,
            names.cast(cast),
            fencing_token=taken.ownership.token,
            start_at=taken.ownership.next_seq,
        )

    async def put(self, caption: str, spoken: Spoken) -> float:
        """Append the next sentence. Returns its length in seconds."""
        length_ms = spoken.frames * FRAME_MS
        await self._append(
            records.Audio(i=self.next_i, d=length_ms, t=caption, pos=self._pos, body=spoken.mp3)
        )
        self._pos += len(spoken.mp3)
        self.gen_ms += spoken.gen_ms
        self._advance()
        return length_ms / 1000

    async def skip(self, caption: str, reason: str) -> None:
        """Append that the next sentence cannot be spoken."""
        await self._append(records.Skip(i=self.next_i, t=caption, reason=reason))
        self._advance()

    def why_failed(self) -> str | None:
        """Why this cast fails; None: it does not, so far."""
        if not self.is_speakable:
            return VOICE
        return why_failed(skips(self.state), is_whole=self.text.next is None)

    async def finish(self, job: int) -> None:
        """End and seal the cast, as all of it is spoken."""
        await self._append(records.CastEnd(reason=DONE, job=job), then=Fence(sealed(DONE)))

    async def fail(self, job: int) -> None:
        """End the cast as failed, so that it can be submitted anew."""
        await self._append(records.CastEnd(reason=FAILED, job=job), then=Fence(self._free))

    async def erase(self, job: int, *, request: int | None, is_operator: bool) -> None:
        """Empty its streams. `request` and all requests before it are marked as obeyed."""
        await self._writer.close()
        end = records.CastEnd(reason=REMOVED, job=job, c=self.state.obeyed_with(request))
        at = self._writer.next_seq
        end = await casts.erase(
            self._store,
            self._cast,
            fence=self._ownership.token,
            next_seq=at,
            end=end,
            then=casts.GONE if is_operator else self._free,
        )
        self.state.add(at, end)

    async def give_up(self) -> None:
        """Free the cast, so that another narrator can continue it."""
        await self._writer.append(Fence(self._free))

    async def close(self) -> None:
        """Finish the queued appends."""
        await self._writer.close()

    @property
    def _free(self) -> str:
        return free(self._ownership.epoch)

    def _advance(self) -> None:
        self.tries = 0
        self.next_i += 1
        self.text.advance()

    async def _append(self, event: AnyRecord, *, then: Fence | None = None) -> None:
        batch: list[Appendable] = [records.encode(event)]
        ack = await self._writer.append(*batch, *([then] if then else []))
        self.state.add(ack.start.seq, event)
