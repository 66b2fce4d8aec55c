"""Casts as this relay knows them: each the fold of its stream, read on from where it was read to before.

A narrator's records are read once per process, however many pages, players and scripts ask for them.
"""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from radio import casts
from radio.errors import NotFound
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.reading import known, pages
from radio.streams.records import CAST, Audio

log = logging.getLogger(__name__)

KEPT: Final = 256
"""Folds kept in memory: some kilobytes each, no audio."""
PAGE_BYTES: Final = 512 * 1024


@dataclass(slots=True)
class CachedCast:
    """A cast up to record `next_seq`."""

    cast: str
    state: casts.CastState = field(default_factory=casts.CastState)
    next_seq: int = 0
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class CastCache:
    """The casts that were asked for lately."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self._known: OrderedDict[str, CachedCast] = OrderedDict()

    async def find(self, cast: str) -> casts.CastState:
        """The cast as it stands now; removed ones too.

        Raises:
            NotFound: nobody submitted it.
            casts.Gone: the operator removed it.
        """
        if not names.CAST_ID.fullmatch(cast):
            raise NotFound("there is no such cast", hint="the id of a cast has 12 letters, digits, - or _")
        known = self._remember(cast)
        try:
            fence = await self._store.fencing_token(names.cast(cast))
            async with known.reading:
                await self._read_on(known)
        except StreamNotFound:
            self._known.pop(cast, None)
            raise NotFound("there is no such cast", hint="its link may be mistyped") from None
        if fence == casts.GONE:
            raise casts.CastGone("this cast was removed by who runs this radio")
        if known.state.meta is None and known.state.status != "removed":
            raise NotFound("there is no such cast", hint="its link may be mistyped")
        return known.state

    async def audio(self, cast: str, seq: int) -> bytes | None:
        """The sound of record `seq`; None if it was removed meanwhile."""
        page = await self._store.read(names.cast(cast), FromSeq(seq), max_records=1, clamp=True)
        if not page.records or page.records[0].seq != seq:
            return None
        decoded = known(CAST, page.records[0], names.cast(cast))
        return decoded.body if isinstance(decoded, Audio) else None

    def _remember(self, cast: str) -> CachedCast:
        known = self._known.setdefault(cast, CachedCast(cast))
        self._known.move_to_end(cast)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return known

    async def _read_on(self, cached: CachedCast) -> None:
        name, start = names.cast(cached.cast), FromSeq(cached.next_seq)
        async for page in pages(self._store, name, start, max_bytes=PAGE_BYTES, must_exist=True):
            for record in page.records:
                if (event := known(CAST, record, name)) is not None:
                    cached.state.add(record.seq, event)
            cached.next_seq = page.next_seq
