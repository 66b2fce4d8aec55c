"""Malformed requests against a relay process: no fault of ours, no trace in its log, flat memory."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from radio.settings import Limits, Settings
from tests.relay.nonsense import Nonsense
from tests.relay.process import RelayProcess, go_on_air, relaying
from tests.waiting import until

CLIENTS = 48
REPLY_S = 3.0
"""A client waits so long for the reply: who asks for what a narrator must make first would get none here."""
TORN_S = 0.2
"""The same for what may be no whole request."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
SOUND = 20_000
"""Bytes of a reply that are read at most: some never end."""
GROWTH = 32 << 20
"""Bytes; what a relay keeps in memory of HLS segments alone may be 12 MiB."""
LIMITS = Limits(
    casts_per_client_hour=10**6, casts_per_hour=10**6, listeners_per_client=1000, events_per_client=1000,
    gateway_bytes_per_s=1 << 30, hls_bytes_per_s=1 << 30, body_bytes=1 << 16,
)  # fmt: skip


@dataclass
class Outcome:
    """What came of the requests: how many by status (0: no reply), and those that were answered 5xx."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[tuple[bytes, bytes]] = field(default_factory=list)


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[RelayProcess]:
    settings = Settings(data=tmp_path, port=0, limits=LIMITS, trusted_hops=1)
    asyncio.run(go_on_air(settings, 300.0))
    with relaying(settings) as process:
        yield process


@pytest.mark.parametrize(
    ("count", "within_s"), [(3000, 6.0), pytest.param(60_000, 3600.0, marks=pytest.mark.soak)]
)
def test_no_request_is_a_fault_leaves_a_trace_or_costs_memory(
    relay: RelayProcess, count: int, within_s: float
) -> None:
    files = relay.files
    first = asyncio.run(ask(relay, seed=1, count=count // 5, within_s=within_s / 3))
    warm = relay.memory
    rest = asyncio.run(ask(relay, seed=2, count=count - count // 5, within_s=within_s))
    statuses = first.statuses + rest.statuses
    print(f"{statuses.total()} requests, {dict(sorted(statuses.items()))}, {warm=}, {relay.memory=}")
    assert first.faults + rest.faults == []
    assert relay.memory - warm < GROWTH
    asyncio.run(until(lambda: relay.files <= files + 5))
    assert set(statuses) >= {200, 400, 404, 405}
    log = relay.logged()
    assert "Traceback" not in log
    assert '"level": "error"' not in log.lower()
    assert "request.failed" not in log


async def ask(relay: RelayProcess, *, seed: int, count: int, within_s: float) -> Outcome:
    """So many requests, or as many as there is time for, from several clients at once."""
    outcome, nonsense = Outcome(), Nonsense(seed)
    end = time.monotonic() + within_s

    async def client() -> None:
        while outcome.statuses.total() < count and time.monotonic() < end:
            request, is_whole = nonsense.request()
            outcome.statuses[0] += 1
            reply = await exchange(relay.port, request, REPLY_S if is_whole else TORN_S)
            status = status_of(reply)
            outcome.statuses[0] -= 1
            outcome.statuses[status] += 1
            if status == 500 or b"Traceback" in reply:
                outcome.faults.append((request, reply[:2000]))

    async with asyncio.TaskGroup() as clients:
        for _ in range(CLIENTS):
            clients.create_task(client())
    return outcome


async def exchange(port: int, request: bytes, within_s: float) -> bytes:
    """The reply, or the beginning of one that is long; what came of it in that time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    reply = b""
    try:
        async with asyncio.timeout(within_s):
            writer.write(request)
            while not is_enough(reply) and (more := await reader.read(SOUND)):
                reply += more
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.transport.abort()
    return reply


def is_enough(reply: bytes) -> bool:
    """Whether it is whole, or has shown what it is."""
    head, border, body = reply.removeprefix(CONTINUE).partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    return bool(border) and (len(body) >= SOUND or length is None or len(body) >= int(length[1]))


def status_of(reply: bytes) -> int:
    """0: there is none."""
    parts = reply.removeprefix(CONTINUE).split(b" ", 2)
    return int(parts[1]) if len(parts) > 1 and parts[0].startswith(b"HTTP/") else 0
