"""A cast beside a running station."""

import asyncio
from collections.abc import Sequence
from typing import Any

import aiohttp
import pytest

from radio import casts
from radio.streams import names, records
from tests.flow import measure, players
from tests.flow.running import Radio
from tests.flow.stations import tale
from tests.waiting import until

pytestmark = pytest.mark.flow

LONG = (
    "Every captain who has ever lain in this harbor tells the same story of a fog that came in the spring, "
    "and of a bell that nobody had rung."
)
"""Takes so long to make that the sentence before it is heard meanwhile."""
Json = dict[str, Any]
Sound = Sequence[tuple[measure.Entry, records.Audio]]
GUARD_MS = 10_000
LATE_MS = 3_000
"""Between the end of a sentence and its append."""


async def submit(radio: Radio, text: str) -> tuple[int, Json]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{radio.url}casts", json={"text": text, "voice": "af_heart"}) as response,
    ):
        return response.status, await response.json()


async def status(radio: Radio, cast: str) -> Json:
    async with aiohttp.ClientSession() as session, session.get(f"{radio.url}casts/{cast}") as response:
        answer: Json = await response.json()
        return answer


async def test_a_cast_is_heard_before_its_second_sentence_is_made_and_the_station_keeps_its_lead(
    reading: Radio,
) -> None:
    async with reading.store() as store:
        await measure.has_lead(store, "harbor")
        since = (await measure.audio_of(store, "harbor"))[-1][0].seq
        first, *others = tale(10)
        text = " ".join([first, LONG, *others])
        code, cast = await submit(reading, text)
        assert code == 201
        heard = await players.hear(f"{reading.url}casts/{cast['cast']}.mp3")
        made = await measure.cast_audio(store, cast["cast"])
        assert " ".join(audio.t for _, audio in made) == text
        assert heard.first_byte * 1000 < made[1][0].appended
        assert heard.sound == b"".join(audio.body for _, audio in made)
        assert LONG[:40] not in reading.log.read_text(encoding="utf-8")  # by no process of the radio

        station = [(e, a) for e, a in await measure.audio_of(store, "harbor") if e.seq >= since]
        assert len(station) > 1
        assert_station_goes_first(station, made)


def assert_station_goes_first(station: Sound, cast: Sound) -> None:
    """No sentence of the cast was begun while the station had less ahead than its guard, however slow all is.

    One voice speaks both, one sentence after the other: each is begun when the one before it was appended.
    """
    ends = sorted(entry.appended for entry, _ in [*station, *cast])
    for entry, _ in cast:
        begun = max((at for at in ends if at < entry.appended), default=0)
        made = [audio.until for other, audio in station if other.appended <= begun]
        if made:
            assert max(made) - begun >= GUARD_MS - LATE_MS, "the station had too little ahead"


async def test_the_same_text_twice_is_one_synthesis_and_one_link(reading: Radio) -> None:
    text = "The harbor master counts the gulls every evening, and he never gets the same number twice."
    answers = await asyncio.gather(*(submit(reading, text) for _ in range(5)))
    assert sorted(code for code, _ in answers) == [200, 200, 200, 200, 201]
    (cast,) = {answer["cast"] for _, answer in answers}
    assert cast == casts.cast_id(text, "af_heart")

    async def is_done() -> bool:
        return bool((await status(reading, cast))["status"] == "done")

    await until(is_done, within_s=120)
    code, _ = await submit(reading, f"  {text}\r\n")
    assert code == 200
    async with reading.store() as store:
        stream = await measure.entries(store, names.cast(cast), records.CAST)
    made = [entry.record for entry in stream if isinstance(entry.record, records.Audio)]
    assert " ".join(audio.t for audio in made) == text
    assert len([entry for entry in stream if isinstance(entry.record, records.CastStart)]) == 1
