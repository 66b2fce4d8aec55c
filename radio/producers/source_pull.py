"""A source's pieces on their way to the store: asked for one by one, within time, and put together."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence

from radio.errors import RadioError
from radio.log import log_event
from radio.producers.source import Over, Piece, Words

log = logging.getLogger(__name__)

CLOSE_S = 2.0
"""A source that has not closed after this is left alone; the process ends anyway."""


class Hung(RadioError):
    """The source gave no piece within its time limit."""


async def next_piece(pieces: AsyncGenerator[Piece, None], limit_s: float) -> Piece | Over:
    """The next piece, or why there is none. Raises `Hung`."""
    try:
        async with asyncio.timeout(limit_s) as limit:
            return await anext(pieces)
    except StopAsyncIteration:
        return Over("done")
    except Over as over:
        return over
    except TimeoutError as e:
        if not limit.expired():
            raise
        raise Hung(f"no piece of script within {limit_s:.0f} s") from e


async def close(pieces: AsyncGenerator[Piece, None]) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await pieces.aclose()
    except TimeoutError:
        log.warning("source does not close", extra=log_event("source.stuck"))


def merged(batch: Sequence[Piece | Over]) -> list[Piece]:
    """The batch with words of one segment that follow each other as one piece.

    Words that tell the time begin one, and a mark ends one.
    """
    pieces: list[Piece] = []
    for piece in batch:
        last = pieces[-1] if pieces else None
        if isinstance(piece, Words) and isinstance(last, Words) and _goes_on(last, piece):
            pieces[-1] = Words(piece.seg, last.text + piece.text, last.heard_about, piece.mark)
        elif not isinstance(piece, Over):
            pieces.append(piece)
    return pieces


def _goes_on(last: Words, piece: Words) -> bool:
    return last.seg == piece.seg and piece.heard_about is None and last.mark is None
