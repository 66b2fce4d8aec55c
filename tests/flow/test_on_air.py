"""From a token of the LLM to a listener's ear, through all processes and real models."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from radio.streams.records import Audio
from tests import hearing
from tests.flow import measure, players
from tests.flow.running import Radio
from tests.need import need
from tests.waiting import until

pytestmark = [pytest.mark.flow, pytest.mark.model]

CUSHION_MS = 10_000
LATE_MS = 2_000
"""What a loaded machine may be late by when the clock is read."""


async def speaks(radio: Radio) -> None:
    """Wait until a sentence is on air."""

    async def heard() -> bool:
        async with radio.store() as store:
            sound = await measure.audio_of(store, "harbor")
        return bool(sound) and (sound[0][1].at or 0) <= time.time() * 1000

    await until(heard, within_s=180)


@pytest.mark.player
async def test_ffmpeg_decodes_speech_from_the_live_stream(writing: Radio, tmp_path: Path) -> None:
    need("ffmpeg")
    await speaks(writing)
    sound = tmp_path / "live.wav"
    since = time.time() * 1000
    live = f"{writing.url}stations/harbor/live.mp3"
    assert await players.ffmpeg("-v", "error", "-xerror", "-i", live, "-t", "30", str(sound)) == ""
    async with writing.store() as store:
        made = [audio for _, audio in await measure.audio_of(store, "harbor")]
    assert await players.silent_share(sound, 30) < 0.2 + gap_share(made, since, since + 30_000)


def gap_share(made: Sequence[Audio], since: float, until: float) -> float:
    """Share of that time (epoch ms) for which the voice was too slow to have a sentence."""
    covered = [
        min(a.until, until) - max(a.at or 0, since) for a in made if a.until > since and (a.at or 0) < until
    ]
    return 1 - sum(covered) / (until - since)


async def test_live_carries_the_broadcast_at_the_pace_of_the_clock(writing: Radio) -> None:
    need("whisper")
    await speaks(writing)
    heard = await players.hear(f"{writing.url}stations/harbor/live.mp3", seconds=40)
    assert len(heard.sound) <= players.BYTES_PER_MS * (heard.elapsed_ms + CUSHION_MS + LATE_MS)
    assert len(heard.sound) >= players.BYTES_PER_MS * (heard.elapsed_ms - LATE_MS)

    async with writing.store() as store:
        sound = await measure.audio_of(store, "harbor")
        for run in measure.runs(await measure.broadcast(store, "harbor")):
            await measure.is_exactly_once(store, "harbor", run)
    whole = carried(heard, sound)
    assert len(whole) >= 3, "hardly a whole sentence in 40 seconds"
    said = b"".join(audio.body for _, audio in whole)
    assert hearing.word_error_rate(hearing.hear(said), " ".join(audio.t for _, audio in whole)) < 0.2


def carried(
    heard: players.Heard, sound: Sequence[tuple[measure.Entry, Audio]]
) -> list[tuple[measure.Entry, Audio]]:
    """The sentences that a live listener got whole; each must lie where its air time says."""
    begins = Counter(
        at_byte(a) - heard.sound.find(a.body) for _, a in sound if heard.sound.count(a.body) == 1
    )
    assert begins, "not one whole sentence"
    first = begins.most_common(1)[0][0]
    end = first + len(heard.sound)
    whole = [(e, a) for e, a in sound if first <= at_byte(a) and at_byte(a) + len(a.body) <= end]
    for entry, audio in whole:
        place = at_byte(audio) - first
        assert heard.sound[place : place + len(audio.body)] == audio.body, f"record {entry.seq} is not there"
    return whole


def at_byte(audio: Audio) -> int:
    """Its air time in bytes of sound."""
    assert audio.at is not None
    return audio.at * players.BYTES_PER_MS


async def test_a_replay_is_byte_for_byte_what_live_carried(writing: Radio) -> None:
    await speaks(writing)
    heard = await players.hear(f"{writing.url}stations/harbor/live.mp3", seconds=15)
    async with writing.store() as store:
        sound = await measure.audio_of(store, "harbor")
    whole = carried(heard, sound)
    assert len(whole) >= 2
    size = sum(len(audio.body) for _, audio in whole)
    replay = f"{writing.url}stations/harbor/replay.mp3?from={whole[0][0].seq}"
    again = (await players.hear(replay, size=size)).sound[:size]
    assert again == b"".join(audio.body for _, audio in whole)
    for part in stretches(whole):
        assert part in heard.sound, "live carried something else in between"


def stretches(sound: list[tuple[measure.Entry, Audio]]) -> list[bytes]:
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
