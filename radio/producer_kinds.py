"""The kinds of producers, and their keys in a show of a station file.

Station files are checked against these classes, producers are built from them. A new kind is one class and
one line in `KINDS` here, and one module and one line in the producers' catalogue.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from radio.errors import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """The subject of a segment, and facts about it: a small model knows little by itself."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    topic: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Llm:
    """A host who talks about topics, in order and over again.

    Attributes:
        topics: one segment each.
        prompt: given to the model with the topic: how to talk, not about what.
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
    """Texts that are read aloud, paragraph by paragraph.

    Attributes:
        files: paths or patterns of .txt, .md and .epub files; in a station file relative to it.
        text: read instead of files.
        resume: a run continues where the last one was heard to; if false, or with `rotate`, it starts anew.
        once: what was heard is not read again by later runs; a run with nothing left ends at once.
        rotate: each day's run begins with the next file.
        loop: begin again when all is read; otherwise the run ends there.
        chapters: a run ends after this many; 0: no limit.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    PATHS: ClassVar[tuple[str, ...]] = ("files",)
    """Keys whose values name files, by path or pattern, relative to the station file; or are URLs."""

    producer: Literal["text"] = "text"
    files: tuple[str, ...] = ()
    text: str = ""
    resume: bool = True
    once: bool = False
    rotate: bool = False
    loop: bool = False
    chapters: int = 0

    @property
    def problem(self) -> str:
        """What is wrong with the combination of values; "" if nothing is."""
        if bool(self.files) == bool(self.text.strip()):
            return "'files' or 'text' must say what is read, and not both"
        if self.once and (self.loop or self.rotate or not self.resume):
            return "'once' goes with neither 'loop' nor 'rotate', nor without 'resume'"
        return "'chapters' is negative" if self.chapters < 0 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Items of RSS and Atom feeds, each once over all runs of the show.

    Attributes:
        feeds: URLs (http, https), and paths or patterns of files.
        tell: `llm`: the host tells them; `read`: title and summary are read.
        items: a run ends after this many; 0: when there are no more.
        max_age: in hours; older items are left out; 0: no limit.
        refresh: seconds until a feed is fetched again.
        prompt: given to the model with the item: how to talk, not about what.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    PATHS: ClassVar[tuple[str, ...]] = ("feeds",)

    producer: Literal["feed"] = "feed"
    feeds: tuple[str, ...]
    tell: Literal["llm", "read"] = "llm"
    items: int = 0
    max_age: int = 0
    refresh: int = 300
    prompt: str = ""

    @property
    def problem(self) -> str:
        if not self.feeds:
            return "'feeds' names none"
        wrong = [url for url in self.feeds if "://" in url and not url.startswith(("http://", "https://"))]
        if wrong:
            return f"'feeds' has {wrong[0]!r}: write http, https, or a path"
        if self.items < 0 or self.max_age < 0:
            return "'items' or 'max_age' is negative"
        return "'refresh' is less than 60 seconds" if self.refresh < 60 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioFiles:
    """Recorded sound: jingles, music, clips.

    Attributes:
        files: paths or patterns, in the formats that libsndfile reads.
        shuffle: in another order each day.
        resume: a run begins with the file after the last one that was heard.
        loop: begin again when everything was heard; otherwise the run ends there.
        level: loudness in LUFS (EBU R128).
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    IS_SOUND: ClassVar[bool] = True
    PATHS: ClassVar[tuple[str, ...]] = ("files",)

    producer: Literal["audio"] = "audio"
    files: tuple[str, ...]
    shuffle: bool = False
    resume: bool = True
    loop: bool = False
    level: float = -23.0

    @property
    def problem(self) -> str:
        if not self.files:
            return "'files' names none"
        return "" if -40 <= self.level <= -10 else "'level' must be from -40 to -10 LUFS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """Earlier runs of the station again, without fallbacks.

    Attributes:
        shows: ids of the shows whose runs are aired; none: those of all other shows.
        newest: only this many of the newest runs; 0: all that are kept.
        order: `unplayed`: never aired again before first, then those aired again longest ago, each oldest
            first; or `oldest` or `newest` first.
        loop: begin again when all were aired; otherwise the run ends there.
        seqs: parts of the broadcast instead of runs: first and last seq of each.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    IS_SOUND: ClassVar[bool] = True

    producer: Literal["rerun"] = "rerun"
    shows: tuple[str, ...] = ()
    newest: int = 0
    order: Literal["unplayed", "oldest", "newest"] = "unplayed"
    loop: bool = True
    seqs: tuple[tuple[int, int], ...] = ()

    @property
    def problem(self) -> str:
        if self.newest < 0:
            return "'newest' is negative"
        wrong = [pair for pair in self.seqs if not 0 <= pair[0] <= pair[1]]
        return f"'seqs' has {list(wrong[0])}: write [first, last]" if wrong else ""


_LONGEST_WAIT_S = 75.0
"""Shorter than the time after which the scheduler considers a silent producer stalled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exec:
    """A program whose output is the script.

    Attributes:
        exec: the program and its arguments; it runs in the folder of the station files.
        format: `text`: each line is read; `json`: each line is an object with `text`, and maybe `seg`.
        within: seconds that the program may take for a line, once one is needed.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    producer: Literal["exec"] = "exec"
    exec: tuple[str, ...]
    format: Literal["text", "json"] = "text"
    within: float = 60.0

    @property
    def problem(self) -> str:
        if not self.exec or not self.exec[0]:
            return "'exec' names no program"
        return "" if 0 < self.within <= _LONGEST_WAIT_S else "'within' must be up to 75 seconds"


Options = Llm | TextFiles | Feed | AudioFiles | Rerun | Exec

KINDS: Mapping[str, type[Options]] = {
    "llm": Llm,
    "text": TextFiles,
    "feed": Feed,
    "audio": AudioFiles,
    "rerun": Rerun,
    "exec": Exec,
}


def is_sound(producer: str) -> bool:
    """Whether runs of that kind are existing sound, which needs no synthesis."""
    return getattr(KINDS.get(producer), "IS_SOUND", False)


def to_json(options: Options) -> dict[str, Any]:
    """Options as JSON holds them."""
    values: dict[str, Any] = json.loads(json.dumps(asdict(options)))
    return values


def revive(producer: str, values: Mapping[str, Any]) -> Options:
    """Options from their JSON form. Raises `BadInput` if no kind has them."""
    if producer not in KINDS:
        raise BadInput(f"there is no producer {producer!r}", hint="one of " + ", ".join(KINDS))
    lists: dict[str, Any] = {key: _frozen(value) for key, value in values.items()}
    if producer == "llm":
        lists["topics"] = tuple(t if isinstance(t, str) else _topic(t) for t in lists["topics"])
    return KINDS[producer](**lists)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _topic(values: Mapping[str, Any]) -> Topic:
    return Topic(topic=values["topic"], facts=tuple(values.get("facts", ())))
