"""The lanes of this narrator."""

import asyncio
from collections.abc import Iterator

from radio.errors import RadioError
from radio.narrator.lanes import Lane
from radio.streams.records import LaneId


class LaneRegistry:
    """The lanes by id. Only the event loop's thread uses it.

    Args:
        changed: set whenever a lane is added or removed.
    """

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._lanes: dict[LaneId, Lane] = {}

    def __iter__(self) -> Iterator[Lane]:
        return iter(list(self._lanes.values()))

    def __getitem__(self, lane: LaneId) -> Lane:
        return self._lanes[lane]

    def get(self, lane: LaneId) -> Lane | None:
        return self._lanes.get(lane)

    def has(self, lane: Lane) -> bool:
        """Whether this very lane is served, and not a later one with the same id."""
        return self._lanes.get(lane.id) is lane

    @property
    def owned(self) -> list[Lane]:
        """The lanes that this narrator owns on the store."""
        return [lane for lane in self if lane.owner]

    @property
    def casts(self) -> list[LaneId]:
        return [lane for lane in self._lanes if lane.kind == "cast"]

    @property
    def live(self) -> int:
        """How many lanes count as live stations."""
        return sum(lane.is_live for lane in self)

    def add(self, lane: Lane) -> None:
        self._lanes[lane.id] = lane
        self._changed.set()

    def remove(self, lane: Lane) -> None:
        """Stop serving the lane. A later one with the same id stays."""
        if self.has(lane):
            del self._lanes[lane.id]
        self._changed.set()

    def remove_lost(self, lane: Lane, error: RadioError) -> None:
        """Remove a lane that is no longer ours, and end its `run` with this error."""
        self.remove(lane)
        lane.end_with(error)
