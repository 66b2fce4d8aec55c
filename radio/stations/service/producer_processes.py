"""The producer processes of one station: one for each open run, started again when they fail.

A run is over when its script is sealed, whatever became of the process. A process that ends before is started
again with the next attempt, after a pause that grows up to a minute, for as long as the run's time lasts:
what it needs, such as the server of its model, may come back. One that stands still while its words are
wanted is ended first.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from radio.log import log_event
from radio.runs import Assignment, to_json
from radio.stations.service.context import ProducerProcess, SchedulerContext
from radio.stations.service.producer_stall import StallWatch
from radio.streams import names
from radio.streams.contract import StreamNotFound
from radio.streams.ownership.stream_owner import Token, parse

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
MOST_PAUSE_S = 60.0
MOST_FAILURES = 8
"""So many producers in a row that ended and wrote nothing: a fallback run has failed. Some three minutes."""
SILENT_S = 200.0
"""A producer whose words are wanted and who writes nothing for so long hangs; its own limits are shorter."""
FIRST_SILENT_S = 320.0
"""The same before its first words: feeds are fetched, and a model is loaded."""
CHECK_S = 30.0
"""Between two looks at the script of a producer at work. That it has ended is noticed at once."""
STOP_S = 2.0


@dataclass(slots=True)
class _Post:
    """The place of a run's producer, whether or not it is filled.

    Attributes:
        attempt: the last one that was started.
        base: the script's tail when the producer was started.
        tail, checked_at: the same when it was last looked at, and when that was (monotonic).
        moved_at: when it last grew.
        pause_s, not_before: back-off, in monotonic time.
        failures: producers in a row that ended and wrote nothing.
    """

    attempt: int = 0
    child: ProducerProcess | None = None
    watch: asyncio.Task[None] | None = None
    low_s: float = 0.0
    base: int = 0
    tail: int = 0
    checked_at: float = 0.0
    moved_at: float = 0.0
    pause_s: float = 0.0
    not_before: float = 0.0
    failures: int = 0

    @property
    def has_written(self) -> bool:
        """More than the two records by which it took the script."""
        return self.tail > self.base + 2


class ProducerProcesses:
    """The producers of a station.

    Args:
        tasks: in which exits are waited for.
        on_exit: called when a producer has ended.
    """

    def __init__(
        self,
        context: SchedulerContext,
        station: str,
        *,
        tasks: asyncio.TaskGroup,
        on_exit: Callable[[], None],
    ) -> None:
        self._context = context
        self._store = context.store
        self._clock = context.clock
        self._station = station
        self._tasks = tasks
        self._on_exit = on_exit
        self._posts: dict[str, _Post] = {}
        self._seals: dict[str, str] = {}
        """Why scripts are complete, by run; a seal is final."""
        self._stall_watch = StallWatch(context.store, station)

    async def seal_of(self, run: str, *, at_once: bool = False) -> str | None:
        """Why the run's script is complete; None: it is not, as it was last looked at.

        Args:
            at_once: look now, though its producer is at work; else that is done every `CHECK_S`.
        """
        post = self._posts.get(run)
        is_unchecked = post is None or post.child is None or self._is_check_due(post)
        if run not in self._seals and (at_once or is_unchecked):
            token = await self._token(run)
            if token.kind == "end":
                self._seals[run] = token.reason
        return self._seals.get(run)

    def _is_check_due(self, post: _Post) -> bool:
        return self._clock.monotonic() - post.checked_at >= CHECK_S

    async def _is_sealed(self, run: str) -> bool:
        return await self.seal_of(run) is not None

    def is_barren(self, run: str) -> bool:
        """Many producers of this run in a row wrote nothing."""
        post = self._posts.get(run)
        return post is not None and post.failures >= MOST_FAILURES

    def next_start(self) -> float | None:
        """Seconds until the first producer that waits may be started again."""
        waits = [
            post.not_before
            for run, post in self._posts.items()
            if post.child is None and run not in self._seals
        ]
        return max(min(waits) - self._clock.monotonic(), 0.0) if waits else None

    async def man(self, run: str, assign: Callable[[int], Assignment | None]) -> bool:
        """See that the run has a producer, unless it must wait. False: `assign` has no task for the run."""
        post = self._posts.setdefault(run, _Post())
        if post.child is not None or self._clock.monotonic() < post.not_before:
            return True
        attempt = max((await self._token(run)).epoch, post.attempt) + 1
        assignment = assign(attempt)
        if assignment is None:
            return False
        post.attempt, post.low_s = attempt, assignment.lead_low_s
        post.base = post.tail = await self._tail(run)
        post.moved_at = post.checked_at = self._clock.monotonic()
        try:
            post.child = await self._spawn(run, assignment)
        except OSError as e:
            self._wait_longer(post)
            log.error(
                "producer not started: %s", e, extra=log_event("producer.failed", **self._extra(run, post))
            )
            return True
        post.watch = self._tasks.create_task(self._watch(run, post, post.child), name=f"watch {run}")
        log.info("producer started", extra=log_event("producer.started", **self._extra(run, post)))
        return True

    async def _spawn(self, run: str, assignment: Assignment) -> ProducerProcess:
        return await self._context.spawn(
            self._context.produce_argv,
            name=f"producer {self._station} {run}",
            first_line=to_json(assignment).encode(),
        )

    def _wait_longer(self, post: _Post) -> None:
        post.failures += 1
        post.pause_s = min(max(post.pause_s * 2, FIRST_PAUSE_S), MOST_PAUSE_S)
        post.not_before = self._clock.monotonic() + post.pause_s

    async def _watch(self, run: str, post: _Post, child: ProducerProcess) -> None:
        status = await child.wait()
        post.tail = await self._tail(run)
        if post.has_written:
            post.pause_s, post.failures = 0.0, -1  # this one wrote, and is counted below
        self._wait_longer(post)
        post.child = post.watch = None
        extra = {"status": status, "failures": post.failures, **self._extra(run, post)}
        log.info("producer ended", extra=log_event("producer.ended", **extra))
        if post.failures == 1 and not await self._is_sealed(run):
            log.error("producer writes nothing", extra=log_event("producer.writes_nothing", **extra))
        self._on_exit()

    async def end_the_hung(self) -> None:
        """End producers that stand still although their words are wanted."""
        for run, post in list(self._posts.items()):
            child = post.child
            if child is None or not self._is_check_due(post):
                continue
            tail, now = await self._tail(run), self._clock.monotonic()
            post.checked_at = now
            if tail != post.tail and tail:
                post.tail, post.moved_at = tail, now
            elif now - post.moved_at >= (SILENT_S if post.has_written else FIRST_SILENT_S):
                post.moved_at = now
                if await self._stall_watch.is_wanted(run, self._clock.now_ms(), post.low_s):
                    log.error("producer hangs", extra=log_event("producer.hangs", **self._extra(run, post)))
                    await child.stop(STOP_S)

    async def dismiss(self, run: str) -> None:
        """End the run's producer, if there is one; the run gets no other."""
        self._seals.pop(run, None)
        post = self._posts.pop(run, None)
        if post is None or post.child is None or post.watch is None:
            return
        post.watch.cancel()
        await post.child.stop(STOP_S)

    async def stop_all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for run in list(self._posts):
                tasks.create_task(self.dismiss(run), name=f"dismiss {run}")

    async def _token(self, run: str) -> Token:
        try:
            return parse(await self._store.fencing_token(names.script(self._station, run)))
        except StreamNotFound:
            return Token("none")

    async def _tail(self, run: str) -> int:
        try:
            return (await self._store.check_tail(names.script(self._station, run))).seq
        except StreamNotFound:
            return 0

    def _extra(self, run: str, post: _Post) -> dict[str, object]:
        return {"station": self._station, "run": run, "attempt": post.attempt}
