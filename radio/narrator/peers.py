"""The other narrators that live, as they were seen last."""

from collections.abc import Sequence

from radio.narrator.sharing import Capacity
from radio.streams.ownership.members import Member
from radio.streams.ownership.observer import Peer
from radio.streams.records import LaneId

NARRATOR = "narrator"
"""A narrator's role as a member."""


class Peers:
    """What the heartbeats of the other narrators tell.

    Attributes:
        seen: at the last `refresh`.
    """

    def __init__(self, member: Member) -> None:
        self._member = member
        self.seen: Sequence[Peer] = ()

    async def refresh(self) -> None:
        self.seen = [peer for peer in await self._member.peers() if peer.role == NARRATOR]

    @property
    def capacities(self) -> list[Capacity]:
        """What they can make and what they carry, as far as they have told."""
        return [
            Capacity(peer.xrt, peer.live or 0, sum(lane.kind == "cast" for lane in peer.leads))
            for peer in self.seen
            if peer.xrt is not None
        ]

    @property
    def lanes(self) -> set[LaneId]:
        """The lanes that they serve."""
        return {lane for peer in self.seen for lane in peer.leads}
