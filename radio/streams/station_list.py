"""Which stations a store has, and their cards."""

from radio.streams import names, records
from radio.streams.contract import StreamStore
from radio.streams.reading import newest_events


async def stations(store: StreamStore) -> list[str]:
    """Ids of all stations that a scheduler has begun, in order. The scripts below each are skipped."""
    found: list[str] = []
    after = ""
    while True:
        page = await store.list(names.STATION_INPUTS, start_after=after, limit=1)
        if not page.items:
            return found
        station = page.items[0].name.removeprefix(names.STATION_INPUTS).partition("/")[0]
        after = names.station_input(station)
        if page.items[0].name == after:
            found.append(station)
        else:  # a script: this station has no input stream
            after += "/~"


async def newest_card(store: StreamStore, station: str) -> records.Card | None:
    """The station's newest card; None if there is none."""
    newest = await newest_events(store, records.CARD, names.card(station))
    cards = [event for _, event in newest if isinstance(event, records.Card)]
    return cards[-1] if cards else None
