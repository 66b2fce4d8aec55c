"""Who owns a stream: its fence names the owner, whose heartbeats say whether it is alive.

Safety rests on the fence alone, which the store checks in the same step as a write. Liveness (`members`) only
decides who tries. Tokens: `""` never owned, `e<epoch>.<owner>` owned, `free.<epoch>` given up, `end.<reason>`
sealed for ever; epochs in base 36.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from radio.errors import BadInput, RadioError
from radio.streams.contract import (
    MAX_TOKEN_BYTES,
    AppendAck,
    Fence,
    FenceMismatch,
    NewRecord,
    SeqMismatch,
    StreamNotFound,
    StreamStore,
    Unavailable,
)
from radio.streams.ownership.members import OWNER, Member, Vitals

__all__ = [
    "Look",
    "Member",
    "Owned",
    "Ownership",
    "Sealed",
    "Token",
    "Vitals",
    "free",
    "parse",
    "sealed",
    "take",
    "token",
]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_OWNED = re.compile(rf"e([0-9a-z]+)\.({OWNER.pattern})")
_FREE = re.compile(r"free\.([0-9a-z]+)")
_END = re.compile(r"end\.(.*)", re.DOTALL)
_SPELT_END = 841
"""The epoch that base 36 spells "nd" is skipped: its token would read as the end of the stream."""

MAX_RACES = 100
"""Lost races after which the store counts as unavailable: another process would have to win each one."""


class Sealed(RadioError):
    """The stream is over. `token` says why."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the stream is sealed: {token}")
        self.token = token


class Owned(RadioError):
    """Another process owns the stream."""

    def __init__(self, owner: str) -> None:
        super().__init__(f"the stream belongs to {owner}")
        self.owner = owner


@dataclass(frozen=True, slots=True)
class Token:
    """The meaning of a fencing token. `owner` and `reason` are "" where they do not apply."""

    kind: Literal["none", "owned", "free", "end"]
    epoch: int = 0
    owner: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What the new owner writes: its start record(s), and the next seq that it saw (0 if there is no
    stream)."""

    start: NewRecord | Sequence[NewRecord]
    tail: int


@dataclass(frozen=True, slots=True)
class Ownership:
    """A stream that this process owns: append from `next_seq` on, always with `token`."""

    token: str
    epoch: int
    next_seq: int


def token(epoch: int, owner: str) -> str:
    if epoch == _SPELT_END:
        raise BadInput(f"epoch {epoch} spells an end", hint="take the next one")
    return _fitting(f"e{_base36(epoch)}.{owner}")


def free(epoch: int) -> str:
    return _fitting(f"free.{_base36(epoch)}")


def sealed(reason: str) -> str:
    return _fitting(f"end.{reason}")


def parse(text: str) -> Token:
    """Raises `BadInput` for a token that none of the functions above makes."""
    if text == "":
        return Token("none")
    if end := _END.fullmatch(text):
        return Token("end", reason=end[1])
    if owned := _OWNED.fullmatch(text):
        return Token("owned", int(owned[1], 36), owner=owned[2])
    if given_up := _FREE.fullmatch(text):
        return Token("free", int(given_up[1], 36))
    raise BadInput(f"not a fencing token of this radio: {text!r}")


async def take(
    store: StreamStore,
    name: str,
    owner: str | Member,
    look: Callable[[], Awaitable[Look]],
    *,
    lives: Callable[[str], Awaitable[bool]],
    epoch: int | None = None,
) -> Ownership:
    """Become the owner of a stream. Of all who try one succeeds, and what it saw in `look` still holds then.

    Args:
        owner: the new owner.
        look: called before each attempt.
        lives: whether another owner is alive.
        epoch: the attempt of a producer: a higher one wins even over a living owner. None: take only a stream
            whose owner is dead.

    Raises:
        Sealed, Owned: it cannot be taken (now).
        AppendUncertain: the take may have succeeded; take it again, which uses the next epoch.
    """
    me = owner if isinstance(owner, str) else owner.owner
    for _ in range(MAX_RACES):
        fence = await _fence(store, name)
        mine = await _next_epoch(parse(fence), fence, me, lives, epoch)
        seen = await look()
        try:
            ack = await _append_start(store, name, fence, token(mine, me), seen)
        except (FenceMismatch, SeqMismatch):
            await asyncio.sleep(0)
            continue
        return Ownership(token(mine, me), mine, ack.end.seq)
    raise Unavailable(f"{name} was written by others at each attempt to take it")


async def _append_start(store: StreamStore, name: str, fence: str, mine: str, seen: Look) -> AppendAck:
    start = [seen.start] if isinstance(seen.start, NewRecord) else seen.start
    return await store.append(name, [Fence(mine), *start], fencing_token=fence, match_seq_num=seen.tail)


async def _next_epoch(
    held: Token, text: str, me: str, lives: Callable[[str], Awaitable[bool]], epoch: int | None
) -> int:
    if held.kind == "end":
        raise Sealed(text)
    if epoch is not None:
        if held.epoch >= epoch:
            raise Owned(held.owner)
        return _spellable(epoch)
    if held.kind == "owned" and held.owner != me and await lives(held.owner):
        raise Owned(held.owner)
    return _spellable(held.epoch + 1)


def _spellable(epoch: int) -> int:
    return epoch + 1 if epoch == _SPELT_END else epoch


async def _fence(store: StreamStore, name: str) -> str:
    try:
        return await store.fencing_token(name)
    except StreamNotFound:
        return ""


def _base36(number: int) -> str:
    if number < 0:
        raise BadInput(f"an epoch is not negative: {number}")
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if number == 0:
            return digits


def _fitting(text: str) -> str:
    if len(text.encode()) > MAX_TOKEN_BYTES:
        raise BadInput(f"too long for a fencing token: {text!r}")
    return text
