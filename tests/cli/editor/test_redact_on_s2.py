"""`radio redact` where the store keeps every record as it was appended: a real S2 Lite."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from radio.cli import main
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.stores.open_store import open_store
from tests.need import need
from tests.relay.airing import Air
from tests.relay.serving import relay_on
from tests.s2_server import S2Server, new_basin

SECRET = "The address is nine Quay Street."


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    need("s2")
    server, basin = S2Server(tmp_path / "s2"), new_basin()
    server.start()
    chosen = Settings(data=tmp_path / "data", store=f"s2://{basin}", s2_endpoint=server.origin)
    monkeypatch.setenv("RADIO_DATA", str(chosen.data))
    monkeypatch.setenv("RADIO_STORE", chosen.store)
    monkeypatch.setenv("RADIO_S2_ENDPOINT", chosen.s2_endpoint)
    yield chosen
    server.stop()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[StreamStore]:
    store = await open_store(settings, SystemClock())
    yield store
    await store.close()


async def put_on_air(settings: Settings) -> list[int]:
    async with opened(settings) as store:
        start = records.encode(records.InputStart(owner="scheduler"))
        await store.append(names.station_input("harbor"), [start])
        air = await Air(store, SystemClock()).begin()
        return [await air.say("One."), await air.say(SECRET), await air.say("Three.")]


async def gateway(settings: Settings) -> str:
    async with opened(settings) as store, relay_on(store, SystemClock()) as served:
        return str(await served.json("/s2/records?stream=pub/stations/harbor&seq_num=0"))


async def stored(settings: Settings) -> list[bytes]:
    async with opened(settings) as store:
        page = await store.read(names.broadcast("harbor"), FromSeq(0))
        return [value for record in page.records for _, value in record.headers]


def test_the_radio_gives_it_to_nobody_and_the_operator_is_told_that_the_store_still_has_it(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    _, secret, _ = asyncio.run(put_on_air(settings))
    assert SECRET in asyncio.run(gateway(settings))
    assert main(["redact", "harbor", str(secret), str(secret)]) == 0
    assert "this store keeps every record as it was" in capsys.readouterr().out
    told = asyncio.run(gateway(settings))
    assert SECRET not in told
    assert "Three." in told
    assert SECRET.encode() in asyncio.run(stored(settings))
