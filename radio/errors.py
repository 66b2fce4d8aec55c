"""The base of every error that this radio raises on purpose.

An error states a fact and has a hint for the person who can fix it. Rooms derive their own classes from
these.
"""


class RadioError(Exception):
    """Something went wrong.

    Attributes:
        hint: what the operator, editor or listener can do about it; may be empty.
    """

    def __init__(self, message: str | None = None, *, hint: str = "") -> None:
        super().__init__(message or type(self).__doc__ or type(self).__name__)
        self.hint = hint


class BadInput(RadioError, ValueError):
    """What was given cannot be used."""


class NotFound(RadioError, LookupError):
    """There is no such thing."""


class Unsupported(RadioError):
    """This machine or installation cannot do that."""


def first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, however nested."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
