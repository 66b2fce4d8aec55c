"""How long to wait before a process that ended is started again. Pure."""

FIRST_S = 0.5
MOST_S = 30.0
STEADY_S = 60.0
"""After running this long, a process starts again without a longer wait."""


def delay_s(previous_s: float | None, ran_s: float) -> float:
    """Seconds to wait before the next start.

    Args:
        previous_s: the wait before the start that just ended; None if it was the first.
        ran_s: how long it ran.
    """
    if previous_s is None or ran_s >= STEADY_S:
        return FIRST_S
    return min(previous_s * 2, MOST_S)
