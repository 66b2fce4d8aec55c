import asyncio

import pytest

from radio.clock import ManualClock
from radio.errors import BadInput
from radio.relay.http.hosts import Hosts
from radio.settings import Settings
from radio.streams.stores.memory import MemoryStore
from tests.relay.serving import Served, relay_on

LAN = "192.168.1.5"


def hosts(**settings: str) -> Hosts:
    return Hosts.of(Settings(**settings), machine="Shed")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "asked",
    [
        "127.0.0.1", "127.0.0.1:8321", "localhost", "LOCALHOST:80", "radio.localhost", "[::1]:8321",
        "127.9.9.9",
        "192.168.1.5", "192.168.1.5:8321", "[::ffff:192.168.1.5]:80", "shed", "shed:8321",
        "shed.local", "shed.lan",
        "radio.example", "Radio.Example.:443", "kitchen", "[fd00::5]", "localhost.",
    ],
)  # fmt: skip
def test_a_radio_answers_to_its_own_addresses_and_names(asked: str) -> None:
    ours = hosts(base_url="https://radio.example/fm/", allowed_host="kitchen, FD00:0::5")
    assert ours.allow(asked, LAN)


@pytest.mark.parametrize(
    "asked",
    [
        "evil.example", "evil.example:8321", "192.168.1.6", "127.0.0.1.evil.example",
        "localhost.evil.example",
        "shed.evil.example", "evil.example@127.0.0.1", "127.0.0.1/evil.example", "", "[", "[::1", "a b", "é",
        "localhost:99999999", "127.0.0.1, evil.example", "radio.example.evil", "2130706433", "0x7f000001",
    ],
)  # fmt: skip
def test_it_answers_to_no_other(asked: str) -> None:
    assert not hosts(base_url="https://radio.example/").allow(asked, LAN)


@pytest.mark.parametrize("wrong", ["https://radio.example", "radio.example/", "a b", "radio.example:80", "*"])
def test_what_is_no_host_is_refused_with_a_hint(wrong: str) -> None:
    with pytest.raises(BadInput) as refused:
        hosts(allowed_host=f"kitchen,{wrong}")
    assert wrong in str(refused.value)


async def test_a_page_of_a_name_that_was_made_to_lead_here_reads_and_changes_nothing(
    store: MemoryStore, clock: ManualClock
) -> None:
    body = '{"text": "One."}'
    sent = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Origin: http://evil.example")
    async with relay_on(store, clock, allowed_host="radio.example") as served:
        for method, path, *more in (("POST", "/casts", *sent), ("GET", "/healthz"), ("GET", "/metrics")):
            status = await asked(served, method, path, "Host: evil.example", *more)
            assert status == "HTTP/1.1 421 Misdirected Request"
        assert (await store.list()).items == ()
        for names in (("Host: radio.example",), ("Host: 127.0.0.1",), ()):
            assert await asked(served, "GET", "/healthz", *names, version="1.0") == "HTTP/1.0 200 OK"
        two = ("Host: 127.0.0.1", "Host: evil.example")
        assert "200" not in await asked(served, "GET", "/healthz", *two)


async def asked(served: Served, method: str, path: str, *fields: str, version: str = "1.1") -> str:
    """The status line of the reply to a head that is written byte for byte."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write("\r\n".join((f"{method} {path} HTTP/{version}", *fields, "", "")).encode())
    async with asyncio.timeout(60):
        line = await reader.readline()
    writer.close()
    return line.decode().rstrip()
