"""`GET /stations/<id>/events`: captions and shows ahead of time, each with its air time.

From memory around now; who is behind is served from the store until it has caught up. A caption is sent as
soon as its sentence is made: `at` says when it is heard.
"""

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from radio.relay.context import RELAY, RelayContext
from radio.relay.http.event_stream import PING_S, EventStream, Resume, resume
from radio.relay.http.responses import streaming
from radio.relay.http.signals import wait
from radio.relay.live import now_playing
from radio.relay.live.fan_out import Join
from radio.relay.live.live_routes import key_of
from radio.relay.live.station_feed import FeedEntry, StationFeed
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, Trimmed
from radio.streams.reading import known
from radio.streams.records import BROADCAST, AnyRecord, Audio, Epoch, ShowBegin

PAGE_RECORDS = 50


async def events(request: web.Request) -> web.StreamResponse:
    """Captions, shows, states, joins and epochs, until one of us goes."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    asked = resume(request, relay.store_id)
    stream = EventStream(request)
    teller = _Teller(relay, station, stream, key_of(request))
    with relay.followed(request):
        if await stream.open():
            async with streaming(request):
                await teller.run(asked)
    return stream.response


@dataclass(slots=True)
class _Teller:
    """What one connection has been told so far."""

    relay: RelayContext
    station: StationFeed
    stream: EventStream
    key: str | None
    seq: int = 0
    news: str = ""
    join: Join | None = None
    is_muted: bool = False
    redacted: tuple[tuple[int, int], ...] = ()

    async def run(self, asked: Resume) -> None:
        await self._tell_state()
        is_new = asked.seq is None or asked.foreign
        self.redacted = self.station.redacted if is_new else ()  # who goes on was told of it, maybe
        self.seq = await self._begin(asked)
        while not self.relay.closing.is_set():
            changed = self.station.signal.next()
            await self._tell_join()
            self._heed_mute()
            await self._tell_redactions()
            await self._tell_records()
            await self._tell_state()
            if not await wait(changed, PING_S):
                await self.stream.ping()

    def _heed_mute(self) -> None:
        """Captions stop while the station is muted; then those that can still be heard are told again."""
        if self.is_muted and not self.station.is_muted:
            self.seq = min(self.seq, self._first_heard())
        self.is_muted = self.station.is_muted

    async def _tell_redactions(self) -> None:
        """What was told of these records before is to be forgotten, and of those heard again around now."""
        told, self.redacted = self.redacted, self.station.redacted
        if told == self.redacted:
            return
        again = [(entry.seq, entry.seq) for entry in self.station.spoken() if self._is_again(entry)]
        for first, last in [*self.redacted, *again]:
            if (first, last) not in told:
                await self.stream.send("redact", {"from": first, "to": last})

    def _is_again(self, entry: FeedEntry) -> bool:
        of = entry.record.of if isinstance(entry.record, Audio) else None
        return of is not None and self.station.is_redacted(of)

    async def _begin(self, asked: Resume) -> int:
        """The first record to tell of; `reset` if it is not the one that was asked for."""
        start = self._first_heard()
        if asked.foreign or (asked.seq is not None and not await self._stands(asked.seq)):
            await self.stream.send("reset", {"store": self.relay.store_id, "seq": start})
            return start
        return start if asked.seq is None else asked.seq

    def _first_heard(self) -> int:
        """The record that is heard now, else the first one to come."""
        line = self.station.pump.line(self.relay.clock.monotonic())
        return next((entry.seq for entry in self.station.spoken() if entry.end > line), self.station.next_seq)

    async def _stands(self, seq: int) -> bool:
        if self.station.since(seq) is not None:
            return seq <= self.station.next_seq
        try:
            name = names.broadcast(self.station.id)
            await self.relay.store.read(name, FromSeq(seq), max_records=1, clamp=True, on_gap="raise")
        except (StreamNotFound, Trimmed):
            return False
        return True

    async def _tell_records(self) -> None:
        while self.seq < self.station.next_seq and not self.relay.closing.is_set():
            entries = self.station.since(self.seq)
            if entries is None:
                await self._tell_stored()
                continue
            following = self.station.next_seq
            for entry in entries:
                await self._tell(entry.seq, entry.record)
            self.seq = max(following, entries[-1].seq + 1 if entries else 0)

    async def _tell_stored(self) -> None:
        name = names.broadcast(self.station.id)
        page = await self.relay.store.read(name, FromSeq(self.seq), max_records=PAGE_RECORDS, clamp=True)
        for record in page.records:
            entry = known(BROADCAST, record, name)
            if entry is not None:
                await self._tell(record.seq, entry)
        self.seq = page.next_seq

    async def _tell(self, seq: int, record: AnyRecord) -> None:
        match record:
            case Audio(of=of) if not self.station.is_muted and not self.station.is_redacted(seq, of):
                await self.stream.send("caption", caption(seq, record), f"{self.relay.store_id}:{seq}")
            case ShowBegin(run=run, show=show, title=title, at=at):
                await self.stream.send(
                    "show", {"seq": seq, "run": run, "show": show, "title": title, "at": at}
                )
            case Epoch(step=step):
                await self.stream.send("epoch", {"step": step})

    async def _tell_state(self) -> None:
        clock = self.relay.clock
        described = now_playing.describe(
            self.station, clock.monotonic(), store=self.relay.store_id, server_time=clock.now_ms()
        )
        if now_playing.news(described) != self.news:
            self.news = now_playing.news(described)
            await self.stream.send("state", described)

    async def _tell_join(self) -> None:
        join = self.station.fanout.joins.get(self.key) if self.key is not None else None
        if join is not None and join != self.join:
            await self.stream.send("join", {"at": join.at, "ms": join.ms})
        self.join = join


def caption(seq: int, audio: Audio) -> dict[str, Any]:
    """A sentence with the time at which it is heard (epoch ms) and its length (ms)."""
    return {"seq": seq, "at": audio.at, "d": audio.d, "t": audio.t, "run": audio.run, "i": audio.i}
