"""A radio that is saved while it runs and put back, and one whose store is another one all at once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from radio.cli import main
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record, StreamNotFound
from tests.flow.running import Radio
from tests.flow.stations import READ_ALOUD, tale
from tests.narrator.studio import assert_exact
from tests.waiting import until

pytestmark = pytest.mark.flow

AIR = names.broadcast("harbor")
WITHIN_S = 150.0


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[Radio]:
    options = ("--engine=tone", "--log-format=json")
    running = Radio(tmp_path, {"harbor": READ_ALOUD}, *options)
    (running.schedules / "tales.txt").write_text(" ".join(tale(400)), encoding="utf-8")
    yield running
    running.end()


async def on_air(radio: Radio) -> list[Record]:
    """The broadcast's records so far."""
    found: list[Record] = []
    async with radio.store() as store:
        place = 0
        while True:
            try:
                page = await store.read(AIR, FromSeq(place))
            except StreamNotFound:
                return found
            found += page.records
            if page.next_seq == place:
                return found
            place = page.next_seq


async def has_spoken(radio: Radio, count: int) -> bool:
    return sum(records.event_of(record) == "audio" for record in await on_air(radio)) >= count


async def test_a_radio_saved_while_it_runs_goes_on_from_there_when_it_is_put_back(
    radio: Radio, tmp_path: Path
) -> None:
    file = tmp_path / "saved"

    async def store(*command: str) -> int:
        return await asyncio.to_thread(main, ["store", *command, "--data", str(radio.data)])

    radio.start()
    await until(lambda: has_spoken(radio, 4), within_s=WITHIN_S)
    before = await on_air(radio)
    assert await store("backup", str(file)) == 0
    await until(lambda: has_spoken(radio, len(before) + 2), within_s=WITHIN_S)
    assert await store("restore", str(file)) == 1, "a radio runs on it"
    radio.stop()
    assert await store("restore", str(file)) == 0
    restored = await on_air(radio)
    assert restored[: len(before)] == before
    radio.start()
    await until(lambda: has_spoken(radio, len(restored) + 2), within_s=WITHIN_S)
    after = await on_air(radio)
    assert after[: len(restored)] == restored
    events = [records.decode(records.BROADCAST, record) for record in after]
    heard = [event for event in events if isinstance(event, records.Audio | records.Skip)]
    assert [event.t for event in heard] == tale(400)[: len(heard)]
    assert_exact(heard, events)
    assert radio.logged("store.other") == []
    radio.stop()


async def test_a_radio_whose_store_was_replaced_by_an_empty_one_says_so_and_goes_on(radio: Radio) -> None:
    radio.start()
    await until(lambda: has_spoken(radio, 2), within_s=WITHIN_S)
    radio.stop()
    for path in list(radio.data.glob("radio.sqlite3*")):
        path.unlink()
    radio.start()
    await until(lambda: has_spoken(radio, 2), within_s=WITHIN_S)
    said = radio.logged("store.other")
    assert said
    assert {event["level"].lower() for event in said} == {"warning"}
    radio.stop()
    assert "Traceback" not in radio.log.read_text(encoding="utf-8")
