"""What a rule says when a store breaks it: what was expected, and what was found."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

Error = TypeVar("Error", bound=BaseException)

WAIT_S = 90.0
"""A generous time limit for what a store must do soon: S2 may take 60 s to trim."""
POLL_S = 0.02
SHOWN = 300
"""Characters of a value that a message shows."""


class Broken(AssertionError):
    """The store broke the rule; the message says how."""


@dataclass(slots=True)
class Caught(Generic[Error]):
    """The error that came, once it did."""

    _error: Error | None = None

    @property
    def value(self) -> Error:
        if self._error is None:
            raise Broken("nothing was raised yet")
        return self._error


def expect(holds: bool, otherwise: str) -> None:
    """`Broken`, saying `otherwise`, unless it holds."""
    if not holds:
        raise Broken(otherwise)


def expect_equal(found: object, expected: object, what: str = "") -> None:
    if found != expected:
        raise Broken(f"{what + ': ' if what else ''}expected {_shown(expected)}, found {_shown(found)}")


@contextmanager
def raises(kind: type[Error]) -> Iterator[Caught[Error]]:
    """The block must raise this kind of error, which is then in `value`."""
    caught: Caught[Error] = Caught()
    try:
        yield caught
    except kind as error:
        caught._error = error
    else:
        raise Broken(f"expected {kind.__name__}, but the call was accepted")


async def eventually(look: Callable[[], Awaitable[None]]) -> None:
    """Repeat `look` until it finds nothing `Broken`; what it last found once `WAIT_S` is over."""
    loop = asyncio.get_running_loop()
    due = loop.time() + WAIT_S
    while True:
        try:
            return await look()
        except Broken:
            if loop.time() > due:
                raise
        await asyncio.sleep(POLL_S)


async def eventually_equal(look: Callable[[], Awaitable[object]], expected: object, what: str = "") -> None:
    """`look()` gives what is expected, now or soon."""

    async def compare() -> None:
        expect_equal(await look(), expected, what)

    await eventually(compare)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
