"""What may be trimmed, and when. Pure: `trim_points` finds the place, others trim.

The age of a recording is measured in two ways. By sound: if a whole `keep` of audio was heard after it, it
was heard longer ago than that, whatever any clock shows. By the clock: by its air time. A clock may be set
wrongly, and trimming cannot be undone. So time with nothing on air counts as half of `keep` at most, whether
the radio was off or its clock jumped: after a jump of any size, what was on air in the last half of `keep`
before it is not old yet, and grows old only as time passes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from radio.mp3 import BYTES_PER_MS
from radio.streams.records import ControlRequest

LOOK_S = (1.0, 60.0)
"""Bounds in seconds: a station is looked at ten times in its `keep`, within these."""
HEARD_MS = 60_000
"""Relays may still be sending audio that was heard this recently: it is not trimmed for disk space."""


def look_every_s(keep_ms: int | None) -> float:
    """Seconds between two looks at what may be trimmed of a station."""
    least, most = LOOK_S
    return most if keep_ms is None else min(max(keep_ms / 10_000, least), most)


def longest_gap_ms(keep_ms: int) -> int:
    """The most that a gap in a broadcast counts."""
    return keep_ms // 2


def excess_ms(gap_ms: int, keep_ms: int) -> int:
    """How much of a gap does not count."""
    return max(gap_ms - longest_gap_ms(keep_ms), 0)


def old_by_sound(*, keep_ms: int, end_at: int, end_pos: int, now: int) -> int:
    """The byte of a broadcast below which all audio is followed by `keep_ms` of heard audio; may be negative.

    Args:
        end_at, end_pos: of its last audio, in epoch ms and in bytes.
    """
    heard = end_pos - max(end_at - now, 0) * BYTES_PER_MS
    return heard - keep_ms * BYTES_PER_MS


def trim_point(border: int, needed: Iterable[int]) -> int:
    """The first record that stays, given the border by age and the records that a successor needs."""
    return min([border, *needed])


def first_entry_to_stay(
    entries: Sequence[tuple[int, str, int]], *, oldest: int, begun: Iterable[str]
) -> int | None:
    """The first of these entries of a table of contents that stays; None: none of them does.

    Args:
        entries: (seq, run, last record of its audio or -1), in order.
        oldest: the first record of the broadcast that stays.
        begun: runs whose `begin` is still stored: a narrator that takes the station must find them finished.
    """
    open_runs = set(begun)
    return next((seq for seq, run, last in entries if last >= oldest or run in open_runs), None)


HOLDS: Mapping[str, str | None] = {"mute": "unmute", "pause": "resume", "redact": None}
"""Requests that stay in force until this other one for the same target; None: for good."""
UNTIL_OBEYED = "remove"
TIMED = frozenset({"mute", "unmute"})
TIMED_MS = 86_400_000
"""For a day relays must know when a station was muted and unmuted: players may go back so far."""
PASSING_MS = 600_000
"""Other requests are obeyed at once or never: after ten minutes they are void."""


@dataclass(frozen=True, slots=True)
class ControlEntry:
    """A request in `control`. `is_obeyed` is only known for removals and redactions."""

    seq: int
    ms: int
    request: ControlRequest
    is_obeyed: bool = False

    @property
    def since_ms(self) -> int:
        """When it was first asked, even if it was written again later."""
        return self.ms if self.request.since is None else self.request.since


@dataclass(frozen=True, slots=True)
class Renewal:
    """The requests to write again before all records below `border` are trimmed."""

    border: int
    again: tuple[ControlRequest, ...]


def renewal(asked: Sequence[ControlEntry], tail: int) -> Renewal:
    """How far `control` may be trimmed, given its requests and its next seq.

    A request that is obeyed once is never written again: the border stays below those not obeyed yet.
    """
    newest_ms = asked[-1].ms if asked else 0
    border = next((one.seq for one in asked if _waits(one, newest_ms)), tail)
    holding = {one.seq: _since(one, asked) for one in _holding(asked)}
    timed = {one.seq: one.since_ms for one in asked if _is_timed(one, newest_ms)} | holding
    again = [one for one in asked if one.seq in timed and one.seq < border]
    return Renewal(border, tuple(replace(one.request, since=timed[one.seq]) for one in again))


def _is_timed(one: ControlEntry, newest_ms: int) -> bool:
    """Whether relays still need to know when it was asked, even if it was taken back since."""
    return one.request.what in TIMED and newest_ms - one.since_ms < TIMED_MS


def _since(one: ControlEntry, asked: Sequence[ControlEntry]) -> int:
    """Since when the state that this request asks for has been in force."""
    what, target, since = one.request.what, one.request.target, one.since_ms
    for other in reversed([earlier for earlier in asked if earlier.seq < one.seq]):
        if other.request.target != target or HOLDS[what] is None:
            continue  # each of those that are for good counts by itself
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
    """The requests in force, in order; of several that ask the same, the newest."""
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
