"""Tells a sentence that kills its narrator from a narrator that was killed otherwise. Pure."""

from collections.abc import Sequence

MOST = 3
"""After this many starts with no sentence in between, the next sentence is skipped."""
REASON = "tries"
"""Why such a sentence is skipped."""

GIVES_UP = 3
"""After this many sentences in a row that killed their narrators, a cast fails."""
SILENT = "silent"
"""Why a cast fails if none of its sentences can be spoken."""


def why_failed(skips: Sequence[str | None], *, is_whole: bool) -> str | None:
    """Why a cast fails; None: it does not, so far.

    Args:
        skips: for each sentence so far, why it was skipped; None: it was spoken.
        is_whole: no sentence follows.
    """
    if len(skips) >= GIVES_UP and all(reason == REASON for reason in skips[-GIVES_UP:]):
        return REASON
    return SILENT if is_whole and None not in skips else None


def tries(before: int | None, *, has_sentence: bool, was_free: bool, is_ready: bool) -> int:
    """The field `try` of a new `start` record.

    Args:
        before: `try` of the previous `start`; None if there is none.
        has_sentence: a sentence was spoken or skipped since that.
        was_free: the lane was given up in good order, or never owned.
        is_ready: a sentence is there to be spoken.
    """
    if before is None or has_sentence or was_free or not is_ready:
        return 0
    return before + 1
