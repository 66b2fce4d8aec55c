"""What a host asks of an LLM, wherever that runs: the seam between the host and its backends.

A backend is one module: `llama` runs a GGUF in this process. `model_cache` opens the one that a model's name
asks for.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol

from radio.errors import BadInput, RadioError


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the answer is drawn, and where it ends."""

    max_tokens: int
    temperature: float
    seed: int
    stop: tuple[str, ...] = ()


class PromptTooLong(BadInput):
    """The prompt leaves no room for an answer in the model's context."""


class OnlyThoughts(RadioError):
    """The model spent its whole answer on thoughts and wrote no word to be heard."""


class ChatModel(Protocol):
    """An LLM that is ready. One answer at a time.

    Attributes:
        name: as the log and the station's JSON name it.
        context_tokens: prompt and answer together, at most.
        is_small: it has fewer than a thousand million weights, knows little, and has to be led.
    """

    name: str
    context_tokens: int
    is_small: bool

    async def tokens(self, chat: Sequence[Message], begun: str = "") -> int:
        """How many tokens the prompt is, the template's own included. Where nobody can count: not too few."""
        ...

    def write(self, chat: Sequence[Message], begun: str, sampling: Sampling) -> AsyncGenerator[str, None]:
        """The words that follow, as they are made. The answer is begun by `begun`, which does not come again.

        To be closed by who asks; closing ends the model's work.

        Raises:
            PromptTooLong: prompt and `max_tokens` do not fit into the context. Nothing is cut off.
            OnlyThoughts: the answer is over and was thoughts alone, where the backend can tell.
            RadioError: the backend failed.
        """
        ...

    async def close(self) -> None:
        """Let go of memory and connections. Safe to repeat."""
        ...
