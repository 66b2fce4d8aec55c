"""A host who talks about topics, one after the other and over again, in the words of an LLM.

A segment is a topic. Its sentences go out as they are whole: what hygiene or the guard refuses was never
written. A segment that goes wrong as a whole is taken back as far as it is not spoken, told once more with
other seeds, and then left out. Between segments the host says the station, the time and what comes next.
"""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from radio import producer_kinds
from radio.errors import RadioError
from radio.log import log_event
from radio.producers.host import bridges, prompts
from radio.producers.host.bridges import Bridge
from radio.producers.host.generation import TRIES
from radio.producers.host.sentence_guard import SentenceGuard
from radio.producers.host.topic_segment import SegmentWriter, WentWrong
from radio.producers.models.chat_model import ChatModel
from radio.producers.source import Brief, TakeBack, Words
from radio.sentences import Splitter

log = logging.getLogger(__name__)

_BARREN_SEGMENTS = 20
"""So many segments in a row of which nothing is left mean that the model is of no use for this show."""


class WritesNothing(RadioError):
    """The model writes nothing that may be said."""


_SEGMENT_END = "\n\n"


class HostSource:
    """The script of one run of an `llm` show."""

    first_piece_within_s = 180.0
    piece_within_s = 120.0

    def __init__(self, brief: Brief, options: producer_kinds.Llm) -> None:
        self._brief = brief
        self._task = brief.assignment
        self._options = options
        told = _sentences(prompts.instructions(self._task, options.prompt), self._task.language)
        self._guard = SentenceGuard(
            self._task.station_title, self._task.language, told=told, aired=brief.aired
        )
        for sentence in _sentences(brief.written, self._task.language):
            self._guard.remember(sentence)
        self._hands_over_in: int | None = None
        """The segment before which the next show was announced."""
        self._is_taken_back = False
        """Nothing stands of the segment that went wrong, not even its bridge."""

    async def pieces(self) -> AsyncGenerator[Words | TakeBack, None]:
        """The script.

        Raises:
            PromptTooLong: before the first word, if a topic does not fit into the model's context.
            WritesNothing: the model has been of no use for a while. What stands is kept.
        """
        model = await self._brief.model_cache.model(self._brief.settings, self._task.model)
        segments = SegmentWriter(model, self._guard, self._task, self._options, self._brief.discarded)
        await segments.check(self._options.subjects)
        self._log_settings(model)
        seg, barren = self._first_seg(), 0
        self._recall(segments, seg)
        while not self._is_barren(segments, barren):
            barren += 1
            async with aclosing(self._segment(segments, seg, is_sparing=barren > 1)) as pieces:
                async for piece in pieces:
                    barren = 0 if isinstance(piece, Words) and piece.text == _SEGMENT_END else barren
                    yield piece
            self._report(seg)
            seg += 1
        raise WritesNothing(
            f"{model.name} has written nothing to be said for {barren} segments",
            hint="switch its thinking off" if segments.is_mute else "take a larger model, or mend the prompt",
        )

    def _is_barren(self, segments: SegmentWriter, barren: int) -> bool:
        """Whether to give up after so many segments in a row of which nothing is left."""
        return barren >= (len(self._options.subjects) if segments.is_mute else _BARREN_SEGMENTS)

    def _first_seg(self) -> int:
        """The one that a former attempt left unfinished, else the next."""
        written = self._brief.written
        is_whole = not written or written.endswith(_SEGMENT_END)
        return self._brief.next_seg - (0 if is_whole else 1)

    def _recall(self, segments: SegmentWriter, until_seg: int) -> None:
        """What stands of the segments before is remembered."""
        subjects = self._options.subjects
        for seg in range(until_seg):
            segments.recall(subjects[seg % len(subjects)], self._brief.stands(seg).strip())

    async def _segment(
        self, segments: SegmentWriter, seg: int, *, is_sparing: bool
    ) -> AsyncGenerator[Words | TakeBack, None]:
        """Ends with an empty line if anything was said but the bridge.

        Args:
            is_sparing: nothing came of the segment before: no bridge is said unless words follow it.
        """
        subjects = self._options.subjects
        turn, n = divmod(seg, len(subjects))
        said = _sentences(self._brief.stands(seg), self._task.language)
        bridge = self._bridge(seg) if not said else None
        mark = self._guard.mark()
        for attempt in range(TRIES):
            is_due = bridge is not None and (attempt == 0 or self._is_taken_back)
            if bridge is not None and is_due and not is_sparing:
                yield Words(seg, f"{bridge.text} ", bridge.heard_about)
            self._is_taken_back = False
            talk = segments.segment(subjects[n], seg, is_first=not turn, said=said, attempt=attempt)
            try:
                async with aclosing(talk) as sentences:
                    async for sentence in sentences:
                        if bridge is not None and is_due and is_sparing:
                            yield Words(seg, f"{bridge.text} ", bridge.heard_about)
                            is_due = False
                        yield Words(seg, f"{sentence} ")
            except WentWrong as wrong:
                self._brief.discarded[f"segment, {wrong}"] += 1
                self._guard.rewind(mark)
                yield TakeBack(seg)
                said = self._spoken(seg)
                self._is_taken_back = not said
                continue
            if said:
                yield Words(seg, _SEGMENT_END)
                return
        if said:  # of the last attempt words were spoken that stand; nothing follows them
            yield Words(seg, _SEGMENT_END)
        elif bridge is not None and self._is_taken_back and not is_sparing:
            yield Words(seg, f"{bridge.text} ", bridge.heard_about)

    def _spoken(self, seg: int) -> list[str]:
        """What stands of a segment though it was taken back; it is not said again."""
        said = _sentences(self._brief.stands(seg), self._task.language)
        for sentence in said:
            self._guard.remember(sentence)
        return said

    def _bridge(self, seg: int) -> Bridge | None:
        heard_at = self._brief.heard_at()
        if seg == 0:
            return bridges.opening(self._task, heard_at)
        if self._hands_over_in in (None, seg):
            bridge = bridges.hand_over(self._task, heard_at)
            if bridge is not None and bridge.text not in self._brief.written:
                self._hands_over_in = seg
                return bridge
        return bridges.ident(self._task, seg, heard_at)

    def _log_settings(self, model: ChatModel) -> None:
        options = self._options
        extra = log_event(
            "llm.begins",
            station=self._task.station,
            run=self._task.run,
            model=model.name,
            context=model.context_tokens,
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            stop=len(options.stop),
            strict=options.strict,
            topics=len(options.topics),
        )
        log.info("host begins", extra=extra)

    def _report(self, seg: int) -> None:
        discarded = ",".join(f"{reason}:{n}" for reason, n in sorted(self._brief.discarded.items()) if n)
        extra = log_event("llm.segment", station=self._task.station, run=self._task.run, segment=seg)
        log.info("segment written", extra={**extra, "discarded": discarded or None})


def _sentences(text: str, language: str) -> list[str]:
    splitter = Splitter(max_chars=4000, language=language)
    return [sentence.text for sentence in [*splitter.feed(text), *splitter.finish()]]


def open_source(brief: Brief) -> HostSource:
    assert isinstance(brief.options, producer_kinds.Llm)
    return HostSource(brief, brief.options)
