"""What a station says of itself: computed from the audio that is heard now, never from what is planned.

Pure: a station's state and a monotonic time in, JSON out.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from radio.mp3.frames import FRAME_MS
from radio.relay.live.station_feed import FeedEntry, StationFeed, show_of
from radio.streams.names import FALLBACK
from radio.streams.records import Audio

GAP_FRAMES: Final = 208
"""A pause of up to 5 s between two sentences is no silence."""
STARTING_S: Final = 180.0
"""A station that was just found or taken over may take this long to say its first sentence."""
_PASSING: Final = ("server_time", "lead_ms")
"""What changes without anything having happened; not part of the entity tag."""

Json = dict[str, Any]


def describe(station: StationFeed, mono_s: float, *, store: str, server_time: int) -> Json:
    """The station as its route and its `state` events show it. `server_time` in epoch ms."""
    line = station.pump.line(mono_s)
    lately = station.lately(line, GAP_FRAMES)
    heard = station.heard(line)
    state = _state(station, line, mono_s)
    card = station.card
    return {
        "schema_version": 1,
        "station": station.id,
        "title": card.title,
        "description": card.description,
        "language": card.language,
        "zone": card.zone,
        "voice": card.voice,
        "state": state,
        "muted": station.is_muted,
        "store": store,
        "seq": lately.seq if lately else None,
        "lead_ms": lead_ms(station, line),
        "listeners": station.listeners(mono_s),
        "server_time": server_time,
        "now": _now(station, state, line, lately, heard),
        "next": _next(station, line, lately),
        "model": card.model,
        "fallback": dict(card.ladder) if card.ladder is not None else None,
        "urls": urls(station.id),
    }


def urls(station: str) -> dict[str, str]:
    """Where everything of a station is found."""
    base = f"/stations/{station}"
    return {
        "page": f"/s/{station}",
        "live": f"{base}/live.mp3",
        "m3u": f"{base}/live.m3u",
        "pls": f"{base}/live.pls",
        "hls": f"{base}/live.m3u8",
        "events": f"{base}/events",
        "schedule": f"{base}/schedule",
        "archive": f"{base}/archive",
        "replay": f"{base}/replay.mp3",
        "podcast": f"{base}/podcast.xml",
        "calendar": f"{base}/schedule.ics",
    }


def lead_ms(station: StationFeed, line: int) -> int:
    """Audio that is made but not heard yet; 0 if there is none."""
    return max((station.spoken_end or line) - line, 0) * FRAME_MS


def silent_ms(station: StationFeed, line: int) -> int | None:
    """Time since a spoken frame was last heard; None if none was heard since this relay knows the station."""
    ends = [min(entry.end, line) for entry in station.spoken() if entry.start <= line]
    if not ends and station.spoken_end is not None and station.spoken_end <= line:
        ends = [station.spoken_end]
    return (line - max(ends)) * FRAME_MS if ends else None


def is_due(station: StationFeed, air_ms: int) -> bool:
    """Whether something should be heard: a show by the timetable, or a fallback."""
    return station.card.fallback != "off" or _planned(station, air_ms) is not None


def news(description: Json) -> str:
    """Changes whenever listeners should be told of a new state: not with each sentence."""
    now, then = description["now"], description["next"]
    told = [
        description["state"],
        description["muted"],
        description["title"],
        now["run"],
        now["kind"],
        now["title"],
        now["until"],
        then,
    ]
    return json.dumps(told)


def entity_tag(description: Json) -> str:
    """A weak tag that changes with all but the passing of time."""
    lasting = {key: value for key, value in description.items() if key not in _PASSING}
    return f'W/"{hashlib.sha256(json.dumps(lasting, sort_keys=True).encode()).hexdigest()[:16]}"'


def _state(station: StationFeed, line: int, mono_s: float) -> str:
    if station.lately(line, GAP_FRAMES) is not None:
        return "on_air"
    if not is_due(station, station.pump.air_ms(line)):
        return "off"
    fresh = mono_s - station.began_s < STARTING_S
    return "starting" if fresh or lead_ms(station, line) > 0 else "silent"


def _now(
    station: StationFeed, state: str, line: int, lately: FeedEntry | None, heard: FeedEntry | None
) -> Json:
    if lately is None or not isinstance(lately.record, Audio):
        return _unheard(station, state, line)
    run = lately.record.run or ""
    show, plan = station.shows.get(run), _plan_of(station, run)
    audible = None if station.is_muted else heard
    sentence = _words(station, audible)
    started = plan["at"] if plan else show.at if show else lately.record.at
    return {
        "run": run,
        "show": show_of(run),
        "title": station.title_of(run),
        "kind": "fallback" if show_of(run) == FALLBACK else "show",
        "started_at": started,
        "until": plan["until"] if plan else None,
        "sentence": sentence,
        "changed_at": lately.record.at,
    }


def _words(station: StationFeed, audible: FeedEntry | None) -> str | None:
    if audible is None or not isinstance(audible.record, Audio):
        return None
    is_redacted = station.is_redacted(audible.seq, audible.record.of)
    return None if is_redacted else audible.record.t


def _unheard(station: StationFeed, state: str, line: int) -> Json:
    """Nothing is heard: what the timetable says, and why it is not heard."""
    plan = _planned(station, station.pump.air_ms(line))
    kind = {"off": "off", "starting": "starting"}.get(state, "show" if plan else "fallback")
    about = plan or {"run": None, "show": None, "title": station.card.title, "at": None, "until": None}
    return {
        "run": about["run"],
        "show": about["show"],
        "title": about["title"],
        "kind": kind,
        "started_at": about["at"],
        "until": about["until"],
        "sentence": None,
        "changed_at": None,
    }


def _next(station: StationFeed, line: int, lately: FeedEntry | None) -> Json | None:
    air = station.pump.air_ms(line)
    on_air = lately.record.run if lately is not None and isinstance(lately.record, Audio) else None
    later = [day for day in station.card.days if day["at"] > air and day["run"] != on_air]
    first = min(later, key=lambda day: int(day["at"]), default=None)
    return {key: first[key] for key in ("run", "show", "title", "at", "until")} if first else None


def _planned(station: StationFeed, air_ms: int) -> Mapping[str, Any] | None:
    return next((day for day in station.card.days if day["at"] <= air_ms < day["until"]), None)


def _plan_of(station: StationFeed, run: str) -> Mapping[str, Any] | None:
    return next((day for day in station.card.days if day["run"] == run), None)
