"""Whether a run's words are wanted now: what is unspoken of it and the sound in hand are below the mark."""

import logging

from radio.runs import SPEECH_BYTES_PER_S
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, Record, StreamNotFound, StreamStore
from radio.streams.records import (
    BROADCAST,
    SCRIPT_START,
    Audio,
    ScriptPosition,
    Text,
    UnknownRecord,
    decode,
    event_of,
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
        return lead_s + await self._unspoken_bytes(run, src) / SPEECH_BYTES_PER_S < low_s

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

    async def _unspoken_bytes(self, run: str, src: ScriptPosition) -> int:
        size, at = 0, src.seq
        try:
            while True:
                result = await self._store.read(names.script(self._station, run), FromSeq(at), clamp=True)
                for record in result.records:
                    size += _text_bytes(record) - (src.offset if record.seq == src.seq else 0)
                if result.next_seq == at:
                    return size
                at = result.next_seq
        except StreamNotFound:
            return 0


def _text_bytes(record: Record) -> int:
    return len(record.body) if event_of(record) == Text.EVENT else 0
