"""The proxies of `docs/proxies.md`: what players need is there, and nginx serves as it says."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from radio.settings import Settings
from tests.need import need
from tests.relay.process import go_on_air, relaying
from tests.waiting import until

PAGE = Path(__file__).parents[2] / "docs" / "proxies.md"
PORT = 18_443
FRAME = """
user nobody nogroup;
daemon off; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    {server}
}}
"""


def configuration() -> str:
    """The `server` of nginx, as it is printed there."""
    return PAGE.read_text(encoding="utf-8").split("```nginx\n")[1].split("```")[0]


def test_what_the_docs_tell_of_proxies_names_what_players_need() -> None:
    server = configuration()
    for line in ("proxy_buffering off;", "chunked_transfer_encoding off;", "proxy_read_timeout 6h;"):
        assert line in server
    assert "X-Forwarded-For" in server
    assert "add_header" not in server, "the relay's own CORS headers would come twice"


@pytest.mark.soak
@pytest.mark.player
async def test_nginx_passes_live_and_events_on_as_they_come(tmp_path: Path) -> None:
    need("nginx")
    settings = Settings(data=tmp_path, port=0, trusted_hops=1, allowed_host="radio.example")
    await go_on_air(settings, 600.0)
    with relaying(settings) as relay, nginx(tmp_path, relay.port):
        await until(answers)
        for version in ("1.0", "1.1"):
            head, sound = await ask(f"GET /stations/harbor/live.mp3 HTTP/{version}", least=80_000)
            assert b"Transfer-Encoding" not in head
            assert b"Content-Length" not in head
            assert head.count(b"Access-Control-Allow-Origin") == 1
            assert sound[:2] == b"\xff\xf3"
        _, events = await ask("GET /stations/harbor/events HTTP/1.1", least=1000)
        assert events.startswith(b": connected")
        _, playlist = await ask("GET /stations/harbor/live.m3u HTTP/1.0", least=60)
        assert b"http://radio.example/stations/harbor/live.mp3" in playlist


@contextmanager
def nginx(folder: Path, relay_port: int) -> Iterator[None]:
    """As the page says, but for the port and the certificate."""
    server = configuration().replace("listen 443 ssl;", f"listen 127.0.0.1:{PORT};")
    server = server.replace("127.0.0.1:8321", f"127.0.0.1:{relay_port}")
    (folder / "nginx.conf").write_text(FRAME.format(folder=folder, server=server), encoding="utf-8")
    with subprocess.Popen(("nginx", "-c", str(folder / "nginx.conf"))) as process:
        try:
            yield
        finally:
            process.terminate()


async def answers() -> bool:
    try:
        return bool((await ask("GET /healthz HTTP/1.0", least=1))[1])
    except ConnectionError:
        return False


async def ask(line: str, *, least: int) -> tuple[bytes, bytes]:
    """The head, and so much of what follows."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(f"{line}\r\nHost: radio.example\r\n\r\n".encode())
    async with asyncio.timeout(60):
        head = await reader.readuntil(b"\r\n\r\n")
        body = b""
        while len(body) < least and (more := await reader.read(1 << 16)):
            body += more
    writer.transport.abort()
    return head, body
