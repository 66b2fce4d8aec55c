"""Finding stations and casts to speak, taking them, and letting go of those that are lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from radio.clock import Clock
from radio.errors import RadioError
from radio.narrator.cast_lane import CastLane
from radio.narrator.cast_take import NoJob
from radio.narrator.desk import BackOff, Desk
from radio.narrator.jobs import JobBook
from radio.narrator.lead import admitted
from radio.narrator.station_lane import StationLane
from radio.narrator.station_take import take_station
from radio.narrator.voice_thread import VoiceBroken
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.ownership import Owned, Sealed

log = logging.getLogger(__name__)

DISCOVER_S = 2.0
"""Between two looks for new stations."""
OWNED_S = 1.0
"""Between two looks at what another narrator owns."""
OVERLOADED_S = 3.0
"""A station beyond the measured speed is left to others so long, then taken whatever the speed."""
PAUSE_S = 0.1
PAUSE_MOST_S = 0.3
"""Who carries more lanes waits longer before it takes another, so that the least loaded wins."""
MOST_CASTS = 64
"""Casts spoken at once, however fast the voice: each holds its text in memory."""
ADMIT_S = 1.0
SETTLED_S = 30.0
"""A lane or a part that held so long begins with short pauses again when it fails."""


class StationMinder:
    """Takes each station of the store, again and again."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def run(self) -> None:
        minded: set[str] = set()
        async with asyncio.TaskGroup() as tasks:
            while True:
                for station in await stations(self._desk.store):
                    if station not in minded:
                        minded.add(station)
                        tasks.create_task(self._mind(station), name=f"station {station}")
                await asyncio.sleep(DISCOVER_S)

    async def _mind(self, station: str) -> None:
        back_off = BackOff()
        while True:
            await asyncio.sleep(self._politeness())
            pause, begun = 0.0, self._desk.clock.monotonic()
            try:
                await self._hold(station)
            except* Owned:
                pause = OWNED_S
            except* Sealed as sealed:
                log.error(
                    "station sealed: %s",
                    first_of(sealed),
                    extra={"action": "station.sealed", "station": station},
                )
                pause = float("inf")
            except* RadioError as lost:
                if self._desk.clock.monotonic() - begun > SETTLED_S:
                    back_off.reset()
                pause = back_off.next()
                log.warning(
                    "lane lost: %s",
                    first_of(lost),
                    extra={"action": "lane.lost", "station": station, "pause_s": pause},
                )
            stop_if_cancelled()
            await asyncio.sleep(min(pause, 86_400))

    def _politeness(self) -> float:
        load = self._desk.load
        pause = min(PAUSE_MOST_S, PAUSE_S * len(self._desk.lanes))
        return pause if load.stations + 1 <= load.xrt else pause + OVERLOADED_S

    async def _hold(self, station: str) -> None:
        desk = self._desk
        taken = await take_station(
            desk.store, desk.clock, desk.member, station, desk.changed, desk.stop.is_set
        )
        lane = StationLane(desk.store, desk.clock, station, taken, desk.changed)
        desk.add(lane)
        await hold(desk, lane)


class CastMinder:
    """Takes as many open casts as the measured speed carries, oldest job first."""

    def __init__(self, desk: Desk, book: JobBook) -> None:
        self._desk = desk
        self._book = book
        self._busy: set[str] = set()
        self._rests: dict[str, tuple[float, BackOff]] = {}

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._book.changed.clear()
                for cast, job in self._admissible():
                    self._busy.add(cast)
                    tasks.create_task(self._mind(cast, job), name=f"cast {cast}")
                await self._judge()
                await self._wait()

    async def _judge(self) -> None:
        """What fails here ends no lane: it is judged again."""
        try:
            await self._book.judge(self._busy)
        except RadioError as failed:
            log.warning("job not judged: %s", failed, extra={"action": "job.not_judged"})

    async def _wait(self) -> None:
        """A bell of its own: the speaking loop clears the desk's."""
        try:
            async with asyncio.timeout(ADMIT_S):
                await self._book.changed.wait()
        except TimeoutError:
            return

    def _admissible(self) -> list[tuple[str, int]]:
        load, now = self._desk.load, self._desk.clock.monotonic()
        room = min(admitted(load.stations, load.xrt), MOST_CASTS) - len(self._busy)
        found: list[tuple[str, int]] = []
        self._rests = {cast: rest for cast, rest in self._rests.items() if cast in self._book.jobs.open}
        for cast, job in self._book.jobs.open.items():
            lane = self._desk.lanes.get(f"cast {cast}")
            if isinstance(lane, CastLane):
                lane.job = max(lane.job, job)
            elif len(found) < room and cast not in self._busy and self._rests.get(cast, (now,))[0] <= now:
                found.append((cast, job))
        return found

    async def _mind(self, cast: str, job: int) -> None:
        _, back_off = self._rests.get(cast, (0.0, BackOff()))
        try:
            self._book.jobs.finish(cast, await self._hold(cast, job))
            self._rests.pop(cast, None)
        except* NoJob:
            await self._settle(cast, job, back_off)
        except* Owned:
            self._rest(cast, OWNED_S, back_off)
        except* RadioError as lost:
            pause = back_off.next()
            self._rest(cast, pause, back_off)
            log.warning(
                "lane lost: %s", first_of(lost), extra={"action": "lane.lost", "cast": cast, "pause_s": pause}
            )
        finally:
            self._busy.discard(cast)
            self._book.changed.set()

    async def _settle(self, cast: str, job: int, back_off: BackOff) -> None:
        pause = OWNED_S
        try:
            await self._book.settle(cast, job)
        except RadioError as failed:
            pause = back_off.next()
            log.warning(
                "job not settled: %s",
                failed,
                extra={"action": "job.not_settled", "cast": cast, "pause_s": pause},
            )
        self._rest(cast, pause, back_off)

    def _rest(self, cast: str, seconds: float, back_off: BackOff) -> None:
        self._rests[cast] = (self._desk.clock.monotonic() + seconds, back_off)

    async def _hold(self, cast: str, job: int) -> int:
        """The highest job that the cast's end covers; its receipt is on its way."""
        desk = self._desk
        lane = CastLane(
            desk.store, desk.clock, desk.member, cast, job=job, target_s=desk.settings.casts_lead_s
        )
        desk.add(lane)
        await hold(desk, lane)
        return lane.job


async def hold(desk: Desk, lane: StationLane | CastLane) -> None:
    """Until the lane is over or lost (raises why); on the way out it is closed, and given up if we stop."""
    is_given_up = True
    try:
        await lane.run()
    except Exception:
        is_given_up = False
        raise
    finally:
        desk.drop(lane)
        await asyncio.shield(lane.close(is_given_up=is_given_up))


async def stations(store: StreamStore) -> list[str]:
    """Ids of all stations that a scheduler has begun. The scripts below each are passed over."""
    found: list[str] = []
    after = ""
    while True:
        page = await store.list(names.STATION_INPUTS, start_after=after, limit=1)
        if not page.items:
            return found
        station = page.items[0].name.removeprefix(names.STATION_INPUTS).partition("/")[0]
        if station not in found:
            found.append(station)
        own = names.station_input(station)
        after = own if page.items[0].name == own else f"{own}/~"


def first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, however nested."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def stop_if_cancelled() -> None:
    """Go on with a cancellation that a task group gave up for the error of a child."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def forever(
    what: str, work: Callable[[], Awaitable[None]], clock: Clock, *, settled_s: float = SETTLED_S
) -> None:
    """Do it again, after growing pauses, whenever the store fails it. Raises `VoiceBroken`."""
    back_off = BackOff()
    while True:
        begun = clock.monotonic()
        try:
            await work()
        except* VoiceBroken:
            raise
        except* RadioError as failed:
            if clock.monotonic() - begun > settled_s:
                back_off.reset()
            pause = back_off.next()
            log.warning(
                "%s failed: %s", what, first_of(failed), extra={"action": "narrator.failed", "pause_s": pause}
            )
        else:
            return
        stop_if_cancelled()
        await asyncio.sleep(pause)
