"""Copying all streams of a store into one that is empty, or that holds an interrupted copy of it."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from radio.errors import RadioError
from radio.log import log_event
from radio.streams import names, records
from radio.streams.admin.copying.record_copy import is_copied, rewritten
from radio.streams.admin.copying.stream_copy import Compared, CopyRefused, StreamPair, tail_of
from radio.streams.contract import FromTail, SeqMismatch, StreamNotFound, StreamStore
from radio.streams.listing import every_name
from radio.streams.reading import known

log = logging.getLogger(__name__)

AT_ONCE = 8
"""Streams copied in parallel, because a server takes time for each append."""
SHOWN = 5
"""Differences that an error lists at most."""

Result = TypeVar("Result")
Stage = Literal["copying", "checking"]
Progress = Callable[[Stage, int, int], None]
"""Called with what was done, how many more records are done, and how many there are in all (an estimate)."""


class CopyFailed(RadioError):
    """The copy is not the same as what was copied."""


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A finished copy.

    Attributes:
        size: bytes of all bodies.
        moved: records whose timestamp the new store's clock has bounded (T1).
        digest: SHA-256 in hex over the digests of all streams, in the order of their names.
    """

    source: str
    target: str
    streams: int
    records: int
    size: int
    moved: int
    digest: str


async def copy(source: StreamStore, target: StreamStore, tell: Progress) -> CopyReport:
    """Make `target` a copy of `source` and compare the two. Nobody may write to `source` meanwhile.

    After an interruption, call it again to continue.

    Raises:
        CopyRefused: `target` holds other data, or is another store's copy, or is this one.
        CopyFailed: they differ at the end; do not use `target`.
    """
    mine, theirs = await source.store_id(), await target.store_id()
    if mine == theirs:
        raise CopyRefused("that is the same store", hint="name two stores")
    pairs = [
        StreamPair(
            source, target, name, lambda name, record: rewritten(name, record, source=mine, target=theirs)
        )
        for name in await every_name(source)
        if is_copied(name)
    ]
    await _claim(pairs, target, mine)
    total = sum([(await tail_of(source, pair.name)).seq for pair in pairs])
    await _each(pairs, lambda pair: pair.copy(lambda count: tell("copying", count, total)))
    compared = await _each(pairs, lambda pair: pair.compare(lambda count: tell("checking", count, total)))
    report = _report(mine, theirs, compared)
    done = records.CopyDone(source=mine, streams=report.streams, records=report.records, digest=report.digest)
    await target.append(names.COPY, [records.encode(done)], match_seq_num=1)
    log.info("store copied", extra=log_event("store.copied", streams=report.streams))
    return report


async def refuse_unfinished(store: StreamStore) -> None:
    """Raises `CopyRefused` if the store is a copy that was interrupted: a radio on it would lose the rest."""
    if isinstance(mark := await _mark(store), records.CopyBegun):
        raise CopyRefused(
            f"the store is an unfinished copy of {mark.source}",
            hint="finish it with the same `radio store copy`, or choose another store",
        )


async def _claim(pairs: Sequence[StreamPair], target: StreamStore, source_id: str) -> None:
    """Mark the store as this copy, unless it holds something else."""
    present = [name for name in await every_name(target) if not name.startswith((names.META, names.CHECKS))]
    mark = await _mark(target)
    if mark is None:
        if present:
            raise _other(f"{len(present)} streams")
        await _begin(target, source_id)
        return
    if mark.source != source_id:
        raise _other(f"a copy of the store {mark.source}")
    if isinstance(mark, records.CopyDone):
        raise CopyRefused(
            "the copy was finished before",
            hint="to copy anew, choose an empty store: a radio may have gone on there",
        )
    await _tidy(pairs, target, present)


async def _begin(target: StreamStore, source_id: str) -> None:
    begun = records.encode(records.CopyBegun(source=source_id))
    try:
        await target.append(names.COPY, [begun], match_seq_num=0)
    except SeqMismatch as lost:
        raise _other("a copy that someone else began just now") from lost


async def _tidy(pairs: Sequence[StreamPair], target: StreamStore, present: Sequence[str]) -> None:
    """Check that an interrupted copy holds nothing else, and remove what the source has lost since."""
    if any(name.startswith(names.MEMBERS) for name in present):
        raise _other("what processes of a radio wrote")
    alike = await _each(pairs, StreamPair.is_begun_alike)
    if not all(alike):
        other = next(pair.name for pair, same in zip(pairs, alike, strict=True) if not same)
        raise _other(f"another {other}")
    for name in sorted(set(present) - {pair.name for pair in pairs}):
        await target.delete(name)


async def _mark(store: StreamStore) -> records.CopyBegun | records.CopyDone | None:
    """The source that the store is a copy of; None if it is no copy."""
    try:
        newest = (await store.read(names.COPY, FromTail(1))).records
    except StreamNotFound:
        return None
    mark = known(records.COPY, newest[0], names.COPY) if newest else None
    return mark if isinstance(mark, records.CopyBegun | records.CopyDone) else None


def _other(what: str) -> CopyRefused:
    hint = "choose an empty one, sqlite:FOLDER with a new folder for example"
    return CopyRefused(f"the store to copy to holds {what}", hint=hint)


async def _each(pairs: Sequence[StreamPair], work: Callable[[StreamPair], Awaitable[Result]]) -> list[Result]:
    """Run it for every pair, `AT_ONCE` in parallel; the results in their order."""
    results: dict[int, Result] = {}
    waiting = iter(enumerate(pairs))

    async def go_on(waiting: Iterator[tuple[int, StreamPair]]) -> None:
        for number, pair in waiting:
            results[number] = await work(pair)

    async with asyncio.TaskGroup() as tasks:
        for number in range(AT_ONCE):
            tasks.create_task(go_on(waiting), name=f"copy-{number}")
    return [results[number] for number in range(len(pairs))]


def _report(source: str, target: str, compared: Sequence[Compared]) -> CopyReport:
    faults = [fault for one in compared for fault in one.faults]
    if faults:
        more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise CopyFailed(
            f"the copy is not the same: {'; '.join(faults[:SHOWN])}{more}",
            hint="see that nothing writes to either store, and copy into an empty one",
        )
    digests = "".join(f"{one.name} {one.digest}\n" for one in compared)
    return CopyReport(
        source,
        target,
        streams=len(compared),
        records=sum(one.records for one in compared),
        size=sum(one.size for one in compared),
        moved=sum(one.moved for one in compared),
        digest=hashlib.sha256(digests.encode()).hexdigest(),
    )
