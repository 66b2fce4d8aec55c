"""Whether a run's words are wanted now: what is unspoken of it and the sound in hand are below the mark."""

from radio.runs import SPEECH_BYTES_PER_S
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.reading import all_events
from radio.streams.records import (
    BROADCAST,
    SCRIPT,
    SCRIPT_START,
    Again,
    AnyRecord,
    Audio,
    Clip,
    ScriptPosition,
    Skip,
    Text,
)

_HISTORY = 32
_MOST_HISTORY = 256
"""Records of the broadcast in which the run's newest sentence is looked for: others may have aired since."""


class StallWatch:
    """Measures a station's runs on the store."""

    def __init__(self, store: StreamStore, station: str) -> None:
        self._store = store
        self._station = station

    async def is_wanted(self, run: str, now: int, low_s: float) -> bool:
        """Whether less than `low_s` seconds of the run are in hand at `now` (epoch ms)."""
        src, heard_until = await self._heard(run)
        lead_s = max(heard_until - now, 0) / 1000
        return lead_s + await self._unspoken_s(run, src) < low_s

    async def _heard(self, run: str) -> tuple[ScriptPosition, int]:
        """Up to where the run is spoken, and when its sound ends; 0 while another run is on air."""
        name = names.broadcast(self._station)
        try:
            end = tail = (await self._store.check_tail(name)).seq
        except StreamNotFound:
            return SCRIPT_START, 0
        newest: Audio | None = None
        while end > max(tail - _MOST_HISTORY, 0):
            heard = await self._between(name, max(end - _HISTORY, 0), end)
            newest = newest or next((h for h in reversed(heard) if isinstance(h, Audio)), None)
            src = next((h.src for h in reversed(heard) if h.run == run and h.src is not None), None)
            if src is not None:
                return src, newest.until if newest is not None and newest.run == run else 0
            end = max(end - _HISTORY, 0)
        return SCRIPT_START, 0

    async def _between(self, name: str, at: int, end: int) -> list[Audio | Skip]:
        """The sentences of the broadcast from record `at` on, below `end`."""
        events = all_events(self._store, BROADCAST, name, FromSeq(at), end=end)
        return [event async for _, event in events if isinstance(event, Audio | Skip)]

    async def _unspoken_s(self, run: str, src: ScriptPosition) -> float:
        events = all_events(self._store, SCRIPT, names.script(self._station, run), FromSeq(src.seq))
        return sum([_seconds(event, src.offset if seq == src.seq else 0) async for seq, event in events])


def _seconds(written: AnyRecord | None, done: int) -> float:
    """About how long what is left of a record lasts, after `done` of it."""
    match written:
        case Text():
            return (len(written.body) - done) / SPEECH_BYTES_PER_S
        case Clip():
            return written.d * (1 - done) / 1000
        case Again():
            return written.d * (written.size - done) / written.size / 1000
    return 0.0
