"""Getting a feed: over HTTP, only if it changed, bounded in time, size and ways; or from a file.

An editor may name any address. A redirect is someone else's word: it must lead to http or https, and to an
address of the open internet unless the address that the editor named is itself not one.
"""

import asyncio
import base64
import hashlib
import ipaddress
import json
import logging
import os
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from yarl import URL

from radio.errors import BadInput, RadioError
from radio.log import log_event
from radio.producers.feeds.public_addresses import is_public

log = logging.getLogger(__name__)

MAX_BYTES = 4 << 20
MAX_REDIRECTS = 5
TIMEOUT_S = 20.0
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = {
    "User-Agent": "radio/0.1",
    "Accept": "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5",
}


class NotFetched(RadioError):
    """The feed could not be got."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A feed as it came. `etag` and `modified` as the server said them; `at` epoch ms."""

    body: bytes
    content_type: str = ""
    etag: str = ""
    modified: str = ""
    at: int = 0


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


async def fetch(url: str, cache: Cache, now: int, *, every_s: float) -> Fetched:
    """The feed at an http or https address; what came last, if that was within `every_s` or did not change.

    Args:
        now: epoch ms.

    Raises:
        NotFetched: with what went wrong; never with the address, which may hold a password.
    """
    last = cache.get(url)
    if last is not None and 0 <= now - last.at < every_s * 1000:
        return last
    try:
        async with asyncio.timeout(TIMEOUT_S):
            fetched = await _follow(URL(url), last)
    except TimeoutError as e:
        raise NotFetched(f"no whole answer within {TIMEOUT_S:.0f} s") from e
    except aiohttp.InvalidURL as e:
        raise NotFetched("it is not at an address that can be asked") from e
    except (aiohttp.ClientError, OSError, ValueError) as e:
        raise NotFetched(str(e) or type(e).__name__) from e
    fresh = Fetched(fetched.body, fetched.content_type, fetched.etag, fetched.modified, now)
    cache.put(url, fresh)
    return fresh


async def _follow(url: URL, last: Fetched | None) -> Fetched:
    """The answer at the end of a chain of redirects."""
    resolver = _Resolver(may_be_private=True)
    for _ in range(MAX_REDIRECTS + 1):
        _check(url, resolver)
        connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False)
        async with (
            aiohttp.ClientSession(connector=connector, headers=_HEADERS, trust_env=False) as session,
            session.get(url, headers=_conditions(last), allow_redirects=False) as answer,
        ):
            if answer.status in _REDIRECTS and "Location" in answer.headers:
                url = url.join(URL(answer.headers["Location"]))
                resolver = _Resolver(may_be_private=resolver.may_be_private and resolver.was_private)
                continue
            return await _read(answer, last)
    raise NotFetched(f"more than {MAX_REDIRECTS} redirects")


async def _read(answer: aiohttp.ClientResponse, last: Fetched | None) -> Fetched:
    if answer.status == 304 and last is not None:
        return last
    if answer.status != 200:
        raise NotFetched(f"the server answers {answer.status}")
    body = bytearray()
    async for chunk in answer.content.iter_chunked(64 * 1024):
        body += chunk
        if len(body) > MAX_BYTES:
            raise NotFetched(f"more than {MAX_BYTES >> 20} MiB")
    head = answer.headers
    return Fetched(
        bytes(body), head.get("Content-Type", ""), head.get("ETag", ""), head.get("Last-Modified", "")
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
