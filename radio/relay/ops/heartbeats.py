"""The heartbeats of members that live, as they told them last."""

from radio.streams import names
from radio.streams.contract import FromTail, StreamNotFound, StreamStore
from radio.streams.records import MEMBER, Heartbeat, UnknownRecord, decode

ALIVE_MS = 10_000
"""Heartbeats older than this tell of a member that is gone."""
CAST_LANE = "cast "
"""Before the id of a cast, in the leads that a narrator tells."""


async def beats(store: StreamStore, now_ms: int) -> list[Heartbeat]:
    """Of every member that lives, by owner. Raises `StoreError`."""
    members = (await store.list(names.MEMBERS)).items
    found = [await _newest(store, member.name, now_ms) for member in members]
    return [beat for beat in found if beat is not None]


async def _newest(store: StreamStore, member: str, now_ms: int) -> Heartbeat | None:
    try:
        page = await store.read(member, FromTail(1))
        beat = decode(MEMBER, page.records[-1]) if page.records else None
    except (StreamNotFound, UnknownRecord):
        return None
    is_alive = isinstance(beat, Heartbeat) and now_ms - page.records[-1].timestamp < ALIVE_MS
    return beat if is_alive and isinstance(beat, Heartbeat) else None


def casts_of(beat: Heartbeat) -> int:
    """How many casts this narrator speaks."""
    return sum(lane.startswith(CAST_LANE) for lane in beat.leads or {})
