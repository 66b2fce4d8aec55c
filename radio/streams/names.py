"""All stream names in use, and the form of ids. No other module spells a stream name."""

import re

JOBS = "jobs"
JOBS_CURSOR = "jobs/_cursor"
JOBS_DEAD = "jobs/dead"
CONTROL = "control"
DONE = "progress/done"
META = "meta/"
STORE = "meta/store"
COPY = "meta/copy"
"""Which store this store is a copy of, and whether the copy is whole."""

STATION_INPUTS = "in/stations/"
BROADCASTS = "pub/stations/"
CAST_OUTPUTS = "pub/casts/"
CATALOG = "catalog/"
MEMBERS = "member/"
MEMORIES = "memory/"
CHECKS = "check/"
"""Streams in which `radio store check` tries the rules of the contract; deleted at its end."""
PUBLIC = "pub/"
"""Only streams below this prefix are public."""

STATION_ID = re.compile(r"[a-z0-9-]{1,32}")
SHOW_ID = re.compile(r"[a-z0-9-]{1,32}")
CAST_ID = re.compile(r"[A-Za-z0-9_-]{12}")
FALLBACK = "fallback"
"""The show id of fallback runs; no editor may use it."""


def station_input(station: str) -> str:
    """Begin and end of a station's runs; owned by the station's scheduler."""
    return f"{STATION_INPUTS}{station}"


def script(station: str, run: str) -> str:
    """The script of a run; owned by the run's producer."""
    return f"{STATION_INPUTS}{station}/{run}"


def memory(station: str, show: str) -> str:
    """What a show's producers remember from run to run; owned by the producer of its newest run."""
    return f"{MEMORIES}{station}/{show}"


def broadcast(station: str) -> str:
    """What a station has on air; owned by a narrator."""
    return f"{BROADCASTS}{station}"


def shows(station: str) -> str:
    """The archive's table of contents; same owner and token as the broadcast."""
    return f"{BROADCASTS}{station}/shows"


def card(station: str) -> str:
    """What narrators and relays know about a station; owned by the station's scheduler."""
    return f"{BROADCASTS}{station}/card"


def cast(cast_id: str) -> str:
    """The sound of a cast; owned by a narrator after the relay's claim."""
    return f"{CAST_OUTPUTS}{cast_id}"


def catalog(cast_id: str) -> str:
    """The private recipe of a cast."""
    return f"{CATALOG}{cast_id}"


def member(owner: str) -> str:
    """The heartbeat of a process that owns streams."""
    return f"{MEMBERS}{owner}"
