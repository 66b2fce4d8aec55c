"""When a radio that was just started may say that it is on air."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

ASK_EVERY_S = 0.05
STATIONS_WITHIN_S = 10.0
"""How long the scheduler may take to write the cards once the relay answers; then the radio is announced
anyway."""
_ANSWER_S = 5.0


async def until_ready(host: str, port: int, *, has_stations: bool) -> None:
    """Return once the relay answers, and lists a station if there are station files."""
    await _until(host, port, "/healthz", is_good=lambda _: True)
    if has_stations:
        try:
            async with asyncio.timeout(STATIONS_WITHIN_S):
                await _until(host, port, "/stations", is_good=_lists_a_station)
        except TimeoutError:
            return  # every station file has errors; the scheduler logs them


async def until_healthy(host: str, port: int, path: str) -> None:
    """Return once that path answers 200."""
    await _until(host, port, path, is_good=lambda answer: answer.status == 200)


async def _until(host: str, port: int, path: str, *, is_good: Callable[["Answer"], bool]) -> None:
    while True:
        answer = await _ask(host, port, path)
        if answer is not None and is_good(answer):
            return
        await asyncio.sleep(ASK_EVERY_S)


def _lists_a_station(answer: "Answer") -> bool:
    try:
        return bool(json.loads(answer.body)["stations"])
    except (ValueError, KeyError, TypeError):
        return False


@dataclass(frozen=True, slots=True)
class Answer:
    """What HTTP answered."""

    status: int
    body: bytes


async def _ask(host: str, port: int, path: str) -> Answer | None:
    """The answer of the HTTP server there, whatever its status; None if there is none."""
    try:
        async with asyncio.timeout(_ANSWER_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
                status = re.match(rb"HTTP/1\.[01] (\d{3})\b", head)
                return Answer(int(status[1]), body) if status else None
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
