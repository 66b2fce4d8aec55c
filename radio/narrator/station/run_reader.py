"""A run whose script is being read: its records are folded into a `Script` as they come."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from radio import voices
from radio.errors import BadInput
from radio.log import log_event
from radio.mp3 import FRAME_MS, BadFrame, frames
from radio.narrator.lanes import LaneSentence
from radio.narrator.station.broadcast import RunProgress
from radio.narrator.station.script import Script, ScriptAgain, ScriptClip
from radio.narrator.station.stretch_reader import GONE, RepeatedSound, next_of
from radio.redaction import RedactionLog, Redactions
from radio.runs import Run
from radio.sentences import MAX_CHARS
from radio.speech.speaker import Spoken
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record, StreamNotFound, StreamStore
from radio.streams.reading import all_records, known, tail_of

log = logging.getLogger(__name__)


def longest(voice: str) -> int:
    """The longest sentence for a voice, in characters: shorter for a slow voice, which takes longer."""
    return round(MAX_CHARS * min(1.0, voices.parse(voice).speed))


def is_voice(voice: str) -> bool:
    """Whether this narrator knows the voice."""
    try:
        voices.parse(voice)
    except BadInput:
        return False
    return True


def usable_voice(wanted: str, others: Sequence[str], *, station: str, run: str) -> str:
    """The voice of a run: the one its `begin` names, else, with a warning, the first known one of `others`.

    Raises:
        BadInput: none of them is known.
    """
    if is_voice(wanted):
        return wanted
    for voice in filter(is_voice, others):
        told = log_event("voice.unknown", station=station, run=run, voice=wanted, instead=voice)
        log.warning("a run names a voice that is unknown here; another one speaks it", extra=told)
        return voice
    raise BadInput(f"no voice of run {run} is known", hint="set RADIO_VOICE to one of `radio voices`")


class RunReader:
    """Reads the script of one run from `place` on.

    Attributes:
        voice: the voice that speaks it.
        script: the fold of what was read.
        next_seq: the record to read next.
        gen_ms: wall time that this narrator spent on its sentences, in ms.
    """

    def __init__(
        self,
        store: StreamStore,
        station: str,
        run: Run,
        place: RunProgress,
        changed: asyncio.Event,
        *,
        other_voices: Sequence[str] = (),
    ) -> None:
        self.run = run
        self.voice = run.voice = usable_voice(run.plan.voice, other_voices, station=station, run=run.id)
        self.next_i = place.next_i
        self.script = Script(
            place.src,
            is_skipping=place.is_skipping,
            max_chars=longest(self.voice),
            language=voices.language(self.voice),
        )
        self.next_seq = place.src.seq
        self.gen_ms = 0.0
        self._copied: tuple[ScriptAgain, RepeatedSound] | None = None
        self._store = store
        self._redactions = RedactionLog(store)
        self._station = station
        self._name = names.script(station, run.id)
        self._changed = changed
        self._stop_at: int | None = None

    @property
    def is_filled(self) -> bool:
        """Whether the next item, if there is one, can begin."""
        item = self.script.next
        return not isinstance(item, ScriptAgain) or (self._copied is not None and self._copied[0] == item)

    async def fill(self) -> None:
        """Look up the audio of the next item if it is a stretch to repeat; again if it was redacted."""
        while isinstance(item := self.script.next, ScriptAgain):
            redacted = await self._redactions.read()
            if self.is_filled and not self._is_redacted(redacted):
                return
            self._copied = None
            copied = await next_of(self._store, self._station, item, redacted)
            if self.script.next != item:
                continue  # it was cut meanwhile
            if copied.audio is None and not copied.is_gone:
                self.script.take_again(copied.count)
            else:
                self._copied = item, copied

    def _is_redacted(self, redacted: Redactions) -> bool:
        if self._copied is None:
            return False
        item, copied = self._copied
        return redacted.takes(self._station, item.first + copied.count - 1, copied.of)

    def begin(self) -> LaneSentence:
        """Take the next item, which is there and filled."""
        if isinstance(self.script.next, ScriptAgain):
            return self._begin_again()
        item = self.script.take()
        made = _made(item.mp3) if isinstance(item, ScriptClip) else None
        skip = "broken" if isinstance(item, ScriptClip) and made is None else None
        return self._piece(item.text, made, skip)

    def _begin_again(self) -> LaneSentence:
        assert self._copied is not None
        (_, copied), self._copied = self._copied, None
        self.script.take_again(copied.count)
        audio = copied.audio
        if audio is None:
            return self._piece("", None, GONE)
        return replace(self._piece(audio.t, _copy(audio), None), of=copied.of)

    def _piece(self, text: str, made: Spoken | None, skip: str | None) -> LaneSentence:
        return LaneSentence(text=text, voice=self.voice, i=self.next_i, made=made, skip=skip)

    async def load(self) -> None:
        """Read all that is stored now."""
        async for record in all_records(self._store, self._name, FromSeq(self.next_seq)):
            self._fold(record)
        if self.run.is_ended:
            await self.end()

    async def end(self) -> None:
        """Note that no more script comes than is stored now."""
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
                "script deleted while its run was open", extra=log_event("script.gone", run=self.run.id)
            )
            self.script.finish()
            self._changed.set()

    def _fold(self, record: Record) -> None:
        self.next_seq = record.seq + 1
        event = known(records.SCRIPT, record, self._name)
        if event is None:
            return
        try:
            self.script.fold(record.seq, event)
        except UnicodeDecodeError as broken:
            log.warning(
                "script record passed over: %s", broken, extra=log_event("script.not_utf8", run=self.run.id)
            )

    def _finish_if_read(self) -> None:
        if self._stop_at is not None and self.next_seq >= self._stop_at:
            self.script.finish()
            self._changed.set()


def _made(mp3: bytes) -> Spoken | None:
    """A clip as spoken audio; None if it is not of our format, or longer than allowed."""
    try:
        count = sum(1 for _ in frames(mp3))
    except BadFrame:
        return None
    if not 0 < count * FRAME_MS <= records.MAX_CLIP_MS:
        return None
    return Spoken(mp3=mp3, frames=count, phonemes=0, gen_ms=0.0)


def _copy(audio: records.Audio) -> Spoken:
    """Repeated audio as spoken audio. It was on air before, so its format is ours at any length."""
    return Spoken(mp3=audio.body, frames=audio.d // FRAME_MS, phonemes=0, gen_ms=0.0)
