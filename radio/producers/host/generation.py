"""From a prompt to sentences that may be said: the model writes, hygiene cleans, the guard judges."""

import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from radio.errors import RadioError
from radio.producers.host.output_cleaning import Discarded, Outcome, OutputCleaner, Said
from radio.producers.host.prompts import LeadIn
from radio.producers.host.sentence_guard import SentenceGuard
from radio.producers.host.thought_room import ThoughtRoom
from radio.producers.models.chat_model import ChatModel, Message, OnlyThoughts, Sampling

TRIES = 2
STRETCH_TOKENS = 90
"""Of a stretch that is led: two sentences at most."""


_HINT = "switch thinking off, or take a model that does not think"


class WasThought(RadioError):
    """What the model wrote before proved to be its thoughts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a host's sentences are drawn and judged."""

    temperature: float
    max_tokens: int
    names: tuple[str, ...] = ()
    """Of the host, by which a model may label its talk."""
    stop: tuple[str, ...] = ()
    is_strict: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One stretch of talk.

    Attributes:
        chat: what stands before the host's turn.
        before: what the host said in this turn already.
        known: words that the host was given.
        seed: what the sampler's seed is made of.
    """

    chat: Sequence[Message]
    lead: LeadIn
    before: Sequence[str] = ()
    known: Sequence[str] = ()
    seed: str


class SentenceGenerator:
    """One host's talk. What is not said is counted in `discarded`, shared with whoever reports it."""

    def __init__(
        self,
        model: ChatModel,
        guard: SentenceGuard,
        manner: Manner,
        language: str,
        discarded: Counter[str],
        room: ThoughtRoom,
    ) -> None:
        self._model = model
        self._guard = guard
        self._manner = manner
        self._language = language
        self._discarded = discarded
        self._room = room

    async def sentences(self, ask: Ask) -> AsyncGenerator[str, None]:
        """What is given, and what the model adds to it; if that is nothing, once more with another seed.

        Raises:
            WasThought
            OnlyThoughts: the model writes nothing else, even with more room.
        """
        lead = ask.lead
        if lead.given:
            if self._guard.fault_of_given(lead.given) is not None:
                return  # it was said in this run: the stretch is not told again
            yield self._said(lead.given)
        for attempt in range(TRIES):
            count = 0
            try:
                async with aclosing(self._attempt(ask, attempt)) as sentences:
                    async for sentence in sentences:
                        count += 1
                        yield self._said(sentence)
                        if count == lead.sentences:
                            return
            except OnlyThoughts as thoughts:
                self._discarded["thoughts alone"] += 1
                self._room.fill(thoughts)
            if count:
                return

    async def _attempt(self, ask: Ask, attempt: int) -> AsyncGenerator[str, None]:
        """Up to the first sentence that may not be said."""
        async with aclosing(self._outcomes(ask, attempt)) as outcomes:
            async for outcome in outcomes:
                match outcome:
                    case Said(text):
                        fault = self._fault(text, ask)
                        if fault is not None:
                            self._discarded[fault] += 1
                            return
                        yield text
                    case Discarded(reason):
                        self._discarded[reason] += 1
                        return
                    case _:
                        raise WasThought

    async def _outcomes(self, ask: Ask, attempt: int) -> AsyncGenerator[Outcome, None]:
        """What the model writes, cleaned."""
        begun = " ".join(part for part in (*ask.before, ask.lead.given, ask.lead.begun) if part)
        hygiene = OutputCleaner(self._language, discarded=self._discarded, names=self._manner.names)
        for outcome in hygiene.feed(ask.lead.begun):
            yield outcome
        sampling, was_said = await self._sampling(ask, begun, attempt), False
        async with aclosing(self._model.write(ask.chat, begun, sampling)) as words:
            async for word in words:
                for outcome in hygiene.feed(word):
                    was_said = True
                    yield outcome
        if hygiene.is_in_thoughts and not was_said:
            raise OnlyThoughts(f"{self._model.name} spent its whole answer on thoughts", hint=_HINT)
        for outcome in hygiene.finish():
            yield outcome

    async def _sampling(self, ask: Ask, begun: str, attempt: int) -> Sampling:
        most = self._manner.max_tokens
        tokens = min(most, STRETCH_TOKENS) if ask.lead.begun else most
        if self._room.tokens:
            spare = self._model.context_tokens - await self._model.tokens(ask.chat, begun)
            tokens = max(min(tokens + self._room.tokens, spare), tokens)
        return Sampling(
            max_tokens=tokens,
            temperature=self._manner.temperature,
            seed=zlib.crc32(f"{ask.seed}.{attempt}".encode()),
            stop=self._manner.stop,
        )

    def _fault(self, sentence: str, ask: Ask) -> str | None:
        begun = ask.lead.begun if sentence.startswith(ask.lead.begun) else ""
        return self._guard.fault_of(sentence, begun=begun, known=ask.known, is_strict=self._manner.is_strict)

    def _said(self, sentence: str) -> str:
        self._guard.remember(sentence)
        return sentence
