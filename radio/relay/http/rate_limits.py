"""Who a client is, and how much of something it may still have. No I/O here."""

import math
from collections import OrderedDict
from dataclasses import dataclass

MAX_CLIENTS = 10_000
"""Buckets kept; the one used longest ago goes first (a full bucket carries no memory worth keeping)."""
NEVER_S = 3600.0
"""What a bucket without capacity answers: nothing is given, however long one waits."""


def client_address(peer: str, forwarded: str, trusted_hops: int) -> str:
    """The address of the client as the outermost trusted proxy saw it.

    Args:
        peer: the address of the socket.
        forwarded: all `X-Forwarded-For` fields, joined by commas; whatever stands left of what trusted hops
            wrote may be made up, and is not read.
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    if trusted_hops <= 0 or not hops:
        return peer
    return hops[-min(trusted_hops, len(hops))]


@dataclass(slots=True)
class Bucket:
    """Holds up to `capacity` tokens and refills `per_s` of them a second."""

    capacity: float
    per_s: float
    tokens: float
    at: float

    def take(self, amount: float, now: float) -> float:
        """Take `amount` if it is there. Returns 0, or the seconds until it would be.

        More than the capacity may be taken once the bucket is full; it then owes the rest.
        """
        self.tokens = min(self.capacity, self.tokens + (now - self.at) * self.per_s)
        self.at = now
        if self.capacity <= 0:
            return NEVER_S
        missing = min(amount, self.capacity) - self.tokens
        if missing > 0:
            return missing / self.per_s
        self.tokens -= amount
        return 0.0

    def owe(self, amount: float) -> None:
        """`amount` was had; the bucket may owe it."""
        self.tokens -= amount


class ClientBuckets:
    """One bucket per client."""

    def __init__(self, capacity: float, per_s: float) -> None:
        self._capacity, self._per_s = capacity, per_s
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, amount: float, now: float) -> float:
        """As `Bucket.take`, from the bucket of this client; `now` in monotonic seconds."""
        bucket = self._buckets.pop(client, None) or Bucket(self._capacity, self._per_s, self._capacity, now)
        self._buckets[client] = bucket
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return bucket.take(amount, now)

    def owe(self, client: str, amount: float, now: float) -> None:
        """As `Bucket.owe`, of this client's bucket."""
        self.take(client, 0, now)
        self._buckets[client].owe(amount)


def retry_after(seconds: float) -> str:
    """Seconds to wait, as the header wants them: whole, at least one."""
    return str(max(1, math.ceil(seconds)))
