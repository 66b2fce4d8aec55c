"""The meaning of a failed call to S2 in the contract's terms, and whether it may be repeated."""

from enum import Enum

from radio.streams.contract import StoreError


class Verdict(Enum):
    """What is known after a call failed."""

    REFUSED = "nothing happened; the same call may succeed later"
    UNKNOWN = "it may have happened or not; a call that can be repeated may be made again"
    FINAL = "nothing happened, and the same call will fail again"


class CallFailed(Exception):
    """One call failed. Never leaves the store: its `error` does."""

    def __init__(self, verdict: Verdict, error: StoreError) -> None:
        super().__init__(f"{verdict.name}: {error}")
        self.verdict = verdict
        self.error = error


class NoBasin(StoreError):
    """There is no such basin."""

    def __init__(self, basin: str) -> None:
        super().__init__(
            f"S2 has no basin {basin}", hint="it was deleted, or the server began anew without its folder"
        )


class Denied(StoreError):
    """The access token does not allow that."""
