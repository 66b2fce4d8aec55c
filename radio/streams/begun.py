"""Which stations there are on a store."""

from radio.streams import names
from radio.streams.contract import StreamStore


async def stations(store: StreamStore) -> list[str]:
    """Ids of all stations that a scheduler has begun, in order. The scripts below each are passed over."""
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
        else:  # a script: no other of this station
            after += "/~"
