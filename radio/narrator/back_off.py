"""Growing pauses of something that fails again and again."""

from dataclasses import dataclass

FIRST_S = 0.5
MOST_S = 30.0


@dataclass(slots=True)
class BackOff:
    """Each pause is twice the one before, up to `MOST_S`."""

    pause_s: float = FIRST_S

    def next(self) -> float:
        pause, self.pause_s = self.pause_s, min(2 * self.pause_s, MOST_S)
        return pause

    def reset(self) -> None:
        self.pause_s = FIRST_S
