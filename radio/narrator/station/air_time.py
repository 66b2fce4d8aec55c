"""Air time: the wall-clock millisecond at which each record is heard. Pure; everything takes `now_ms`.

It lies on a grid of whole frames and never overlaps. A record begins where the last one ends, unless
listeners could not have the audio by then.
"""

from dataclasses import dataclass

from radio.mp3 import FRAME_MS

NEAR_MS = 2000
"""Air time nearer than this may have passed before listeners have the audio."""
RESTART_MS = 3000
"""How far ahead air time begins if there is no earlier record, or its end is too near."""
SHORTEST_MS = 2000
"""A sentence begins only while more than this is left of its run."""
STEP_MS = 500
"""Smaller jumps of the wall clock against the monotonic one do not count as steps."""
EARLY_MS = 60_000
"""A clock that is this much earlier than the newest record has not been set yet."""
PATIENCE_S = 120.0
"""How long taking a station waits for such a clock to be set."""


def on_grid(ms: int) -> int:
    """The next whole frame: rounded up to a multiple of 24 ms."""
    return -(-ms // FRAME_MS) * FRAME_MS


def nearest_on_grid(ms: int) -> int:
    return (ms + FRAME_MS // 2) // FRAME_MS * FRAME_MS


def next_at(end: int | None, planned: int | None, now_ms: int) -> int:
    """The air time of the next record.

    Args:
        end: where the last record ends; None if there is none.
        planned: the start of its run, for a run's first record; else None.
    """
    bounds = [ms for ms in (end, planned) if ms is not None]
    at = max(bounds, default=now_ms)
    if at < now_ms + NEAR_MS or end is None:
        at = max(at, now_ms + RESTART_MS)
    return on_grid(at)


def may_begin(at: int, until: int) -> bool:
    """Whether a sentence may begin at `at` in a run that ends at `until`. Once begun it is finished."""
    return until - at > SHORTEST_MS


def is_early(now_ms: int, newest_ms: int) -> bool:
    """Whether the clock cannot be right, because the store's newest record is much later."""
    return newest_ms - now_ms > EARLY_MS


@dataclass(slots=True)
class ClockWatch:
    """Compares the wall clock with the monotonic one; `observe` every second."""

    offset_ms: float | None = None

    def observe(self, now_ms: int, monotonic_s: float) -> int:
        """The step since the last call in ms, on the grid; 0 if there was none."""
        before, self.offset_ms = self.offset_ms, now_ms - monotonic_s * 1000
        if before is None or abs(self.offset_ms - before) <= STEP_MS:
            return 0
        return nearest_on_grid(round(self.offset_ms - before))
