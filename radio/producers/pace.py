"""How far ahead of the listener a producer writes. Pure.

A producer writes until what stands unspoken and the sound that is made already last `high_s` seconds, then
rests until they are down to `low_s`. The lead of a station counts only while this very run is on air: else a
fallback's lead would put the producer to sleep for good.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What stands between now and the next word to write.

    Attributes:
        unspoken_s: seconds of script that the narrator has not spoken, about.
        heard_until: epoch ms at which the sound that is made of this run ends; None: none was made, or
            another run is on air.
        at: planned start of the run in epoch ms.
    """

    unspoken_s: float
    heard_until: int | None
    at: int

    def seconds(self, now: int) -> float:
        """Seconds of programme that are in hand at `now` (epoch ms)."""
        lead_ms = max(self.heard_until - now, 0) if self.heard_until is not None else 0
        return self.unspoken_s + lead_ms / 1000

    def heard_at(self, now: int) -> int:
        """About when (epoch ms) the next word to be written is heard."""
        start = now if self.heard_until is not None else max(now, self.at)
        return start + round(self.seconds(now) * 1000)


def is_due(ahead_s: float, *, low_s: float, high_s: float, was_writing: bool) -> bool:
    """Whether to write now: on below `low_s`, off at `high_s`, and between them as before."""
    return ahead_s < (high_s if was_writing else low_s)
