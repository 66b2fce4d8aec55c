"""The names by which this radio may be asked: a page of a foreign name gets nothing.

A site may let its own name lead to a private address (DNS rebinding). Its pages then ask this radio with a
`Host` and an `Origin` that agree, and a browser lets them. Only the name in `Host` gives them away.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from radio.errors import BadInput
from radio.relay.http.problems import Handler, Misdirected
from radio.settings import Settings

HOME_DOMAINS: Final = ("local", "lan", "home", "home.arpa", "internal")
"""Under these a router may list this machine; nobody can register a name there."""
LOOPBACK_NAME: Final = "localhost"
_HOST: Final = re.compile(r"[\w.:%\[\]-]+", re.ASCII)
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Hosts:
    """Names in lower case and addresses as they are spelt shortest, without ports."""

    allowed: frozenset[str]

    @classmethod
    def of(cls, settings: Settings, machine: str | None = None) -> Self:
        """Those of the settings and of this machine, whose name is `machine`.

        Raises:
            BadInput: what `--allowed-host` names is no host.
        """
        own = (socket.gethostname() if machine is None else machine).lower()
        at_home = [f"{own.partition('.')[0]}.{domain}" for domain in HOME_DOMAINS]
        public = urlsplit(settings.base_url).hostname if settings.base_url else None
        named = [*_named(settings.allowed_host), settings.host, own, *(at_home if own else ()), public or ""]
        return cls(frozenset(_plain(name) for name in named if name))

    def allow(self, asked: str, local: str) -> bool:
        """Whether the `Host` of a request that came in at address `local` is one of ours."""
        host = _host_of(asked)
        if host is None:
            return False
        if host in self.allowed or host == LOOPBACK_NAME or host.endswith("." + LOOPBACK_NAME):
            return True
        address = _address(host)
        return address is not None and (address.is_loopback or address == _address(local))


def middleware(hosts: Hosts) -> Middleware:
    """Refuse what is asked by a foreign name. A program that sends no `Host` is no page."""

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        asked = request.headers.getall("Host", [])
        local = request.transport.get_extra_info("sockname") if request.transport is not None else None
        if not all(hosts.allow(one, str(local[0]) if local else "") for one in asked):
            raise Misdirected(
                "this radio does not go by that name",
                hint="ask by its address, or let its operator allow the name with --allowed-host",
            )
        return await handler(request)

    return refuse


def _named(setting: str) -> Iterable[str]:
    """The hosts of a list with commas. Raises `BadInput` for what is none."""
    for name in filter(None, (part.strip() for part in setting.split(","))):
        if _host_of(name) != _plain(name):
            raise BadInput(
                f"--allowed-host: {name!r} is no host", hint="names or addresses alone, as radio.example"
            )
        yield name


def _host_of(field: str) -> str | None:
    """The name or address without its port; None if it is none."""
    bare = field if field.count(":") < 2 or field.startswith("[") else f"[{field}]"
    if _HOST.fullmatch(bare) is None:
        return None
    try:
        parts = urlsplit(f"//{bare}")
        host = parts.hostname
        parts.port  # noqa: B018 - raises for what is none
    except ValueError:
        return None
    return _plain(host) if host else None


def _plain(host: str) -> str:
    bare = host.strip("[]").rstrip(".").lower()
    address = _address(bare)
    return bare if address is None else str(address)


def _address(host: str) -> Address | None:
    """An IPv4 address that is written as one of IPv6 is that address."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return address if mapped is None else mapped
