"""Getting a feed: over HTTP, only if it changed, bounded in time, size and ways; or from a file.

A server that asks for peace, by `Retry-After` or `Cache-Control`, is left in peace, and where it fails what
came last is read again. An editor may name any address. A redirect is someone else's word: it must lead to
http or https, and to an address of the open internet unless the address that the editor named is not one.
"""

import asyncio
import base64
import hashlib
import ipaddress
import json
import logging
import os
import socket
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from yarl import URL

from radio.errors import BadInput, RadioError
from radio.log import log_event
from radio.producers.feeds import manners
from radio.producers.feeds.public_addresses import is_public

log = logging.getLogger(__name__)

MAX_BYTES = 4 << 20
MAX_REDIRECTS = 5
TIMEOUT_S = 20.0
_BUSY = (429, 503)
_REDIRECTS = (301, 302, 303, 307, 308)
_ACCEPT = "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5"
_MOST_CONTACT = 200


class NotFetched(RadioError):
    """The feed could not be got."""


class AskedForPeace(NotFetched):
    """The server does not want to be asked before `at` (epoch ms)."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class Fetched:
    """A feed as it came. `etag` and `modified` as the server said them; times in epoch ms.

    Attributes:
        body: empty if nothing came yet.
        at: when it came, or was said to be unchanged.
        not_before: the server wants to be asked again from then on.
    """

    body: bytes
    content_type: str = ""
    etag: str = ""
    modified: str = ""
    at: int = 0
    not_before: int = 0


class Cache:
    """What came of each address last, in files: they may be lost, which costs a download."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, url: str) -> Fetched | None:
        try:
            values: dict[str, Any] = json.loads(self._path(url).read_bytes())
            return Fetched(**{**values, "body": base64.b64decode(values["body"])})
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as e:
            log.warning("cached feed cannot be read: %s", e, extra=log_event("feed.cache_broken"))
            return None

    def put(self, url: str, fetched: Fetched) -> None:
        values = {**asdict(fetched), "body": base64.b64encode(fetched.body).decode()}
        path = self._path(url)
        fresh = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(values))
            fresh.replace(path)
        except OSError as e:
            log.warning("feed cannot be cached: %s", e, extra=log_event("feed.cache_failed"))

    def _path(self, url: str) -> Path:
        return self._folder / f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json"


def read_file(path: Path) -> Fetched:
    """Raises `NotFetched`."""
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as e:
        raise NotFetched(f"cannot read {path}: {e.strerror}") from e
    if len(body) > MAX_BYTES:
        raise NotFetched(f"{path} has more than {MAX_BYTES >> 20} MiB")
    return Fetched(body)


async def fetch(url: str, cache: Cache, now: int, *, every_s: float, contact: str = "") -> Fetched:
    """The feed at an http or https address; what came last, if that was within `every_s` or did not change.

    What came last is also given if the server fails or wants no request yet.

    Args:
        now: epoch ms.
        contact: told to the server with the radio's name.

    Raises:
        NotFetched: with what went wrong; never with the address, which may hold a password.
    """
    known = cache.get(url)
    last = known if known is not None and known.body else None
    if last is not None and 0 <= now - last.at < every_s * 1000:
        return last
    try:
        if known is not None and now < known.not_before <= now + manners.LONGEST_MS:
            raise AskedForPeace("its server wants no request yet", known.not_before)
        fresh = replace(await _asked(url, last, now, contact), at=now)
    except AskedForPeace as e:
        cache.put(url, replace(known or Fetched(b""), not_before=e.at))
        return _again(last, url, e)
    except NotFetched as e:
        return _again(last, url, e)
    cache.put(url, fresh)
    return fresh


def _again(last: Fetched | None, url: str, error: NotFetched) -> Fetched:
    """What came last; raises `error` if nothing did."""
    if last is None:
        raise error
    stale = log_event("feed.stale", feed=host_of(url))
    log.warning("feed is not fetched, its last copy is read: %s", error, extra=stale)
    return last


def host_of(url: str) -> str:
    """The part of an address that may be shown: all others may hold secrets."""
    try:
        return URL(url).host or "?"
    except ValueError:
        return "?"


async def _asked(url: str, last: Fetched | None, now: int, contact: str) -> Fetched:
    """Raises `NotFetched`, in words without the address."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            return await _follow(URL(url), last, now, _user_agent(contact))
    except TimeoutError as e:
        raise NotFetched(f"no whole answer within {TIMEOUT_S:.0f} s") from e
    except aiohttp.InvalidURL as e:
        raise NotFetched("it is not at an address that can be asked") from e
    except BadInput as e:
        raise NotFetched(str(e)) from e
    except (aiohttp.ClientError, OSError, ValueError) as e:
        raise NotFetched(_told(e)) from e


def _told(error: Exception) -> str:
    """What a library says went wrong; only its kind where that may hold the address, and so a secret."""
    said = str(error)
    return said if said and not {"/", "?"} & set(said) else type(error).__name__


def _user_agent(contact: str) -> str:
    plain = "".join(char for char in contact if char.isascii() and char.isprintable())[:_MOST_CONTACT].strip()
    return f"radio/0.1 ({plain})" if plain else "radio/0.1"


async def _follow(url: URL, last: Fetched | None, now: int, user_agent: str) -> Fetched:
    """The answer at the end of a chain of redirects."""
    headers = {"User-Agent": user_agent, "Accept": _ACCEPT}
    resolver = _Resolver(may_be_private=True)
    for _ in range(MAX_REDIRECTS + 1):
        _check(url, resolver)
        connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False)
        async with (
            aiohttp.ClientSession(connector=connector, headers=headers, trust_env=False) as session,
            session.get(url, headers=_conditions(last), allow_redirects=False) as answer,
        ):
            if answer.status in _REDIRECTS and "Location" in answer.headers:
                url = url.join(URL(answer.headers["Location"]))
                resolver = _Resolver(may_be_private=resolver.may_be_private and resolver.was_private)
                continue
            return await _read(answer, last, now)
    raise NotFetched(f"more than {MAX_REDIRECTS} redirects")


async def _read(answer: aiohttp.ClientResponse, last: Fetched | None, now: int) -> Fetched:
    not_before = manners.fresh_until(answer.headers, now)
    if answer.status == 304 and last is not None:
        return replace(last, not_before=not_before)
    if answer.status in _BUSY and (at := manners.retry_at(answer.headers, now)) is not None:
        raise AskedForPeace(f"the server answers {answer.status}", at)
    if answer.status != 200:
        raise NotFetched(f"the server answers {answer.status}")
    body = bytearray()
    async for chunk in answer.content.iter_chunked(64 * 1024):
        body += chunk
        if len(body) > MAX_BYTES:
            raise NotFetched(f"more than {MAX_BYTES >> 20} MiB")
    head = answer.headers
    return Fetched(
        bytes(body),
        head.get("Content-Type", ""),
        head.get("ETag", ""),
        head.get("Last-Modified", ""),
        not_before=not_before,
    )


def _conditions(last: Fetched | None) -> dict[str, str]:
    if last is None:
        return {}
    conditions = {"If-None-Match": last.etag, "If-Modified-Since": last.modified}
    return {name: value for name, value in conditions.items() if value}


def _check(url: URL, resolver: "_Resolver") -> None:
    """Whether the address may be asked; one that is spelt in numbers is never resolved."""
    if url.scheme not in ("http", "https") or not url.host:
        raise NotFetched(f"a redirect leads to {url.scheme or 'nowhere'}, not to http or https")
    try:
        address = ipaddress.ip_address(url.host)
    except ValueError:
        return
    resolver.judge(str(address))


class _Resolver(AbstractResolver):
    """Resolves names, and judges what they stand for.

    Attributes:
        was_private: an address that was asked for is not one of the open internet.
    """

    def __init__(self, *, may_be_private: bool) -> None:
        self.may_be_private = may_be_private
        self.was_private = False
        self._inner = ThreadedResolver()

    def judge(self, address: str) -> None:
        if is_public(address):
            return
        self.was_private = True
        if not self.may_be_private:
            raise BadInput("a redirect leads to an address that is not of the open internet")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        for result in found:
            self.judge(result["host"])
        return found

    async def close(self) -> None:
        await self._inner.close()
