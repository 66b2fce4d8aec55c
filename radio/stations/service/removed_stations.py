"""Stations whose file went while no scheduler ran: on the store they are still on air."""

import logging
from collections.abc import Container
from datetime import timedelta

from radio.log import log_event
from radio.stations.definition.station import Off, Station
from radio.streams import station_list
from radio.streams.contract import StoreError, StreamStore
from radio.streams.records import Card

log = logging.getLogger(__name__)


async def orphans(store: StreamStore, known: Container[str]) -> list[Station]:
    """Stations that some scheduler began and that are not `known`, as they are to be retired."""
    found = []
    for station in await station_list.stations(store):
        if station in known:
            continue
        try:
            card = await station_list.newest_card(store, station)
            if card is not None and (card.days or card.fallback != Off().producer):
                found.append(_retired(card))
        except StoreError:
            raise
        except Exception:  # one card that cannot be read keeps no other station from its end
            log.exception("card not read", extra=log_event("station.at_fault", station=station))
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
