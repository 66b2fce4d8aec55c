"""What can still be checked of a file of which some values are wrong. Pure.

So that an editor sees all faults at once: what is right is looked at as if the rest were not there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from radio.stations.definition.station import Station, validate
from radio.stations.definition.validation import ValidationProblem

_IN_PLACE = {"station": "x", "title": "x", "timezone": "UTC", "fallback": "off", "shows": []}
"""For required keys that are wrong or not there."""


@dataclass(frozen=True, slots=True)
class PartialStation:
    """A station of what is right, and where its shows stand in the file."""

    station: Station
    shows: tuple[int, ...]
    wrong_ids: frozenset[str]
    """Of the shows that were left out."""

    def in_file(self, problem: ValidationProblem) -> ValidationProblem:
        """The problem with its path as it is in the file."""
        match problem.path:
            case ("shows", int(n), *inside):
                return ValidationProblem(("shows", self.shows[n], *inside), problem.message)
        return problem


def rest(raw: object, problems: Sequence[ValidationProblem]) -> PartialStation | None:
    """What is right of `raw`, given all `problems` of its values; None if that is nothing."""
    if not isinstance(raw, Mapping):
        return None
    wrong = {
        problem.path[1] for problem in problems if problem.path[:1] == ("shows",) and len(problem.path) > 1
    }
    top = {problem.path[0] for problem in problems if problem.path and problem.path[0] != "shows"}
    values: dict[str, Any] = {**_IN_PLACE, **{key: v for key, v in raw.items() if key not in top}}
    shows = values["shows"] if isinstance(values["shows"], list) else []
    kept = [n for n in range(len(shows)) if n not in wrong]
    station = validate({**values, "shows": [shows[n] for n in kept]})
    if isinstance(station, list):
        return None
    ids = {str(shows[n].get("id")) for n in range(len(shows)) if n in wrong and isinstance(shows[n], Mapping)}
    return PartialStation(station, tuple(kept), frozenset(ids))
