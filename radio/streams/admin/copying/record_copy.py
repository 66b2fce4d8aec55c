"""What is appended to a copy: each record again, and filler for records that are gone. Pure."""

import dataclasses
from collections.abc import Iterable, Iterator

from radio.streams import names, records
from radio.streams.call_checks import metered
from radio.streams.contract import (
    MAX_BATCH_BYTES,
    MAX_BATCH_RECORDS,
    Appendable,
    Fence,
    NewRecord,
    Record,
    Trim,
)
from radio.streams.reading import known

NOT_COPIED = (names.META, names.MEMBERS, names.CHECKS)
"""Streams that belong to the store itself, or to processes that have ended."""


def is_copied(name: str) -> bool:
    return not name.startswith(NOT_COPIED)


def rewritten(name: str, record: Record, *, source: str, target: str) -> Record:
    """The record as the copy holds it: a cursor of the store `source` becomes one of the store `target`."""
    if name != names.JOBS_CURSOR or record.kind != "data":
        return record
    mark = known(records.CURSOR, record, names.JOBS_CURSOR)
    if not isinstance(mark, records.CursorMark) or mark.store != source:
        return record
    new = records.encode(dataclasses.replace(mark, store=target))
    return dataclasses.replace(record, headers=new.headers, body=new.body)


def appendable(record: Record) -> Appendable:
    """The append that recreates this record at its number."""
    match record.kind:
        case "fence":
            return Fence(record.body.decode(), record.timestamp)
        case "trim":
            return Trim(int.from_bytes(record.body, "big"), record.timestamp)
        case "data":
            return NewRecord(record.body, record.headers, record.timestamp)


def fillers(place: int, first: int, *, token: str, timestamp: int) -> Iterator[list[Appendable]]:
    """Batches that fill the numbers from `place` up to `first`, whose records are gone, and set the fence.

    Each batch ends with a trim that removes all of it. If only one number must be filled and a token must be
    set, the trim is left out: the trim that the source kept behind `first` will do it again.
    """
    while place < first:
        count = min(first - place, MAX_BATCH_RECORDS)
        fences: list[Appendable] = [Fence(token, timestamp)] if token else []
        trims: list[Appendable] = [Trim(place + count, timestamp)] if count > len(fences) else []
        empty: list[Appendable] = [NewRecord(timestamp=timestamp)] * (count - len(fences) - len(trims))
        yield [*fences, *empty, *trims]
        place += count
        token = ""


def batches(items: Iterable[Appendable]) -> Iterator[list[Appendable]]:
    """The records in as few appends as hold them, in order."""
    batch: list[Appendable] = []
    size = 0
    for item in items:
        size += metered(item)
        if batch and (len(batch) == MAX_BATCH_RECORDS or size > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], metered(item)
        batch.append(item)
    if batch:
        yield batch


def token_after(token: str, batch: Iterable[Appendable]) -> str:
    """The stream's token after the batch."""
    for item in batch:
        if isinstance(item, Fence):
            token = item.token
    return token
