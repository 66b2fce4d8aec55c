"""Talks to a running radio over HTTP. The only module of the command line that knows aiohttp."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin

import aiohttp

from radio.errors import BadInput, NotFound, RadioError

CONNECT_S = 5.0
ANSWER_S = 30.0
SILENCE_S = 120.0
"""Longest wait for the next bytes of a stream: a narrator may start anew."""
CHUNK_BYTES = 16 * 1024

Json = dict[str, Any]


class NoRadio(RadioError):
    """No radio answers there."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"no radio answers at {url} ({reason})", hint="start one with `radio up`, or say --url"
        )
        self.url = url


class RadioSilent(RadioError):
    """A radio that took the request, or has begun to answer, says nothing more."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(
            f"the radio at {url} has been silent for {seconds:g} s",
            hint="`radio doctor` and the radio's log may tell why",
        )


class Refused(RadioError):
    """The radio did not do it. `status` is the HTTP status."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        says = [str(problem[key]) for key in ("title", "detail") if problem.get(key)]
        super().__init__(
            ": ".join(dict.fromkeys(says)) or f"HTTP {status}", hint=str(problem.get("hint") or "")
        )
        self.status = status


class RadioClient:
    """A radio at a URL; an async context manager. Paths may be absolute URLs too.

    Args:
        token: sent with what is posted, and with nothing else.
    """

    def __init__(self, url: str, *, token: str = "") -> None:
        if not url.startswith(("http://", "https://")):
            raise BadInput(f"not the address of a radio: {url!r}", hint="it begins with http:// or https://")
        self.url = url.rstrip("/") + "/"
        self._bearer = {"Authorization": f"Bearer {token}"} if token else {}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    def address(self, path: str) -> str:
        """The full URL of a path of this radio."""
        return urljoin(self.url, path)

    async def get(self, path: str) -> Json:
        """The JSON there. Raises `NoRadio`, `RadioSilent`, `Refused`, `NotFound`."""
        async with self._request("GET", path) as response:
            return await _json(response)

    async def post(self, path: str, body: Json) -> Json:
        """The JSON answer to a JSON body. Raises `NoRadio`, `RadioSilent`, `Refused`."""
        async with self._request("POST", path, json=body, headers=self._bearer) as response:
            return await _json(response)

    async def stream(
        self, path: str, heard: Callable[[Mapping[str, str]], None] = lambda headers: None
    ) -> AsyncIterator[bytes]:
        """Bytes as they come, until it ends them. Raises `NoRadio`, `RadioSilent`, `Refused`, `NotFound`.

        Args:
            heard: is given the headers of the answer, before its first bytes.
        """
        async with self._request("GET", path, silence_s=SILENCE_S) as response:
            heard(response.headers)
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                yield chunk

    async def events(self, path: str) -> AsyncIterator[tuple[str, Json]]:
        """(event, data) of a server-sent stream until it ends."""
        kind = "message"
        async with self._request("GET", path, silence_s=SILENCE_S) as response:
            async for raw in response.content:
                line = raw.decode().rstrip("\r\n")
                if line.startswith("event:"):
                    kind = line[6:].strip()
                elif line.startswith("data:"):
                    yield kind, json.loads(line[5:])
                elif not line:
                    kind = "message"

    @asynccontextmanager
    async def _request(
        self, method: str, path: str, *, silence_s: float | None = None, **options: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        wait_s = ANSWER_S if silence_s is None else silence_s
        timeout = aiohttp.ClientTimeout(connect=CONNECT_S, sock_read=wait_s)
        try:
            async with self._session.request(
                method, self.address(path), timeout=timeout, **options
            ) as response:
                if response.status >= 400:
                    raise await _refusal(response)
                yield response
        except aiohttp.SocketTimeoutError as silent:
            raise RadioSilent(self.url, wait_s) from silent
        except (aiohttp.ClientConnectionError, TimeoutError) as lost:
            raise NoRadio(self.url, str(lost) or type(lost).__name__) from lost
        except aiohttp.ClientError as broken:
            raise RadioError(f"the connection to {self.url} broke: {broken}") from broken


async def _json(response: aiohttp.ClientResponse) -> Json:
    try:
        answer = json.loads(await response.text())
    except ValueError as garbled:
        raise RadioError("what answers there is not a radio", hint="see --url") from garbled
    return dict(answer)


async def _refusal(response: aiohttp.ClientResponse) -> RadioError:
    try:
        problem = json.loads(await response.text())
    except ValueError:
        problem = {"title": response.reason}
    refused = Refused(response.status, problem if isinstance(problem, dict) else {})
    return NotFound(str(refused), hint=refused.hint) if response.status == 404 else refused
