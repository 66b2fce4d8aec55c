"""Puts real records with real MP3 on air, as the station's and the narrator's processes would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from radio import casts
from radio.clock import Clock, ManualClock
from radio.mp3.encoder import encode
from radio.mp3.frames import FRAME_BYTES, FRAME_MS
from radio.streams import names
from radio.streams.contract import Appendable, Fence, StreamStore
from radio.streams.records import (
    AnyRecord,
    ArchivedRun,
    Audio,
    BroadcastEnd,
    BroadcastStart,
    Card,
    CastEnd,
    CastStart,
    Epoch,
    ScriptPosition,
    ShowBegin,
    Skip,
)
from radio.streams.records import encode as to_record

TOKEN = "e1.narrator"


TONES = 20
"""Making MP3 takes time: numbers that lie so far apart have the same tone."""


def sound(number: int, seconds: float = 2.0) -> bytes:
    """A tone that is another one for each of `TONES` numbers; real MP3, whole frames that stand alone."""
    return _tone(number % TONES, seconds)


@cache
def _tone(number: int, seconds: float) -> bytes:
    time = np.arange(round(seconds * 24_000)) / 24_000
    wave = 0.3 * np.sin(2 * np.pi * (220 + 30 * number) * time)
    return encode(wave.astype(np.float32))


def card(station: str, **changed: Any) -> Card:
    given: dict[str, Any] = {
        "station": station,
        "title": "Harbor FM",
        "description": "Ships and small facts",
        "zone": "Europe/Berlin",
        "language": "en-us",
        "voice": "af_heart",
        "lead": (30.0, 10.0),
        "keep_ms": None,
        "fallback": "text",
        "days": (),
    }
    return Card(**{**given, **changed})


def day(run: str, title: str, at: int, until: int) -> Mapping[str, Any]:
    return {"run": run, "show": run.partition("@")[0], "title": title, "at": at, "until": until}


@dataclass
class Air:
    """A station on air: `at` is the air time of the next sentence."""

    store: StreamStore
    clock: Clock
    station: str = "harbor"
    at: int = 0
    pos: int = 0
    run: str = "night@20270115T0800"
    count: int = 0
    epoch: int | None = None
    said: list[tuple[int, Audio]] = field(default_factory=list)

    async def begin(self, **changed: Any) -> "Air":
        """The card, and a narrator that took the station; its first sentence airs now."""
        name = names.card(self.station)
        await self.store.append(name, [to_record(card(self.station, **changed))])
        start = to_record(BroadcastStart(owner="narrator"))
        await self._append([Fence(TOKEN), start], fencing_token="")
        self.at = -(-self.clock.now_ms() // FRAME_MS) * FRAME_MS
        return self

    async def show(self, run: str, title: str) -> int:
        self.run, self.count = run, 0
        record = ShowBegin(run=run, show=run.partition("@")[0], title=title, at=self.at)
        return await self._append([to_record(record)])

    async def say(self, text: str, *, seconds: float = 2.0, gap_ms: int = 0, of: int | None = None) -> int:
        """A sentence right after the one before, `gap_ms` later. Returns its number."""
        self.at += gap_ms // FRAME_MS * FRAME_MS
        body = sound(len(self.said), seconds)
        audio = Audio(
            of=of,
            i=self.count,
            d=len(body) // FRAME_BYTES * FRAME_MS,
            t=text,
            pos=self.pos,
            at=self.at,
            run=self.run,
            src=ScriptPosition(1, len(self.said)),
            epoch=self.epoch,
            body=body,
        )
        seq = await self._append([to_record(audio)])
        self.said.append((seq, audio))
        self.at, self.pos, self.count = self.at + audio.d, self.pos + len(body), self.count + 1
        return seq

    async def say_many(self, count: int, *, seconds: float = 2.0) -> list[int]:
        return [await self.say(f"Sentence {k}.", seconds=seconds) for k in range(count)]

    async def skip(self, text: str) -> int:
        record = Skip(i=self.count, t=text, reason="silent", run=self.run, src=ScriptPosition(1, 0))
        self.count += 1
        return await self._append([to_record(record)])

    async def step(self, ms: int) -> int:
        """The wall clock was set."""
        self.at += ms
        self.epoch = await self._append([to_record(Epoch(step=ms))])
        return self.epoch

    async def end(self, reason: str = "over") -> int:
        return await self._append([to_record(BroadcastEnd(run=self.run, reason=reason))])

    async def archive(self, run: str, title: str, spans: Sequence[tuple[int, int]]) -> None:
        mine = [audio for seq, audio in self.said if any(a <= seq <= b for a, b in spans)]
        record = ArchivedRun(
            run=run,
            show=run.partition("@")[0],
            title=title,
            spans=tuple(spans),
            at=mine[0].at or 0,
            until=mine[-1].until,
            size=sum(len(audio.body) for audio in mine),
            sentences=len(mine),
        )
        await self.store.append(names.shows(self.station), [to_record(record)])

    async def card(self, **changed: Any) -> None:
        await self.store.append(names.card(self.station), [to_record(card(self.station, **changed))])

    def bytes_of(self, first: int, last: int) -> bytes:
        """The sound of records `first` to `last`."""
        return b"".join(audio.body for seq, audio in self.said if first <= seq <= last)

    async def _append(self, records: Sequence[Appendable], *, fencing_token: str = TOKEN) -> int:
        name = names.broadcast(self.station)
        ack = await self.store.append(name, records, fencing_token=fencing_token)
        return ack.end.seq - 1


@dataclass
class Narrated:
    """A cast and the narrator that speaks it."""

    store: StreamStore
    cast: str
    token: str

    @classmethod
    async def submit(cls, store: StreamStore, clock: ManualClock, text: str) -> "Narrated":
        done = await casts.submit(store, clock, text=text, voice="af_heart")
        assert done.token is not None
        return cls(store, done.cast, done.token)

    async def start(self, first: int = 0) -> None:
        fence = await self.store.fencing_token(names.cast(self.cast))
        start = to_record(CastStart(owner="narrator", first=first))
        await self.store.append(names.cast(self.cast), [Fence("e1.narrator"), start], fencing_token=fence)

    async def say(self, i: int, text: str, *, seconds: float = 1.0, number: int | None = None) -> bytes:
        body = sound(i if number is None else number, seconds)
        await self.append(Audio(i=i, d=len(body) // 8, t=text, pos=0, body=body))
        return body

    async def skip(self, i: int, text: str) -> None:
        await self.append(Skip(i=i, t=text, reason="silent"))

    async def end(self, reason: str = "done") -> None:
        await self.append(CastEnd(reason=reason, job=0))

    async def append(self, record: AnyRecord) -> None:
        fence = await self.store.fencing_token(names.cast(self.cast))
        await self.store.append(names.cast(self.cast), [to_record(record)], fencing_token=fence)
