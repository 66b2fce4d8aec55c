"""A host who talks about topics, one after the other and over again, in the words of an LLM.

A segment is a topic. Its sentences go out as they are whole: what hygiene or the guard refuses was never
written. A stretch of which nothing is left is tried once more with another seed, then left out.
"""

import asyncio
import logging
import zlib
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing

from radio import kinds, models
from radio.producers import prompts
from radio.producers.guard import Guard
from radio.producers.hygiene import Discarded, Hygiene, Outcome, Said
from radio.producers.llama import Model
from radio.producers.prompts import Lead
from radio.producers.source import Brief, TakeBack, Words
from radio.sentences import Splitter
from radio.threads import iterate_in_thread

log = logging.getLogger(__name__)

TRIES = 2
_CONTEXT_SENTENCES = 4
"""Of the same segment, that stand before a new stretch."""
_STRETCH_TOKENS = 90
_BARREN_SEGMENTS = 20
"""So many segments in a row of which nothing is left mean that the model is of no use for this show."""


class HostSource:
    """The script of one run of an `llm` show."""

    first_piece_within_s = 180.0
    piece_within_s = 120.0

    def __init__(self, brief: Brief, options: kinds.Llm) -> None:
        self._brief = brief
        self._task = brief.assignment
        self._options = options
        told = prompts.instructions(self._task, options.prompt)
        said = _sentences(brief.written) + _sentences(told)
        self._guard = Guard(self._task.station_title, self._task.language, said=said)
        self._discarded: Counter[str] = Counter()
        self._turn = 0
        """How often all topics were told before."""

    async def pieces(self) -> AsyncGenerator[Words | TakeBack, None]:
        path = models.llm(self._brief.settings, self._task.model)
        model = await asyncio.to_thread(Model, path, threads=self._brief.settings.llm_threads)
        self._log_settings(path.name)
        seg, barren = self._brief.next_seg, 0
        while barren < _BARREN_SEGMENTS:
            bridge = prompts.bridge(self._task, seg, self._brief.heard_at())
            if seg == 0 and bridge:
                yield Words(seg, bridge + " ")
            barren += 1
            async with aclosing(self._segment(model, seg)) as sentences:
                async for sentence in sentences:
                    before = bridge + " " if barren and seg and bridge else ""
                    barren = 0
                    yield Words(seg, f"{before}{sentence} ")
            if not barren:
                yield Words(seg, "\n\n")
            self._report(seg)
            seg += 1

    async def _segment(self, model: Model, seg: int) -> AsyncGenerator[str, None]:
        subjects = self._options.subjects
        self._turn, n = divmod(seg, len(subjects))
        said: list[str] = []
        for place, lead in enumerate(prompts.leads(subjects[n], turn=self._turn)):
            async with aclosing(self._stretch(model, subjects[n], lead, said, f"{seg}.{place}")) as sentences:
                async for sentence in sentences:
                    said.append(sentence)
                    yield sentence

    async def _stretch(
        self, model: Model, topic: kinds.Topic, lead: Lead, before: list[str], name: str
    ) -> AsyncGenerator[str, None]:
        """The lead and what the model adds to it."""
        said = list(before)
        if lead.is_whole:
            if self._fault(lead.text, topic, is_strict=False) is not None:
                return
            said.append(lead.text)
            self._guard.remember(lead.text)
            yield lead.text
        count = 0
        for attempt in range(TRIES):
            talk = self._talk(model, topic, lead, said, f"{name}.{attempt}")
            async with aclosing(talk) as outcomes:
                async for outcome in outcomes:
                    if isinstance(outcome, Discarded):
                        self._discarded[outcome.reason] += 1
                        break
                    if not isinstance(outcome, Said) or self._fault(outcome.text, topic) is not None:
                        break
                    self._guard.remember(outcome.text)
                    count += 1
                    yield outcome.text
                    if count == lead.sentences:
                        return
            if count:
                return

    async def _talk(
        self, model: Model, topic: kinds.Topic, lead: Lead, said: list[str], name: str
    ) -> AsyncGenerator[Outcome, None]:
        """What the model says next, sentence by sentence."""
        begun = " ".join([*said[-_CONTEXT_SENTENCES:], *([] if lead.is_whole else [lead.text])])
        chat = prompts.messages(self._task, topic, turn=self._turn, manner=self._options.prompt)
        output = model.write(
            model.prompt(chat, begun),
            max_tokens=min(_STRETCH_TOKENS, self._options.max_tokens),
            temperature=self._options.temperature,
            seed=zlib.crc32(f"{self._task.run} {self._task.attempt} {name}".encode()),
            stop=self._options.stop,
        )
        hygiene = Hygiene(self._task.language)
        for outcome in hygiene.feed("" if lead.is_whole else lead.text):
            yield outcome
        async with aclosing(iterate_in_thread(output, name="llm")) as words:
            async for word in words:
                for outcome in hygiene.feed(word):
                    yield outcome
        for outcome in hygiene.finish():
            yield outcome

    def _fault(self, sentence: str, topic: kinds.Topic, *, is_strict: bool = True) -> str | None:
        known = prompts.known_words(self._task, topic)
        fault = self._guard.fault_of(sentence, known=known, is_strict=is_strict and self._options.strict)
        if fault is not None:
            self._discarded[fault] += 1
        return fault

    def _log_settings(self, model: str) -> None:
        options = self._options
        extra = {"action": "llm.begins", "station": self._task.station, "run": self._task.run, "model": model}
        more = {
            "temperature": options.temperature,
            "max_tokens": options.max_tokens,
            "strict": options.strict,
        }
        log.info("host begins", extra={**extra, **more, "topics": len(options.topics)})

    def _report(self, seg: int) -> None:
        discarded = ",".join(f"{reason}:{count}" for reason, count in sorted(self._discarded.items()))
        extra = {
            "action": "llm.segment",
            "station": self._task.station,
            "run": self._task.run,
            "segment": seg,
        }
        log.info("segment written", extra={**extra, "discarded": discarded or None})


def _sentences(text: str) -> list[str]:
    splitter = Splitter(max_chars=4000)
    return [sentence.text for sentence in [*splitter.feed(text), *splitter.finish()]]


def open_source(brief: Brief) -> HostSource:
    assert isinstance(brief.options, kinds.Llm)
    return HostSource(brief, brief.options)
