"""What the editor asks of one station, and which of these requests are still open.

A request is obeyed by a record of the broadcast that carries its seq (`c`), in order: so what was obeyed is
known from the streams alone, whoever owns the station.
"""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass

from radio.control import SAY, SKIP
from radio.log import log_event
from radio.streams import names, records
from radio.streams.contract import FromTimestamp, Record, StreamStore
from radio.streams.reading import all_events, known

log = logging.getLogger(__name__)

FRESH_MS = {SAY: 600_000, SKIP: 60_000}
"""After this long a request is dropped: a skip, for example, would hit another segment."""
EDITOR = "editor"
"""Reason of a `skip` record that passes over a part of the script because the editor asked."""
MADE = "made"
"""Reason of a `skip` record that skips nothing, because the request came too late for its segment."""
_HEARD = 64


@dataclass(frozen=True, slots=True)
class EditorRequest:
    """A request of the editor: its seq, what it is, the words of a `say`, and when it was made (epoch ms)."""

    c: int
    what: str
    text: str
    at_ms: int


class EditorRequests:
    """The open requests of a station, oldest first; `follow` fills them.

    Args:
        changed: set whenever one came.
    """

    def __init__(self, store: StreamStore, station: str, changed: asyncio.Event) -> None:
        self._store = store
        self._station = station
        self._changed = changed
        self._open: deque[EditorRequest] = deque()
        self._obeyed: int | None = None
        self._made: deque[tuple[int, str, int | None]] = deque(maxlen=_HEARD)

    # --- requests ---

    async def follow(self, now_ms: int) -> None:
        """Read recent requests, and those to come. Raises `StoreError`."""
        since = FromTimestamp(now_ms - max(FRESH_MS.values()))
        async with self._store.follow(names.CONTROL, since, await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    await self._add(record)

    async def _add(self, record: Record) -> None:
        request = known(records.CONTROL, record, names.CONTROL)
        if not isinstance(request, records.ControlRequest) or request.what not in FRESH_MS:
            return
        if request.target != self._station:
            return
        if self._obeyed is None:
            self._obeyed = await _newest_obeyed(self._store, self._station, record.timestamp)
        if record.seq > self._obeyed:
            self._open.append(EditorRequest(record.seq, request.what, request.detail, record.timestamp))
            self._changed.set()

    def next(self, now_ms: int) -> EditorRequest | None:
        """The oldest open request. Those older than `FRESH_MS` are dropped."""
        while self._open and now_ms - self._open[0].at_ms > FRESH_MS[self._open[0].what]:
            asked = self._open.popleft()
            log.warning(
                "request dropped: nothing was on air to obey it",
                extra=log_event("request.dropped", station=self._station, c=asked.c),
            )
        return self._open[0] if self._open else None

    def obeyed(self, c: int) -> None:
        """Note that the record that obeys request `c` was appended."""
        while self._open and self._open[0].c <= c:
            self._open.popleft()

    # --- what is heard ---

    def made(self, until_ms: int, run: str, seg: int | None) -> None:
        """Note that a sentence of that segment was appended, which is heard until then."""
        self._made.append((until_ms, run, seg))

    def forget(self) -> None:
        """Forget which sentences are heard, as the clock stepped: earlier air times no longer compare."""
        self._made.clear()

    def is_heard(self, run: str, seg: int | None, now_ms: int) -> bool:
        """Whether listeners hear that segment now; True if it is not known what they hear."""
        heard = next(((r, s) for until_ms, r, s in self._made if until_ms > now_ms), None)
        return heard is None or heard == (run, seg)


async def _newest_obeyed(store: StreamStore, station: str, since_ms: int) -> int:
    """The newest request that a record of the broadcast since then obeys; -1 if none does."""
    newest = -1
    start = FromTimestamp(since_ms)
    async for _, event in all_events(store, records.BROADCAST, names.broadcast(station), start):
        if isinstance(event, records.Audio | records.Skip) and event.c is not None:
            newest = max(newest, event.c)
    return newest
