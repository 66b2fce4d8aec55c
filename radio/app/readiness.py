"""When a radio that was just started may say that it is on air."""

import asyncio
import json

ASK_EVERY_S = 0.05
STATIONS_WITHIN_S = 10.0
"""What the scheduler has for the stations' cards once the relay answers; then it is said all the same."""
_ANSWER_S = 5.0


async def until_ready(host: str, port: int, *, has_stations: bool) -> None:
    """Return once the relay answers, and lists a station if there are station files."""
    await _until(host, port, "/healthz")
    if has_stations:
        try:
            async with asyncio.timeout(STATIONS_WITHIN_S):
                await _until(host, port, "/stations", lists_a_station=True)
        except TimeoutError:
            return  # every station file is wrong, which the scheduler's log says


async def _until(host: str, port: int, path: str, *, lists_a_station: bool = False) -> None:
    while True:
        body = await _ask(host, port, path)
        if body is not None and (not lists_a_station or _lists(body)):
            return
        await asyncio.sleep(ASK_EVERY_S)


def _lists(body: bytes) -> bool:
    try:
        return bool(json.loads(body)["stations"])
    except (ValueError, KeyError, TypeError):
        return False


async def _ask(host: str, port: int, path: str) -> bytes | None:
    """What HTTP there answers, whatever its status; None if nothing does."""
    try:
        async with asyncio.timeout(_ANSWER_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
                return body if head.startswith(b"HTTP/") else None
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
