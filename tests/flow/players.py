"""Real clients: ffmpeg, and an HTTP client that notes what it heard and when."""

import asyncio
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

BYTES_PER_MS = 8
PATIENCE_S = 900.0
"""For the next bytes: a station below its guard goes before any cast, however slow the machine is."""


@dataclass(slots=True)
class Heard:
    """What an HTTP client received. Times in seconds of the wall clock."""

    began: float
    ended: float = 0.0
    chunks: list[tuple[float, int]] = field(default_factory=list)
    sound: bytearray = field(default_factory=bytearray)

    @property
    def first_byte(self) -> float:
        return self.chunks[0][0]

    @property
    def elapsed_ms(self) -> float:
        """From the first byte on."""
        return (self.ended - self.first_byte) * 1000


async def hear(url: str, *, seconds: float | None = None, size: int | None = None) -> Heard:
    """Follow an MP3 until it ends, or for so many seconds from its first byte, or for so many bytes."""
    heard = Heard(began=time.time())
    timeout = aiohttp.ClientTimeout(sock_connect=30, sock_read=PATIENCE_S)
    async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
        assert response.status == 200, await response.text()
        assert response.content_type == "audio/mpeg"
        async for chunk in response.content.iter_any():
            now = time.time()
            heard.chunks.append((now, len(chunk)))
            heard.sound += chunk
            if seconds is not None and now - heard.first_byte >= seconds:
                break
            if size is not None and len(heard.sound) >= size:
                break
    heard.ended = time.time()
    return heard


async def ffmpeg(*arguments: str) -> str:
    """Run ffmpeg; what it said. It must succeed."""
    process = await asyncio.create_subprocess_exec(
        "ffmpeg", "-nostdin", "-hide_banner", "-y", *arguments,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    assert process.returncode == 0, said.decode(errors="replace")
    return said.decode(errors="replace")


async def complaints(source: str | Path, *options: str) -> str:
    """What ffmpeg has to complain of when it decodes all of it; "" is praise."""
    return await ffmpeg("-v", "error", "-xerror", *options, "-i", str(source), "-f", "null", "-")


async def silent_share(path: Path, seconds: float) -> float:
    """Share of the sound that is silence of a second or more, below -50 dB."""
    said = await ffmpeg("-i", str(path), "-af", "silencedetect=n=-50dB:d=1", "-f", "null", "-")
    return sum(float(length) for length in re.findall(r"silence_duration: ([0-9.]+)", said)) / seconds
