"""`radio up`: the whole radio on one machine."""

import asyncio
import dataclasses
import errno
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable

from radio import log
from radio.app import lock, readiness
from radio.app.rooms import command
from radio.app.supervisor import Start, Supervisor
from radio.children import Child, spawn
from radio.clock import SystemClock
from radio.errors import BadInput, RadioError
from radio.settings import Settings

logger = logging.getLogger(__name__)

PORT_PATIENCE_S = 6.0
"""The relay of a radio that was killed goes within this time; whoever else has the port, keeps it."""
PROCESSES = {"relay": "relay", "scheduler": "schedule", "narrator": "narrate"}
"""Each process's name and command, in the order of starting: the relay answers before any model is loaded."""
STOP_ORDER = ("relay", "scheduler", "narrator")


class PortInUse(RadioError):
    """Something else listens on that port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"port {port} of {host} is in use", hint="choose another with --port")
        self.port = port


def up(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run the radio until SIGTERM or Ctrl-C. `announce` is called once, with the URL, when the relay answers.

    Raises:
        AlreadyRunning: another radio uses the data folder.
        PortInUse, BadInput: nothing was started.
    """
    if settings.store == "memory":
        raise BadInput("the memory store serves one process only", hint="`radio up` needs --store sqlite")
    log.setup(settings, "up")
    with lock.sole(settings.data):
        asyncio.run(_main(settings, announce))


async def _main(settings: Settings, announce: Callable[[str], None]) -> None:
    stop, hurry = asyncio.Event(), asyncio.Event()
    _obey_signals(stop, hurry)
    port = await _free_port(settings.host, settings.port, stop)
    settings = dataclasses.replace(settings, port=port)
    supervisor = Supervisor({name: _start(name, settings) for name in PROCESSES}, STOP_ORDER, SystemClock())
    _say_what_is_open(settings)
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(_announce(settings, announce), name="announce")
        await supervisor.run(stop, hurry)
        asking.cancel()
    logger.info("radio stopped", extra={"action": "stopped"})


def _obey_signals(stop: asyncio.Event, hurry: asyncio.Event) -> None:
    """The first signal stops in order, the second at once."""

    def obey() -> None:
        (hurry if stop.is_set() else stop).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, obey)


def _start(name: str, settings: Settings) -> Start:
    async def start() -> Child:
        return await spawn(command(PROCESSES[name], settings), name=name)

    return start


async def _free_port(host: str, port: int, stop: asyncio.Event) -> int:
    """The port to listen on, free right now; 0 becomes one that the system chooses."""
    try:
        async with asyncio.timeout(PORT_PATIENCE_S):
            while not stop.is_set():
                if (free := _try_port(host, port)) is not None:
                    return free
                logger.warning("port is in use, waiting for it", extra={"action": "port_wait", "port": port})
                await asyncio.sleep(1.0)
    except TimeoutError as patience:
        raise PortInUse(host, port) from patience
    return port


def _try_port(host: str, port: int) -> int | None:
    family, kind, protocol, _, address = _resolve(host, port)
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen()
        except PermissionError as refused:
            raise BadInput(
                f"port {port} is not allowed to this user", hint="choose one above 1023"
            ) from refused
        except OSError as refused:
            if refused.errno == errno.EADDRNOTAVAIL:
                raise BadInput(
                    f"{host} is not an address of this machine",
                    hint="--host takes one of its own, or 0.0.0.0",
                ) from refused
            return None
        return int(probe.getsockname()[1])


def _resolve(host: str, port: int) -> tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int]]:
    try:
        return socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]  # type: ignore[return-value]
    except socket.gaierror as unknown:
        raise BadInput(
            f"no address of this machine: {host!r}", hint="--host takes a name or an address"
        ) from unknown


def address(settings: Settings) -> str:
    """The URL of the radio's first page, as a browser on this machine opens it."""
    if settings.base_url:
        return settings.base_url.rstrip("/") + "/"
    host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{host}:{settings.port}/"


async def _announce(settings: Settings, announce: Callable[[str], None]) -> None:
    host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    has_stations = any(settings.schedules.glob("*.yaml"))
    await readiness.until_ready(host, settings.port, has_stations=has_stations)
    announce(address(settings))


def _say_what_is_open(settings: Settings) -> None:
    if not is_loopback(settings.host):
        logger.warning(
            "open to the network: pages, live streams, replays, public records, and submission of casts",
            extra={"action": "open", "host": settings.host, "port": settings.port},
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
