"""What the speaking loop needs of a lane, whether it is a station's or a cast's."""

from dataclasses import dataclass
from typing import Protocol

from radio.errors import RadioError
from radio.narrator.lane_scheduler import LaneStatus
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Spoken
from radio.streams.records import LaneId


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSentence:
    """A sentence that a lane hands to the speaking loop.

    Attributes:
        text: the caption.
        i: its index in its run or cast.
        pronounce: words that are said differently from the rules.
        made: its audio, if it needs no voice.
        skip: why it is not to be spoken; None: it is.
        of: seq of the record that first carried this audio, if it is repeated.
        c: seq of the request that asked for it; None if it comes from the script.
    """

    text: str
    voice: str
    i: int
    pronounce: Pronunciations = NONE
    made: Spoken | None = None
    skip: str | None = None
    of: int | None = None
    c: int | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """What this narrator carries.

    Attributes:
        stations: how many live stations it serves.
        xrt: the measured speed of its voice.
        ttl_s: silence after which another narrator takes over; None: there is no other.
        at_once: sentences that its voice speaks together.
    """

    stations: int
    xrt: float
    ttl_s: float | None = None
    at_once: int = 1


class GivenUp(RadioError):
    """This narrator has left the lane to another one."""


class Lane(Protocol):
    """What the scheduler chooses between. After an error it is lost, and nothing more is appended to it."""

    id: LaneId

    @property
    def owner(self) -> str:
        """The owner id under which this narrator owns it on the store; "" while it does not."""
        ...

    @property
    def is_live(self) -> bool:
        """Whether it counts as a live station: one that the voice must keep up with."""
        ...

    def status(self, load: Load) -> LaneStatus:
        """What the scheduler needs to know of it now."""
        ...

    async def prepare(self) -> None:
        """Get the next sentence ready; there may be none. Raises `RadioError` if the lane is lost."""
        ...

    def begin(self) -> LaneSentence | None:
        """The sentence to speak; None if none is ready. The next call must be `put` or `skip`."""
        ...

    async def put(self, piece: LaneSentence, spoken: Spoken) -> None:
        """Append the spoken sentence. Raises `StoreError` if the lane is lost."""
        ...

    async def skip(self, piece: LaneSentence, reason: str) -> None:
        """Append that the sentence cannot be spoken. Raises `StoreError` if the lane is lost."""
        ...

    async def tidy(self, load: Load) -> None:
        """Append what is due without a sentence, such as an end. Raises `StoreError` if the lane is lost."""
        ...

    def end_with(self, error: Exception) -> None:
        """End `run` with this error, because the lane is lost or given up."""
        ...
