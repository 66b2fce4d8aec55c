"""What a scheduler looks for in the scripts of its runs."""

import logging

from radio.log import log_event
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.records import SCRIPT, Cut, ScriptEnd, ScriptStart, UnknownRecord, decode

log = logging.getLogger(__name__)


async def is_empty(store: StreamStore, station: str, run: str) -> bool:
    """Whether nothing to be heard was ever written of a run."""
    at = 0
    try:
        while True:
            page = await store.read(names.script(station, run), FromSeq(at), clamp=True)
            for record in page.records:
                try:
                    written = decode(SCRIPT, record)
                except UnknownRecord as e:
                    log.debug("record left out: %s", e, extra=log_event("record.unknown"))
                    continue
                if not isinstance(written, ScriptStart | Cut | ScriptEnd):
                    return False
            if page.next_seq == at:
                return True
            at = page.next_seq
    except StreamNotFound:
        return True
