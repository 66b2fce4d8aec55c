"""Running the rules on a store that is in use, in streams of their own that are always removed again."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from radio.clock import Clock
from radio.errors import first_of
from radio.log import log_event
from radio.streams import names
from radio.streams.conformance.fixture import Lab
from radio.streams.conformance.rule_list import RULES, Rule
from radio.streams.contract import StoreClosed, StreamStore, Unavailable
from radio.streams.listing import every_name, every_stream

log = logging.getLogger(__name__)

OpenStore = Callable[[], Awaitable[StreamStore]]
RULE_S = 300.0
"""Time limit for one rule; the slowest wait for trims, 60 s at most on S2."""
TIDY_S = 60.0
"""How long to try to remove the streams of a check."""
LEFT_MS = 3_600_000
"""Streams of a check that are older than this were left by a killed check."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one rule. `broken` says how the store broke it; "" if it did not."""

    rule: Rule
    seconds: float
    broken: str = ""


async def try_rules(
    open_store: OpenStore, clock: Clock, rules: Sequence[Rule] = RULES
) -> AsyncGenerator[Outcome, None]:
    """Each rule's result, as it comes. Close the iterator if you stop early: that removes the streams.

    Args:
        open_store: opens another handle on the store at each call.

    Raises:
        Unavailable: the store stopped answering; the remaining rules were not tried.
    """
    prefix = f"{names.CHECKS}{secrets.token_hex(4)}/"
    janitor = await open_store()
    try:
        await _sweep(janitor, clock.now_ms())
        is_shared = await _is_shared(janitor, open_store)
        for number, rule in enumerate(rules):
            async with _lab(open_store, f"{prefix}{number}/", is_shared=is_shared) as lab:
                yield await _try(rule, lab, clock)
                await _remove(lab.store, lab.prefix)
    finally:
        try:
            async with asyncio.timeout(TIDY_S):
                await _remove(janitor, prefix)
        finally:
            await janitor.close()


async def _is_shared(store: StreamStore, open_store: OpenStore) -> bool:
    """Whether opening the store again gives the same store; a memory store does not."""
    other = await open_store()
    try:
        return await other.store_id() == await store.store_id()
    finally:
        await other.close()


@asynccontextmanager
async def _lab(open_store: OpenStore, prefix: str, *, is_shared: bool) -> AsyncIterator[Lab]:
    """A lab whose handles are closed at its end."""
    async with AsyncExitStack() as handles:

        async def another() -> StreamStore:
            opened = await open_store()
            handles.push_async_callback(opened.close)
            return opened

        async def itself() -> StreamStore:
            return store

        store = await another()
        yield Lab(store, prefix, another if is_shared else itself)


async def _try(rule: Rule, lab: Lab, clock: Clock) -> Outcome:
    begun = clock.monotonic()
    broken = ""
    try:
        async with asyncio.timeout(RULE_S):
            await rule.check(lab)
    except Exception as error:
        first = first_of(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(first, Unavailable):
            raise first from error
        broken = f"{type(first).__name__}: {first}" if str(first) else type(first).__name__
    return Outcome(rule, clock.monotonic() - begun, broken)


async def _remove(store: StreamStore, prefix: str) -> None:
    """Delete all streams below a prefix; nothing if a rule closed the store, which then kept nothing."""
    try:
        for name in await every_name(store, prefix):
            await store.delete(name)
    except StoreClosed:
        log.debug("nothing to remove from a closed store", extra=log_event("check.closed"))


async def _sweep(store: StreamStore, now_ms: int) -> None:
    """Remove what checks that were killed have left."""
    left = [i.name for i in await every_stream(store, names.CHECKS) if i.created_ms < now_ms - LEFT_MS]
    for name in left:
        await store.delete(name)
    if left:
        log.info("streams of an older check removed", extra=log_event("check.swept", streams=len(left)))
