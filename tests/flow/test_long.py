"""Ten minutes of one station that runs alone: the long form of what `test_on_air` shows in short."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from radio.streams.records import Audio
from tests import hearing
from tests.flow import measure, players
from tests.flow.running import Radio
from tests.flow.test_on_air import CUSHION_MS, LATE_MS, carried, speaks
from tests.need import need

pytestmark = [pytest.mark.soak, pytest.mark.flow, pytest.mark.model, pytest.mark.player]

SECONDS = 600
DEAD_AIR_MS = 5_000
HEARD_MS = 180_000
"""So much of it is given to speech recognition."""


async def test_ten_minutes_on_air_have_no_gap_and_say_what_the_captions_say(
    writing: Radio, tmp_path: Path
) -> None:
    need("ffmpeg", "whisper")
    await speaks(writing)
    heard = await players.hear(f"{writing.url}stations/harbor/live.mp3", seconds=SECONDS)
    sound = tmp_path / "live.mp3"
    sound.write_bytes(heard.sound[: len(heard.sound) // 192 * 192])
    assert await players.complaints(sound) == ""
    silent = await players.silent_share(sound, SECONDS)

    async with writing.store() as store:
        made = await measure.audio_of(store, "harbor")
        for run in measure.runs(await measure.broadcast(store, "harbor")):
            await measure.is_exactly_once(store, "harbor", run)
    whole = carried(heard, made)
    gaps = [later.at - earlier.until for earlier, later in pairwise(a for _, a in whole) if later.at]
    meant, mistaken = await asyncio.to_thread(recognise, [audio for _, audio in whole])
    print(
        f"\nlive for {heard.elapsed_ms / 1000:.1f} s: {len(heard.sound)} bytes, "
        f"{len(heard.sound) - 8 * heard.elapsed_ms:+.0f} against 8 x elapsed ms; {len(whole)} sentences, "
        f"{sum(a.d for _, a in whole) / 1000:.1f} s of speech, longest gap {max(gaps) / 1000:.3f} s, "
        f"silence {silent:.1%}; word error rate {mistaken:.3f} over {meant} words"
    )
    assert abs(len(heard.sound) - 8 * heard.elapsed_ms) <= 8 * (CUSHION_MS + LATE_MS)
    assert max(gaps) <= DEAD_AIR_MS, "dead air"
    assert silent < 0.2
    assert len({audio.t for _, audio in whole}) > len(whole) / 2, "it says the same again and again"
    assert mistaken < 0.15


def recognise(sentences: list[Audio]) -> tuple[int, float]:
    """How many words of the first minutes were meant, and how many of them were heard otherwise."""
    said: list[Audio] = []
    while sentences and sum(audio.d for audio in said) < HEARD_MS:
        said.append(sentences.pop(0))
    meant = " ".join(audio.t for audio in said)
    words = [hearing.hear(audio.body) for audio in said]
    return len(hearing.words(meant)), hearing.word_error_rate(" ".join(words), meant)
