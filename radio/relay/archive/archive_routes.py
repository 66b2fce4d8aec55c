"""The archive and the timetable of a station, as JSON."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, TypeGuard
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from aiohttp import web

from radio.errors import NotFound
from radio.mp3.frames import BYTES_PER_MS
from radio.relay.archive.archive_query import ArchivePage, part_of
from radio.relay.archive.recordings import Recordings, RecordingTrimmed
from radio.relay.context import RELAY
from radio.relay.http.responses import encoded
from radio.relay.http.shared_answers import Same, answer_with
from radio.relay.live import now_playing
from radio.relay.live.station_feed import StationFeed, show_of
from radio.streams.names import FALLBACK
from radio.streams.records import AnyRecord, ArchivedRun, Audio, Card

MOST_SHOWS: Final = 1500
"""Runs of the timetable in one answer: a week of one every seven minutes."""
SEARCHED_RECORDS: Final = 300
"""A run that began late is looked for in this many records after its planned time."""


async def archive(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/archive`: runs to hear again, newest first, before them the one on air.

    Finished runs are listed while they are kept whole; the one on air from where it is kept. A query asks for
    a part of them.
    """
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    part = part_of(request.query, station.card.zone)
    recordings = Recordings(relay.store, station.id)
    oldest = (await recordings.index.bounds()).oldest
    done = await relay.contents.of(station.id, oldest=oldest)
    version = relay.contents.version(station.id), oldest
    on_air = await _on_air(station, recordings, relay.clock.monotonic())
    if on_air is not None and on_air["run"] in done:
        on_air = None
    runs = tuple(done.values())
    answer = await relay.answers.get(
        ("archive", station.id, part),
        (version, json.dumps(on_air)),
        lambda: listed(station.id, kept_whole(runs, oldest), on_air, part),
        client=relay.client(request),
    )
    return answer_with(request, answer, "application/json; charset=utf-8")


def listed(
    station: str, runs: Iterable[ArchivedRun], on_air: dict[str, Any] | None, part: ArchivePage
) -> bytes:
    """A part of the archive as JSON. Only the runs that are asked for are spelt."""
    outlines = [*([on_air] if on_air else ()), *map(_outline, runs)]
    asked, more = part.of(outlines)
    spelt = [_finished(station, run["record"]) if "record" in run else run for run in asked]
    oldest_at = min((run["at"] for run in outlines), default=None)
    return encoded({"station": station, "runs": spelt, "more": more, "oldest_at": oldest_at})


def _outline(run: ArchivedRun) -> dict[str, Any]:
    """What `ArchivePage` looks at, and the run."""
    first, last = run.spans[0][0], run.spans[-1][1]
    return {"at": run.at, "until": run.until, "from": first, "to": last, "finished": True, "record": run}


def kept_whole(done: Iterable[ArchivedRun], oldest: int) -> list[ArchivedRun]:
    """The finished runs of which nothing is trimmed, newest first."""
    whole = [run for run in done if run.spans and run.spans[0][0] >= oldest]
    return sorted(whole, key=lambda run: run.at, reverse=True)


async def schedule(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/schedule`: the next days, in the station's own time."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    card = station.card
    answer = await relay.answers.get(
        ("schedule", station.id), Same(card), lambda: planned(station.id, card), client=relay.client(request)
    )
    return answer_with(request, answer, "application/json; charset=utf-8")


def planned(station: str, card: Card) -> bytes:
    """The timetable as JSON: the next `MOST_SHOWS` runs."""
    zone = ZoneInfo(card.zone)
    shows = [_planned(dict(day), zone) for day in card.days[:MOST_SHOWS]]
    more = len(card.days) > MOST_SHOWS
    return encoded({"station": station, "zone": card.zone, "shows": shows, "more": more})


async def run_start(station: StationFeed, recordings: Recordings, run: str) -> int:
    """The first audio record that is kept of a run that is not in the archive.

    Raises:
        NotFound: there is no such run.
        Trimmed: it was due before all that is kept.
    """
    if run in station.run_starts:
        first = await recordings.index.spot(station.run_starts[run])
        if first is not None and first.run == run:
            return first.seq
    planned = planned_at(station, run)
    spot = await recordings.index.at(planned) if planned is not None else None
    searched = 0
    if spot is not None:
        async for seq, record in recordings.records(spot.seq, whole=False):
            if isinstance(record, Audio) and record.run == run:
                station.run_starts[run] = seq
                return seq
            searched += 1
            if searched > SEARCHED_RECORDS:
                break
    await _check_kept(recordings, run, planned)
    raise NotFound(f"no run {run[:80]!r}", hint=f"runs are listed at /stations/{station.id}/archive")


async def _check_kept(recordings: Recordings, run: str, planned: int | None) -> None:
    """Raises `RecordingTrimmed` if something was trimmed, and the run was due before what is left."""
    oldest = (await recordings.index.bounds()).oldest
    first = await recordings.index.spot(oldest)
    if oldest > 0 and planned is not None and (first is None or planned < first.at):
        raise RecordingTrimmed(f"{run[:80]} is no longer kept", oldest=oldest)


def planned_at(station: StationFeed, run: str) -> int | None:
    """When a run was to begin, in epoch ms: by the timetable, else by the local time in its id."""
    plan = next((day for day in station.card.days if day["run"] == run), None)
    if plan is not None:
        return int(plan["at"])
    try:
        local = datetime.strptime(run.partition("@")[2], "%Y%m%dT%H%M")
    except ValueError:
        return None
    return int(local.replace(tzinfo=ZoneInfo(station.card.zone)).timestamp() * 1000)


async def _on_air(station: StationFeed, recordings: Recordings, mono_s: float) -> dict[str, Any] | None:
    described = now_playing.describe(station, mono_s, store="", server_time=0)
    about = described["now"]
    if described["state"] != "on_air" or about["kind"] == FALLBACK or about["run"] is None:
        return None
    try:
        first = await run_start(station, recordings, about["run"])
    except (NotFound, RecordingTrimmed):
        return None
    indexes = [entry.record.i for entry in station.spoken() if _is_of(entry.record, about["run"])]
    return {
        **{key: about[key] for key in ("run", "show", "title")},
        "at": about["started_at"],
        "until": about["until"],
        "from": first,
        "to": None,
        "bytes": None,
        "sentences": max(indexes, default=0) + 1,
        "audio_ms": None,
        "finished": False,
        "urls": urls(station.id, about["run"]),
    }


def _is_of(record: AnyRecord, run: str) -> TypeGuard[Audio]:
    return isinstance(record, Audio) and record.run == run


def _finished(station: str, run: ArchivedRun) -> dict[str, Any]:
    return {
        "run": run.run,
        "show": run.show or show_of(run.run),
        "title": run.title,
        "at": run.at,
        "until": run.until,
        "from": run.spans[0][0],
        "to": run.spans[-1][1],
        "bytes": run.size,
        "sentences": run.sentences,
        "audio_ms": run.size // BYTES_PER_MS,
        "finished": True,
        "urls": urls(station, run.run),
    }


def urls(station: str, run: str) -> dict[str, str]:
    """Where a run is heard, read and saved."""
    query = urlencode({"run": run}, safe="@")
    heard = {kind: f"/stations/{station}/replay.{kind}?{query}" for kind in ("mp3", "vtt")}
    return {**heard, "download": heard["mp3"] + "&download=1"}


def _planned(day: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    local = datetime.fromtimestamp(day["at"] / 1000, zone)
    return {
        **{key: day[key] for key in ("run", "show", "title", "at", "until")},
        "local_start": local.strftime("%Y-%m-%dT%H:%M:%S"),
        "offset": local.strftime("%z")[:3] + ":" + local.strftime("%z")[3:],
    }
