"""Radios that several tests share: each takes its time to start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.running import Radio
from tests.flow.stations import READ_ALOUD, WRITTEN_LIVE, tale
from tests.need import need

VOICED = (pytest.mark.soak, pytest.mark.model)


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radio]:
    """On air with a station that an LLM writes and Kokoro speaks."""
    need("llm", "voice")
    yield from _running(Radio(tmp_path_factory.mktemp("radio"), {"harbor": WRITTEN_LIVE}))


QUICK_VOICE = ("--engine=tone", "--tone-xrt=4")
"""Four seconds of sound in a second, on any machine: with a real voice it depends on that who goes first."""


@pytest.fixture(scope="module", params=["tone", pytest.param("voice", marks=VOICED)])
def reading(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radio]:
    """On air with a station that reads a long text aloud; in the long form by Kokoro."""
    if request.param == "voice":
        need("voice")
    options = QUICK_VOICE if request.param == "tone" else ()
    yield from _running(reading_radio(tmp_path_factory.mktemp("radio"), *options))


def reading_radio(folder: Path, *options: str) -> Radio:
    """Not started yet. Its text lasts for longer than any test."""
    radio = Radio(folder, {"harbor": READ_ALOUD}, *options)
    (radio.schedules / "tales.txt").write_text(" ".join(tale(2000)), encoding="utf-8")
    return radio


def _running(radio: Radio) -> Iterator[Radio]:
    try:
        radio.start()
        yield radio
    finally:
        radio.end()
