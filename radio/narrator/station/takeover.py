"""Taking over a station: reads its streams, and appends a `start` only if nothing changed since."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from radio.clock import Clock
from radio.log import log_event
from radio.narrator.station.air_time import PATIENCE_S, is_early, nearest_on_grid
from radio.narrator.station.archive_entry import finished_runs
from radio.narrator.station.broadcast import BroadcastState, look_back, newest_audio_ms
from radio.narrator.station.programme import Programme
from radio.narrator.station.run_reader import RunReader
from radio.narrator.suspects import tries
from radio.runs import Run, RunHistory
from radio.streams import names, records, station_list
from radio.streams.contract import (
    Fence,
    FenceMismatch,
    SeqMismatch,
    StreamNotFound,
    StreamStore,
)
from radio.streams.ownership.stream_owner import Look, Member, Owned, Ownership, parse, take
from radio.streams.reading import all_records, known, tail_of

log = logging.getLogger(__name__)

FORGOTTEN_MS = 3_600_000
"""A run that was over this long before the newest audio is not read again."""
LOOK_S = 1.0
"""Seconds between two looks at a clock that is not set yet."""


@dataclass(slots=True)
class TakenStation:
    """A station as it stood when it was taken.

    Attributes:
        history_at: the next record to read of the station's input.
        readers: the open runs by planned air time, each read to its tail.
        unfinished: runs that have an `end` and no entry in the table of contents.
        shows_at: the next seq of the table of contents.
        voice: what speaks a run if neither its own voice nor its station's is known here.
        card: the station's newest card; None if there is none.
        step_ms: by how much the wall clock differs from the one that set the last air times.
    """

    ownership: Ownership
    tries: int
    history: RunHistory
    history_at: int
    on_air: BroadcastState
    readers: list[RunReader]
    unfinished: list[Run]
    shows_at: int
    step_ms: int
    voice: str
    card: records.Card | None


@dataclass(slots=True)
class _Seen:
    """What was read in one attempt."""

    history: RunHistory = field(default_factory=RunHistory)
    history_at: int = 0
    on_air: BroadcastState = field(default_factory=BroadcastState)
    tail: int = 0
    readers: list[RunReader] = field(default_factory=list)
    unfinished: list[Run] = field(default_factory=list)
    tries: int = 0
    card: records.Card | None = None


async def take_station(
    store: StreamStore,
    clock: Clock,
    member: Member,
    station: str,
    changed: asyncio.Event,
    is_stopping: Callable[[], bool],
    *,
    voice: str = "",
) -> TakenStation:
    """Become the station's owner.

    Args:
        voice: what speaks a run if neither its own voice nor its station's is known here.

    Raises:
        Owned, Sealed: it cannot be taken now, or ever.
        StoreError
    """
    step_ms = await _await_clock(store, clock, station, is_stopping)
    seen = _Seen()

    async def look() -> Look:
        nonlocal seen
        seen = await _look(store, clock, station, changed, voice)
        start = records.BroadcastStart(owner=member.owner, tries=seen.tries)
        return Look(records.encode(start), seen.tail)

    ownership = await take(store, names.broadcast(station), member, look, lives=member.lives)
    seen.on_air.fold(ownership.next_seq - 1, records.BroadcastStart(owner=member.owner, tries=seen.tries))
    log.info(
        "station taken",
        extra=log_event(
            "station.taken", station=station, owner=member.owner, epoch=ownership.epoch, attempt=seen.tries
        ),
    )
    return TakenStation(
        ownership=ownership,
        tries=seen.tries,
        history=seen.history,
        history_at=seen.history_at,
        on_air=seen.on_air,
        readers=seen.readers,
        unfinished=seen.unfinished,
        shows_at=await _adopt(store, names.shows(station), ownership.token),
        step_ms=step_ms,
        voice=voice,
        card=seen.card,
    )


async def _look(store: StreamStore, clock: Clock, station: str, changed: asyncio.Event, voice: str) -> _Seen:
    name = names.broadcast(station)
    history, history_at = await _read_history(store, station)
    over = await finished_runs(store, station)
    heard_ms = await newest_audio_ms(store, station)
    since = 0 if heard_ms is None else min(clock.now_ms(), heard_ms) - FORGOTTEN_MS
    runs = [run for run in history.by_air_time() if run.id not in over and run.plan.until > since]
    on_air, tail = await look_back(store, station, {run.id: run.begun_ms for run in runs})
    card = await station_list.newest_card(store, station)
    other_voices = [voice] if card is None else [card.voice, voice]
    readers = [
        RunReader(store, station, run, on_air.place(run.id), changed, other_voices=other_voices)
        for run in runs
        if run.id not in on_air.ended
    ]
    for reader in readers:
        await reader.load()
    due = Programme(on_air.end, on_air.run, list(readers), on_air.heard).due(clock.now_ms())
    return _Seen(
        history=history,
        history_at=history_at,
        on_air=on_air,
        card=card,
        tail=tail,
        readers=readers,
        unfinished=[run for run in runs if run.id in on_air.ended],
        tries=tries(
            on_air.tries,
            has_sentence=on_air.has_sentence,
            was_free=await _was_free(store, name),
            is_ready=due is not None and due.script.next is not None,
        ),
    )


async def _read_history(store: StreamStore, station: str) -> tuple[RunHistory, int]:
    name, history, at = names.station_input(station), RunHistory(), 0
    async for record in all_records(store, name):
        event = known(records.STATION_INPUT, record, name)
        if event is not None:
            history.fold(record.seq, event, record.timestamp)
        at = record.seq + 1
    return history, at


async def _newest_ms(store: StreamStore, name: str) -> int | None:
    """The timestamp of the newest record; None if there is no stream."""
    try:
        return (await store.check_tail(name)).timestamp
    except StreamNotFound:
        return None


async def _was_free(store: StreamStore, name: str) -> bool:
    try:
        return parse(await store.fencing_token(name)).kind in ("none", "free")
    except StreamNotFound:
        return True


async def _adopt(store: StreamStore, name: str, token: str) -> int:
    """Fence a second stream with the token of the first, whose owner owns it too. Returns its next seq.

    Raises:
        Owned: someone with a later token was faster.
    """
    while True:
        try:
            fence, tail = await store.fencing_token(name), await tail_of(store, name)
        except StreamNotFound:
            fence, tail = "", 0
        if fence == token:
            return tail
        if parse(fence).epoch >= parse(token).epoch:
            raise Owned(parse(fence).owner)
        try:
            return (await store.append(name, [Fence(token)], match_seq_num=tail, fencing_token=fence)).end.seq
        except (FenceMismatch, SeqMismatch):
            continue


async def _await_clock(
    store: StreamStore, clock: Clock, station: str, is_stopping: Callable[[], bool]
) -> int:
    """Wait for a clock that is too early to be set. Returns 0, or if it is not set the step back, in ms."""
    newest_ms = await _newest_by_clock(store, clock, station)
    if not is_early(clock.now_ms(), newest_ms):
        return 0
    log.warning("the clock seems not to be set; waiting", extra=log_event("clock.early", station=station))
    begun = clock.monotonic()
    while not is_stopping() and clock.monotonic() - begun < PATIENCE_S:
        await asyncio.sleep(LOOK_S)
        if not is_early(clock.now_ms(), newest_ms):
            return 0
    return nearest_on_grid(clock.now_ms() - newest_ms)


async def _newest_by_clock(store: StreamStore, clock: Clock, station: str) -> int:
    """The timestamp of the newest record, or the end of air time if a step back of the clock was aired since.

    The store's timestamps never go down, so they stay ahead of a clock that was set back correctly.
    """
    newest_ms = await _newest_ms(store, names.broadcast(station))
    if newest_ms is None:
        return 0
    if not is_early(clock.now_ms(), newest_ms):
        return newest_ms
    on_air, _ = await look_back(store, station, {})
    return newest_ms if on_air.end is None else min(newest_ms, on_air.end)
