"""What a relay knows of one station: its card, its frames around now, and the records they came from.

Fed by one upstream tail (`stations`), read by every route. Nothing here does I/O or reads a clock.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from radio.log import log_event
from radio.relay.hls.hls_listeners import HlsListeners
from radio.relay.http.signals import Signal
from radio.relay.live.fan_out import FanOut, Title
from radio.relay.live.frame_pump import FramePump
from radio.streams import names
from radio.streams.contract import Record
from radio.streams.names import FALLBACK
from radio.streams.reading import known
from radio.streams.records import (
    BROADCAST,
    AnyRecord,
    Audio,
    BroadcastStart,
    Card,
    Epoch,
    ShowBegin,
    Skip,
)

log = logging.getLogger(__name__)

KEPT_FRAMES: Final = 2500
"""Records stay for a minute after they were heard; who asks for older ones goes to the store."""
RUNS_KEPT: Final = 64
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A record of the broadcast (audio without its body) and the frames of the line it fills, if any."""

    seq: int
    record: AnyRecord
    start: int
    end: int


class StationFeed:
    """One station around now.

    Args:
        records: the newest records, enough of them to reach back to what is heard now.
        now_ms, mono_s: the wall clock and the monotonic one at the same moment.
        players_per_client: HLS players of one address that count as listeners.
    """

    def __init__(
        self,
        station: str,
        card: Card,
        records: Sequence[Record],
        *,
        next_seq: int,
        now_ms: int,
        mono_s: float,
        players_per_client: int,
    ) -> None:
        self.id = station
        self.card = card
        self.signal = Signal()
        self.began_s = mono_s
        self.known_s = mono_s
        """Since when this relay knows it, in monotonic seconds."""
        self.next_seq = next_seq
        self.news = ""
        """What `now_playing.news` said when listeners were last told."""
        self.covered_from = records[0].seq if records else next_seq
        """From this number on, every record is in `entries`."""
        self.entries: deque[FeedEntry] = deque()
        self.shows: OrderedDict[str, ShowBegin] = OrderedDict()
        self.run_starts: OrderedDict[str, int] = OrderedDict()
        """The first audio record of each run that was seen to begin."""
        self.redacted: tuple[tuple[int, int], ...] = ()
        """First and last record of each stretch that an operator took out."""
        self.late_frames = 0
        self.spoken_end: int | None = None
        """End of the newest audio, on the line; None if none was seen."""
        self.epoch: int | None = None
        """The newest `epoch` of air time: its number, 0 if there was none; None if that is not known yet."""
        self.made_until: int | None = None
        """Air time in that epoch at which the newest audio ends; None if none was seen."""
        decoded = [(record.seq, known) for record in records if (known := self._decode(record))]
        steps = sum(known.step for _, known in decoded if isinstance(known, Epoch))
        self.pump: FramePump[Title] = FramePump(now_ms, mono_s, shift_ms=-steps)
        self.fanout = FanOut(station, lambda: self.card.title)
        self.by_hls = HlsListeners(most=players_per_client)
        for seq, known in decoded:
            self._enter(seq, known)

    def listeners(self, mono_s: float) -> int:
        """Who hears it now and stayed, in whatever way."""
        return self.fanout.counted(mono_s) + self.by_hls.counted(mono_s)

    def take(self, record: Record, now_ms: int, mono_s: float) -> None:
        """A record that the upstream tail brought."""
        self.next_seq = record.seq + 1
        known = self._decode(record)
        if isinstance(known, Epoch):
            self.epoch, self.made_until = record.seq, None
            self.pump.epoch(known.step, now_ms, mono_s)
            self._keep(record.seq, known)
        elif isinstance(known, BroadcastStart):
            self.began_s = mono_s
            self.pump.adopt(now_ms, mono_s)
            self._keep(record.seq, known)
        elif known is not None:
            self._report_late(record.seq, self._enter(record.seq, known))

    @property
    def is_muted(self) -> bool:
        """The editor wants nothing of it heard or read."""
        return self.fanout.is_muted

    def mute(self, is_muted: bool) -> None:
        """Live listeners get silence, or the programme again; those who follow are told."""
        if is_muted != self.is_muted:
            self.fanout.is_muted = is_muted
            if is_muted:
                log.warning("station muted", extra=log_event("station.muted", station=self.id))
            else:
                log.warning("station unmuted", extra=log_event("station.unmuted", station=self.id))
            self.signal.notify()

    def redact(self, stretches: tuple[tuple[int, int], ...]) -> None:
        """Nothing more is heard or read of these records, which are all of them; who follows is told."""
        if stretches == self.redacted:
            return
        self.redacted = stretches
        self.pump.redacted_store(lambda tag: self.is_redacted(tag.seq, tag.of))
        self.fanout.forget()
        self.entries = deque(map(self._veiled, self.entries))
        log.warning("records redacted", extra=log_event("station.redacted", station=self.id))
        self.signal.notify()

    def is_redacted(self, seq: int, of: int | None = None) -> bool:
        """Whether an operator took this record out, or the one `of` whose sound it has heard again."""
        return any(first <= n <= last for first, last in self.redacted for n in (seq, of) if n is not None)

    def _veiled(self, entry: FeedEntry) -> FeedEntry:
        match entry.record:
            case Audio(of=of) as audio if self.is_redacted(entry.seq, of):
                return replace(entry, record=replace(audio, t=""))
            case Skip() as skip if self.is_redacted(entry.seq):
                return replace(entry, record=replace(skip, t=""))
        return entry

    def step(self, mono_s: float) -> None:
        """Let time pass: commit silence, send what is due, forget what is long heard."""
        self.pump.tick(mono_s)
        if self.fanout.step(self.pump, mono_s):
            self.signal.notify()
        line = self.pump.line(mono_s)
        while self.entries and self.entries[0].end < line - KEPT_FRAMES:
            self.covered_from = self.entries.popleft().seq + 1

    def since(self, seq: int) -> list[FeedEntry] | None:
        """The records from `seq` on; None if some of them are no longer here."""
        if seq < self.covered_from:
            return None
        return [entry for entry in self.entries if entry.seq >= seq]

    def spoken(self) -> Iterator[FeedEntry]:
        """The audio records that are here, oldest first."""
        return (entry for entry in self.entries if isinstance(entry.record, Audio))

    def heard(self, line: int) -> FeedEntry | None:
        """The sentence that is heard at this frame."""
        return next((entry for entry in self.spoken() if entry.start <= line < entry.end), None)

    def lately(self, line: int, within: int) -> FeedEntry | None:
        """The sentence heard at this frame, or the last one that ended at most `within` frames before it."""
        best = None
        for entry in self.spoken():
            if entry.start <= line < entry.end + within:
                best = entry
        return best

    def title_of(self, run: str) -> str:
        """How listeners know the run."""
        if run in self.shows:
            return self.shows[run].title
        show = show_of(run)
        same = [day for day in self.card.days if day.get("run") == run or day.get("show") == show]
        exact = [day for day in same if day.get("run") == run]
        return str((exact or same)[0]["title"]) if same else self.card.title if show == FALLBACK else show

    def _enter(self, seq: int, record: AnyRecord) -> int:
        """Put the record where it belongs. Returns the frames that came too late."""
        if isinstance(record, Epoch):
            self.epoch, self.made_until = seq, None
            self.pump.past_epoch(record.step)
        if not isinstance(record, Audio) or record.at is None:
            if isinstance(record, ShowBegin):
                _remember(self.shows, record.run, record)
            self._keep(seq, record)
            return 0
        if record.i == 0 and record.run:
            _remember(self.run_starts, record.run, seq)
        placed = self.pump.place(
            record.at, record.body, Title(seq, self.title_of(record.run or ""), record.of)
        )
        self.epoch, self.made_until = record.epoch or 0, record.until
        self.spoken_end = max(placed.end, self.spoken_end or 0)
        self.entries.append(FeedEntry(seq, replace(record, body=b""), placed.wanted, placed.end))
        return placed.lost

    def _keep(self, seq: int, record: AnyRecord) -> None:
        self.entries.append(FeedEntry(seq, record, self.pump.committed, self.pump.committed))

    def _report_late(self, seq: int, lost: int) -> None:
        if lost:
            self.late_frames += lost
            said = log_event("station.late_frames", station=self.id, seq=seq, frames=lost)
            log.warning("audio came after its air time", extra=said)

    def _decode(self, record: Record) -> AnyRecord | None:
        return known(BROADCAST, record, names.broadcast(self.id))


def _remember(known: "OrderedDict[str, T]", run: str, what: T) -> None:
    """The first of each run, of the newest runs."""
    known.setdefault(run, what)
    while len(known) > RUNS_KEPT:
        known.popitem(last=False)


def show_of(run: str) -> str:
    """The show that a run is an occurrence of: `brief@20261129T0700` is one of `brief`."""
    return run.partition("@")[0]
