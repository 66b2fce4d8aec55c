"""Which run of a station speaks next, when it is heard, and which runs are over. Pure; takes `now_ms`."""

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Protocol

from radio.narrator.station.air_time import NEAR_MS, RESTART_MS, SHORTEST_MS, may_begin, next_at
from radio.narrator.station.script import Script
from radio.producer_kinds import is_sound
from radio.runs import Run

ENOUGH_S = 10.0
"""Seconds of script that a run must have ready before it takes over from a fallback."""
SOON_MS = 60_000
"""How long before its planned start a run counts as live."""
GAP_MS = 5000
"""The longest gap before a planned start that needs no fallback."""


class ReadableRun(Protocol):
    """A run and its script so far."""

    run: Run
    script: Script


@dataclass(slots=True)
class Programme:
    """The open runs of a station, and where its broadcast ends.

    Attributes:
        end: epoch ms at which the last audio ends; None before any.
        current: the run that was spoken last.
        open: the runs that have no `end` yet, by planned air time.
        heard: runs that have audio in the broadcast: their next sentence follows it, whatever the plan was.
    """

    end: int | None = None
    current: str | None = None
    open: list[ReadableRun] = field(default_factory=list)
    heard: Container[str] = ()

    def planned(self, run: Run) -> int | None:
        """The air time before which nothing of the run is heard; None once some of it is in the broadcast."""
        return None if run.id in self.heard else run.plan.at

    def at(self, run: Run, now_ms: int) -> int:
        """When the next sentence of this run would be heard."""
        return next_at(self.end, self.planned(run), now_ms)

    def why_over(self, source: ReadableRun, now_ms: int) -> str | None:
        """Why the run is over: `done`, or `until` if its time has passed; None while it goes on."""
        if source.script.is_over or (source.run.is_fallback and source.run.is_ended):
            return "done"
        return None if may_begin(self.at(source.run, now_ms), source.run.plan.until) else "until"

    def due(self, now_ms: int) -> ReadableRun | None:
        """The run whose sentence comes next, whether it is ready or not."""
        regular = self.regular(now_ms)
        fallback = self.fallback(now_ms)
        if fallback is None or regular is None:
            return regular or fallback
        if self._is_early(regular, now_ms):
            fits = may_begin(self.at(fallback.run, now_ms), regular.run.plan.at)
            return fallback if fits else regular
        if self.current == fallback.run.id and fallback.script.next is not None:
            return regular if has_enough(regular.script) else fallback
        return regular if regular.script.next else fallback

    def regular(self, now_ms: int) -> ReadableRun | None:
        """The first run of the timetable that is not over."""
        going = (s for s in self.open if not s.run.is_fallback and not self.why_over(s, now_ms))
        return next(going, None)

    def fallback(self, now_ms: int) -> ReadableRun | None:
        """The newest fallback that is not over, and has a sentence ready if any has."""
        going = [s for s in self.open if s.run.is_fallback and not self.why_over(s, now_ms)]
        ready = [s for s in going if s.script.next is not None]
        return ready[-1] if ready else going[-1] if going else None

    def is_dry(self, now_ms: int) -> bool:
        """Whether no regular run has a sentence ready: it is late, it ended early, or there is none."""
        regular = self.regular(now_ms)
        return regular is None or self._is_early(regular, now_ms) or regular.script.next is None

    def lead_s(self, now_ms: int) -> float:
        """Seconds until the next sentence is heard, as the scheduler counts them."""
        due = self.due(now_ms)
        bounds = [now_ms if self.end is None else self.end]
        if due is not None and (planned := self.planned(due.run)) is not None:
            bounds.append(planned)
        return (max(bounds) - now_ms) / 1000

    def audio_s(self, now_ms: int) -> float:
        """Seconds of audio ahead of now. Below 0: for how long the broadcast has been silent."""
        return 0.0 if self.end is None else (self.end - now_ms) / 1000

    def needs_voice(self, now_ms: int) -> bool:
        """Whether audio goes on or a run is due soon, unless the run that is due is recorded audio."""
        due = self.due(now_ms)
        if due is not None and is_sound(due.run.plan.producer):
            return False
        return self.audio_s(now_ms) > 0 or (
            due is not None and (self.planned(due.run) or now_ms) - now_ms < SOON_MS
        )

    def changes_in_s(self, now_ms: int) -> float | None:
        """Seconds until a run ends by time alone; None if no run is open."""
        ends = [s.run.plan.until - RESTART_MS - SHORTEST_MS - now_ms for s in self.open]
        return max(0.05, min(ends) / 1000) if ends else None

    def _is_early(self, source: ReadableRun, now_ms: int) -> bool:
        """Whether its planned start lies well after the end of the broadcast."""
        planned = self.planned(source.run)
        return planned is not None and planned > max(self.end or 0, now_ms + NEAR_MS) + GAP_MS


def has_enough(script: Script) -> bool:
    """Whether `ENOUGH_S` of script is ready, or all that is left of it."""
    if script.next is None:
        return False
    return script.is_complete or script.unspoken_s >= ENOUGH_S
