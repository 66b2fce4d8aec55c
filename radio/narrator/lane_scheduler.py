"""Which lane is served next: one scheduler for stations and casts, sentence by sentence, by lead. Pure.

The lead of a lane is how many seconds of audio are made ahead of what is being played. A station below its
guard goes before everything else. Otherwise the lane with the smallest lead is next, until it has its target.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from radio.streams.records import LaneId

LONGEST_S = 12.0
"""Seconds of the longest sentence: while it is made, only the lanes spoken with it are served."""
MARGIN_S = 3.0
"""Seconds added to every guard, for work that is not synthesis."""
NEAR_S = 3.0
"""Stations in need are spoken together if what they lack differs by less than this, in seconds. So their
leads stay close even where the sentences of one are long and those of another short."""
LEAST_XRT = 0.1
"""The least speed that is assumed, so that one slow first sentence does not give an absurd guard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneStatus:
    """What the scheduler sees of a lane.

    Attributes:
        lead: seconds, as defined for its kind.
        guard: below this lead a station goes first; 0 for casts.
        target: the lead that is enough.
        is_ready: it has a sentence that may begin now.
        served: when it was last served, in monotonic seconds.
        awaited_since: when someone began to wait for the cast as a file (monotonic); None: nobody waits.
        ready_in: seconds until time alone may change what is due; None: time changes nothing.
        is_suspect: its next sentence may have killed a narrator.
    """

    id: LaneId
    lead: float
    guard: float = 0.0
    target: float
    is_ready: bool
    served: float = -math.inf
    awaited_since: float | None = None
    ready_in: float | None = None
    is_suspect: bool = False

    @property
    def is_in_need(self) -> bool:
        """It is a station below its guard, with a sentence that may begin."""
        return self.is_ready and self.id.kind == "station" and self.lead < self.guard


@dataclass(frozen=True, slots=True)
class Serve:
    lane: LaneId


@dataclass(frozen=True, slots=True)
class Sleep:
    """Nothing to do for this many seconds; None: until something changes."""

    seconds: float | None


def choose(lanes: Sequence[LaneStatus]) -> Serve | Sleep:
    """The lane to serve now, or how long to wait."""
    ready = [lane for lane in lanes if lane.is_ready]
    in_need = [lane for lane in ready if lane.is_in_need]
    if in_need:
        return Serve(min(in_need, key=lambda lane: (lane.lead - lane.guard, lane.served)).id)
    hungry = [lane for lane in ready if lane.lead < lane.target]
    if hungry:
        return Serve(min(hungry, key=lambda lane: (lane.lead, lane.served)).id)
    waiting = [(lane.awaited_since, lane.id) for lane in ready if lane.awaited_since is not None]
    if waiting:
        return Serve(min(waiting)[1])
    moments = [lane.lead - lane.target for lane in ready]
    moments += [lane.ready_in for lane in lanes if not lane.is_ready and lane.ready_in is not None]
    return Sleep(min(moments, default=None))


def company(lanes: Sequence[LaneStatus], first: LaneId, *, most: int) -> list[LaneId]:
    """The lanes to serve together with `first`, the chosen one: those that would be chosen next.

    While a station is in need, only stations that lack about as much join it: before any other lane it would
    be chosen again itself. A suspect is served alone.

    Args:
        most: how many may join.
    """
    lacks = {lane.id: lane.lead - lane.guard for lane in lanes if lane.is_in_need}
    enough = min(lacks.values(), default=math.inf) + NEAR_S
    left = [
        lane for lane in lanes if not lane.is_suspect and (not lacks or lacks.get(lane.id, enough) < enough)
    ]
    if first not in {lane.id for lane in left}:
        return []
    found = [first]
    while len(found) <= most:
        left = [lane for lane in left if lane.id != found[-1]]
        choice = choose(left)
        if isinstance(choice, Sleep):
            break
        found.append(choice.lane)
    return found[1:]


def guard(
    configured: float,
    *,
    stations: int,
    xrt: float,
    ttl_s: float | None = None,
    at_once: int = 1,
    longest_s: float = LONGEST_S,
) -> float:
    """The lead in seconds below which a station goes first.

    Args:
        configured: the guard that the station's editor set.
        stations: how many are live here.
        xrt: seconds of audio made per second.
        ttl_s: silence after which another narrator takes over; None: there is no other.
        at_once: sentences that the voice speaks together, all of which end when the last one does.
    """
    piece = at_once * longest_s / max(xrt, LEAST_XRT)
    needed = (math.ceil(stations / at_once) + 1) * piece + MARGIN_S
    if ttl_s is not None:
        needed = max(needed, ttl_s + piece + MARGIN_S)
    return max(configured, needed)


def target(configured: float, guard_s: float, *, longest_s: float = LONGEST_S) -> float:
    """The lead in seconds that is enough for a station."""
    return max(configured, guard_s + longest_s)


def admitted(stations: int, xrt: float) -> int:
    """How many casts may be spoken beside the live stations: each needs a speed of 1.0."""
    room = math.floor(xrt - stations)
    fits_alone = xrt >= stations
    return max(room, 1) if fits_alone else 0


@dataclass(slots=True)
class Playhead:
    """How far a listener has got who began with the cast and waits whenever no audio is there."""

    made_s: float = 0.0
    played_s: float = 0.0
    seen: float | None = None

    def lead(self, monotonic_s: float) -> float:
        """Seconds of audio ahead of that listener; never below 0."""
        if self.seen is not None:
            self.played_s = min(self.made_s, self.played_s + max(0.0, monotonic_s - self.seen))
        self.seen = monotonic_s
        return self.made_s - self.played_s

    def add(self, seconds: float, monotonic_s: float) -> None:
        """This many more seconds of audio can be played."""
        self.lead(monotonic_s)
        self.made_s += seconds


@dataclass(slots=True)
class Speed:
    """The measured speed of the voice: seconds of audio per second of wall time, over the last sentences.

    Sentences that are spoken together count as one.
    """

    audio_s: float = 0.0
    wall_s: float = 0.0
    keep: float = 0.9
    """Weight that the earlier sentences keep with each new one."""

    def add(self, audio_s: float, wall_s: float) -> None:
        self.audio_s = self.keep * self.audio_s + audio_s
        self.wall_s = self.keep * self.wall_s + wall_s

    @property
    def xrt(self) -> float | None:
        """Seconds of audio per second; None before anything was measured."""
        return self.audio_s / self.wall_s if self.wall_s > 0 else None
