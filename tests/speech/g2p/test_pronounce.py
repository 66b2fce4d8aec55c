"""A station's pronunciation list reaches the voice of its narrator, and no caption."""

from pathlib import Path

import pytest

from radio.pronunciation import NONE, Pronunciations, from_entries
from radio.speech.speaker import Spoken
from radio.streams import names, records
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, memory_studio
from tests.waiting import until

WORDS = {"Strachan": "Strawn", "Kyoto": "/kjˈOTO/"}
AGAIN = b" Strachan is here again today, and looks at the sea."


class Noting(QuickSpeaker):
    """Notes how it is to say words."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, Pronunciations]] = []

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        self.told.append((text, pronounce))
        return super().speak(text, voice)


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def test_the_list_of_a_station_s_card_is_the_voice_s_from_the_first_sentence_on(studio: Studio) -> None:
    await studio.card(pronounce=WORDS)
    await studio.begin()
    await studio.script("Strachan is here. Kyoto is far away from the pier.")
    speaker = Noting()
    async with studio.narrator(speaker):
        await studio.finished()
    said = {text: pronounce for text, pronounce in speaker.told if text in speaker.said}
    assert said
    assert set(said.values()) == {from_entries(WORDS)}
    assert "".join(s.t for s in await studio.on_air()).replace(" ", "") == (
        "Strachanishere.Kyotoisfarawayfromthepier."
    )


async def test_a_new_card_changes_how_the_next_sentences_are_said(studio: Studio) -> None:
    await studio.card()
    await studio.begin()
    await studio.script(
        "Strachan is here today, and looks at the sea. He stays for the night, and nobody knows why. So.",
        is_complete=False,
    )
    speaker = Noting()

    def told(pronounce: Pronunciations) -> bool:
        return any(given == pronounce for text, given in speaker.told if "Strachan" in text)

    async def says_it_anew() -> bool:
        await studio.write(
            names.script(STATION, RUN),
            records.Text(seg=0, body=b" Strachan is here again today, and looks at the sea."),
        )
        return told(from_entries(WORDS))

    async with studio.narrator(speaker):
        await until(lambda: told(NONE))
        await studio.card(pronounce=WORDS)
        await until(says_it_anew)


async def test_a_list_that_this_radio_cannot_read_is_refused_and_said(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    await studio.card(pronounce={"Kyoto": "/kj@/"})
    await studio.begin()
    await studio.script("Kyoto is far away from the pier.")
    speaker = Noting()
    async with studio.narrator(speaker):
        await studio.finished()
    assert {given for text, given in speaker.told if "Kyoto" in text} == {NONE}
    assert "pronounce.refused" in {getattr(record, "action", "") for record in caplog.records}
