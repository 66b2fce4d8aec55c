"""What a store may do beyond the contract: overwrite existing records. Not every store can."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from radio.streams.contract import Record


@runtime_checkable
class Overwriting(Protocol):
    """A store that can erase the content of records. Their numbers, times and order stay."""

    async def overwrite(self, name: str, records: Sequence[Record]) -> bool:
        """Replace headers and bodies of the records with these numbers; missing records and commands are
        skipped.

        Followers are not told. Safe to repeat.

        Returns:
            Whether the old content is gone from the store's own files. False: its log still holds it until
            the store's next clean-up.

        Raises:
            StreamNotFound: there is no such stream; it is never created.
            Unavailable: nothing was written.
        """
        ...
