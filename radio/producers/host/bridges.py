"""What the host says by itself between segments: who is speaking, the time, what comes next. Pure.

A clock is written for the time at which it will be heard; a bridge that holds one says for when.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self
from zoneinfo import ZoneInfo

from radio.runs import Assignment

_MINUTE_MS = 60_000
_IDENT_EVERY = 4
_NEXT_WITHIN_MS = 20 * _MINUTE_MS
_ON_TIME_MS = 90_000
_HAND_OVER_MS = 75_000
"""Before its end, a show says what comes next."""
_NEXT_SOON_MS = 30 * _MINUTE_MS
"""What begins later than this after the show's end is not announced at the hand-over."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """Words of the host; `heard_about`: epoch ms for which they are right, None if they always are."""

    text: str
    heard_about: int | None

    @classmethod
    def of(cls, text: str, heard_about: int | None) -> Self:
        """A title or a time may end in a full stop of its own."""
        return cls(text.replace("..", "."), heard_about)


def opening(assignment: Assignment, heard_at: int) -> Bridge | None:
    """At the begin of a run. Only in English.

    Args:
        heard_at: about when it will be on air, in epoch ms.
    """
    if not _is_english(assignment):
        return None
    zone = ZoneInfo(assignment.zone)
    local = _local(heard_at, zone)
    is_on_time = abs(heard_at - assignment.at) < _ON_TIME_MS
    time = _clock(assignment.at, zone) if is_on_time else f"about {_clock(_rounded(heard_at), zone)}"
    names = ("Hello", "Good morning", "Good afternoon", "Good evening")
    greeting = names[sum(local.hour >= edge for edge in (5, 12, 18))]
    about = f"It is {local:%A}, {time}, and you are listening to {assignment.title}."
    return Bridge.of(f"{greeting}. This is {assignment.station_title}. {about}", heard_at)


def ident(assignment: Assignment, seg: int, heard_at: int) -> Bridge | None:
    """Before some of the segments: the station, and the time or what comes later."""
    if not _is_english(assignment) or not seg or seg % _IDENT_EVERY:
        return None
    zone = ZoneInfo(assignment.zone)
    station, title = assignment.station_title, assignment.title
    time = _clock(_rounded(heard_at), zone)
    nth = seg // _IDENT_EVERY
    forms = [
        f"This is {title}, and it is about {time} now.",
        f"You are listening to {station}, and it is about {time} here.",
        f"It is about {time}, and this is {station}.",
    ]
    if _is_next_within(assignment, heard_at, _NEXT_WITHIN_MS):
        at, coming = _clock(assignment.next_at or 0, zone), assignment.next_title
        forms[1] = f"It is about {time} on {station}, and at {at} comes {coming}."
        forms[2] = f"This is {title}, until {coming} begins at {at}, and it is about {time} now."
    return Bridge.of(forms[nth % len(forms)], heard_at)


def hand_over(assignment: Assignment, heard_at: int) -> Bridge | None:
    """Shortly before the end of a run, once: whose show it was, and what comes when."""
    if not _is_english(assignment) or not is_nearly_over(assignment, heard_at):
        return None
    station, title = assignment.station_title, assignment.title
    zone = ZoneInfo(assignment.zone)
    at = assignment.next_at
    if at is None or assignment.next_title in (None, title) or at - assignment.until > _NEXT_SOON_MS:
        return Bridge.of(f"{title} is nearly over for this time, here on {station}.", None)
    return Bridge.of(
        f"{title} is nearly over. At {_clock(at, zone)}, {station} goes on with {assignment.next_title}.",
        None,
    )


def is_nearly_over(assignment: Assignment, heard_at: int) -> bool:
    return assignment.until - _HAND_OVER_MS <= heard_at


def _is_next_within(assignment: Assignment, heard_at: int, within_ms: int) -> bool:
    at, title = assignment.next_at, assignment.next_title
    return at is not None and title not in (None, assignment.title) and at - heard_at < within_ms


def _is_english(assignment: Assignment) -> bool:
    return assignment.language.startswith("en")


def _local(ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)


def _rounded(ms: int) -> int:
    return round(ms / (5 * _MINUTE_MS)) * 5 * _MINUTE_MS


def _clock(ms: int, zone: ZoneInfo) -> str:
    at = _local(ms, zone)
    if (at.hour, at.minute) in ((0, 0), (12, 0)):
        return "noon" if at.hour else "midnight"
    half = "a.m." if at.hour < 12 else "p.m."
    return f"{(at.hour - 1) % 12 + 1}:{at.minute:02} {half}"
