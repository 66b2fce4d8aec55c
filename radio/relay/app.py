"""The relay process: builds the application, serves it, and ends it in order.

It answers before any model is loaded and before any station exists.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from aiohttp import web

from radio.clock import Clock
from radio.errors import RadioError
from radio.log import log_event
from radio.relay import routes
from radio.relay.context import RELAY, RelayContext, make_relay
from radio.relay.http import hosts, origins, problems
from radio.relay.http.connection_limit import ConnectionLimit, add_headers, without_expect
from radio.relay.http.server_log import server_log
from radio.relay.speech import speech_errors
from radio.relay.web.pages import FOLDER
from radio.relay.wyoming import server
from radio.settings import Settings
from radio.streams.contract import StreamStore

log = logging.getLogger(__name__)

MAX_HEADER_BYTES: Final = 64 * 1024
"""Of one header field or request line; a browser full of cookies must not be refused its music."""
SHUTDOWN_S: Final = 1.0
"""What a handler has left once it was told to finish. Whoever still waits then is cut off."""
KEEP_ALIVE_S: Final = 75.0
BACKLOG: Final = 512
"""Connections that may wait to be accepted, as when a proxy comes back and all listeners with it."""


class CannotListen(RadioError):
    """The address is not free, or not ours."""


async def run(
    settings: Settings,
    store: StreamStore,
    clock: Clock,
    stop: asyncio.Event,
    on_ready: Callable[[str], None],
    *,
    pages: Path = FOLDER,
) -> None:
    """Serve until `stop` is set; `on_ready` is called with the URL as soon as requests are answered.

    Raises:
        CannotListen: a port is taken, or the host is not an address of this machine.
        BadInput: a token is none, or goes not together with the Wyoming port.
    """
    relay = make_relay(settings, store, clock, store_id=await store.store_id(), pages=pages)
    async with serving(relay) as url:
        log.info("relay answers", extra=log_event("relay.ready", url=url))
        on_ready(url)
        await stop.wait()
    log.info("relay ended", extra=log_event("relay.stopped"))


@asynccontextmanager
async def serving(relay: RelayContext) -> AsyncIterator[str]:
    """The relay at its address; yields its URL. Leaving closes the door, ends the streams, then the rest."""
    sock = _bind(relay.settings.host, relay.settings.port)
    voice = _bind_wyoming(relay)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(relay.stations.run(), name="relay-stations"),
            group.create_task(relay.tails.run(), name="relay-tails"),
        ]
        if voice is not None:
            tasks.append(group.create_task(server.run(relay, voice), name="relay-wyoming"))
        await asyncio.sleep(0)  # both own their task groups now
        runner, listening = _runner(relay), None
        try:
            await runner.setup()
            listening = await _listen(relay, runner, sock)
            yield _url(relay.settings.host, sock)
        finally:
            if listening is not None:
                listening.close()
            await runner.cleanup()
            await relay.answers.close()
            for task in tasks:
                task.cancel()


async def _listen(relay: RelayContext, runner: web.AppRunner, sock: socket.socket) -> asyncio.Server:
    relay.server = runner.server
    assert relay.server is not None  # it is there once the runner is set up
    relay.server.request_factory = without_expect(relay.server.request_factory)
    door = ConnectionLimit(relay.server, lambda: relay.connections, relay.settings.limits.connections)
    return await asyncio.get_running_loop().create_server(door, sock=sock, backlog=BACKLOG)


def _runner(relay: RelayContext) -> web.AppRunner:
    app = web.Application(
        middlewares=[
            speech_errors.middleware,
            problems.middleware,
            hosts.middleware(relay.hosts),
            origins.middleware,
        ],
        client_max_size=relay.settings.limits.body_bytes,
    )
    app[RELAY] = relay
    app.on_response_prepare.append(add_headers)
    app.on_shutdown.append(_finish)
    routes.add_to(app)
    return web.AppRunner(
        app,
        access_log=None,
        logger=server_log(),
        auto_decompress=False,
        handler_cancellation=True,
        keepalive_timeout=KEEP_ALIVE_S,
        shutdown_timeout=SHUTDOWN_S,
        max_line_size=MAX_HEADER_BYTES,
        max_field_size=MAX_HEADER_BYTES,
    )


def _bind_wyoming(relay: RelayContext) -> socket.socket | None:
    """None: it is not wanted. Raises `BadInput` where it would be less safe than the rest."""
    if relay.settings.wyoming_port == 0:
        return None
    server.check(relay)
    return _bind(relay.settings.host, relay.settings.wyoming_port, option="--wyoming-port")


def _bind(host: str, port: int, *, option: str = "--port") -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CannotListen(
            f"cannot listen at {host} port {port}: {error.strerror or error}",
            hint=f"another radio may run here; choose another port with {option}",
        ) from error


def _url(host: str, sock: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{sock.getsockname()[1]}/"


async def _finish(app: web.Application) -> None:
    """Told before connections are closed: streams that end by themselves end cleanly for who listens."""
    app[RELAY].finish()
