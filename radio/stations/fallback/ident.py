"""The ident: a station says its name and what comes next, where it has nothing else to say.

Spoken once for each wording: a broadcast of the same words is found by the begins of earlier idents, and is
aired again by seq.
"""

import logging
from collections.abc import Iterable

from radio import producer_kinds
from radio.stations.definition.station import Station
from radio.stations.fallback.ladder import Rung
from radio.stations.service.plan import AHEAD_MS
from radio.stations.timetable import timetable
from radio.stations.timetable.timetable import Slot
from radio.streams import names
from radio.streams.contract import FromTimestamp, StreamNotFound, StreamStore
from radio.streams.reading import known
from radio.streams.records import BROADCAST, Audio, Begin

log = logging.getLogger(__name__)

_MOST_LOOKED_AT = 4
"""Earlier idents whose broadcast is read."""
_SOON_MS = 12 * 3_600_000
"""A show that begins later is not announced by its time of day."""


def following(station: Station, now: int) -> Slot | None:
    """What an ident that begins at `now` (epoch ms) announces. It is true until that show's start.

    What begins in less than a minute is passed over: if that has nothing to say, the ident stays on air.
    """
    return next(iter(station.timetable.due(now + AHEAD_MS, now + _SOON_MS)), None)


def words(station: Station, now: int) -> str:
    """What the ident says at `now` (epoch ms): in English sentences, or names alone in another language."""
    coming = following(station, now)
    is_english = (station.language or station.language_of(station.voice)).startswith("en")
    if not is_english:
        return _joined([station.title, *([coming.show.title] if coming else [])])
    said = [f"You are listening to {station.title}", station.description]
    if coming is not None:
        clock = timetable.local_time(coming.at, station.zone)
        said.append(f"Next, at {clock:%H:%M}, comes {coming.show.title}")
    else:
        said.append("The programme goes on as soon as it can")
    return _joined(said)


def _joined(sentences: Iterable[str]) -> str:
    spoken = (" ".join(sentence.split()) for sentence in sentences)
    return " ".join(sentence if sentence[-1] in ".!?" else sentence + "." for sentence in spoken if sentence)


async def options(
    store: StreamStore, station: Station, earlier: Iterable[Begin], text: str
) -> producer_kinds.Options:
    """What the producer of an ident with this text is told.

    Args:
        earlier: the begins of the station's runs, oldest first.
    """
    idents = [begin for begin in earlier if begin.rung == Rung.IDENT and begin.producer == "text"]
    for begin in reversed(idents[-_MOST_LOOKED_AT:]):
        seqs = await _aired(store, station.station, begin, text)
        if seqs is not None:
            return producer_kinds.Rerun(seqs=(seqs,), loop=True)
    return producer_kinds.TextFiles(text=text, resume=False)


async def _aired(store: StreamStore, station: str, begin: Begin, text: str) -> tuple[int, int] | None:
    """First and last seq of the run's sound, if it is the whole text and stands in one piece."""
    found: list[tuple[int, str]] = []
    name = names.broadcast(station)
    try:
        page = await store.read(name, FromTimestamp(begin.at), clamp=True)
    except StreamNotFound:
        return None
    for record in page.records:
        heard = known(BROADCAST, record, name)
        if isinstance(heard, Audio) and heard.run == begin.run:
            found.append((record.seq, heard.t))
    is_whole = " ".join(" ".join(t for _, t in found).split()) == text
    is_one = bool(found) and found[-1][0] - found[0][0] == len(found) - 1
    return (found[0][0], found[-1][0]) if is_whole and is_one else None
