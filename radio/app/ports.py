"""Ports to listen on: free now, or an error that names the option to choose another."""

import asyncio
import errno
import logging
import socket

from radio.errors import BadInput, RadioError
from radio.log import log_event

logger = logging.getLogger(__name__)

PORT_PATIENCE_S = 6.0
"""The process of a killed radio ends within this time; any other process keeps the port."""


class PortInUse(RadioError):
    """Something else listens on that port."""

    def __init__(self, host: str, port: int, option: str) -> None:
        super().__init__(f"port {port} of {host} is in use", hint=f"choose another with {option}")
        self.port = port


async def free_port(host: str, port: int, stop: asyncio.Event, *, option: str = "--port") -> int:
    """The port to listen on, free now; for 0 one that the system chooses.

    Raises:
        PortInUse: another process keeps it for longer than `PORT_PATIENCE_S`.
        BadInput: this machine or user may not use it.
    """
    try:
        async with asyncio.timeout(PORT_PATIENCE_S):
            while not stop.is_set():
                if (free := try_port(host, port)) is not None:
                    return free
                logger.warning("port is in use, waiting for it", extra=log_event("port.waiting", port=port))
                await asyncio.sleep(1.0)
    except TimeoutError as patience:
        raise PortInUse(host, port, option) from patience
    return port


def try_port(host: str, port: int) -> int | None:
    """The port, or the one that the system chooses for 0; None if it is in use."""
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
