"""What narrators ask of schedulers: `dry` and `fed` records in the control stream."""

import asyncio
import logging
from collections.abc import Callable

from radio.clock import Clock
from radio.log import log_event
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.streams import names
from radio.streams.contract import FromSeq, FromTimestamp, Record, Start, StreamStore, Unavailable
from radio.streams.reading import known
from radio.streams.records import CONTROL, ControlRequest

log = logging.getLogger(__name__)

KINDS = ("dry", "fed")
RETRY_S = 1.0
FRESH_MS = 30_000
"""What was asked so shortly before this process began is still wanted."""


async def follow_requests(
    store: StreamStore, clock: Clock, ask: Callable[[str, FallbackRequest], None]
) -> None:
    """Call `ask(station, request)` for each request, for ever, however often the store fails."""
    start: Start = FromTimestamp(clock.now_ms() - FRESH_MS)
    while True:
        try:
            async with store.follow(names.CONTROL, start, await_stream=True) as tail:
                async for result in tail:
                    for record in result.records:
                        _pass_on(_request(record), ask)
                    start = FromSeq(result.next_seq)
        except Unavailable as e:
            log.warning("requests not read: %s", e, extra=log_event("control.not_read"))
            await asyncio.sleep(RETRY_S)


def _pass_on(request: ControlRequest | None, ask: Callable[[str, FallbackRequest], None]) -> None:
    if request is not None and request.what in KINDS:
        ask(request.target, FallbackRequest(request.what, request.detail))


def _request(record: Record) -> ControlRequest | None:
    request = known(CONTROL, record, names.CONTROL)
    return request if isinstance(request, ControlRequest) else None
