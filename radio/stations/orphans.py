"""Stations whose file went while no scheduler ran: on the store they are still on air."""

import logging
from collections.abc import Container

from radio.stations.station import Off, Station
from radio.streams import begun, names
from radio.streams.contract import FromTail, StreamNotFound, StreamStore
from radio.streams.records import CARD, Card, UnknownRecord, decode

log = logging.getLogger(__name__)

_NEWEST = 8


async def orphans(store: StreamStore, known: Container[str]) -> list[Station]:
    """Stations that some scheduler began and that are not `known`, as they are to be retired."""
    found = []
    for station in await begun.stations(store):
        if station not in known:
            card = await _card(store, station)
            if card is not None:
                found.append(_retired(card))
    return found


def _retired(card: Card) -> Station:
    return Station(
        station=card.station,
        title=card.title,
        description=card.description,
        timezone=card.zone,
        voice=card.voice,
        shows=(),
        fallback=Off(),
    )


async def _card(store: StreamStore, station: str) -> Card | None:
    """Its newest card, unless that says already that nothing airs."""
    try:
        newest = (await store.read(names.card(station), FromTail(_NEWEST))).records
    except StreamNotFound:
        return None
    for record in reversed(newest):
        try:
            card = decode(CARD, record)
        except UnknownRecord as e:
            log.warning("record left out: %s", e, extra={"action": "card.unknown_record"})
            continue
        if isinstance(card, Card):
            return card if card.days or card.fallback != Off().producer else None
    return None
