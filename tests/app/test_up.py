import asyncio
import socket
from pathlib import Path

import pytest

from radio.app import up
from radio.errors import BadInput
from radio.settings import Settings


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


async def test_port_0_becomes_one_that_is_free() -> None:
    port = await up._free_port("127.0.0.1", 0, asyncio.Event())
    assert port > 0
    with socket.create_server(("127.0.0.1", port)):
        assert up._try_port("127.0.0.1", port) is None


async def test_a_port_that_stays_in_use_is_an_error_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "PORT_PATIENCE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(up.PortInUse) as refused:
            await up._free_port("127.0.0.1", port, asyncio.Event())
    assert "--port" in refused.value.hint


async def test_an_unknown_host_is_an_error() -> None:
    with pytest.raises(BadInput):
        await up._free_port("no such host", 0, asyncio.Event())


async def test_an_address_of_another_machine_is_not_called_a_busy_port() -> None:
    with pytest.raises(BadInput, match=r"192\.0\.2\.1 is not an address of this machine"):
        await up._free_port("192.0.2.1", 0, asyncio.Event())


def test_the_memory_store_cannot_serve_several_processes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="one process"):
        up.up(Settings(store="memory", data=tmp_path), print)
