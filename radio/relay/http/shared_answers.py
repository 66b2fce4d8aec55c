"""Answers that take work: made once for all who ask, beside the loop, and kept until they are old."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from radio.clock import Clock
from radio.relay.http.problems import CORS, TooFast
from radio.relay.http.rate_limits import ClientBuckets, retry_after

KEPT: Final = 64
KEPT_BYTES: Final = 32 << 20
BURST: Final = 120
PER_S: Final = 4.0
"""Answers that one client may have made for it; those that are there cost nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A body and its strong entity tag; `version` is what it was made of."""

    version: Hashable
    body: bytes
    etag: str


class Same:
    """Stands for an object as a version: equal to that of the same object alone, whatever it holds."""

    def __init__(self, *what: object) -> None:
        self._what = what

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and [*map(id, self._what)] == [*map(id, other._what)]

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._what)))


class SharedAnswers:
    """The newest answer by key."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._making: dict[tuple[Hashable, Hashable], asyncio.Task[Answer]] = {}
        self._turn = asyncio.Lock()
        self._clients = ClientBuckets(BURST, PER_S)

    async def get(
        self, key: Hashable, version: Hashable, make: Callable[[], bytes], *, client: str
    ) -> Answer:
        """The answer of this version; `make` runs in a thread while the loop goes on.

        Raises:
            TooFast: this client had many made.
        """
        kept = self._kept.get(key)
        if kept is not None and kept.version == version:
            self._kept.move_to_end(key)
            return kept
        task = self._making.get((key, version))
        if task is None:
            wait = self._clients.take(client, 1, self._clock.monotonic())
            if wait > 0:
                raise TooFast("this address asks for much that takes work", retry_after=retry_after(wait))
            task = asyncio.create_task(self._make(key, version, make))
            self._making[key, version] = task
            task.add_done_callback(lambda _: self._making.pop((key, version), None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for what is being made."""
        await asyncio.gather(*self._making.values(), return_exceptions=True)

    async def _make(self, key: Hashable, version: Hashable, make: Callable[[], bytes]) -> Answer:
        async with self._turn:  # one at a time: threads share the processor with the loop
            body, etag = await asyncio.to_thread(_made, make)
        answer = Answer(version, body, etag)
        self._kept[key] = answer
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT or sum(len(one.body) for one in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return answer


def _made(make: Callable[[], bytes]) -> tuple[bytes, str]:
    body = make()
    return body, f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def answer_with(
    request: web.Request, answer: Answer, content_type: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    """The reply, or 304 if the client has it already."""
    told = {"Cache-Control": "no-cache", **CORS, "ETag": answer.etag}
    if answer.etag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=told)
    return web.Response(body=answer.body, headers={"Content-Type": content_type, **told, **(headers or {})})
