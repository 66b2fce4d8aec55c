"""Casts: texts that listeners submit, spoken once, for ever at a link made from their content.

Everything here is a fold of streams or one append to them: claim `catalog/<cast>` (the private recipe), claim
`pub/casts/<cast>` with its `meta`, append a job. Narrators speak casts with an open job; the relay shows what
`fold` says.
"""

from radio.casts.hurrying import WAIT, hurry
from radio.casts.keeping import kept_until
from radio.casts.naming import cast_id, normal
from radio.casts.removing import OPERATOR, REMOVE, WrongToken, erase, forget, remove
from radio.casts.state import CastState, Line, Status, fold, is_open
from radio.casts.stored import GONE, Stored, look, recipe
from radio.casts.submitting import Gone, Submission, submit

__all__ = [
    "GONE",
    "OPERATOR",
    "REMOVE",
    "WAIT",
    "CastState",
    "Gone",
    "Line",
    "Status",
    "Stored",
    "Submission",
    "WrongToken",
    "cast_id",
    "erase",
    "fold",
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
