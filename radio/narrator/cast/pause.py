"""Whether casts are spoken at all, and which go first: what the operator and waiting listeners asked."""

import asyncio
import logging
from collections.abc import Iterable

from radio import control
from radio.log import log_event
from radio.streams.contract import Record

log = logging.getLogger(__name__)

MOST_HURRIED = 1000
"""Casts remembered that someone waits for."""


class CastPause:
    """While it is on, no cast is begun or gone on with.

    Attributes:
        hurried: casts that someone waits for as files, whether they have a lane yet or not, oldest first.
    """

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._pause = control.Pause()
        self.hurried: dict[str, None] = {}

    @property
    def is_on(self) -> bool:
        return self._pause.is_on

    def fold(self, found: Iterable[Record]) -> None:
        """Records of `control`, in order."""
        was_on = self.is_on
        self._pause.fold(found)
        if self.is_on != was_on:
            self._changed.set()
            log.info("casts paused or resumed", extra=log_event("casts.pause", is_on=self.is_on))

    def hurry(self, cast: str) -> None:
        """Someone waits for this cast as a file. It may be asked before the job is seen."""
        self.hurried[cast] = None
        while len(self.hurried) > MOST_HURRIED:
            del self.hurried[next(iter(self.hurried))]
