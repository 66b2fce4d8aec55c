"""What an editor asks of a station that is on air, and the operator of all casts, as records in `control`.

`say` and `skip` are obeyed by the narrator that owns the station, between two sentences; its record carries
`c`, the request's seq. `mute` and `unmute` are obeyed by every relay, `pause` and `resume` by
every relay and narrator; who obeys folds them from the beginning.
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
"""What is paused: no cast is taken or spoken until it is resumed. What is spoken can be heard."""


MOST_SAID: Final = 5000
"""Characters that a station says at once: some six minutes. What is not said within ten is dropped."""


def sentences_of(text: str) -> list[str]:
    """What a station is to say, as the narrator would cut it.

    Raises:
        BadInput: there is nothing to say, or too much, or it is no Unicode.
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
    """Muted from `since` to `until` (epoch ms, when that was asked); None: it still is."""

    since: int
    until: int | None = None


class Mutes:
    """The stations that are muted, and when they were, folded from the records of `control` in order."""

    def __init__(self) -> None:
        self.stations: set[str] = set()
        self.spans: dict[str, list[MuteSpan]] = {}
        self.next_seq = 0

    def fold(self, found: Iterable[Record], next_seq: int) -> None:
        """A page of `control`; what was folded before is passed over."""
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
    """Whether casts are paused, folded from the records of `control` in order. Pages may be folded again."""

    def __init__(self) -> None:
        self.is_on = False
        self._next_seq = 0

    def fold(self, found: Iterable[Record]) -> None:
        """Records of `control`; what was folded before is passed over."""
        for record in found:
            if record.seq >= self._next_seq:
                self._next_seq = record.seq + 1
                match known(records.CONTROL, record, names.CONTROL):
                    case records.ControlRequest(what="pause" | "resume" as what, target="casts"):
                        self.is_on = what == PAUSE
