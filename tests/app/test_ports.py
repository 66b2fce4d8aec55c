import asyncio
import socket

import pytest

from radio.app import ports
from radio.errors import BadInput


async def test_port_0_becomes_one_that_is_free() -> None:
    port = await ports.free_port("127.0.0.1", 0, asyncio.Event())
    assert port > 0
    with socket.create_server(("127.0.0.1", port)):
        assert ports.try_port("127.0.0.1", port) is None


async def test_a_port_that_stays_in_use_is_an_error_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "PORT_PATIENCE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ports.PortInUse) as refused:
            await ports.free_port("127.0.0.1", port, asyncio.Event(), option="--s2-lite-port")
    assert "--s2-lite-port" in refused.value.hint


async def test_an_unknown_host_is_an_error() -> None:
    with pytest.raises(BadInput):
        await ports.free_port("no such host", 0, asyncio.Event())


async def test_an_address_of_another_machine_is_not_called_a_busy_port() -> None:
    with pytest.raises(BadInput, match=r"192\.0\.2\.77 is not an address of this machine"):
        await ports.free_port("192.0.2.77", 0, asyncio.Event())
