"""What may go of what is kept, and when. Pure; `housekeeper`, `shared` and `floor` do it.

How old a recording is, two witnesses say. Sound is played second by second: what has a whole `keep` of heard
sound after it was heard longer ago than that, whatever any clock shows. A station that is not always on air
makes less sound than time passes. There the clock decides, and as a clock may be set wrongly, it alone lets
go of no more than `PACE` seconds of sound in each second that its owner has lived through: a clock that is a
year ahead costs one more hour of the oldest recordings for each hour that it stays so, and not all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from radio.mp3 import BYTES_PER_MS
from radio.streams.records import Request

PACE = 2
"""Seconds of sound that the clock alone lets go of in a second."""
SAVED_S = 600.0
"""Time that an owner may have lived without the clock letting go of anything, and still counts."""
LOOK_S = (1.0, 60.0)
"""A station is looked at ten times in its `keep`, within these bounds."""
HEARD_MS = 60_000
"""What was heard this lately, relays may still be sending: the floor of the disk does not take it."""


def look_every_s(keep_ms: int | None) -> float:
    """Seconds between two looks at what a station may let go of."""
    least, most = LOOK_S
    return most if keep_ms is None else min(max(keep_ms / 10_000, least), most)


@dataclass(slots=True)
class Allowance:
    """Sound that the clock alone may let go of: it grows while the owner lives."""

    lived_s: float = 0.0

    def live(self, seconds: float) -> None:
        """So many monotonic seconds went by."""
        self.lived_s = min(self.lived_s + max(seconds, 0.0), SAVED_S)

    def spend(self, sound_ms: int) -> None:
        """So much sound went, for whatever reason."""
        self.lived_s = max(self.lived_s - sound_ms / 1000 / PACE, 0.0)

    @property
    def ms(self) -> int:
        return round(self.lived_s * PACE * 1000)


def heard(end_at: int, end_pos: int, now: int) -> int:
    """The byte of a broadcast that is heard now; its last audio ends at `end_at` (epoch ms) and `end_pos`."""
    ahead = max(end_at - now, 0) * BYTES_PER_MS
    return max(end_pos - ahead, 0)


def expired(*, keep_ms: int, oldest_pos: int, heard_pos: int, aged_pos: int, allowed_ms: int) -> int:
    """The byte of a broadcast below which recordings go.

    Args:
        oldest_pos: where what stands begins.
        heard_pos: see `heard`.
        aged_pos: where the first sound begins that by the clock is younger than `keep_ms`.
        allowed_ms: see `Allowance`.
    """
    by_sound = heard_pos - keep_ms * BYTES_PER_MS
    by_clock = min(aged_pos, heard_pos, oldest_pos + allowed_ms * BYTES_PER_MS)
    return max(by_sound, by_clock, oldest_pos)


def trim_point(border: int, needed: Iterable[int]) -> int:
    """The first record to stay, given the border that age allows and the records that a successor needs."""
    return min([border, *needed])


def first_entry_to_stay(
    entries: Sequence[tuple[int, str, int]], *, oldest: int, begun: Iterable[str]
) -> int | None:
    """The first record of a table of contents that stays; None: nothing is seen to stay.

    Args:
        entries: (seq, run, last record of its sound or -1), in order.
        oldest: the first record of the broadcast that stays.
        begun: runs whose `begin` still stands: who takes the station must find them finished.
    """
    open_runs = set(begun)
    return next((seq for seq, run, last in entries if last >= oldest or run in open_runs), None)


HOLDS: Mapping[str, str | None] = {"mute": "unmute", "pause": "resume", "redact": None}
"""Requests that hold until another word for the same target takes them back; None: for good."""
UNTIL_OBEYED = "remove"
PASSING_MS = 600_000
"""Other requests are obeyed at once or never: after ten minutes they mean nothing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it stands in `control`."""

    seq: int
    ms: int
    request: Request
    is_obeyed: bool = False
    """Only known of a removal."""


def still_hold(asked: Sequence[Asked], newest_ms: int) -> list[Asked]:
    """The requests that still mean something when the newest of them has timestamp `newest_ms`, in order."""
    taken_back: set[tuple[str, str]] = set()
    holding: list[Asked] = []
    for one in reversed(asked):
        what, target = one.request.what, one.request.target
        taken_back |= {(held, target) for held, end in HOLDS.items() if end == what}
        if _holds(one, newest_ms) and (what, target) not in taken_back:
            holding.append(one)
            if HOLDS.get(what):
                taken_back.add((what, target))
    return holding[::-1]


def _holds(one: Asked, newest_ms: int) -> bool:
    if one.request.what in HOLDS:
        return True
    if one.request.what == UNTIL_OBEYED:
        return not one.is_obeyed
    return newest_ms - one.ms < PASSING_MS
