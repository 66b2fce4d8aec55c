"""`radio up`: the whole radio on one machine."""

import asyncio
import dataclasses
import ipaddress
import logging
import signal
from collections.abc import Callable

from radio import log
from radio.app import lock, readiness
from radio.app.checks import preconditions, settings_check, store_probe
from radio.app.ports import free_port
from radio.app.process_entry import command
from radio.app.s2_lite import local_server
from radio.app.supervisor import ChildRefused, Start, StoreProcess, Supervisor
from radio.child_processes import Child, spawn
from radio.clock import SystemClock
from radio.errors import BadInput, first_of
from radio.log import log_event
from radio.settings import Settings

logger = logging.getLogger(__name__)

PROCESSES = {"relay": "relay", "scheduler": "schedule", "narrator": "narrate"}
"""Each process's name and command, in the order of starting: the relay answers before any model is loaded."""
STOP_ORDER = ("relay", "scheduler", "narrator")


def up(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run the radio until SIGTERM or Ctrl-C. `announce` is called once, with the URL, when the relay answers.

    Raises:
        AlreadyRunning: another radio uses the data folder.
        BadSettings: what is wrong with them, alone or together.
        ClockNotSet, ModelMissing, DataFolderUnusable: what the machine lacks.
        ChildRefused: a process ended for a cause that will not change.
        PortInUse, BadInput, Unsupported, Unavailable, CopyRefused: nothing was started, or S2 Lite alone.
    """
    settings_check.check(settings)
    if settings.store == "memory":
        raise BadInput("the memory store serves one process only", hint="`radio up` needs --store sqlite")
    preconditions.check_clock(SystemClock().now_ms())
    preconditions.check_voice(settings)
    preconditions.make_data_folder(settings.data)
    log.setup(settings, "up")
    with lock.sole(settings.data):
        try:
            asyncio.run(_main(settings, announce))
        except* ChildRefused as refused:
            raise first_of(refused) from None


async def _main(settings: Settings, announce: Callable[[str], None]) -> None:
    stop, hurry = asyncio.Event(), asyncio.Event()
    _obey_signals(stop, hurry)
    await store_probe.before_all(settings)
    port = await free_port(settings.host, settings.port, stop)
    settings = dataclasses.replace(settings, port=port)
    foundation: StoreProcess | None = None
    trial: store_probe.StoreReady | None = None
    if settings.s2_lite:
        foundation, settings, trial = await _foundation(settings, stop)
    starts = {name: _start(name, word, settings) for name, word in PROCESSES.items()}
    supervisor = Supervisor(starts, STOP_ORDER, SystemClock(), foundation=foundation)
    _say_what_is_open(settings)
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(_announce(settings, announce), name="announce")
        try:
            await supervisor.run(stop, hurry)
        finally:
            asking.cancel()
    if trial is not None:
        trial.raise_refusal()
    logger.info("radio stopped", extra=log_event("radio.stopped"))


async def _foundation(
    settings: Settings, stop: asyncio.Event
) -> tuple[StoreProcess, Settings, store_probe.StoreReady]:
    """The local S2 Lite as a process, the settings of the processes that use it, and the check of its
    store."""
    binary = await asyncio.to_thread(local_server.examine, settings)
    port = await free_port(local_server.ALL_HOSTS, settings.s2_lite_port, stop, option="--s2-lite-port")
    settings = dataclasses.replace(settings, s2_lite_binary=str(binary), s2_lite_port=port)
    trial = store_probe.StoreReady(local_server.on_it(settings), stop)

    async def until_ready() -> None:
        await readiness.until_healthy(local_server.HOST, port, "/health")
        await trial.look()

    start = _start("s2-lite", "s2-lite", settings)
    process = StoreProcess(name="s2-lite", start=start, until_ready=until_ready)
    return process, local_server.on_it(settings), trial


def _obey_signals(stop: asyncio.Event, hurry: asyncio.Event) -> None:
    """The first signal stops in order, the second at once."""

    def obey() -> None:
        (hurry if stop.is_set() else stop).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, obey)


def _start(name: str, word: str, settings: Settings) -> Start:
    async def start() -> Child:
        argv, environment = command(word, settings)
        return await spawn(argv, name=name, environment=environment)

    return start


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
    try:
        announce(address(settings))
    except OSError as broken:  # whoever read what this process prints is gone
        logger.warning("address not printed: %s", broken, extra=log_event("radio.not_announced"))


def _say_what_is_open(settings: Settings) -> None:
    if not is_loopback(settings.host):
        logger.warning(
            "open to the network: pages, live streams, replays, public records, and submission of casts",
            extra=log_event(
                "radio.open_to_network",
                host=settings.host,
                port=settings.port,
                wyoming_port=settings.wyoming_port or None,
                texts="token" if settings.submit_token or settings.submit_token_file else "anybody",
            ),
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
