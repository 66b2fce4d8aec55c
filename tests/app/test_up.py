import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from radio.app import up
from radio.app.checks import store_probe
from radio.app.s2_lite import local_server
from radio.child_processes import Child, spawn
from radio.clock import SystemClock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.admin.copying import CopyRefused
from radio.streams.stores.open_store import open_store
from tests.need import need
from tests.s2_server import S2Server, free_port, new_basin


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (Settings(), "http://127.0.0.1:8321/"),
        (Settings(host="0.0.0.0", port=80), "http://127.0.0.1:80/"),
        (Settings(host="::1"), "http://[::1]:8321/"),
        (Settings(base_url="https://radio.example/fm"), "https://radio.example/fm/"),
    ],
)
def test_the_address_is_one_that_a_browser_here_can_open(settings: Settings, url: str) -> None:
    assert up.address(settings) == url


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.1.7", False)],
)
def test_only_loopback_is_closed_to_the_network(host: str, expected: bool) -> None:
    assert up.is_loopback(host) is expected


def test_a_basin_that_cannot_be_is_said_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not the name of a basin"):
        up.up(Settings(store="s2://radio", s2_lite=True, data=tmp_path), print)


def test_the_memory_store_cannot_serve_several_processes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="one process"):
        up.up(Settings(store="memory", data=tmp_path), print)


async def half_a_copy(settings: Settings) -> None:
    """Make the store one that a copy was begun into."""
    store = await open_store(settings, SystemClock())
    begun = records.CopyBegun(source="0f" * 16)
    await store.append(names.COPY, [records.encode(begun)], match_seq_num=0)
    await store.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The processes that `up` starts."""
    names_of_them: list[str] = []

    async def spawn_and_tell(argv: Sequence[str], *, name: str, environment: Mapping[str, str]) -> Child:
        names_of_them.append(name)
        return await spawn(argv, name=name, environment=environment)

    monkeypatch.setattr(up, "spawn", spawn_and_tell)
    return names_of_them


def test_half_a_copy_is_refused_once_before_anything_is_started(tmp_path: Path, started: list[str]) -> None:
    settings = Settings(data=tmp_path, port=0)
    asyncio.run(half_a_copy(settings))
    with pytest.raises(CopyRefused, match="unfinished copy"):
        up.up(settings, print)
    assert started == []


def test_half_a_copy_on_a_server_is_refused_once_before_anything_is_started(
    tmp_path: Path, started: list[str]
) -> None:
    need("s2")
    server = S2Server(tmp_path / "s2")
    server.start()
    try:
        settings = Settings(
            data=tmp_path / "data", port=0, store=f"s2://{new_basin()}", s2_endpoint=server.origin
        )
        asyncio.run(half_a_copy(settings))
        with pytest.raises(CopyRefused, match="unfinished copy"):
            up.up(settings, print)
        assert started == []
    finally:
        server.kill()


def test_half_a_copy_on_a_local_s2_lite_stops_the_radio_before_anything_else_is_started(
    tmp_path: Path, started: list[str]
) -> None:
    need("s2")
    data = tmp_path / "data"
    server = S2Server(data / local_server.FOLDER)
    settings = Settings(data=data, port=0, s2_lite=True, s2_lite_exposed=True, s2_lite_port=server.port)
    server.start()
    asyncio.run(half_a_copy(local_server.on_it(settings)))
    server.stop()
    with pytest.raises(CopyRefused, match="unfinished copy"):
        up.up(settings, print)
    assert started == ["s2-lite"]


async def test_a_server_that_is_not_there_yet_may_still_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_probe, "SERVER_S", 0.5)
    origin = f"http://127.0.0.1:{free_port()}"
    await store_probe.before_all(Settings(data=tmp_path, store="s2://radio-main", s2_endpoint=origin))
    assert "store.not_tried" in [getattr(record, "action", "") for record in caplog.records]


async def test_nobody_who_reads_the_address_stops_no_radio(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """As where `radio up | head -0` has closed the pipe."""

    async def at_once(*_: object, **__: object) -> None:
        return

    def broken(_: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("radio.app.readiness.until_ready", at_once)
    await up._announce(Settings(schedules=tmp_path), broken)
    assert [record.__dict__["action"] for record in caplog.records] == ["radio.not_announced"]
