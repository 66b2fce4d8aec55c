"""What `control` says about all casts: whether they are paused, and which are waited for as files."""

import asyncio
import logging
from collections.abc import Iterable

from radio import control
from radio.log import log_event
from radio.streams.contract import Record

log = logging.getLogger(__name__)

MOST_AWAITED = 1000
"""Most awaited casts that are remembered; the oldest are forgotten first."""


class CastPause:
    """The pause of all casts: while it is on, none is begun or continued.

    Attributes:
        awaited: casts that someone waits for as files, whether they have a lane yet or not, oldest first.
    """

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._pause = control.Pause()
        self.awaited: dict[str, None] = {}

    @property
    def is_on(self) -> bool:
        return self._pause.is_on

    def fold(self, found: Iterable[Record]) -> None:
        """Add records of `control`, in order."""
        was_on = self.is_on
        self._pause.fold(found)
        if self.is_on != was_on:
            self._changed.set()
            log.info("casts paused or resumed", extra=log_event("casts.pause", is_on=self.is_on))

    def add_awaited(self, cast: str) -> None:
        """Note that someone waits for this cast as a file. Its job may not have been read yet."""
        self.awaited[cast] = None
        while len(self.awaited) > MOST_AWAITED:
            del self.awaited[next(iter(self.awaited))]
