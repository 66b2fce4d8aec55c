"""What the query of a replay means: which records, and whether they have an end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from radio.errors import BadInput, NotFound
from radio.relay.archive.archive_routes import run_start
from radio.relay.archive.recordings import NotYet, Recordings, RecordingTrimmed, ReplaySpan
from radio.relay.archive.table_of_contents import TableOfContents
from radio.relay.http.query_numbers import MAX_SEQ, whole
from radio.relay.http.query_times import instant
from radio.relay.live.station_feed import StationFeed

_LATER_MS: Final = 1000
_HINT: Final = "from=<number>, from=<number>&to=<number>, run=<run> or at=<time>"


@dataclass(frozen=True, slots=True)
class ReplaySelection:
    """Records of a broadcast: closed `spans`, or all from `first` on (of `run` alone, if it is given).

    Attributes:
        later: when its first record was on air (epoch ms), if a second or more after the time asked for.
    """

    spans: tuple[ReplaySpan, ...] = ()
    first: int | None = None
    run: str | None = None
    title: str | None = None
    later: int | None = None

    @property
    def is_open(self) -> bool:
        return self.first is not None

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """First and last numbers, both inclusive."""
        if self.first is not None:
            return [(self.first, MAX_SEQ)]
        return [(span.first, span.last) for span in self.spans]

    def holds(self, run: str | None) -> bool:
        """Whether audio of this run belongs to the selection."""
        return self.run is None or not self.is_open or self.run == run


async def select(
    query: Mapping[str, str], station: StationFeed, recordings: Recordings, contents: TableOfContents
) -> ReplaySelection:
    """What a query selects.

    Raises:
        BadInput: it makes no sense.
        NotYet, Trimmed: it is not there, or not there any more.
    """
    given = [key for key in ("from", "run", "at") if key in query]
    if len(given) != 1 or ("to" in query and given == ["run"]):
        raise BadInput("a replay begins at one place", hint=_HINT)
    if given == ["run"]:
        return await _run(query["run"], station, recordings, contents)
    later = None
    if given == ["from"]:
        first = _number(query, "from")
    else:
        first, later = await _at(query["at"], station, recordings)
    if "to" in query:
        return ReplaySelection(spans=(await _closed(recordings, first, _number(query, "to")),), later=later)
    await recordings.check(first)
    return ReplaySelection(first=first, later=later)


async def _closed(recordings: Recordings, first: int, last: int) -> ReplaySpan:
    if last < first:
        raise BadInput("the end lies before the beginning", hint=_HINT)
    return await recordings.span(first, last)


async def _run(
    run: str, station: StationFeed, recordings: Recordings, contents: TableOfContents
) -> ReplaySelection:
    done = (await contents.of(station.id)).get(run)
    if done is None:
        return ReplaySelection(
            first=await run_start(station, recordings, run), run=run, title=station.title_of(run)
        )
    spans = [await recordings.span(first, last) for first, last in done.spans]
    if not spans:
        raise NotFound(f"nothing was spoken in run {run}")
    return ReplaySelection(spans=tuple(spans), run=run, title=done.title)


async def _at(when: str, station: StationFeed, recordings: Recordings) -> tuple[int, int | None]:
    """The record on air then, or the next one, and when that was if it is later."""
    air_ms = instant(when, station.card.zone)
    spot = await recordings.index.at(air_ms)
    bounds = await recordings.index.bounds()
    if spot is None:
        raise NotYet(f"{when} was not on air yet", oldest=bounds.oldest, next_seq=bounds.next)
    before = await recordings.index.last(bounds.oldest, spot.seq - 1) if spot.seq > bounds.oldest else None
    if spot.at > air_ms and before is None and bounds.oldest > 0:
        raise RecordingTrimmed(f"{when} is no longer kept", oldest=bounds.oldest)
    return spot.seq, spot.at if spot.at >= air_ms + _LATER_MS else None


def _number(query: Mapping[str, str], key: str) -> int:
    number = whole(query[key])
    if number is None:
        raise BadInput(f"{key} is not a sequence number", hint=_HINT)
    return number
