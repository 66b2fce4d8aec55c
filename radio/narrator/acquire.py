"""Finds stations and casts to speak, takes them over, and drops those that are lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from radio.clock import Clock
from radio.errors import RadioError, first_of
from radio.log import log_event
from radio.narrator.back_off import BackOff
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.lane import CastLane
from radio.narrator.cast.takeover import NoJob
from radio.narrator.context import Context
from radio.narrator.lane_scheduler import admitted
from radio.narrator.lanes import GivenUp
from radio.narrator.sharing import pause_s
from radio.narrator.station.lane import StationLane
from radio.narrator.station.takeover import take_station
from radio.narrator.voice_thread import VoiceBroken
from radio.streams import names, station_list
from radio.streams.ownership.stream_owner import Owned, Sealed
from radio.streams.reading import all_records
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

DISCOVER_S = 2.0
"""Pause between two listings of the store's stations."""
OWNED_S = 2.0
"""Pause between two attempts to take a station whose owner is alive: the owner may give it up."""
CAST_OWNED_S = 1.0
"""Pause between two attempts to take a cast that another narrator owns."""
GIVEN_UP_S = 10.0
"""How long this narrator leaves a lane that it gave up to the others."""
MOST_CASTS = 64
"""Most casts spoken at once, however fast the voice: each holds its text in memory."""
ADMIT_S = 1.0
SETTLED_S = 30.0
"""After running this long without a failure, the next failure is followed by a short pause again."""


class StationAcquirer:
    """Tries to take every station of the store, again whenever one is free."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def run(self) -> None:
        known = self._context.claims.known
        known.clear()
        await self._context.peers.refresh()
        async with asyncio.TaskGroup() as tasks:
            while True:
                for station in await station_list.stations(self._context.store):
                    if station not in known:
                        known.add(station)
                        tasks.create_task(self._keep_taking(station), name=f"station {station}")
                await asyncio.sleep(DISCOVER_S)

    async def _keep_taking(self, station: str) -> None:
        back_off = BackOff()
        while True:
            pause, owner, since = 0.0, "", self._context.clock.monotonic()
            try:
                await self._take_and_speak(station)
            except* Owned as owned:
                owner = _owner_of(owned)
            except* GivenUp:
                pause = GIVEN_UP_S
            except* Sealed as sealed:
                log.error(
                    "station sealed: %s",
                    first_of(sealed),
                    extra=log_event("station.sealed", station=station),
                )
                pause = float("inf")
            except* RadioError as lost:
                if self._context.clock.monotonic() - since > SETTLED_S:
                    back_off.reset()
                pause = back_off.next()
                log.warning(
                    "lane lost: %s",
                    first_of(lost),
                    extra=log_event("lane.lost", station=station, pause_s=pause),
                )
            stop_if_cancelled()
            await self._wait_for_owner(owner)
            await asyncio.sleep(min(pause, 86_400))

    async def _wait_for_owner(self, owner: str) -> None:
        """Wait until that narrator is dead, at most `OWNED_S`: it may also give the station up."""
        member = self._context.member
        try:
            if owner:
                await member.wait_until_dead(owner, within_s=OWNED_S)
                if not await member.lives(owner):
                    await (
                        self._context.peers.refresh()
                    )  # to see which narrators are left to take its stations
        except RadioError as failed:
            log.warning("owner not seen: %s", failed, extra=log_event("owner.not_seen"))
            await asyncio.sleep(OWNED_S)

    async def _take_and_speak(self, station: str) -> None:
        context = self._context
        context.claims.taking.add(
            station
        )  # before the pause, so that tasks that take stations at once see each other
        try:
            await asyncio.sleep(pause_s(context.capacity(but=station), context.peers.capacities))
            taken = await take_station(
                context.store,
                context.clock,
                context.member,
                station,
                context.changed,
                context.stop.is_set,
                voice=context.settings.voice,
            )
            missed_ms = await context.claims.missed_steps.settle(context.store, station)
            taken.step_ms = taken.step_ms or missed_ms
            lane = StationLane(context.store, context.clock, station, taken, context.changed)
            context.lanes.add(lane)
        finally:
            context.claims.taking.discard(station)
        try:
            await speak_until_over(context, lane)
        finally:
            if (step := lane.writer.unannounced) is not None:
                context.claims.missed_steps.add(station, step.ms, step.tail)


class CastAcquirer:
    """Takes as many open casts as the measured speed allows, oldest job first."""

    def __init__(self, context: Context, queue: JobQueue) -> None:
        self._context = context
        self._queue = queue
        self._busy: set[str] = set()
        self._rests: dict[str, tuple[float, BackOff]] = {}

    async def run(self) -> None:
        await self._read_pause()
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._queue.changed.clear()
                for cast, job in self._admissible():
                    self._busy.add(cast)
                    tasks.create_task(self._keep_taking(cast, job), name=f"cast {cast}")
                await self._judge()
                await self._wait()

    async def _read_pause(self) -> None:
        """Read the requests so far, so that a pause already in force applies to the first cast."""
        self._context.pause.fold([record async for record in all_records(self._context.store, names.CONTROL)])

    async def _judge(self) -> None:
        """Judge the oldest unfinished job. A failure is only logged: it is judged again later."""
        try:
            await self._queue.judge(self._busy)
        except RadioError as failed:
            log.warning("job not judged: %s", failed, extra=log_event("job.not_judged"))

    async def _wait(self) -> None:
        """Wait on the queue's own event: the speaking loop clears that of the context."""
        try:
            async with asyncio.timeout(ADMIT_S):
                await self._queue.changed.wait()
        except TimeoutError:
            return

    @property
    def _may_begin(self) -> bool:
        context = self._context
        return context.settings.casts and not (context.pause.is_on or context.is_strained)

    def _admissible(self) -> list[tuple[str, int]]:
        load, now = self._context.load, self._context.clock.monotonic()
        most = min(admitted(load.stations, load.xrt), MOST_CASTS) if self._may_begin else 0
        room = most - len(self._busy)
        elsewhere = self._context.peers.lanes
        found: list[tuple[str, int]] = []
        self._rests = {cast: rest for cast, rest in self._rests.items() if cast in self._queue.jobs.open}
        for cast, job in self._queue.jobs.open.items():
            lane = self._context.lanes.get(LaneId.cast(cast))
            if isinstance(lane, CastLane):
                lane.job = max(lane.job, job)
            elif len(found) >= room or cast in self._busy or LaneId.cast(cast) in elsewhere:
                continue
            elif self._rests.get(cast, (now,))[0] <= now:
                found.append((cast, job))
        return found

    async def _keep_taking(self, cast: str, job: int) -> None:
        _, back_off = self._rests.get(cast, (0.0, BackOff()))
        try:
            self._queue.jobs.finish(cast, await self._take_and_speak(cast, job))
            self._rests.pop(cast, None)
        except* NoJob:
            await self._settle(cast, job, back_off)
        except* Owned:
            self._rest(cast, CAST_OWNED_S, back_off)
        except* GivenUp:
            self._rest(cast, GIVEN_UP_S, back_off)
        except* RadioError as lost:
            pause = back_off.next()
            self._rest(cast, pause, back_off)
            log.warning(
                "lane lost: %s", first_of(lost), extra=log_event("lane.lost", cast=cast, pause_s=pause)
            )
        finally:
            self._busy.discard(cast)
            self._queue.changed.set()

    async def _settle(self, cast: str, job: int, back_off: BackOff) -> None:
        pause = CAST_OWNED_S
        try:
            await self._queue.settle(cast, job)
        except RadioError as failed:
            pause = back_off.next()
            log.warning(
                "job not settled: %s",
                failed,
                extra=log_event("job.not_settled", cast=cast, pause_s=pause),
            )
        self._rest(cast, pause, back_off)

    def _rest(self, cast: str, seconds: float, back_off: BackOff) -> None:
        self._rests[cast] = (self._context.clock.monotonic() + seconds, back_off)

    async def _take_and_speak(self, cast: str, job: int) -> int:
        """Speak a cast to its end. Returns the highest job that its end covers."""
        context = self._context
        lane = CastLane(
            context.store,
            context.clock,
            context.member,
            cast,
            job=job,
            target_s=context.settings.casts_lead_s,
        )
        if cast in context.pause.awaited:
            lane.mark_awaited()
        context.lanes.add(lane)
        await speak_until_over(context, lane)
        context.pause.awaited.pop(cast, None)
        return lane.job


async def speak_until_over(context: Context, lane: StationLane | CastLane) -> None:
    """Serve a lane until it is over, or lost (raises why). Then close it; unless it is lost, give it up."""
    is_given_up = True
    try:
        await lane.run()
    except Exception as why:
        is_given_up = isinstance(first_of(why) if isinstance(why, BaseExceptionGroup) else why, GivenUp)
        raise
    finally:
        context.lanes.remove(lane)
        await asyncio.shield(lane.close(is_given_up=is_given_up))


def _owner_of(owned: BaseExceptionGroup[Owned]) -> str:
    first = first_of(owned)
    assert isinstance(first, Owned)
    return first.owner


def stop_if_cancelled() -> None:
    """Raise the cancellation that a task group replaced by the error of a child."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def forever(
    what: str, work: Callable[[], Awaitable[None]], clock: Clock, *, settled_s: float = SETTLED_S
) -> None:
    """Restart the work after growing pauses whenever it fails with a `RadioError`. Raises `VoiceBroken`."""
    back_off = BackOff()
    while True:
        since = clock.monotonic()
        try:
            await work()
        except* VoiceBroken:
            raise
        except* RadioError as failed:
            if clock.monotonic() - since > settled_s:
                back_off.reset()
            pause = back_off.next()
            log.warning(
                "%s failed: %s", what, first_of(failed), extra=log_event("narrator.failed", pause_s=pause)
            )
        else:
            return
        stop_if_cancelled()
        await asyncio.sleep(pause)
