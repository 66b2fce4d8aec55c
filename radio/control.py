"""Requests of editors to a station on air, and of the operator about all casts, as records in `control`.

The narrator that owns the station carries out `say` and `skip` between two sentences; its record has `c`, the
request's seq. Every relay carries out `mute` and `unmute`; every relay and narrator, `pause` and `resume`.
They fold these from the beginning of `control`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from radio import writable_text
from radio.errors import BadInput
from radio.sentences import Splitter
from radio.streams import names, records
from radio.streams.contract import AppendAck, Record, StreamStore
from radio.streams.reading import known

SAY: Final = "say"
"""`detail` is one sentence, spoken next."""
SKIP: Final = "skip"
"""The segment that is being spoken ends."""
MUTE: Final = "mute"
UNMUTE: Final = "unmute"
PAUSE: Final = "pause"
RESUME: Final = "resume"
CASTS: Final = "casts"
"""While paused, no cast is accepted or spoken. Finished casts can be played."""


MOST_SAID: Final = 5000
"""Characters that a station says at once: some six minutes. Sentences not said within ten minutes are
dropped."""


def sentences_of(text: str) -> list[str]:
    """The sentences that a station is to say, cut as the narrator would cut them.

    Raises:
        BadInput: there is no text, too much, or it is not Unicode.
    """
    if len(text) > MOST_SAID:
        raise BadInput(
            f"that has {len(text)} characters; a station says at most {MOST_SAID} at once",
            hint="a longer text is a show, with `producer: text`",
        )
    text = writable_text.pasted(text)
    splitter = Splitter()
    sentences = [sentence.text for sentence in [*splitter.feed(text), *splitter.finish()]]
    if not sentences:
        raise BadInput("there is nothing to say", hint="radio say STATION TEXT")
    return sentences


async def ask(store: StreamStore, what: str, station: str, details: Sequence[str] = ("",)) -> AppendAck:
    """One request for each detail, in order, all or none of them."""
    requests = [records.ControlRequest(what=what, target=station, detail=detail) for detail in details]
    return await store.append(names.CONTROL, [records.encode(request) for request in requests])


@dataclass(frozen=True, slots=True)
class MuteSpan:
    """Muted from `since` to `until` (epoch ms, when that was asked); None: still muted."""

    since: int
    until: int | None = None


class Mutes:
    """Which stations are muted, and when they were, folded from the records of `control` in order."""

    def __init__(self) -> None:
        self.stations: set[str] = set()
        self.spans: dict[str, list[MuteSpan]] = {}
        self.next_seq = 0

    def fold(self, found: Iterable[Record], next_seq: int) -> None:
        """Fold a page of `control`; records folded before are skipped."""
        for record in found:
            if record.seq >= self.next_seq:
                self._obey(record)
        self.next_seq = max(self.next_seq, next_seq)

    def _obey(self, record: Record) -> None:
        match known(records.CONTROL, record, names.CONTROL):
            case records.ControlRequest(what="mute", target=station, since=since):
                if station not in self.stations:
                    begin = record.timestamp if since is None else since
                    self.spans.setdefault(station, []).append(MuteSpan(begin))
                self.stations.add(station)
            case records.ControlRequest(what="unmute", target=station, since=since):
                if station in self.stations:
                    end = record.timestamp if since is None else since
                    self.spans[station][-1] = replace(self.spans[station][-1], until=end)
                self.stations.discard(station)


class Pause:
    """Whether casts are paused, folded from the records of `control` in order. Pages may be folded twice."""

    def __init__(self) -> None:
        self.is_on = False
        self._next_seq = 0

    def fold(self, found: Iterable[Record]) -> None:
        """Fold records of `control`; records folded before are skipped."""
        for record in found:
            if record.seq >= self._next_seq:
                self._next_seq = record.seq + 1
                match known(records.CONTROL, record, names.CONTROL):
                    case records.ControlRequest(what="pause" | "resume" as what, target="casts"):
                        self.is_on = what == PAUSE
