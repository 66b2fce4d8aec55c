"""The kinds of producers, and what an editor may say to each in a show of a station file.

Station files are checked against these classes, producers are built from them. A new kind is one class and
one line in `KINDS` here, and one module and one line in the producers' catalogue.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What a segment is about, and what is true about it: a small model knows little by itself."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    topic: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Llm:
    """A host who talks about topics, in order and over again.

    Attributes:
        topics: one segment each.
        prompt: what is asked of the model beside the topic: manner, not matter.
        temperature: of sampling.
        max_tokens: of one segment.
        stop: strings at which a segment ends.
        strict: leave out sentences with names or figures that the host was not given.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    producer: Literal["llm"] = "llm"
    topics: tuple[str | Topic, ...]
    prompt: str = ""
    temperature: float = 0.6
    max_tokens: int = 160
    stop: tuple[str, ...] = ()
    strict: bool = True

    @property
    def subjects(self) -> tuple[Topic, ...]:
        return tuple(Topic(topic=t) if isinstance(t, str) else t for t in self.topics)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFiles:
    """Files that are read aloud, paragraph by paragraph.

    Attributes:
        files: paths or patterns of .txt and .md files; in a station file relative to it.
        rotate: each day's run begins with the next file.
        loop: begin again when all is read; otherwise the run ends there.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    producer: Literal["text"] = "text"
    files: tuple[str, ...]
    rotate: bool = False
    loop: bool = False


Options = Llm | TextFiles

KINDS: Mapping[str, type[Llm] | type[TextFiles]] = {"llm": Llm, "text": TextFiles}


def to_json(options: Options) -> dict[str, Any]:
    """Options as JSON holds them."""
    values: dict[str, Any] = json.loads(json.dumps(asdict(options)))
    return values


def revive(producer: str, values: Mapping[str, Any]) -> Options:
    """Options from their JSON form."""
    lists: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    if producer == "text":
        return TextFiles(**lists)
    lists["topics"] = tuple(t if isinstance(t, str) else _topic(t) for t in lists["topics"])
    return Llm(**lists)


def _topic(values: Mapping[str, Any]) -> Topic:
    return Topic(topic=values["topic"], facts=tuple(values.get("facts", ())))
