"""What a station's scheduler does now, and when it looks again: pure functions of timetable, runs, time."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from radio import producer_kinds
from radio.runs import Assignment, is_fallback
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station
from radio.stations.service.run_history import StationHistory
from radio.stations.timetable import timetable
from radio.streams.names import FALLBACK
from radio.streams.records import Begin, Card

AHEAD_MS = 60_000
"""A run begins so long before its planned start: time to load a model and write the first sentences."""
SHORTEST_MS = 2_000
"""What is left of a run must be longer than this, or it does not begin any more."""
CARD_DAYS = 8
"""A card is renewed daily and must still tell seven days then."""
_CARD_BYTES = 600_000
"""Of the days on a card: a record holds not much more."""
_DAY_MS = 86_400_000
_WRITTEN_BEYOND_LEAD_S = (10.0, 45.0)
"""Script in hand beyond the lead that the narrator makes: low and high mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is due.

    Attributes:
        begin: runs to begin, in order.
        end: runs whose time is over.
        look_at: epoch ms at which to plan again, at the latest.
    """

    begin: tuple[Begin, ...]
    end: tuple[str, ...]
    look_at: int


def plan(station: Station, history: StationHistory, now: int) -> Plan:
    """What to do at `now` (epoch ms)."""
    over = tuple(begin.run for begin in history.open if begin.until <= now)
    going = [b for b in history.open if b.until > now and not is_fallback(b.run)]
    begin: list[Begin] = []
    for slot in station.timetable.upcoming(now, days=(AHEAD_MS + 1) / _DAY_MS):
        if not history.has_begun(slot.run):
            at = _free_from(slot, [*going, *begin])
            if at - AHEAD_MS <= now and slot.until - max(at, now) > SHORTEST_MS:
                begin.append(_begin(station, slot, at))
    return Plan(begin=tuple(begin), end=over, look_at=_next_look(station, history, now))


def _free_from(slot: timetable.Slot, others: Sequence[Begin]) -> int:
    """The slot's start, or the end of a run on air that an older timetable let last longer."""
    return max([slot.at, *(b.until for b in others if b.at < slot.until and b.run != slot.run)])


def _begin(station: Station, slot: timetable.Slot, at: int) -> Begin:
    show = slot.show
    return Begin(
        run=slot.run,
        show=show.id,
        title=show.title,
        voice=show.voice or station.voice,
        producer=show.options.producer,
        at=at,
        until=slot.until,
    )


def _next_look(station: Station, history: StationHistory, now: int) -> int:
    edges = [begin.until for begin in history.open if begin.until > now]
    edges += [edge - AHEAD_MS for edge in edges if edge - AHEAD_MS > now]
    boundary = station.timetable.next_boundary(now)
    if boundary is not None:
        edges.append(boundary)
    later = station.timetable.next_boundary(now + AHEAD_MS)
    if later is not None:
        edges.append(later - AHEAD_MS)
    return min([*edges, now + _DAY_MS])


def fallback_begin(
    station: Station, run: str, now: int, *, rung: str, producer: str, until: int | None = None
) -> Begin:
    """A fallback run from now on; it ends when the programme is back, or at `until`, after a day at most."""
    return Begin(
        run=run,
        show=FALLBACK,
        title=station.title,
        voice=station.voice,
        producer=producer,
        at=now,
        until=min(now + _DAY_MS, until or now + _DAY_MS),
        rung=rung,
    )


def assignment(
    station: Station, begin: Begin, attempt: int, *, options: producer_kinds.Options | None = None
) -> Assignment | None:
    """What the producer of a run is told; None if the station's file no longer has the show.

    Args:
        options: of a fallback run.
    """
    show = next((show for show in station.shows if show.id == begin.show), None)
    if options is None and show is not None:
        options = show.options
    if options is None:
        return None
    target_s = station.lead.target.total_seconds()
    low_s, high_s = (target_s + beyond for beyond in _WRITTEN_BEYOND_LEAD_S)
    following = _following(station, begin)
    return Assignment(
        station=station.station,
        station_title=station.title,
        run=begin.run,
        show=begin.show,
        title=begin.title,
        producer=options.producer,
        options=producer_kinds.to_json(options),
        persona=_own(show, "persona") or station.persona,
        model=_own(show, "model") or station.model,
        language=language(station, show, begin.voice),
        zone=station.timezone,
        voice=begin.voice,
        at=begin.at,
        until=begin.until,
        attempt=attempt,
        lead_low_s=low_s,
        lead_high_s=high_s,
        next_title=following.show.title if following else None,
        next_at=following.at if following else None,
    )


def language(station: Station, show: Show | None, voice: str) -> str:
    """Of the words of a run: the show's, else that of its own voice, else the station's."""
    if show is not None and show.language is not None:
        return show.language
    spoken = station.language_of(voice)
    return spoken if show is not None and show.voice else station.language or spoken


def _own(show: Show | None, key: str) -> str:
    return str(getattr(show, key) or "") if show else ""


def _following(station: Station, begin: Begin) -> timetable.Slot | None:
    """The show after a run, if it comes within half a day of its end."""
    later = station.timetable.due(begin.until, begin.until + _DAY_MS // 2)
    return next((slot for slot in later if slot.run != begin.run), None)


def card(
    station: Station, now: int, ladder: Mapping[str, Any] | None = None, model: str | None = None
) -> Card:
    """What narrators and relays are told of the station.

    Args:
        ladder: of its fallback.
        model: the LLM that writes its words.
    """
    slots = station.timetable.upcoming(now, days=CARD_DAYS)
    return Card(
        station=station.station,
        title=station.title,
        description=station.description,
        zone=station.timezone,
        language=station.language or station.language_of(station.voice),
        voice=station.voice,
        lead=(station.lead.target.total_seconds(), station.lead.guard.total_seconds()),
        pronounce=dict(station.pronounce) or None,
        keep_ms=None if station.keep is None else round(station.keep.total_seconds() * 1000),
        fallback=station.fallback.producer,
        days=tuple(_fitting(slots)),
        ladder=ladder,
        model=model,
    )


def _fitting(slots: Sequence[timetable.Slot]) -> Iterator[Mapping[str, Any]]:
    """The slots as a card tells them; where there are very many, the first of them."""
    left = _CARD_BYTES
    sizes: dict[str, int] = {}
    for slot in slots:
        told = {
            "run": slot.run, "show": slot.show.id, "title": slot.show.title,
            "at": slot.at, "until": slot.until,
        }  # fmt: skip
        if slot.show.id not in sizes:
            sizes[slot.show.id] = len(json.dumps(told)) + 2  # that of all its slots
        left -= sizes[slot.show.id]
        if left < 0:
            return
        yield told


def next_midnight(station: Station, now: int) -> int:
    """Epoch ms of the next begin of a day by the station's clock."""
    day = timetable.local_time(now, station.zone).date()
    return timetable.start_of_day(day, station.zone, days_later=1)
