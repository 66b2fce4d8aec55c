"""What a host remembers of its own talk, as earlier turns of the chat, within a number of tokens. Pure."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from radio.producers.models.chat_model import Message

_KEPT = 40
"""Segments; more would fit into no prompt."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A segment that was told: what was asked, and what was said."""

    topic: str
    request: Message
    said: str

    @property
    def messages(self) -> list[Message]:
        return [self.request, Message("assistant", self.said)]


class ChatHistory:
    """The segments of a run, oldest first."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    def keep(self, turn: Turn) -> None:
        """One of which nothing was said is not kept."""
        if turn.said:
            self._turns = [*self._turns[1 - _KEPT :], turn]

    async def fitting(
        self, topic: str, budget: int, tokens: Callable[[Sequence[Message]], Awaitable[int]]
    ) -> list[Message]:
        """The newest that fit into the budget, in order; what was said of this very topic is chosen first.

        Args:
            tokens: how many tokens a chat is.
        """
        by_worth = sorted(reversed(self._turns), key=lambda turn: turn.topic != topic)
        chosen: list[Turn] = []
        for turn in by_worth:
            if await tokens([m for t in [*chosen, turn] for m in t.messages]) > budget:
                break
            chosen.append(turn)
        return [m for turn in self._turns if turn in chosen for m in turn.messages]
