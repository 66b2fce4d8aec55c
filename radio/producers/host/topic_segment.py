"""Tells one topic as a segment: asks the model, stretch by stretch, and judges the whole."""

import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing

from radio import producer_kinds
from radio.errors import RadioError
from radio.log import log_event
from radio.producers.host import prompts
from radio.producers.host.chat_history import ChatHistory, Turn
from radio.producers.host.generation import STRETCH_TOKENS, Ask, Manner, SentenceGenerator, WasThought
from radio.producers.host.repetition import words_of
from radio.producers.host.sentence_guard import SentenceGuard
from radio.producers.host.thought_room import ThoughtRoom
from radio.producers.models.chat_model import ChatModel, Message, OnlyThoughts, PromptTooLong
from radio.runs import Assignment

log = logging.getLogger(__name__)

_CONTEXT_SENTENCES = 4
"""Of the same segment, that stand before a new stretch."""
_ALIKE = 0.5
"""Two segments that share this part of their longer words say the same."""
_SEGMENTS = 60
"""So many are compared."""
_FEWEST_WORDS = 12
_LONGER = 4


class WentWrong(RadioError):
    """The segment is not to be heard; the message says why."""


class SegmentWriter:
    """A host with a model, a memory and a guard.

    Args:
        says_facts: facts are said as they stand where the model adds nothing to them.
    """

    def __init__(
        self,
        model: ChatModel,
        guard: SentenceGuard,
        assignment: Assignment,
        options: producer_kinds.Llm,
        discarded: Counter[str],
        *,
        says_facts: bool = True,
    ) -> None:
        self._model = model
        self._guard = guard
        self._task = assignment
        self._options = options
        self._discarded = discarded
        self._turns = ChatHistory()
        self._segments: list[set[str]] = []
        self._room = ThoughtRoom()
        self._says_facts = says_facts
        self._reach = prompts.reach(model.context_tokens, is_small=model.is_small)

    @property
    def is_mute(self) -> bool:
        """The model writes thoughts alone: all that is told are the facts of the topics."""
        return self._room.is_mute

    async def check(self, topics: Sequence[producer_kinds.Topic]) -> None:
        """Whether every topic fits into the model's context, with room for what is said of it.

        Raises:
            PromptTooLong
        """
        for topic in topics:
            request = prompts.request(topic, self._options.prompt, with_facts=True)
            cost = await self._model.tokens([prompts.system(self._task), request])
            needed = cost + self._options.max_tokens + _CONTEXT_SENTENCES * STRETCH_TOKENS
            if needed > self._model.context_tokens:
                raise PromptTooLong(
                    f"topic {topic.topic!r} needs {needed} tokens, of {cost} in the prompt; "
                    f"{self._model.name} has {self._model.context_tokens}",
                    hint="shorten persona, prompt or facts, or take a model with a larger context",
                )

    def recall(self, topic: producer_kinds.Topic, said: str) -> None:
        """A segment that an earlier attempt told."""
        request = prompts.request(topic, self._options.prompt, with_facts=not self._reach.is_led)
        self._turns.keep(Turn(topic.topic, request, said))

    async def segment(
        self, topic: producer_kinds.Topic, seg: int, *, is_first: bool, said: list[str], attempt: int
    ) -> AsyncGenerator[str, None]:
        """The sentences of a segment. Where the model adds nothing to them, they are the topic's facts.

        Args:
            is_first: the topic was not told before in this run.
            said: what stands of this segment already; what is told comes to it.
            attempt: another one has other seeds.

        Raises:
            WentWrong: as a whole it says what an earlier segment said, or its words proved to be thoughts.
        """
        facts = [fact for fact in topic.facts if self._guard.fault_of_given(fact) is None]
        request = prompts.request(
            topic,
            self._options.prompt,
            with_facts=not (facts and self._reach.is_led),
            is_again=not (is_first or self._reach.is_led),
        )
        given = len(said)
        leads = [] if self.is_mute else prompts.leads(topic, self._reach, seg, facts)
        asks = self._asks(topic, await self._chat(topic, request), leads, said, f"{seg}.{attempt}")
        try:
            async with aclosing(self._told(asks, said)) as sentences:
                async for sentence in sentences:
                    yield sentence
        except WasThought as e:
            raise WentWrong("thoughts") from e
        except OnlyThoughts as e:
            self._warn(e)
        if self._says_facts and (self.is_mute or len(said) == given):
            for fact in self._untold(facts):
                said.append(fact)
                yield fact
        self._judge(topic, said[given:])
        self._turns.keep(Turn(topic.topic, request, " ".join(said)))

    def _asks(
        self,
        topic: producer_kinds.Topic,
        chat: Sequence[Message],
        leads: Sequence[prompts.LeadIn],
        said: Sequence[str],
        seed: str,
    ) -> Iterator[Ask]:
        """One for each lead, made when it is due: what was `said` until then stands before it."""
        for place, lead in enumerate(leads):
            yield Ask(
                chat=chat,
                lead=lead,
                before=said[-_CONTEXT_SENTENCES:],
                known=prompts.known_words(self._task, topic),
                seed=f"{self._task.run} {self._task.attempt} {seed}.{place}",
            )

    async def _told(self, asks: Iterator[Ask], said: list[str]) -> AsyncGenerator[str, None]:
        """The sentences of all stretches, also added to `said`."""
        talk = self._talk()
        for ask in asks:
            async with aclosing(talk.sentences(ask)) as sentences:
                async for sentence in sentences:
                    said.append(sentence)
                    yield sentence

    def _untold(self, facts: Sequence[str]) -> Iterator[str]:
        """The facts that were not said in this run; they count as said now."""
        for fact in facts:
            if self._guard.fault_of_given(fact) is None:
                self._guard.remember(fact)
                yield fact

    def _warn(self, thoughts: OnlyThoughts) -> None:
        extra = log_event("llm.only_thinks", station=self._task.station, run=self._task.run)
        log.warning("model only thinks: %s; %s", thoughts, thoughts.hint, extra=extra)

    def _judge(self, topic: producer_kinds.Topic, said: Sequence[str]) -> None:
        """Whether a segment as a whole says what another one said: of that no single sentence tells."""
        own = {word for sentence in said if sentence not in topic.facts for word in words_of(sentence)}
        words = {word for word in own - set(words_of(topic.topic)) if len(word) > _LONGER}
        if len(words) < _FEWEST_WORDS:
            return
        if any(len(words & other) > _ALIKE * len(words | other) for other in self._segments):
            raise WentWrong("repeated")
        self._segments = [*self._segments[1 - _SEGMENTS :], words]

    def _talk(self) -> SentenceGenerator:
        manner = Manner(
            temperature=self._options.temperature,
            max_tokens=self._options.max_tokens,
            names=prompts.host_names(self._task.persona),
            stop=self._options.stop,
            is_strict=self._options.strict,
        )
        language, discarded = self._task.language, self._discarded
        return SentenceGenerator(self._model, self._guard, manner, language, discarded, self._room)

    async def _chat(self, topic: producer_kinds.Topic, request: Message) -> list[Message]:
        """What stands before the host's turn: who it is, what it said before, and what is asked of it now."""
        system = prompts.system(self._task)
        fixed = await self._model.tokens([system, request])
        spare = self._model.context_tokens - fixed - self._options.max_tokens
        budget = min(self._reach.memory_tokens, spare - _CONTEXT_SENTENCES * STRETCH_TOKENS)
        return [system, *await self._turns.fitting(topic.topic, budget, self._model.tokens), request]
