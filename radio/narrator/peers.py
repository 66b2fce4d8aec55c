"""The other narrators that are alive, as last seen."""

from collections.abc import Sequence

from radio.narrator.sharing import Capacity
from radio.streams.ownership.members import Member
from radio.streams.ownership.observer import Peer
from radio.streams.records import LaneId

NARRATOR = "narrator"
"""A narrator's role as a member."""


class Peers:
    """The newest heartbeats of the other narrators.

    Attributes:
        seen: those that were alive at the last `refresh`.
    """

    def __init__(self, member: Member) -> None:
        self._member = member
        self.seen: Sequence[Peer] = ()

    async def refresh(self) -> None:
        self.seen = [peer for peer in await self._member.peers() if peer.role == NARRATOR]

    @property
    def capacities(self) -> list[Capacity]:
        """What they can make and what they carry; without those that have not measured their speed."""
        return [
            Capacity(peer.xrt, peer.live or 0, sum(lane.kind == "cast" for lane in peer.leads))
            for peer in self.seen
            if peer.xrt is not None
        ]

    @property
    def lanes(self) -> set[LaneId]:
        """The lanes that they serve."""
        return {lane for peer in self.seen for lane in peer.leads}
