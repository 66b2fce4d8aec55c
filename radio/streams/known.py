"""Reading on where a stream holds what this version does not know, as after a step back to an older one."""

import logging

from radio.log import log_event
from radio.streams.contract import Record
from radio.streams.records import AnyRecord, Family, UnknownRecord, decode

log = logging.getLogger(__name__)


def known(family: Family, record: Record) -> AnyRecord | None:
    """The record as one of its stream's family; None, and a warning, if it is none."""
    try:
        return decode(family, record)
    except UnknownRecord as unknown:
        log.warning("record passed over: %s", unknown, extra=log_event("record.unknown"))
        return None
