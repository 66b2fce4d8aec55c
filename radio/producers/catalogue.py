"""The kinds of producers. A new one is a class in `radio.kinds`, a module here, and one line below."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from radio.errors import BadInput
from radio.producers import audio, feed, llm, program, rerun, text
from radio.producers.source import Brief, Source


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind is opened, and what it remembers from run to run of a show.

    Attributes:
        memory: `none`; `heard`: the runner notes the last mark that was heard; `told`: the source itself adds
            what it is about to tell.
        listens: it wants to know what the station had on air lately.
    """

    open_source: Callable[[Brief], Source]
    memory: Literal["none", "heard", "told"] = "none"
    listens: bool = False


KINDS: Mapping[str, Kind] = {
    "llm": Kind(llm.open_source, listens=True),
    "text": Kind(text.open_source, memory="heard"),
    "feed": Kind(feed.open_source, memory="told", listens=True),
    "audio": Kind(audio.open_source, memory="heard"),
    "rerun": Kind(rerun.open_source, memory="heard"),
    "exec": Kind(program.open_source),
}


def kind(producer: str) -> Kind:
    """Raises `BadInput` if there is no such kind."""
    if producer not in KINDS:
        raise BadInput(f"there is no producer {producer!r}", hint="one of " + ", ".join(KINDS))
    return KINDS[producer]


def open_source(producer: str, brief: Brief) -> Source:
    """The source of that kind.

    Raises:
        BadInput: there is no such kind, or what it was told is wrong.
    """
    return kind(producer).open_source(brief)
