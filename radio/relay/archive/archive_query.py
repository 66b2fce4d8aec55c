"""Which part of a station's archive is asked for. No I/O here: a query and the runs in, runs out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from radio.errors import BadInput
from radio.relay.http.query_numbers import whole
from radio.relay.http.query_times import instant

MOST: Final = 500
"""Runs in one answer."""
Run = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """Runs that began before `before`, ended after `after` and hold record `seq`; `limit` of them at most."""

    before: int | None = None
    """Epoch ms."""
    after: int | None = None
    """Epoch ms."""
    seq: int | None = None
    limit: int = MOST

    def of(self, runs: Sequence[Run]) -> tuple[list[Run], bool]:
        """The runs of this part, in the order given, and whether the limit kept some out."""
        asked = [run for run in runs if self._holds(run)]
        return asked[: self.limit], len(asked) > self.limit

    def _holds(self, run: Run) -> bool:
        """A run that is still on air has no last record, and may have no end."""
        if self.before is not None and run["at"] >= self.before:
            return False
        if self.after is not None and run["finished"] and run["until"] <= self.after:
            return False
        return self.seq is None or (run["from"] <= self.seq and (run["to"] is None or self.seq <= run["to"]))


def part_of(query: Mapping[str, str], zone: str) -> ArchivePage:
    """What a query asks for; without a limit, `MOST`. Raises `BadInput` if it makes no sense."""
    times = {key: instant(query[key], zone, name=key) for key in ("before", "after") if key in query}
    numbers = {key: _number(query, key) for key in ("seq", "limit") if key in query}
    limit = numbers.get("limit", MOST)
    if not 1 <= limit <= MOST:
        raise BadInput(f"limit is a number from 1 to {MOST}", hint="before=<time of the last one> goes on")
    return ArchivePage(**times, **numbers)


def _number(query: Mapping[str, str], key: str) -> int:
    number = whole(query[key])
    if number is None:
        raise BadInput(f"{key} is not a number", hint="seq=<record number>, limit=<how many runs>")
    return number
