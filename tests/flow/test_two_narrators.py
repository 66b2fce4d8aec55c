"""Two narrators of one radio on a real S2 Lite: whichever has the station is killed, and nobody hears it."""

import dataclasses
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from radio.app.process_entry import command
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.ownership.stream_owner import parse
from tests.flow import measure
from tests.flow.listener import STATION, Account, account
from tests.flow.lite import free_port, lite_options, store_at
from tests.flow.running import ROOT, Radio
from tests.flow.stations import WRITTEN_LIVE
from tests.flow.test_faults import on_air, on_air_and_heard, tone_radio
from tests.flow.test_kills import every_sentence_stands_once, grows
from tests.need import need
from tests.waiting import until

pytestmark = pytest.mark.flow

SHORT_S, LONG_S = 60.0, 600.0


class Second:
    """A narrator beside that of `radio up`, which an operator started."""

    def __init__(self, radio: Radio, folder: Path, **settings: Any) -> None:
        told = dataclasses.replace(radio.settings, log_format="json", **settings)
        self._argv, environment = command("narrate", told)
        self._environment = {**os.environ, **environment}
        self._log = folder / "second.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._argv, cwd=ROOT, env=self._environment, stdin=subprocess.DEVNULL, stderr=log
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def owners(self) -> list[str]:
        """What it has been called, the newest last."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        events = [json.loads(line) for line in lines if line.startswith("{")]
        return [event["owner"] for event in events if event.get("action") == "narrator.ready"]


@contextmanager
def beside(second: Second) -> Iterator[Second]:
    try:
        second.start()
        yield second
    finally:
        second.kill()


async def owner(store: StreamStore) -> str:
    """Who has the station."""
    return parse(await store.fencing_token(names.broadcast(STATION))).owner or ""


async def kill_the_active_one(radio: Radio, second: Second, store: StreamStore) -> str:
    """`kill -9` of the narrator that has the station; the second is started again. Who has it then."""
    killed = await owner(store)
    ready = len(second.owners)
    if killed in second.owners:
        second.kill()
        second.start()
    else:
        radio.kill("narrator")

    async def is_taken() -> bool:
        return await owner(store) not in ("", killed)

    await until(is_taken)
    if killed in second.owners:
        await until(lambda: len(second.owners) > ready)
    return killed


async def heard_through_kills(
    radio: Radio, second: Second, store: StreamStore, *, kills: int, seconds: float
) -> tuple[Account, list[str]]:
    """Listen for so long, with as many kills in it; the account, and who was killed."""
    killed = []
    await until(lambda: bool(second.owners), within_s=120)
    async with on_air_and_heard(radio, store) as listener:
        for _ in range(kills):
            await listener.hears(seconds / (kills + 1), within_s=2 * seconds)
            killed.append(await kill_the_active_one(radio, second, store))
        await listener.hears(seconds / (kills + 1), within_s=2 * seconds)
        heard = await account(listener, store)
    return heard, killed


async def test_nobody_hears_that_the_narrator_of_a_station_is_killed(tmp_path: Path) -> None:
    need("s2")
    port = free_port()
    radio = tone_radio(tmp_path, "--tone-xrt=8", *lite_options(port), store=store_at(port))
    with on_air(radio), beside(Second(radio, tmp_path, engine="tone", tone_xrt=8.0)) as second:
        async with radio.store() as store:
            heard, killed = await heard_through_kills(radio, second, store, kills=1, seconds=SHORT_S)
            await every_sentence_stands_once(store)
            assert await owner(store) not in killed
        assert heard.sentences >= 6
        assert heard.dead_air_s == 0
        radio.stop()


@pytest.mark.soak
@pytest.mark.model
async def test_ten_minutes_with_the_active_narrator_killed_twice_have_no_dead_air(tmp_path: Path) -> None:
    need("s2", "llm", "voice", "native")
    port = free_port()
    options = ("--log-format=json", *lite_options(port))
    radio = Radio(tmp_path, {STATION: WRITTEN_LIVE}, *options, store=store_at(port))
    with on_air(radio), beside(Second(radio, tmp_path)) as second:
        async with radio.store() as store:
            await grows(store, 4)
            heard, killed = await heard_through_kills(radio, second, store, kills=2, seconds=LONG_S)
            stream = await measure.broadcast(store, STATION)
            for run in measure.runs(stream):
                await measure.is_exactly_once(store, STATION, run)
        print(
            f"\n{heard.seconds:.0f} s heard on S2 Lite, {heard.sentences} sentences, each once; "
            f"killed {len(set(killed))} narrators; longest silence {heard.dead_air_s:.3f} s"
        )
        assert len(set(killed)) == 2
        assert heard.dead_air_s == 0
        radio.stop()
