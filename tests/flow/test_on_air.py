"""From a token of the LLM to a listener's ear, through all processes and real models."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.streams.records import Audio
from tests import hearing
from tests.flow import measure, players
from tests.flow.running import Radio
from tests.need import need
from tests.waiting import until

pytestmark = [pytest.mark.flow, pytest.mark.model]

CUSHION_MS = 10_000
LATE_MS = 10_000
"""What a loaded machine may be late by when the clock is read."""
IN_TIME_MS = 10_000
"""Who is there so long before his air time, the least guard of a station, is heard whole."""
TRIES_S = (40, 120, 300)
"""So long is listened, until there were sentences enough: a slow voice has pauses between them."""
LEAST_SENTENCES = 3
Sound = Sequence[tuple[measure.Entry, Audio]]


async def speaks(radio: Radio) -> None:
    """Wait until a sentence is on air."""

    async def heard() -> bool:
        async with radio.store() as store:
            sound = await measure.audio_of(store, "harbor")
        return bool(sound) and (sound[0][1].at or 0) <= time.time() * 1000

    await until(heard, within_s=300)


@dataclass(frozen=True)
class Live:
    """What was got of the live stream at the same time, from epoch ms `since`, and the broadcast after that.

    Attributes:
        decoded: 30 s of it, as ffmpeg wrote them, and `complaints` of that.
    """

    since: float
    heard: players.Heard
    sound: Sound
    decoded: Path
    complaints: str

    @property
    def whole(self) -> Sound:
        return carried(self.heard, self.sound)


@pytest.fixture(scope="module")
def live(writing: Radio, tmp_path_factory: pytest.TempPathFactory) -> Live:
    need("ffmpeg")
    return asyncio.run(_listen(writing, tmp_path_factory.mktemp("live") / "live.wav"))


async def _listen(radio: Radio, decoded: Path) -> Live:
    await speaks(radio)
    url = f"{radio.url}stations/harbor/live.mp3"
    for seconds in TRIES_S:
        since = time.time() * 1000
        heard, complaints = await asyncio.gather(
            players.hear(url, seconds=seconds),
            players.ffmpeg("-v", "error", "-xerror", "-i", url, "-t", "30", str(decoded)),
        )
        async with radio.store() as store:
            sound = await measure.audio_of(store, "harbor")
        if sum((audio.at or 0) > since for _, audio in sound) > LEAST_SENTENCES:
            break
    return Live(since, heard, sound, decoded, complaints)


@pytest.mark.player
async def test_ffmpeg_decodes_speech_from_the_live_stream(live: Live) -> None:
    assert live.complaints == ""
    gaps = gap_share([audio for _, audio in live.sound], live.since, live.since + 30_000)
    assert await players.silent_share(live.decoded, 30) < 0.2 + gaps


def gap_share(made: Sequence[Audio], since: float, until: float) -> float:
    """Share of that time (epoch ms) for which the voice was too slow to have a sentence."""
    covered = [
        min(a.until, until) - max(a.at or 0, since) for a in made if a.until > since and (a.at or 0) < until
    ]
    return 1 - sum(covered) / (until - since)


async def test_live_carries_the_broadcast_at_the_pace_of_the_clock(live: Live, writing: Radio) -> None:
    need("whisper")
    heard = live.heard
    assert len(heard.sound) <= players.BYTES_PER_MS * (heard.elapsed_ms + CUSHION_MS + LATE_MS)
    assert len(heard.sound) >= players.BYTES_PER_MS * (heard.elapsed_ms - LATE_MS)

    async with writing.store() as store:
        for run in measure.runs(await measure.broadcast(store, "harbor")):
            await measure.is_exactly_once(store, "harbor", run)
    assert len(live.whole) >= LEAST_SENTENCES - 1, "hardly a whole sentence"
    said = b"".join(audio.body for _, audio in live.whole)
    assert hearing.word_error_rate(hearing.hear(said), " ".join(a.t for _, a in live.whole)) < 0.2


def carried(heard: players.Heard, sound: Sound) -> Sound:
    """The sentences that a live listener got whole.

    Each must lie where its air time says; of one that came hardly before that, the begin may be lost.
    """
    begins = Counter(
        at_byte(a) - heard.sound.find(a.body) for _, a in sound if heard.sound.count(a.body) == 1
    )
    assert begins, "not one whole sentence"
    first = begins.most_common(1)[0][0]
    end = first + len(heard.sound)
    there = [(e, a) for e, a in sound if first <= at_byte(a) and at_byte(a) + len(a.body) <= end]
    whole = []
    for entry, audio in there:
        place = at_byte(audio) - first
        lost = frames_lost(bytes(heard.sound[place : place + len(audio.body)]), audio.body)
        assert lost is not None, f"record {entry.seq} is not there"
        assert lost == 0 or entry.appended > (audio.at or 0) - IN_TIME_MS, f"record {entry.seq} is cut"
        if lost == 0:
            whole.append((entry, audio))
    return whole


def frames_lost(heard: bytes, body: bytes) -> int | None:
    """How many frames of its begin were silence instead; None: what was heard is something else."""
    lost = 0
    while lost * FRAME_BYTES < len(body) and heard[lost * FRAME_BYTES :] != body[lost * FRAME_BYTES :]:
        lost += 1
    return lost if heard[: lost * FRAME_BYTES] == SILENCE_FRAME * lost else None


def at_byte(audio: Audio) -> int:
    """Its air time in bytes of sound."""
    assert audio.at is not None
    return audio.at * players.BYTES_PER_MS


async def test_a_replay_is_byte_for_byte_what_live_carried(live: Live, writing: Radio) -> None:
    first, last = live.whole[0][0].seq, live.whole[-1][0].seq
    bodies = [audio.body for entry, audio in live.sound if first <= entry.seq <= last]
    size = sum(map(len, bodies))
    replay = f"{writing.url}stations/harbor/replay.mp3?from={first}"
    again = (await players.hear(replay, size=size)).sound[:size]
    assert again == b"".join(bodies)
    for part in stretches(live.whole):
        assert part in live.heard.sound, "live carried something else in between"


def stretches(sound: Sound) -> list[bytes]:
    """The sound, broken where a gap was."""
    parts: list[bytes] = []
    end: int | None = None
    for _, audio in sound:
        if audio.at == end:
            parts[-1] += audio.body
        else:
            parts.append(audio.body)
        end = audio.until
    return parts
