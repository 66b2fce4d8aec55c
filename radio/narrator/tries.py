"""Telling a sentence that kills its narrator from a narrator that was killed. Pure."""

MOST = 3
"""Starts without a sentence between them, after which the next sentence is skipped."""
REASON = "tries"
"""The reason of such a skip."""


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
