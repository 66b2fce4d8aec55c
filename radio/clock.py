"""The only module that reads time. All other code gets a `Clock`, or `now` itself."""

import time
from typing import Protocol


class Clock(Protocol):
    """Wall time for what listeners see, monotonic time for durations."""

    def now_ms(self) -> int:
        """Wall clock, milliseconds since the epoch. May step."""
        ...

    def monotonic(self) -> float:
        """Seconds since an arbitrary moment. Never goes back."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock that moves only when told to."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.wall_ms = now_ms
        self.mono_s = 1000.0

    def now_ms(self) -> int:
        return self.wall_ms

    def monotonic(self) -> float:
        return self.mono_s

    def advance(self, seconds: float) -> None:
        """Both clocks advance, as time normally does."""
        self.mono_s += seconds
        self.wall_ms += round(seconds * 1000)

    def step(self, seconds: float) -> None:
        """Only the wall clock moves, as when it is set."""
        self.wall_ms += round(seconds * 1000)
