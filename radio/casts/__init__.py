"""Casts: texts that listeners submit, spoken once, for ever at a link made from their content.

Everything here is a fold of streams or one append to them: claim `catalog/<cast>` (the private recipe), claim
`pub/casts/<cast>` with its `meta`, append a job. Narrators speak casts with an open job; the relay shows the
`CastState` of each.
"""

from radio.casts.cast_state import CastSentence, CastState, Status, is_open
from radio.casts.content_id import cast_id, normal
from radio.casts.lookup import GONE, StoredCast, look, recipe
from radio.casts.priority import WAIT, hurry
from radio.casts.removal import OPERATOR, REMOVE, WrongToken, erase, forget, remove
from radio.casts.retention import kept_until
from radio.casts.submission import CastGone, Submission, submit

__all__ = [
    "GONE",
    "OPERATOR",
    "REMOVE",
    "WAIT",
    "CastGone",
    "CastSentence",
    "CastState",
    "Status",
    "StoredCast",
    "Submission",
    "WrongToken",
    "cast_id",
    "erase",
    "forget",
    "hurry",
    "is_open",
    "kept_until",
    "look",
    "normal",
    "recipe",
    "remove",
    "submit",
]
