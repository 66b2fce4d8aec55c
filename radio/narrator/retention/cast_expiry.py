"""Removes expired casts. Every narrator reads through the catalog, slowly; the first to see one acts.

A wrongly set clock must not remove casts that are still wanted. So a narrator ignores steps forward of its
clock while it runs, and removes a cast only after it has seen it expired for a while.
"""

import asyncio
import logging

from radio import casts
from radio.clock import Clock
from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.cast.removal import CastRemoval
from radio.narrator.context import Context
from radio.streams import names
from radio.streams.records import Recipe

log = logging.getLogger(__name__)

PAGE = 25
PAUSE_S = 0.5
"""Pause between two pages: fifty recipes a second at most."""
ROUND_S = 30.0
"""Pause between two rounds through the catalog."""
GRACE_SHARE = 1 / 10
MOST_GRACE_S = 3600.0


def grace_s(keep_ms: int) -> float:
    """How long a cast that is kept for `keep_ms` stays after it was first seen expired, in seconds."""
    return min(keep_ms / 1000 * GRACE_SHARE, MOST_GRACE_S)


class LivedClock:
    """A wall clock that ignores steps forward since it was made. Epoch ms."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began_ms = clock.now_ms()
        self._began_s = clock.monotonic()

    def now_ms(self) -> int:
        lived_ms = round((self._clock.monotonic() - self._began_s) * 1000)
        return min(self._clock.now_ms(), self._began_ms + lived_ms)


class CastExpiry:
    """Reads through the catalog, again and again."""

    def __init__(self, context: Context, removal: CastRemoval) -> None:
        self._context = context
        self._removal = removal
        self._clock = LivedClock(context.clock)
        keep_s = context.settings.casts_keep_s
        self._usual_ms = round(keep_s * 1000) if keep_s > 0 else None
        self._over_since: dict[str, float] = {}
        """Since when (monotonic) each expired cast has been seen expired."""

    async def run(self) -> None:
        while True:
            await self._make_round()
            await asyncio.sleep(ROUND_S)

    async def _make_round(self) -> None:
        after = ""
        while True:
            page = await self._context.store.list(names.CATALOG, start_after=after, limit=PAGE)
            for info in page.items:
                await self._try(info.name.removeprefix(names.CATALOG))
            if not page.has_more:
                return
            after = page.items[-1].name
            await asyncio.sleep(PAUSE_S)

    async def _try(self, cast: str) -> None:
        """Remove the cast if it is time. A failure is only logged: the next round tries again."""
        try:
            if await self._is_to_go(cast):
                await self._context.between.result_of(lambda: self._expire(cast))
        except RadioError as failed:
            log.warning("cast not removed yet: %s", failed, extra=log_event("cast.expiry_failed", cast=cast))

    async def _is_to_go(self, cast: str) -> bool:
        recipe = await casts.recipe(self._context.store, cast)
        if recipe is None or not self._is_over(recipe):
            self._over_since.pop(cast, None)
            return False
        now = self._context.clock.monotonic()
        until = casts.kept_until(recipe, self._usual_ms)
        keep_ms = 0 if until is None else until - (recipe.asked or recipe.created)
        return now - self._over_since.setdefault(cast, now) >= grace_s(keep_ms)

    def _is_over(self, recipe: Recipe) -> bool:
        until = casts.kept_until(recipe, self._usual_ms)
        return until is not None and until <= self._clock.now_ms()

    async def _expire(self, cast: str) -> None:
        recipe = await casts.recipe(self._context.store, cast)
        if recipe is not None and self._is_over(recipe):
            await self._removal.remove(cast, request=None)
            log.info("cast expired", extra=log_event("cast.expired", cast=cast))
