"""The kinds of producers. A new one is a class in `radio.kinds`, a module here, and one line below."""

from collections.abc import Callable, Mapping

from radio.errors import BadInput
from radio.producers import llm, text
from radio.producers.source import Brief, Source

SOURCES: Mapping[str, Callable[[Brief], Source]] = {
    "llm": llm.open_source,
    "text": text.open_source,
}


def open_source(producer: str, brief: Brief) -> Source:
    """The source of that kind.

    Raises:
        BadInput: there is no such kind, or what it was told is wrong.
    """
    if producer not in SOURCES:
        raise BadInput(f"there is no producer {producer!r}", hint="one of " + ", ".join(SOURCES))
    return SOURCES[producer](brief)
