"""`kill -9` of each process in turn, while a station is on air and a cast is in flight."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from radio import casts
from radio.streams import names, records
from radio.streams.contract import StreamStore
from tests.flow import measure, players
from tests.flow.conftest import QUICK_VOICE, reading_radio
from tests.flow.running import Radio, lives, role_of
from tests.flow.stations import tale
from tests.flow.test_casts import submit
from tests.waiting import until

pytestmark = pytest.mark.flow

BACK_WITHIN_S = 180.0


async def grows(store: StreamStore, sentences: int) -> None:
    """Wait until the broadcast has so many sentences more than now."""
    before = len(await measure.audio_of(store, "harbor"))

    async def has_grown() -> bool:
        return len(await measure.audio_of(store, "harbor")) >= before + sentences

    await until(has_grown, within_s=BACK_WITHIN_S)


async def every_sentence_stands_once(store: StreamStore) -> None:
    """Each run of the broadcast, against its script and against the file that was read."""
    stream = await measure.broadcast(store, "harbor")
    found = measure.runs(stream)
    assert found
    for run in found:
        await measure.is_exactly_once(store, "harbor", run)
        said = measure.spoken(stream, run)
        assert [record.t for record in said] == tale(len(said))
        assert not [record for record in said if isinstance(record, records.Skip)]


@pytest.mark.parametrize("role", ["narrator", "producer", "scheduler"])
async def test_a_killed_process_comes_back_and_every_sentence_stands_once(reading: Radio, role: str) -> None:
    async with reading.store() as store:
        await grows(store, 2)
        killed = reading.kill(role)
        await until(lambda: bool(reading.pids(role) - killed), within_s=BACK_WITHIN_S)
        await grows(store, 4)
        await every_sentence_stands_once(store)


async def test_a_killed_relay_comes_back_and_serves_the_same_broadcast(reading: Radio) -> None:
    async with reading.store() as store:
        await grows(store, 1)
        killed = reading.kill("relay")
        await until(lambda: bool(reading.pids("relay") - killed), within_s=BACK_WITHIN_S)
        await until(answers(f"{reading.url}stations/harbor/live.mp3"), within_s=BACK_WITHIN_S)
        entry, audio = (await measure.audio_of(store, "harbor"))[0]
        replay = f"{reading.url}stations/harbor/replay.mp3?from={entry.seq}"
        heard = await players.hear(replay, size=len(audio.body))
        assert heard.sound[: len(audio.body)] == audio.body


def answers(url: str) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        try:
            return bool((await players.hear(url, size=1)).sound)
        except OSError:
            return False

    return ask


async def test_a_cast_in_flight_ends_and_its_listener_hears_no_sentence_twice(reading: Radio) -> None:
    text = " ".join(tale(27)[20:])
    async with reading.store() as store:
        _, submitted = await submit(reading, text)
        cast = submitted["cast"]
        following = asyncio.create_task(players.hear(f"{reading.url}casts/{cast}.mp3"), name="listener")
        try:

            async def is_in_flight() -> bool:
                return len(await measure.cast_audio(store, cast)) >= 2

            await until(is_in_flight, within_s=players.PATIENCE_S)
            reading.kill("narrator")
            heard = await asyncio.wait_for(following, players.PATIENCE_S)
        finally:
            following.cancel()
        stream = await measure.entries(store, names.cast(cast), records.CAST)
    state = casts.CastState()
    for entry in stream:
        state.add(entry.seq, entry.record)
    assert state.status == "done"
    made = [e.record for e in stream if isinstance(e.record, records.Audio)]
    assert " ".join(state.lines[i].t for i in sorted(state.lines)) == text
    assert heard.sound == b"".join(audio.body for audio in newest(made))


def newest(made: list[records.Audio]) -> list[records.Audio]:
    """For each sentence its newest record, in order."""
    by_index = {audio.i: audio for audio in made}
    return [by_index[i] for i in sorted(by_index)]


async def test_a_killed_radio_leaves_no_orphan_and_the_next_start_goes_on(tmp_path: Path) -> None:
    radio = reading_radio(tmp_path, *QUICK_VOICE)
    try:
        radio.start()
        async with radio.store() as store:
            await grows(store, 3)
            roles = {role_of(process) for process in radio.family()}
            assert roles >= {"relay", "narrator", "scheduler", "producer"}
            family = radio.kill_up()
            await until(lambda: not [p for p in family if lives(p)], within_s=60)
            before = len(await measure.audio_of(store, "harbor"))
        radio.start()
        async with radio.store() as store:
            await grows(store, 3)
            assert len(await measure.audio_of(store, "harbor")) >= before + 3
            assert len(measure.runs(await measure.broadcast(store, "harbor"))) <= 2  # midnight may pass
            await every_sentence_stands_once(store)
        radio.stop()
    finally:
        radio.end()
