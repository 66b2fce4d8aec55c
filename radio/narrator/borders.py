"""Finding the record border up to which a broadcast may go: a few small reads, however long it is."""

from dataclasses import dataclass

from radio.mp3 import BYTES_PER_MS
from radio.narrator import keeping
from radio.narrator.on_air import OnAir
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.index import Bounds, Index, Spot, newest_at


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of a broadcast: its records, and the first sound in them."""

    index: Index
    bounds: Bounds
    oldest: Spot

    async def first_after(self, air_ms: int) -> Spot | None:
        """The first sound that ends after an air time; of two such places, the newer one."""
        return await newest_at(self.index.spot, self.bounds.oldest, self.bounds.next, air_ms)

    async def at(self, pos: int) -> Spot | None:
        """The sound that holds this byte."""
        return await self.index.at_pos(pos, self.bounds.oldest, self.bounds.next - 1)

    async def border(self, pos: int) -> int | None:
        """The first record after all sound that ends at byte `pos` or before; None: all of it ends later.

        What announces the next sound, such as its `show`, lies behind the border.
        """
        if pos < self.oldest.end_pos:
            return None
        kept = await self.at(pos)
        end = self.bounds.next if kept is None else kept.seq
        last = await self.index.last(self.bounds.oldest, end - 1)
        return None if last is None else last.seq + 1


async def standing(store: StreamStore, station: str) -> Standing | None:
    """What stands of the station's broadcast; None: no sound does."""
    index = Index(store, names.broadcast(station))
    bounds = await index.bounds()
    oldest = await index.spot(bounds.oldest) if bounds.oldest < bounds.next else None
    return None if oldest is None else Standing(index, bounds, oldest)


async def expired(stands: Standing, on_air: OnAir, *, keep_ms: int, allowed_ms: int, now: int) -> int | None:
    """The border up to which recordings are older than `keep_ms`; None: none is."""
    if on_air.end is None:
        return None
    heard = keeping.heard(on_air.end, on_air.pos, now)
    is_young = stands.oldest.until > now - keep_ms
    if is_young and heard - stands.oldest.end_pos < keep_ms * BYTES_PER_MS:
        return None
    aged = await stands.first_after(now - keep_ms)
    limit = keeping.expired(
        keep_ms=keep_ms,
        oldest_pos=stands.oldest.pos,
        heard_pos=heard,
        aged_pos=on_air.pos if aged is None else aged.pos,
        allowed_ms=allowed_ms,
    )
    return await stands.border(limit)
