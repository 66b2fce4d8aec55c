"""How several narrators share stations and casts, by the speed that each has measured. Pure.

Lanes are not handed over: a narrator with too many gives one up, and one with room takes a lane that has no
owner. A lane is given up only while heartbeats show more room than it needs, and an overloaded narrator shows
none, so lanes do not go back and forth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from radio.narrator.lane_scheduler import LEAST_XRT, LaneStatus
from radio.streams.records import LaneId

PAUSE_S = 0.3
"""The longest pause before taking a station. The less a narrator carries, the shorter its pause, so the least
loaded one wins."""
UNFIT_S = 3.0
"""How long a station that exceeds the measured speed is left to others. After that it is taken anyway."""
LESS_LOADED_S = 1.0
"""How much longer a narrator waits that knows of a less loaded one."""
SPARE = 0.1
"""The share of a narrator's speed that has to stay unused for it to count as having room."""
STRAINED_S = 6.0
"""After this long below its guard, a station is not just waiting for its turn."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a narrator can make, and what it carries.

    Attributes:
        xrt: seconds of audio made per second, as measured.
        stations, casts: live stations and casts that it owns; each needs a second of audio per second.
    """

    xrt: float
    stations: int
    casts: int = 0

    @property
    def fits_another(self) -> bool:
        """Whether it can keep up with one more station; casts give way to stations."""
        return self.stations + 1 <= self.xrt

    @property
    def has_room_for_station(self) -> bool:
        return self.stations + 1 <= self.xrt * (1 - SPARE)

    @property
    def has_room_for_cast(self) -> bool:
        return self.stations + self.casts + 1 <= self.xrt * (1 - SPARE)

    @property
    def use(self) -> float:
        """The share of its speed that its stations need; above 1 it is overloaded."""
        return self.stations / max(self.xrt, LEAST_XRT)

    @property
    def use_with_another(self) -> float:
        return (self.stations + 1) / max(self.xrt, LEAST_XRT)


def pause_s(mine: Capacity, others: Sequence[Capacity]) -> float:
    """How long to wait before a station is tried, in seconds.

    Args:
        mine: this narrator's, with the stations that it is taking.
        others: those of the other narrators, by their heartbeats.
    """
    if mine.fits_another or not others:
        return PAUSE_S * min(1.0, mine.use)
    use = mine.use_with_another
    patience = LESS_LOADED_S if any(other.use_with_another < use for other in others) else 0.0
    return UNFIT_S + patience + PAUSE_S * use / (1 + use)


def to_give_up(
    owned: Sequence[LaneStatus], mine: Capacity, others: Sequence[Capacity], *, strained_s: float
) -> LaneId | None:
    """The lane to give up now, casts before stations; None: keep all.

    Of the casts it is the one with the smallest lead. Of the stations it is the one with the largest, as its
    listeners notice a change of narrators least.

    Args:
        owned: the lanes that are ours on the store.
        strained_s: how long a station has been below its guard.
    """
    if strained_s < STRAINED_S:
        return None
    casts = [lane for lane in owned if lane.id.kind == "cast"]
    if casts and any(other.has_room_for_cast for other in others):
        return min(casts, key=lambda lane: (lane.lead, lane.id)).id
    stations = [lane for lane in owned if lane.id.kind == "station"]
    is_overloaded = mine.stations > mine.xrt
    if stations and is_overloaded and any(other.has_room_for_station for other in others):
        return max(stations, key=lambda lane: (lane.lead, lane.id)).id
    return None


def is_below_guard(lane: LaneStatus) -> bool:
    return lane.id.kind == "station" and lane.is_ready and lane.lead < lane.guard


@dataclass(slots=True)
class Strain:
    """Since when (monotonic seconds) each station has been below its guard with a sentence ready."""

    since: dict[LaneId, float] = field(default_factory=dict)

    def observe(self, lanes: Sequence[LaneStatus], monotonic_s: float) -> float:
        """How long the longest of them has been, in seconds; 0.0 while all stations are above their guard."""
        below = [lane.id for lane in lanes if is_below_guard(lane)]
        self.since = {lane: self.since.get(lane, monotonic_s) for lane in below}
        return max((monotonic_s - begun for begun in self.since.values()), default=0.0)

    def begin_anew(self, monotonic_s: float) -> None:
        """Count from now, because a lane was given up: its effect takes a while to show."""
        self.since = dict.fromkeys(self.since, monotonic_s)
