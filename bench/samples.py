"""Runs of the sample stations, as the scheduler would begin them."""

from collections.abc import Iterator
from pathlib import Path

from radio import producer_kinds
from radio.runs import Assignment
from radio.stations.definition import loading
from radio.stations.service.plan import assignment
from radio.streams.records import Begin


def host_shows(
    folder: Path, station: str, since: int, until: int
) -> Iterator[tuple[Assignment, producer_kinds.Llm]]:
    """The runs of LLM shows of a station between two instants (epoch ms), in order."""
    loaded = loading.load(loading.find(folder))
    checked = next(found for found in loaded.stations.values() if found.station == station)
    for slot in checked.timetable.due(since, until):
        show = slot.show
        begin = Begin(
            run=slot.run, show=show.id, title=show.title, voice=show.voice or checked.voice,
            producer=show.options.producer, at=slot.at, until=slot.until,
        )  # fmt: skip
        task = assignment(checked, begin, 1)
        if task is not None and isinstance(show.options, producer_kinds.Llm):
            yield task, show.options
