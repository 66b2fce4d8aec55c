"""Moments as clients spell them. No I/O here."""

from datetime import datetime
from zoneinfo import ZoneInfo

from radio.errors import BadInput
from radio.relay.http.query_numbers import whole


def instant(when: str, zone: str, *, name: str = "at") -> int:
    """Epoch ms of a time: epoch ms itself, or ISO 8601; without an offset it is the station's local time.

    Args:
        name: what the query calls it.
    """
    number = whole(when)
    if number is not None:
        return number
    try:
        # a plus sign in a query means a blank
        moment = datetime.fromisoformat(when.strip().replace(" ", "+") if "T" in when else when)
    except ValueError:
        raise BadInput(f"{name} is not a time", hint="epoch ms, or as 2026-11-29T07:00:00+01:00") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    return int(moment.timestamp() * 1000)
