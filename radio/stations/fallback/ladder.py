"""What airs when the programme cannot: the rungs of a station's fallback, and which is next. Pure.

An episode lasts from the first fallback run until the programme is back. A rung whose run failed is passed
over for a while; when all have failed lately the station is silent, and soon begins anew at the one that
failed longest ago.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from radio import producer_kinds
from radio.stations.definition.station import Off, Station

AGAIN_MS = 600_000
"""A rung that failed is tried again after this."""
EMPTY_AGAIN_MS = 120_000
"""A rung that wrote nothing is tried again after this: a model was slow to load, or the archive was empty."""
SILENT_MS = 60_000
"""So long at least after the last failure nothing is tried, if all rungs have failed lately."""

FED = "fed"
"""A fallback run's end: the programme is back."""
REMOVED = "removed"
"""A fallback run's end: the station's file is gone, or tells of no fallback any more."""
DRY = "dry"
"""A fallback run's end: it does not keep the station on air."""
NOTHING = "nothing"
"""A fallback run's end: nothing was written of its script in time."""
FAILED = "failed"
"""Any run's end: its producer failed too often."""
RELIEVED = "relieved"
"""A fallback run's end: a better rung works again."""
DONE = "done"
_FAILURES = frozenset((DRY, NOTHING, FAILED))


class Rung(StrEnum):
    """From the best to the last."""

    OWN = "own"
    """What the station's file says."""
    RERUN = "rerun"
    """Broadcasts of the archive."""
    IDENT = "ident"
    """The station's name, and what comes next."""
    SILENCE = "silence"
    """No run at all."""


@dataclass(frozen=True, slots=True)
class Try:
    """A fallback run of the present episode.

    Attributes:
        at: epoch ms of its begin.
        end: why it ended; None: it did not.
        ended_at: epoch ms.
    """

    run: str
    rung: Rung
    at: int
    end: str | None = None
    ended_at: int = 0

    @property
    def has_failed(self) -> bool:
        return self.end in _FAILURES


def rungs(station: Station) -> tuple[Rung, ...]:
    """The station's ladder; empty if it is off where its timetable ends."""
    if isinstance(station.fallback, Off):
        return ()
    if isinstance(station.fallback, producer_kinds.Rerun):
        return (Rung.OWN, Rung.IDENT)
    return (Rung.OWN, Rung.RERUN, Rung.IDENT)


def next_rung(station: Station, tries: Sequence[Try], now: int) -> Rung:
    """On which rung to begin a run at `now` (epoch ms), given the episode so far."""
    ladder, failed = rungs(station), _failures(tries)
    for rung in ladder:
        if rung not in failed or not _is_passed_over(failed[rung], now):
            return rung
    if not ladder or now - max(one.ended_at for one in failed.values()) < SILENT_MS:
        return Rung.SILENCE
    return min(ladder, key=lambda rung: failed[rung].ended_at)


def _is_passed_over(failed: Try, now: int) -> bool:
    """An end that lies far ahead is of a clock that was set back since."""
    wait = EMPTY_AGAIN_MS if failed.end == NOTHING else AGAIN_MS
    return -SILENT_MS < now - failed.ended_at < wait


def better_rung(station: Station, tries: Sequence[Try], now: int) -> Rung | None:
    """A rung above that of the one run on air which is to be tried again beside it."""
    on_air = [one for one in tries if one.end is None]
    if len(on_air) != 1:
        return None
    ladder, rung = rungs(station), next_rung(station, tries, now)
    if rung not in ladder or on_air[0].rung not in ladder:
        return None
    return rung if ladder.index(rung) < ladder.index(on_air[0].rung) else None


def _failures(tries: Sequence[Try]) -> Mapping[Rung, Try]:
    """The last failure of each rung, unless it worked after that."""
    failed: dict[Rung, Try] = {}
    for one in tries:
        if one.has_failed:
            failed[one.rung] = one
        elif one.end is not None:
            failed.pop(one.rung, None)
    return failed
