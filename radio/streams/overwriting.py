"""What a store may do beyond the contract: write over records that stand. Not every store can."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from radio.streams.contract import Record


@runtime_checkable
class Overwriting(Protocol):
    """A store whose records can lose what they hold. Numbers, times and order stay as they are."""

    async def overwrite(self, name: str, records: Sequence[Record]) -> bool:
        """Give the records of these numbers these headers and bodies; one that is gone, or a command, stays.

        Followers are not told. Safe to repeat.

        Returns:
            Whether nothing of what stood there is left in the store's own files. False: its log still holds
            it, until the store has next tidied it.

        Raises:
            StreamNotFound: there is no such stream; it is never created.
            Unavailable: nothing was written.
        """
        ...
