"""What narrators ask of schedulers: `dry` and `fed` records in the control stream."""

import logging
from collections.abc import Callable

from radio.clock import Clock
from radio.streams import names
from radio.streams.contract import FromTimestamp, Record, StreamStore
from radio.streams.records import CONTROL, Request, UnknownRecord, decode

log = logging.getLogger(__name__)

KINDS = ("dry", "fed")
FRESH_MS = 30_000
"""What was asked so shortly before this process began is still wanted."""


async def follow_requests(store: StreamStore, clock: Clock, ask: Callable[[str, str], None]) -> None:
    """Call `ask(what, station)` for each request, for ever."""
    start = FromTimestamp(clock.now_ms() - FRESH_MS)
    async with store.follow(names.CONTROL, start, await_stream=True) as tail:
        async for result in tail:
            for record in result.records:
                request = _request(record)
                if request is not None and request.what in KINDS:
                    ask(request.what, request.target)


def _request(record: Record) -> Request | None:
    try:
        request = decode(CONTROL, record)
    except UnknownRecord as e:
        log.debug("record left out: %s", e, extra={"action": "control.unknown_record"})
        return None
    return request if isinstance(request, Request) else None
