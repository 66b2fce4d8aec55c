"""What all stations of one scheduler process share."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from radio.clock import Clock
from radio.stations.service.alarms import Wakes
from radio.streams.contract import StreamStore
from radio.streams.ownership.stream_owner import Member


class ProducerProcess(Protocol):
    """A producer process."""

    async def wait(self) -> int: ...

    async def stop(self, grace_s: float = 3.0) -> int: ...


class Spawn(Protocol):
    """Starts a process; its stdin begins with `first_line`."""

    def __call__(
        self, argv: Sequence[str], *, name: str, first_line: bytes | None = None
    ) -> Awaitable[ProducerProcess]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerContext:
    """The scheduler's store, clock and alarms, and how it starts producers.

    `model_name`: how listeners are told of a station's LLM; it looks at files.
    """

    store: StreamStore
    clock: Clock
    member: Member
    wakes: Wakes
    spawn: Spawn
    produce_argv: Sequence[str]
    stop: asyncio.Event
    model_name: Callable[[str], str | None] = lambda name: name
