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
    """A sentence that a lane has given out to be spoken.

    Attributes:
        text: the caption.
        i: its index in its run or cast.
        pronounce: how its words are said in another way than by the rules.
        made: its sound, if that needs no voice.
        skip: it is not to be spoken, for this reason.
        of: seq of the record that had its sound first, if it is heard again.
        c: seq of the request that asked for it; None if the script did.
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
        stations: its live ones.
        xrt: the measured speed of its voice.
        ttl_s: silence after which another narrator would take over, if this one died elsewhere or froze here;
            None: there is none.
        at_once: sentences that its voice speaks together.
    """

    stations: int
    xrt: float
    ttl_s: float | None = None
    at_once: int = 1


class GivenUp(RadioError):
    """The lane is left to another narrator."""


class Lane(Protocol):
    """One of those between which the scheduler chooses. After an error it is lost and takes nothing more."""

    id: LaneId

    @property
    def owner(self) -> str:
        """As whom it is owned on the store; "" while it is not."""
        ...

    @property
    def is_live(self) -> bool:
        """It counts as a live station in the load: one with which the voice must keep up."""
        ...

    def status(self, load: Load) -> LaneStatus:
        """How it stands now."""
        ...

    async def prepare(self) -> None:
        """Become ready to begin; may show that nothing is. Raises `RadioError` if the lane is lost."""
        ...

    def begin(self) -> LaneSentence | None:
        """The sentence to speak, None if none is ready. `put` or `skip` follows, before anything else."""
        ...

    async def put(self, piece: LaneSentence, spoken: Spoken) -> None:
        """Append the spoken sentence. Raises `StoreError` if the lane is lost."""
        ...

    async def skip(self, piece: LaneSentence, reason: str) -> None:
        """Append that the sentence cannot be spoken. Raises `StoreError` if the lane is lost."""
        ...

    async def tidy(self, load: Load) -> None:
        """Append what has come to be due without a sentence. Raises `StoreError` if the lane is lost."""
        ...

    def lose(self, error: Exception) -> None:
        """The lane is lost: `run` ends with this error."""
        ...
