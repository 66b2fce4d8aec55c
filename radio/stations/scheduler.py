"""The scheduler process: a service for each station file, reloaded when the files change."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from radio import child_processes, models
from radio.clock import Clock
from radio.errors import BadInput
from radio.log import log_event
from radio.settings import Settings
from radio.stations.definition import file_patterns, loading
from radio.stations.definition.station import Station
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.fallback.requests import follow_requests
from radio.stations.service.alarms import Alarms
from radio.stations.service.clock_wait import await_clock
from radio.stations.service.context import SchedulerContext, Spawn
from radio.stations.service.removed_stations import orphans
from radio.stations.service.station_service import StationService
from radio.stations.timetable import timetable
from radio.streams.contract import StreamStore
from radio.streams.ownership.members import ttl_of
from radio.streams.ownership.stream_owner import Member

log = logging.getLogger(__name__)

RELOAD_S = 2.0
"""How often the station files are looked at."""

Signature = Mapping[Path, tuple[int, int]]
"""Time of change and size of each station file."""


async def run(
    settings: Settings,
    store: StreamStore,
    clock: Clock,
    stop: asyncio.Event,
    *,
    produce_argv: Sequence[str],
    spawn: Spawn = child_processes.spawn,
) -> None:
    """Serve all stations of the schedules folder until `stop` is set.

    Raises:
        BadInput: no station file is right; the message holds all that is wrong.
    """
    folder = StationFiles(settings.schedules)
    stations = await folder.first(timetable.today(clock.now_ms()))
    member = Member(store, clock, role="scheduler", data=settings.data, ttl_s=ttl_of(settings.store))
    async with member, Alarms() as wakes:
        context = SchedulerContext(
            store=store,
            clock=clock,
            member=member,
            wakes=wakes,
            spawn=spawn,
            produce_argv=produce_argv,
            stop=stop,
            model_name=partial(models.llm_name, settings),
        )
        await await_clock(store, clock, [station.station for station in stations], stop)
        async with asyncio.TaskGroup() as tasks:
            services = StationServices(context, tasks)
            services.serve_exactly(stations)
            if not folder.faults:  # else a station that is missing may be one whose file is bad
                services.retire(await orphans(store, {station.station for station in stations}))
            requests = tasks.create_task(follow_requests(store, clock, services.ask), name="requests")
            await _reload_until_stopped(folder, services, clock, stop)
            services.look_again()
            requests.cancel()


async def _reload_until_stopped(
    folder: "StationFiles", services: "StationServices", clock: Clock, stop: asyncio.Event
) -> None:
    while not stop.is_set():
        try:
            async with asyncio.timeout(RELOAD_S):
                await stop.wait()
        except TimeoutError:
            changed = await folder.changed(timetable.today(clock.now_ms()))
            if changed is not None:
                services.serve_exactly(changed)


class StationFiles:
    """The station files as last read. A bad file keeps what it held before."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: Signature = {}
        self._gone: frozenset[Path] = frozenset()
        """Files that were there before and not at the last look."""
        self._is_away = False
        self._stations: dict[Path, Station] = {}
        self._matches: Mapping[Path, file_patterns.Matches] = {}
        self.faults: tuple[loading.Fault, ...] = ()
        """What was wrong when the files were last read."""

    async def first(self, today: date) -> list[Station]:
        """Raises `BadInput` if there is no good file."""
        self._seen, _ = await asyncio.to_thread(self._look)
        await self._load(today)
        if not self._stations:
            faults = "\n".join(map(str, self.faults)) or f"there is no station file in {self._path}"
            raise BadInput(faults, hint="`radio check` tells what a station file needs")
        return list(self._stations.values())

    async def changed(self, today: date) -> list[Station] | None:
        """All stations, if a file has changed, or others are there of those that they name; else None.

        A file that is gone counts as gone at the second look: an editor may be about to write it anew.
        """
        was_away, self._is_away = self._is_away, not await asyncio.to_thread(self._path.is_dir)
        if self._is_away:
            if not was_away:
                log.error("no schedules folder: all stay as they are", extra=log_event("stations.no_folder"))
            return None
        seen, matches = await asyncio.to_thread(self._look)
        gone = frozenset(self._seen.keys() - seen.keys())
        seen = {**seen, **{path: self._seen[path] for path in gone - self._gone}}
        self._gone = gone
        if seen == self._seen and matches == self._matches:
            return None
        self._seen = seen
        await self._load(today)
        return list(self._stations.values())

    async def _load(self, today: date) -> None:
        loaded = await asyncio.to_thread(loading.load, list(self._seen), today)
        self.faults, self._matches = loaded.faults, loaded.matches
        for fault in loaded.faults:
            log.error("station file: %s", fault, extra=log_event("stations.fault"))
        kept = {path: s for path, s in self._stations.items() if path in self._seen.keys() - loaded.stations}
        for path, station in kept.items():
            said = log_event("stations.kept", station=station.station, file=path.name)
            log.error("a station keeps its old timetable, for its file is wrong", extra=said)
        self._stations = {**kept, **loaded.stations}
        names = ",".join(s.station for s in self._stations.values())
        log.info("station files read", extra=log_event("stations.read", stations=names))

    def _look(self) -> tuple[Signature, Mapping[Path, file_patterns.Matches]]:
        there = {}
        for path in loading.find(self._path):
            try:
                stat = path.stat()
            except OSError as e:
                log.warning("station file not seen: %s", e, extra=log_event("stations.unseen"))
                continue
            there[path] = (stat.st_mtime_ns, stat.st_size)
        matches = {
            path: {name: file_patterns.found(path.parent, name) for name in named}
            for path, named in self._matches.items()
        }
        return there, matches


class StationServices:
    """The services of this process, one for each station."""

    def __init__(self, context: SchedulerContext, tasks: asyncio.TaskGroup) -> None:
        self._context = context
        self._tasks = tasks
        self._services: dict[str, StationService] = {}

    def serve_exactly(self, stations: Sequence[Station]) -> None:
        """Serve exactly these stations from now on."""
        wanted = {station.station: station for station in stations}
        for name in self._services.keys() - wanted.keys():
            self._services.pop(name).retire()
        for name, station in wanted.items():
            if name in self._services:
                self._services[name].reload(station)
            else:
                self._services[name] = StationService(self._context, station)
                self._tasks.create_task(self._services[name].work(), name=f"station {name}")

    def retire(self, stations: Sequence[Station]) -> None:
        """End what still runs of these stations, which have no file any more."""
        for station in stations:
            service = StationService(self._context, station)
            service.retire()
            self._tasks.create_task(service.work(), name=f"retire {station.station}")

    def ask(self, station: str, request: FallbackRequest) -> None:
        """Pass on what the narrator asks for."""
        if station in self._services:
            self._services[station].ask(request)

    def look_again(self) -> None:
        for service in self._services.values():
            service.look_again()
