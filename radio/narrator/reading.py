"""A run whose script is being read: its records are folded into a `Script` as they come."""

import asyncio
import logging

from radio import voices
from radio.narrator.agenda import Run
from radio.narrator.on_air import Place
from radio.narrator.pages import all_records, tail_of
from radio.narrator.script import Script
from radio.sentences import MAX_CHARS
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record, StreamNotFound, StreamStore

log = logging.getLogger(__name__)


def longest(voice: str) -> int:
    """The longest piece for a voice in letters: a slow one takes longer to say it, and none gets a longer."""
    return round(MAX_CHARS * min(1.0, voices.parse(voice).speed))


class Reading:
    """The script of one run from `place` on.

    Attributes:
        script: what stands of it.
        next_seq: the record to read next.
        gen_ms: wall time spent on its sentences by this narrator.
    """

    def __init__(
        self, store: StreamStore, station: str, run: Run, place: Place, changed: asyncio.Event
    ) -> None:
        self.run = run
        self.next_i = place.next_i
        self.script = Script(
            place.src, max_chars=longest(run.plan.voice), language=voices.language(run.plan.voice)
        )
        self.next_seq = place.src.seq
        self.gen_ms = 0.0
        self._store = store
        self._name = names.script(station, run.id)
        self._changed = changed
        self._stop_at: int | None = None

    async def load(self) -> None:
        """Read all that stands now."""
        async for record in all_records(self._store, self._name, FromSeq(self.next_seq)):
            self._fold(record)
        if self.run.is_ended:
            await self.end()

    async def end(self) -> None:
        """No more script comes than stands now."""
        self._stop_at = await tail_of(self._store, self._name)
        self._finish_if_read()

    async def follow(self) -> None:
        """Read what comes, until the script is complete."""
        try:
            async with self._store.follow(self._name, FromSeq(self.next_seq), await_stream=True) as tail:
                async for result in tail:
                    for record in result.records:
                        self._fold(record)
                    self.next_seq = max(self.next_seq, result.next_seq)
                    self._finish_if_read()
                    self._changed.set()
                    if self.script.is_complete:
                        return
        except StreamNotFound:
            log.warning(
                "script deleted while its run was open", extra={"action": "script.gone", "run": self.run.id}
            )
            self.script.finish()
            self._changed.set()

    def _fold(self, record: Record) -> None:
        self.next_seq = record.seq + 1
        try:
            self.script.fold(record.seq, records.decode(records.SCRIPT, record))
        except (records.UnknownRecord, UnicodeDecodeError) as unknown:
            log.warning(
                "script record passed over: %s",
                unknown,
                extra={"action": "script.unknown", "run": self.run.id},
            )

    def _finish_if_read(self) -> None:
        if self._stop_at is not None and self.next_seq >= self._stop_at:
            self.script.finish()
            self._changed.set()
