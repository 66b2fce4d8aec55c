"""Telling a sentence that kills its narrator from a narrator that was killed. Pure."""

from collections.abc import Sequence

MOST = 3
"""Starts without a sentence between them, after which the next sentence is skipped."""
REASON = "tries"
"""The reason of such a skip."""

GIVES_UP = 3
"""Sentences in a row that killed their narrators, after which a cast fails."""
SILENT = "silent"
"""Why a cast fails of which nothing can be spoken."""


def why_failed(skips: Sequence[str | None], *, is_whole: bool) -> str | None:
    """Why nothing will come of a cast; None: something may.

    Args:
        skips: of its sentences so far, why each was skipped; None: it was spoken.
        is_whole: there is no further sentence.
    """
    if len(skips) >= GIVES_UP and all(reason == REASON for reason in skips[-GIVES_UP:]):
        return REASON
    return SILENT if is_whole and None not in skips else None


def tries(before: int | None, *, has_sentence: bool, was_free: bool, is_ready: bool) -> int:
    """The `try` of a new `start`.

    Args:
        before: that of the `start` before it; None if there is none.
        has_sentence: a sentence was spoken or skipped since that.
        was_free: the lane was given up in good order, or never owned.
        is_ready: a sentence is there to be spoken.
    """
    if before is None or has_sentence or was_free or not is_ready:
        return 0
    return before + 1
