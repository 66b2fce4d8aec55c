"""What a producer knows of the air: how far its run is spoken, and when its next word is heard."""

import logging

from radio.clock import Clock
from radio.producers import pace
from radio.producers.script_state import ScriptState
from radio.runs import Assignment
from radio.streams import names
from radio.streams.contract import FromTail, Record, StreamStore
from radio.streams.reading import known
from radio.streams.records import BROADCAST, Audio, ScriptPosition, Skip

log = logging.getLogger(__name__)

CLOCK_MS = 90_000
"""A spoken clock that is heard so much earlier or later than it was written for is wrong."""
SHORTEST_MS = 2_000
"""The narrator begins nothing in a run that has no more than this left."""
_HISTORY = 16
_LONG_HISTORY = 200
"""Records of the broadcast in which the newest of this run is looked for, at first and after a crash."""


class AirPosition:
    """The station's broadcast as it concerns one run.

    Attributes:
        queued_s: seconds of script that the source gave and the store has not got yet.
    """

    def __init__(self, store: StreamStore, clock: Clock, task: Assignment, standing: ScriptState) -> None:
        self.queued_s = 0.0
        self._store = store
        self._clock = clock
        self._task = task
        self._standing = standing
        self._heard_until: int | None = None
        self._expected: list[tuple[ScriptPosition, int]] = []
        """Clocks of this attempt that do not stand in the script, as `ScriptState.clocks`."""

    async def follow(self) -> None:
        """Learn from the broadcast how far this run is spoken, and whether it is on air."""
        name = names.broadcast(self._task.station)
        history = FromTail(_LONG_HISTORY if self._standing.was_begun else _HISTORY)
        async with self._store.follow(name, history, await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    self._hear(record)

    def _hear(self, record: Record) -> None:
        heard = known(BROADCAST, record, names.broadcast(self._task.station))
        if isinstance(heard, Audio | Skip) and heard.run == self._task.run and heard.src is not None:
            self._standing.hear(heard.src)
        if isinstance(heard, Audio):
            self._heard_until = heard.until if heard.run == self._task.run else None

    def seconds(self) -> float:
        """Seconds of programme in hand."""
        return self._ahead(self._standing.unspoken_s + self.queued_s).seconds(self._clock.now_ms())

    def heard_at(self) -> int:
        """About when (epoch ms) the next word to be written is heard."""
        return self._ahead(self._standing.unspoken_s + self.queued_s).heard_at(self._clock.now_ms())

    @property
    def is_full(self) -> bool:
        """What is in hand lasts to the run's end: nothing more would be heard."""
        return self._task.until - self.heard_at() <= SHORTEST_MS

    def expect(self, begin: ScriptPosition, heard_about: int) -> None:
        """The piece that begins there tells the time, and its mark is taken by something else."""
        self._expected.append((begin, heard_about))

    def wrong_clock(self) -> ScriptPosition | None:
        """Where the first words begin that are not spoken and will be heard at a time they do not fit."""
        standing, now = self._standing, self._clock.now_ms()
        self._expected = [clock for clock in self._expected if standing.spoken <= clock[0] < standing.end]
        for begin, heard_about in sorted([*standing.clocks, *self._expected]):
            ahead = self._ahead(standing.seconds_before(begin))
            if abs(ahead.heard_at(now) - heard_about) > CLOCK_MS:
                return begin
        return None

    def _ahead(self, unspoken_s: float) -> pace.Ahead:
        return pace.Ahead(unspoken_s=unspoken_s, heard_until=self._heard_until, at=self._task.at)
