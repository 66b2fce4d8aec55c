"""Stations whose file went while no scheduler ran: on the store they are still on air."""

from collections.abc import Container
from datetime import timedelta

from radio.stations.definition.station import Off, Station
from radio.streams import station_list
from radio.streams.contract import StreamStore
from radio.streams.records import Card


async def orphans(store: StreamStore, known: Container[str]) -> list[Station]:
    """Stations that some scheduler began and that are not `known`, as they are to be retired."""
    found = []
    for station in await station_list.stations(store):
        if station not in known:
            card = await station_list.newest_card(store, station)
            if card is not None and (card.days or card.fallback != Off().producer):
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
        keep=None if card.keep_ms is None else timedelta(milliseconds=card.keep_ms),
    )
