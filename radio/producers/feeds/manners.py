"""When a feed's server wants to be asked again, by the headers of its answer. Pure."""

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

LONGEST_MS = 86_400_000
"""A server that asks for more is asked again after this."""
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)


def retry_at(headers: Mapping[str, str], now: int) -> int | None:
    """Epoch ms before which `Retry-After`, in seconds or as a date, asks for peace; None if it does not."""
    told = headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdigit():
        return now + min(int(told[:10]) * 1000, LONGEST_MS)
    try:
        when = round(parsedate_to_datetime(told).timestamp() * 1000)
    except (ValueError, TypeError, OverflowError):
        return None
    return min(when, now + LONGEST_MS) if when > now else None


def fresh_until(headers: Mapping[str, str], now: int) -> int:
    """Epoch ms until which the answer stays true by its `Cache-Control`; `now` if it does not say so."""
    control = headers.get("Cache-Control", "")
    age = _MAX_AGE.search(control)
    if age is None or re.search(r"no-(?:cache|store)", control, re.IGNORECASE):
        return now
    return now + min(int(age[1]) * 1000, LONGEST_MS)
