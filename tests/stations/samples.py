"""Small stations for tests, written as an editor writes them."""

from pathlib import Path

from radio.stations.definition import loading, yaml_document
from radio.stations.definition.station import Station

HEAD = "station: harbor\ntitle: Harbor FM\ntimezone: {zone}\nfallback: off\nshows:\n"


def station(*shows: str, zone: str = "Europe/Berlin", folder: Path | None = None) -> Station:
    """A station with these shows, each the inside of a flow mapping; the producer is `llm` with one topic."""
    return read(text_of(*shows, zone=zone), folder)


def text_of(*shows: str, zone: str) -> str:
    """The file of such a station."""
    text = HEAD.format(zone=zone) + "".join(
        f"  - {{{show}, title: T, producer: llm, topics: [tides]}}\n" for show in shows
    )
    return text if shows else text.replace("shows:", "shows: []")


def read(text: str, folder: Path | None = None) -> Station:
    raw, _ = yaml_document.read_yaml(text)
    checked = loading.check_values(raw, folder or Path())
    assert checked.station is not None, checked.problems
    return checked.station
