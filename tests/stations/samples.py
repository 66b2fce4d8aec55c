"""Small stations for tests, written as an editor writes them."""

from pathlib import Path

from radio.stations import files
from radio.stations.station import Station

HEAD = "station: harbor\ntitle: Harbor FM\ntimezone: {zone}\nfallback: off\nshows:\n"


def station(*shows: str, zone: str = "Europe/Berlin", folder: Path | None = None) -> Station:
    """A station with these shows, each the inside of a flow mapping; the producer is `llm` with one topic."""
    text = HEAD.format(zone=zone) + "".join(
        f"  - {{{show}, title: T, producer: llm, topics: [tides]}}\n" for show in shows
    )
    return read(text if shows else text.replace("shows:", "shows: []"), folder)


def read(text: str, folder: Path | None = None) -> Station:
    raw, _ = files.read_yaml(text)
    checked = files.check_values(raw, folder or Path())
    assert isinstance(checked, Station), checked
    return checked
