"""The narrator at the compute gate."""

from dataclasses import replace
from pathlib import Path

import pytest

from radio.compute_gate import Lock
from radio.narrator import worker
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Spoken
from tests.narrator.studio import QuickSpeaker, memory_studio
from tests.waiting import until


class LooksAtTheGate(QuickSpeaker):
    """Notes, for each sentence, which locks others could take while it is spoken."""

    def __init__(self, folder: Path) -> None:
        super().__init__(frames_a_word=2)
        self.free: list[set[str]] = []
        self._locks = {name: Lock(folder / name) for name in ("device", "first")}

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if text != worker.TRIAL:
            self.free.append({name for name, lock in self._locks.items() if lock.is_free})
        return super().speak(text, voice)

    def close(self) -> None:
        for lock in self._locks.values():
            lock.close()


@pytest.mark.parametrize("gate", ["on", "off"])
async def test_the_voice_has_the_device_and_goes_first_while_its_station_is_in_need(
    tmp_path: Path, gate: str
) -> None:
    studio = await memory_studio(tmp_path)
    await studio.begin()
    await studio.script("The first sentence is short. The second comes when there is enough. A third one.")
    speaker = LooksAtTheGate(tmp_path / "gate")
    async with studio.narrator(speaker, settings=replace(studio.settings, gate=gate)):
        await studio.finished()
    assert len(speaker.free) == 3
    assert speaker.free[0] == (set() if gate == "on" else {"device", "first"})
    assert all(("device" in free) is (gate == "off") for free in speaker.free)
    assert all(lock.is_free for lock in speaker._locks.values())
    speaker.close()


async def test_the_voice_does_not_go_first_once_its_station_has_enough(tmp_path: Path) -> None:
    studio = await memory_studio(tmp_path)
    await studio.begin()
    await studio.script(" ".join(f"This is sentence number {n} of the script." for n in range(12)))
    speaker = LooksAtTheGate(tmp_path / "gate")
    speaker.frames_a_word = 30
    async with studio.narrator(speaker, settings=replace(studio.settings, gate="on")):
        await until(lambda: {"first"} in speaker.free)
    assert speaker.free[0] == set()
    speaker.close()
