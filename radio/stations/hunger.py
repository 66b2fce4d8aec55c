"""Whether a run's words are wanted now: what is unspoken of it and the sound in hand are below the mark."""

import logging

from radio.runs import SPEECH_BYTES_PER_S
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, StreamNotFound, StreamStore
from radio.streams.known import known
from radio.streams.records import (
    BROADCAST,
    SCRIPT,
    SCRIPT_START,
    Again,
    AnyRecord,
    Audio,
    Clip,
    ScriptPosition,
    Text,
    UnknownRecord,
    decode,
)

log = logging.getLogger(__name__)

_HISTORY = 16


class Hunger:
    """Measures a station's runs on the store."""

    def __init__(self, store: StreamStore, station: str) -> None:
        self._store = store
        self._station = station

    async def is_hungry(self, run: str, now: int, low_s: float) -> bool:
        """Whether less than `low_s` seconds of the run are in hand at `now` (epoch ms)."""
        src, heard_until = await self._heard(run)
        lead_s = max(heard_until - now, 0) / 1000
        return lead_s + await self._unspoken_s(run, src) < low_s

    async def _heard(self, run: str) -> tuple[ScriptPosition, int]:
        """Up to where the run is spoken, and when its sound ends; 0 while another run is on air."""
        try:
            newest = await self._store.read(names.broadcast(self._station), FromTail(_HISTORY))
        except StreamNotFound:
            return SCRIPT_START, 0
        src, heard_until = SCRIPT_START, 0
        for record in newest.records:
            try:
                heard = decode(BROADCAST, record)
            except UnknownRecord as e:
                log.debug("record left out: %s", e, extra={"action": "hunger.unknown_record"})
                continue
            if isinstance(heard, Audio):
                heard_until = heard.until if heard.run == run else 0
                src = heard.src if heard.run == run and heard.src else src
        return src, heard_until

    async def _unspoken_s(self, run: str, src: ScriptPosition) -> float:
        left, at = 0.0, src.seq
        try:
            while True:
                result = await self._store.read(names.script(self._station, run), FromSeq(at), clamp=True)
                for record in result.records:
                    done = src.offset if record.seq == src.seq else 0
                    left += _seconds(known(SCRIPT, record), done)
                if result.next_seq == at:
                    return left
                at = result.next_seq
        except StreamNotFound:
            return 0.0


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
