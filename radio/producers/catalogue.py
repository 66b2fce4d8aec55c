"""The kinds of producers. A new one is a class in `radio.producer_kinds`, a module, and one line below."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from radio.errors import BadInput
from radio.producers.feeds import feed_source
from radio.producers.host import host_source
from radio.producers.programs import program_source
from radio.producers.recordings import audio_source, rerun_source
from radio.producers.source import Brief, Source
from radio.producers.texts import text_source


@dataclass(frozen=True, slots=True)
class ProducerEntry:
    """How a kind is opened, and what it remembers from run to run of a show.

    Attributes:
        memory: `none`; `heard`: the runner notes the last mark that was heard; `told`: the source itself adds
            what it is about to tell.
        listens: it wants to know what the station had on air lately.
    """

    open_source: Callable[[Brief], Source]
    memory: Literal["none", "heard", "told"] = "none"
    listens: bool = False


KINDS: Mapping[str, ProducerEntry] = {
    "llm": ProducerEntry(host_source.open_source, listens=True),
    "text": ProducerEntry(text_source.open_source, memory="heard"),
    "feed": ProducerEntry(feed_source.open_source, memory="told", listens=True),
    "audio": ProducerEntry(audio_source.open_source, memory="heard"),
    "rerun": ProducerEntry(rerun_source.open_source, memory="heard"),
    "exec": ProducerEntry(program_source.open_source),
}


def kind(producer: str) -> ProducerEntry:
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
