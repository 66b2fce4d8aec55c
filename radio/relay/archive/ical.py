"""The timetable of a station as an iCalendar (RFC 5545) that calendars subscribe to.

Times are instants in UTC: they are right in every zone, on the days when clocks are set too, and need no
table of a zone's rules. The station's own zone is told for who shows it.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from aiohttp import web

from radio.relay.archive.archive_routes import MOST_SHOWS
from radio.relay.context import RELAY
from radio.relay.http.header_text import attachment
from radio.relay.http.plain_text import one_line, plain
from radio.relay.http.shared_answers import Same, answer_with
from radio.relay.live import now_playing
from radio.relay.live.disclosure import MADE_BY_MACHINE
from radio.relay.live.playlist_files import base_url
from radio.streams.records import Card

LINE_OCTETS: Final = 75
REFRESH: Final = "PT6H"
"""How often a calendar should ask again: the timetable is told for seven days."""


async def schedule(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/schedule.ics`: the next days."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    page = base_url(request, relay) + now_playing.urls(station.id)["page"]
    card, now_ms = station.card, relay.clock.now_ms()
    answer = await relay.answers.get(
        ("calendar", station.id, page),
        Same(card),
        lambda: spell(station.id, card, page=page, now_ms=now_ms).encode(),
        client=relay.client(request),
    )
    name = attachment(card.title or station.id, ".ics")
    return answer_with(request, answer, "text/calendar; charset=utf-8", {"Content-Disposition": name})


def spell(station: str, card: Card, *, page: str, now_ms: int) -> str:
    """The calendar. `now_ms`: when it is told, in epoch ms."""
    head = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//radio//timetable//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{escaped(card.title or station)}",
        f"X-WR-CALNAME:{escaped(card.title or station)}",
        f"X-WR-CALDESC:{escaped(_about(card))}",
        f"X-WR-TIMEZONE:{escaped(card.zone)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}",
        f"X-PUBLISHED-TTL:{REFRESH}",
    ]
    events = [line for day in card.days[:MOST_SHOWS] for line in _event(station, card, day, page, now_ms)]
    return "".join(map(folded, [*head, *events, "END:VCALENDAR"]))


def _event(station: str, card: Card, day: Mapping[str, Any], page: str, now_ms: int) -> Iterable[str]:
    return (
        "BEGIN:VEVENT",
        "UID:" + escaped(f"{station}:{day['run']}"),
        f"DTSTAMP:{_instant(now_ms)}",
        f"DTSTART:{_instant(day['at'])}",
        f"DTEND:{_instant(day['until'])}",
        f"SUMMARY:{escaped(str(day['title']))}",
        f"LOCATION:{escaped(card.title or station)}",
        f"DESCRIPTION:{escaped(_about(card))}",
        f"URL:{one_line(page)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    )


def _about(card: Card) -> str:
    return "\n".join(filter(None, [card.description, MADE_BY_MACHINE]))


def _instant(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(value: str) -> str:
    """A TEXT value: without control characters, with its separators and line ends spelt."""
    value = plain(value).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
    return value


def folded(line: str) -> str:
    """A content line with its end, cut so that none has more than 75 octets; no character is cut in two."""
    pieces, room, size = [""], LINE_OCTETS, 0
    for char in line:
        octets = len(char.encode(errors="replace"))
        if size + octets > room:
            pieces.append("")
            room, size = LINE_OCTETS - 1, 0  # a blank begins what goes on
        pieces[-1] += char
        size += octets
    return "\r\n ".join(pieces) + "\r\n"
