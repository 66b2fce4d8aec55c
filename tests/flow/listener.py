"""One listener for the whole of a test, who notes all the sound and every caption, and what that must be."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from radio.mp3.frames import BYTES_PER_MS, FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.streams.contract import StreamStore
from radio.streams.records import Audio, Epoch
from tests.flow import measure
from tests.flow.running import Radio
from tests.waiting import until

STATION = "harbor"
_BYTES_PER_S = BYTES_PER_MS * 1000
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=120)


@dataclass(slots=True)
class Listener:
    """What has been received so far: the stream's bytes, and the sentences by their seq, as often as told."""

    sound: bytearray = field(default_factory=bytearray)
    captions: Counter[int] = field(default_factory=Counter)
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Of sound."""
        return len(self.sound) / BYTES_PER_MS / 1000

    async def hears(self, seconds: float, *, within_s: float = 120.0) -> None:
        """Wait for so much more sound."""
        wanted = self.seconds + seconds
        await until(lambda: self.seconds >= wanted, within_s=within_s)


@asynccontextmanager
async def listening(radio: Radio) -> AsyncIterator[Listener]:
    """Listen until the block ends. A stream that the radio ends before is an error."""
    listener = Listener()
    async with aiohttp.ClientSession(timeout=_TIMEOUT) as session:
        tasks = [
            asyncio.create_task(
                _hear(session, f"{radio.url}stations/{STATION}/live.mp3", listener), name="ear"
            ),
            asyncio.create_task(
                _read(session, f"{radio.url}stations/{STATION}/events", listener), name="eye"
            ),
        ]
        try:
            await until(lambda: listener.seconds > 0 or any(task.done() for task in tasks))
            _both_run(tasks)
            yield listener
            _both_run(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _both_run(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()
            raise AssertionError(f"the radio let go of its listener's {task.get_name()}")


async def _hear(session: aiohttp.ClientSession, url: str, listener: Listener) -> None:
    async with session.get(url) as response:
        assert response.status == 200, await response.text()
        async for chunk in response.content.iter_any():
            listener.sound += chunk


async def _read(session: aiohttp.ClientSession, url: str, listener: Listener) -> None:
    event = ""
    async with session.get(url) as response:
        assert response.status == 200, await response.text()
        async for line in response.content:
            word, _, value = line.decode().rstrip("\r\n").partition(": ")
            if word == "event":
                event = value
            elif word == "data" and event == "caption":
                told = json.loads(value)
                listener.captions[told["seq"]] += 1
                listener.texts[told["seq"]] = told["t"]


@dataclass(frozen=True, slots=True)
class Account:
    """What a listener heard of the broadcast: whole sentences, and the longest silence after the first."""

    seconds: float
    sentences: int
    dead_air_s: float


async def account(listener: Listener, store: StreamStore) -> Account:
    """Assert that the sound is the broadcast, frame for frame, and that each of its sentences was told once.

    The broadcast is every sentence once, in order, with silence where the air time leaves a gap: who hears
    exactly that missed nothing, and heard nothing twice.
    """
    line = Line(await measure.broadcast(store, STATION))
    heard = bytes(listener.sound[: len(listener.sound) // FRAME_BYTES * FRAME_BYTES])
    begin = line.find(heard)
    end = begin + len(heard)
    whole = [piece for piece in line.spoken if begin <= piece.start and piece.end <= end]
    assert {seq: count for seq, count in listener.captions.items() if count != 1} == {}
    assert [listener.texts.get(piece.seq) for piece in whole] == [piece.text for piece in whole]
    silences = [(max(start, begin), min(stop, end)) for start, stop in line.silences[1:]]
    longest = max((stop - start for start, stop in silences), default=0)
    return Account(len(heard) / _BYTES_PER_S, len(whole), max(longest, 0) / _BYTES_PER_S)


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, from byte `start` to byte `end` of the line."""

    seq: int
    text: str
    start: int
    end: int


class Line:
    """All that a station sends: its sentences, with silence of `EDGE_S` before and after them."""

    EDGE_S = 120

    def __init__(self, stream: Sequence[measure.Entry]) -> None:
        self.spoken: list[Piece] = []
        self.silences: list[tuple[int, int]] = []
        self._sound = bytearray()
        self._be_silent(self.EDGE_S * 1000)
        until: int | None = None
        for entry in stream:
            if isinstance(entry.record, Epoch) and until is not None:
                until += entry.record.step
            elif isinstance(entry.record, Audio):
                at = entry.record.at or 0
                self._be_silent(0 if until is None else at - until)
                self._speak(entry.seq, entry.record)
                until = entry.record.until
        self._be_silent(self.EDGE_S * 1000)

    def _be_silent(self, ms: int) -> None:
        assert ms >= 0, "two sentences at once"
        start = len(self._sound)
        self._sound += SILENCE_FRAME * (ms // FRAME_MS)
        self.silences.append((start, len(self._sound)))

    def _speak(self, seq: int, audio: Audio) -> None:
        start = len(self._sound)
        self._sound += audio.body
        self.spoken.append(Piece(seq, audio.t, start, len(self._sound)))

    def find(self, heard: bytes) -> int:
        """Where that sound begins."""
        begin = self._sound.find(heard)
        while begin > 0 and begin % FRAME_BYTES:
            begin = self._sound.find(heard, begin + 1)
        assert begin >= 0, f"what was heard is not what was broadcast: {self._differs(heard)}"
        return begin

    def _differs(self, heard: bytes) -> str:
        """For whoever reads the failure: how much of it is there."""
        low, high = 0, len(heard) // FRAME_BYTES
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if heard[: middle * FRAME_BYTES] in self._sound else (low, middle - 1)
        return f"the first {low * FRAME_MS} of {len(heard) // BYTES_PER_MS} ms are"
