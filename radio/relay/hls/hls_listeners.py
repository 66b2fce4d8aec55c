"""Who hears a station by HLS: no connection tells, so a player counts while it fetches playlists. No I/O."""

from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Final

HEARD_S: Final = 20.0
"""A player that hears looks at the playlist every 6 s; after three times that it is gone."""
STAYED_S: Final = 3.0
"""From its first look to its last: who looks once is a probe."""
MAX_PLAYERS: Final = 10_000
"""Remembered of one station; the one that looked longest ago goes first."""


@dataclass(slots=True)
class _Looks:
    """Monotonic seconds of a player's first and last look at the playlist."""

    first: float
    last: float


class HlsListeners:
    """The HLS players of one station.

    Args:
        most: players of one address that are counted.
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._players: OrderedDict[tuple[str, str], _Looks] = OrderedDict()

    def looked(self, address: str, player: str, now: float) -> None:
        """A player at this address fetched a playlist; `player` tells those of one address apart."""
        key = (address, player)
        looks = self._players.pop(key, None)
        if looks is None or now - looks.last > HEARD_S:
            looks = _Looks(now, now)
        looks.last = now
        self._players[key] = looks
        if len(self._players) > MAX_PLAYERS:
            self._players.popitem(last=False)

    def counted(self, now: float) -> int:
        """Players that hear it now."""
        heard: Counter[str] = Counter()
        for (address, _), looks in reversed(self._players.items()):
            if now - looks.last > HEARD_S:
                break
            heard[address] += looks.last - looks.first >= STAYED_S
        return sum(min(count, self._most) for count in heard.values())
