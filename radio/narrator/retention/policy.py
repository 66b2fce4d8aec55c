"""What may go of what is kept, and when. Pure: `trim_points` finds the place, others trim.

How old a recording is, two witnesses say. By the sound: what has a whole `keep` of heard sound after it was
heard longer ago than that, whatever any clock shows. By the clock: its air time. A clock may be set wrongly,
and what is trimmed does not come back; so time in which nothing was on air counts as half of `keep` at most,
be it that the radio was off or that its clock jumped. What was on air in the last half of `keep` before a
jump, however wide, is not old after it, and grows old by the time that is lived through.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from radio.mp3 import BYTES_PER_MS
from radio.streams.records import ControlRequest

LOOK_S = (1.0, 60.0)
"""A station is looked at ten times in its `keep`, within these bounds."""
HEARD_MS = 60_000
"""What was heard this lately, relays may still be sending: the floor of the disk does not take it."""


def look_every_s(keep_ms: int | None) -> float:
    """Seconds between two looks at what a station may let go of."""
    least, most = LOOK_S
    return most if keep_ms is None else min(max(keep_ms / 10_000, least), most)


def longest_gap_ms(keep_ms: int) -> int:
    """As so long a gap in a broadcast counts at most."""
    return keep_ms // 2


def excess_ms(gap_ms: int, keep_ms: int) -> int:
    """How much of a gap does not count."""
    return max(gap_ms - longest_gap_ms(keep_ms), 0)


def old_by_sound(*, keep_ms: int, end_at: int, end_pos: int, now: int) -> int:
    """The byte of a broadcast below which all has `keep_ms` of heard sound after it; maybe negative.

    Args:
        end_at, end_pos: of its last audio, in epoch ms and in bytes.
    """
    heard = end_pos - max(end_at - now, 0) * BYTES_PER_MS
    return heard - keep_ms * BYTES_PER_MS


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
TIMED = frozenset({"mute", "unmute"})
TIMED_MS = 86_400_000
"""For a day it counts when a station was muted and when no more: players may go back so far."""
PASSING_MS = 600_000
"""Other requests are obeyed at once or never: after ten minutes they mean nothing."""


@dataclass(frozen=True, slots=True)
class ControlEntry:
    """A request as it stands in `control`. `is_obeyed` is known of a removal and of a redaction."""

    seq: int
    ms: int
    request: ControlRequest
    is_obeyed: bool = False

    @property
    def since_ms(self) -> int:
        """When it was asked, also if it was written once more."""
        return self.ms if self.request.since is None else self.request.since


@dataclass(frozen=True, slots=True)
class Renewal:
    """What below record `border` is to be written once more, before all below it goes."""

    border: int
    again: tuple[ControlRequest, ...]


def renewal(asked: Sequence[ControlEntry], tail: int) -> Renewal:
    """How far `control` may go whose requests are `asked` and whose next seq is `tail`.

    What is obeyed once is never written twice: the border stays below what may still be obeyed.
    """
    newest_ms = asked[-1].ms if asked else 0
    border = next((one.seq for one in asked if _waits(one, newest_ms)), tail)
    holding = {one.seq: _since(one, asked) for one in _holding(asked)}
    timed = {one.seq: one.since_ms for one in asked if _is_timed(one, newest_ms)} | holding
    again = [one for one in asked if one.seq in timed and one.seq < border]
    return Renewal(border, tuple(replace(one.request, since=timed[one.seq]) for one in again))


def _is_timed(one: ControlEntry, newest_ms: int) -> bool:
    """Whether the relays still have to know when that was asked, though it may have been taken back."""
    return one.request.what in TIMED and newest_ms - one.since_ms < TIMED_MS


def _since(one: ControlEntry, asked: Sequence[ControlEntry]) -> int:
    """When what this request says began to hold."""
    what, target, since = one.request.what, one.request.target, one.since_ms
    for other in reversed([earlier for earlier in asked if earlier.seq < one.seq]):
        if other.request.target != target or HOLDS[what] is None:
            continue  # what is for good holds each by itself
        if other.request.what == HOLDS[what]:
            break
        since = other.since_ms if other.request.what == what else since
    return since


def _waits(one: ControlEntry, newest_ms: int) -> bool:
    if one.request.what == UNTIL_OBEYED:
        return not one.is_obeyed
    is_folded = one.request.what in HOLDS or one.request.what in HOLDS.values()
    return not is_folded and newest_ms - one.ms < PASSING_MS


def _holding(asked: Sequence[ControlEntry]) -> list[ControlEntry]:
    """The requests that hold, in order; of those that say the same the newest."""
    over: set[tuple[str, str, str]] = set()
    holding: list[ControlEntry] = []
    for one in reversed(asked):
        what, target, detail = one.request.what, one.request.target, one.request.detail
        over |= {(held, target, "") for held, end in HOLDS.items() if end == what}
        is_for_good = what in HOLDS and HOLDS[what] is None
        said = (what, target, detail if is_for_good else "")
        if what in HOLDS and said not in over and not (is_for_good and one.is_obeyed):
            holding.append(one)
            over.add(said)
    return holding[::-1]
