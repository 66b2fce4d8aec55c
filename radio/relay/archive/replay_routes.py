"""`replay.mp3` and `replay.vtt`: a broadcast again, by number, by run, or by time.

With an end it is a file: length, ranges, a strong tag. Without one it plays on, shifted in time, as long as
the station does, and is sent at most 30 s ahead of its own pace. It holds records only, no fill.
"""

import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from aiohttp import web

from radio.mp3.frames import BYTES_PER_MS
from radio.relay.archive import webvtt
from radio.relay.archive.recordings import Recordings, ReplaySpan
from radio.relay.archive.replay_query import ReplaySelection, select
from radio.relay.context import RELAY, RelayContext
from radio.relay.http import finite_body, ranges
from radio.relay.http.header_text import attachment
from radio.relay.http.problems import CORS
from radio.relay.http.responses import PAUSE_S, Endless, abort, push, streaming
from radio.relay.http.signals import wait
from radio.relay.live.station_feed import StationFeed
from radio.streams.records import Audio, BroadcastEnd

BEGINS: Final = "Radio-Begins"
"""Header of a replay that begins after the time that was asked for: when, by the station's clock."""
AHEAD_MS: Final = 30_000
CLOSED: Final = "public, no-cache"
"""A recording with an end does not change but by a redaction, which must reach every cache at once: each may
keep it, and asks before it gives it (304, by the tag)."""
Stretches = tuple[tuple[int, int], ...]
WAKE_S: Final = 10.0


async def mp3(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/replay.mp3`."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    recordings = Recordings(relay.store, station.id)
    selection = await select(request.query, station, recordings, relay.contents)
    play = _play_on if selection.is_open else _play
    with relay.hearing(request):
        return await play(request, relay, station, recordings, selection)


async def captions(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/replay.vtt`: of the same selection; one without an end holds what stands now."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    recordings = Recordings(relay.store, station.id)
    selection = await select(request.query, station, recordings, relay.contents)
    response = web.StreamResponse(
        headers={
            "Content-Type": "text/vtt; charset=utf-8",
            "Cache-Control": "no-cache" if selection.is_open else CLOSED,
            "Content-Disposition": attachment(
                _name(station, selection), ".vtt", download="download" in request.query
            ),
            **CORS,
        }
    )
    await response.prepare(request)
    if request.method == "GET":
        async with streaming(request):
            await push(request, response, webvtt.HEAD.encode())
            async with aclosing(_cues(recordings, selection)) as cues:
                async for cue in cues:
                    await push(request, response, cue.encode())
    return response


async def _cues(recordings: Recordings, selection: ReplaySelection) -> AsyncGenerator[str, None]:
    own_ms = 0
    for first, last in selection.stretches:
        async for seq, record in recordings.records(first, last, whole=not selection.is_open):
            if isinstance(record, Audio) and selection.holds(record.run):
                if record.t:  # nothing is said where it is redacted
                    note = f"record {seq} on air {_air_time(record.at or 0)}"
                    yield webvtt.cue(own_ms, record.d, record.t, note=note)
                own_ms += record.d


async def _play(
    request: web.Request,
    relay: RelayContext,
    station: StationFeed,
    recordings: Recordings,
    selection: ReplaySelection,
) -> web.StreamResponse:
    """A file: all of it, or the range that was asked for."""
    spans = selection.spans
    size = sum(span.size for span in spans)
    etag = _entity_tag(relay.store_id, station.id, spans, relay.store.redactions.of(station.id))
    headers = {**_headers(request, station, selection), "Cache-Control": CLOSED}
    response, part = await finite_body.begin(request, headers, etag=etag, size=size)
    if part is not None:
        async with streaming(request), aclosing(_bytes(recordings, spans, part)) as pieces:
            sent = 0
            async for piece in pieces:
                sent += len(piece)
                await push(request, response, piece, within_s=PAUSE_S)
            if sent != part.length:
                abort(request)
    return response


async def _bytes(
    recordings: Recordings, spans: tuple[ReplaySpan, ...], part: ranges.ByteRange
) -> AsyncGenerator[bytes, None]:
    """Bytes `part` of the spans put end to end."""
    skip, left = part.first, part.length
    for span in spans:
        if skip >= span.size:
            skip -= span.size
            continue
        async for piece in recordings.bytes_of(span, skip):
            yield piece[:left]
            left -= len(piece[:left])
            if left == 0:
                return
        skip = 0


async def _play_on(
    request: web.Request,
    relay: RelayContext,
    station: StationFeed,
    recordings: Recordings,
    selection: ReplaySelection,
) -> web.StreamResponse:
    """Without an end: what stands, then what comes, until the run or one of us ends.

    That of a run has an end, which chunks tell from a cut.
    """
    headers = {**_headers(request, station, selection), "Cache-Control": "no-cache, no-store", "icy-br": "64"}
    response = Endless(headers=headers) if selection.run is None else web.StreamResponse(headers=headers)
    await response.prepare(request)
    if request.method != "GET":
        return response
    pace = _Pace(relay, relay.clock.monotonic())
    async with streaming(request), aclosing(_records(relay, station, recordings, selection)) as records:
        async for record in records:
            if not await pace.wait_for(len(record.body)):
                break
            await push(request, response, record.body, within_s=PAUSE_S)
        if relay.closing.is_set():
            abort(request)
    return response


async def _records(
    relay: RelayContext, station: StationFeed, recordings: Recordings, selection: ReplaySelection
) -> AsyncGenerator[Audio, None]:
    seq = selection.stretches[0][0]
    while not relay.closing.is_set():
        changed, begun = station.signal.next(), seq
        async for number, record in recordings.records(seq, whole=False):
            seq = number + 1
            if isinstance(record, Audio) and selection.holds(record.run):
                yield record
            if isinstance(record, BroadcastEnd) and selection.run == record.run:
                return
        if seq == begun:
            await wait(changed, WAKE_S)


@dataclass(slots=True)
class _Pace:
    """Keeps an endless replay at most 30 s ahead of a listener who began to play when it began."""

    relay: RelayContext
    began_s: float
    sent_ms: int = 0

    async def wait_for(self, size: int) -> bool:
        """Wait until `size` bytes more may go. Returns False if the relay closes."""
        while True:
            ahead_ms = self.sent_ms - (self.relay.clock.monotonic() - self.began_s) * 1000
            if ahead_ms <= AHEAD_MS:
                self.sent_ms += size // BYTES_PER_MS
                return not self.relay.closing.is_set()
            if await self.relay.nap((ahead_ms - AHEAD_MS) / 1000):
                return False


def _headers(request: web.Request, station: StationFeed, selection: ReplaySelection) -> dict[str, str]:
    later = {} if selection.later is None else {BEGINS: _local_time(selection.later, station)}
    return {
        **later,
        "Content-Type": "audio/mpeg",
        "Content-Disposition": attachment(
            _name(station, selection), ".mp3", download="download" in request.query
        ),
        "Access-Control-Expose-Headers": "Content-Length, Content-Range, Accept-Ranges, ETag",
        **CORS,
    }


def _name(station: StationFeed, selection: ReplaySelection) -> str:
    if selection.run is not None:
        return f"{station.card.title} - {selection.title or selection.run}"
    return f"{station.card.title} - from {selection.stretches[0][0]}"


def _entity_tag(store: str, station: str, spans: tuple[ReplaySpan, ...], redacted: Stretches) -> str:
    """Each redaction changes all tags of a station: what it had heard again may lie anywhere."""
    stretches = "_".join(f"{span.first}-{span.last}" for span in spans)
    stretches += "".join(f"x{first}-{last}" for first, last in redacted)
    return f'"{hashlib.sha256(f"{store}:{station}:{stretches}:mp3-64".encode()).hexdigest()[:24]}"'


def _local_time(ms: int, station: StationFeed) -> str:
    return datetime.fromtimestamp(ms / 1000, ZoneInfo(station.card.zone)).isoformat(timespec="seconds")


def _air_time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
