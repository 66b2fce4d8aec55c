"""Every stream name in use, and what an id may look like. Nothing else spells a stream name."""

import re

JOBS = "jobs"
JOBS_CURSOR = "jobs/_cursor"
JOBS_DEAD = "jobs/dead"
CONTROL = "control"
DONE = "progress/done"
META = "meta/"
STORE = "meta/store"
COPY = "meta/copy"
"""Whose copy this store is, and whether it is whole."""

STATION_INPUTS = "in/stations/"
BROADCASTS = "pub/stations/"
CAST_OUTPUTS = "pub/casts/"
CATALOG = "catalog/"
MEMBERS = "member/"
MEMORIES = "memory/"
CHECKS = "check/"
"""Streams in which the operator has the rules of the contract tried; gone when that ends."""
PUBLIC = "pub/"
"""Only what lies below this leaves the machine."""

STATION_ID = re.compile(r"[a-z0-9-]{1,32}")
SHOW_ID = re.compile(r"[a-z0-9-]{1,32}")
CAST_ID = re.compile(r"[A-Za-z0-9_-]{12}")
FALLBACK = "fallback"
"""The show id of fallback runs; no editor may use it."""


def station_input(station: str) -> str:
    """Runs of a station begin and end here; owned by the station's scheduler."""
    return f"{STATION_INPUTS}{station}"


def script(station: str, run: str) -> str:
    """The script of a run; owned by the run's producer."""
    return f"{STATION_INPUTS}{station}/{run}"


def memory(station: str, show: str) -> str:
    """What a show's producers remember from run to run; owned by the producer of its newest run."""
    return f"{MEMORIES}{station}/{show}"


def broadcast(station: str) -> str:
    """What is on air; owned by a narrator."""
    return f"{BROADCASTS}{station}"


def shows(station: str) -> str:
    """The archive's table of contents; same owner and token as the broadcast."""
    return f"{BROADCASTS}{station}/shows"


def card(station: str) -> str:
    """What narrators and relays know of a station; owned by the station's scheduler."""
    return f"{BROADCASTS}{station}/card"


def cast(cast_id: str) -> str:
    """What is heard of a cast; owned by a narrator after the relay's claim."""
    return f"{CAST_OUTPUTS}{cast_id}"


def catalog(cast_id: str) -> str:
    """The private recipe of a cast."""
    return f"{CATALOG}{cast_id}"


def member(owner: str) -> str:
    """The heartbeat of a process that owns streams."""
    return f"{MEMBERS}{owner}"
