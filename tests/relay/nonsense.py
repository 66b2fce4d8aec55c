"""Requests that no player sends: malformed HTTP, paths, queries, JSON, YAML and UTF-8, from a seed."""

import json
import random
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

from radio.casts.content_id import cast_id
from radio.relay.routes import ROUTES

CRLF: Final = b"\r\n"
TAKING: Final = tuple(route.path for route in ROUTES if route.method == "POST")
_HOLE: Final = re.compile(r"\{[^}]*\}")
HOSTILE: Final = (
    "", " ", "\0", "%00", "..", "../../etc/passwd", "..%2f..%2f", "%2e%2e/", "//", "\\", "a" * 300,
    "a" * 9000,
    "é", "日本", "🎙", "\u202e", "%c0%af", "%ff%fe", "%ed%a0%80", "%", "%zz", "'; DROP TABLE", "<script>",
    "\r\nX: y", "-1", "0", "1e9", "NaN", "inf", "0x10", "٣", "²", "9" * 19, "9" * 400, "true", "null", "[]",
    "2026-13-45T99:99", "9999-12-31T23:59:59Z", "1970-01-01", "0001-01-01T00:00", "2026-11-29T07:00+99:00",
)  # fmt: skip
KNOWN: Final = (
    "harbor", "nowhere", "0", "1", "2", "3", "40", "300000000", "night@20270115T0800",
    "index.html", "AAAAAAAAAAAA", "pub/stations/harbor", "pub/casts/AAAAAAAAAAAA", "control", "af_heart",
    "af_heart(2)+bf_emma(1)",
    "catalog/AAAAAAAAAAAA", "2026-11-29T07:00:00Z", "wav", "mp3", "pcm",
)  # fmt: skip
RIGHT: Final = {
    "{station}": "harbor",
    "{epoch}": "0",
    "{cast}": cast_id("Ships pass.", "af_heart"),
    "{path:.+}": "station.js",
}
"""What stands there in a request that is right."""
PARAMETERS: Final = (
    "from", "to", "run", "at", "c", "stream", "seq_num", "count", "wait", "timestamp", "tail_offset", "voice",
    "t", "limit", "download", "before", "days", "q", "",
)  # fmt: skip
FIELDS: Final = (
    "text", "voice", "speed", "title", "input", "model", "response_format", "stream_format", "instructions",
    "keep", "token", "language", "unknown",
)  # fmt: skip
HEADERS: Final = (
    ("Range", ("bytes=0-", "bytes=-1", "bytes=5-1", "bytes=0-0,2-2", "bytes=99999999999999999999-", "x=1-2")),
    ("Range", ("bytes=٣-", "bytes=0x1-", "bytes=--1", "bytes=")),
    ("If-Range", ('"x"', "W/", "Mon, 99 Foo 0000", "\xff")),
    ("If-None-Match", ("*", '"', 'W/"', ",,,,", '"x"' * 500)),
    ("If-Modified-Since", ("yesterday", "Mon, 30 Nov 2026 00:00:00 GMT")),
    ("Icy-MetaData", ("1", "0", "yes", "-1")),
    ("Last-Event-ID", ("x", ":", "store:-1", "store:9999999999999999999999", "é:1", "a:b:c")),
    ("Accept", ("text/event-stream", "*/*;q=x", "\x01")),
    ("Accept-Encoding", ("gzip;q=", "gzip", "br;q=1.5,gzip;q=é", "x" * 4000)),
    ("Origin", ("null", "http://[", "http://elsewhere", "//", "http://a:b:c", "é")),
    ("Host", ("evil.example", "", "[", "[::1", "a b", "é", "x" * 5000, "a\tb", "localhost:99999999")),
    ("X-Forwarded-For", ("1.1.1.1", ",,,", "é", "x" * 3000)),
    ("X-Forwarded-Proto", ("javascript", "https,,", "é")),
    ("X-Forwarded-Host", ("[", "a/b", "é", "a\x7fb")),
    ("Authorization", ("Bearer", "Bearer é", "Basic !!!!", "Bearer " + "x" * 5000)),
    ("Idempotency-Key", ("", "é", "x" * 5000)),
    ("Cookie", ("a=b; " * 1000, "=", "a=\x80", ";;;;")),
    ("Content-Encoding", ("gzip", "deflate", "identity", "x")),
    ("Content-Type", ("application/json", "application/yaml", "text/plain; charset=x", "a/b; c")),
    ("Expect", ("100-continue", "x")),
    ("Upgrade", ("websocket", "h2c")),
    ("Connection", ("close", "keep-alive", "Upgrade", "x")),
    ("Transfer-Encoding", ("chunked", "identity", "chunked, chunked", "x")),
    ("Content-Length", ("-1", "0", "5", "99999999999", "x", "5, 6")),
    ("X-Playback-Session-Id", ("", "é", "x" * 5000)),
    ("User-Agent", ("", "é", "VLC", "x" * 8000)),
)  # fmt: skip
YAMLS: Final = (
    "station: x\nshows: [", "a: &a [*a]", "!!python/object/apply:os.system ['true']", "? : :\n- -", "\t- x",
    "%YAML 9",
    "text: >\n  said\nvoice: !!binary ////", "a: " * 500,
)  # fmt: skip


class Nonsense:
    """An endless supply of requests; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def request(self) -> tuple[bytes, bool]:
        """One request, or what has been one, and whether it is whole; nearly all are wrong in some way."""
        makers = (self._asked, self._sent, self._torn, self._noise)
        make = self._chance.choices(makers, (60, 25, 12, 3))[0]
        return make(), make in makers[:2]

    def _asked(self) -> bytes:
        method = self._chance.choices(
            ("GET", "HEAD", "OPTIONS", "DELETE", "TRACE", "BREW"), (70, 12, 6, 6, 3, 3)
        )[0]
        return self._head(method, self._target(), self._fields()) + CRLF

    def _sent(self) -> bytes:
        """To where a body is wanted, mostly."""
        target = self._chance.choice((*TAKING, self._target()))
        body = self._chance.choice((self._json, self._yaml, self._text))()
        kind = self._chance.choice(("application/json", "text/plain", "application/yaml", "", "a/b;c"))
        fields = [*self._fields(1), ("Content-Type", kind)]
        framing = self._chance.random()
        if framing < 0.8:
            fields.append(("Content-Length", str(len(body))))
        elif framing < 0.9:
            fields.append(("Transfer-Encoding", "chunked"))
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        else:
            fields.append(("Content-Length", str(len(body) + self._chance.randint(-5, 5))))
        method = self._chance.choice(("POST", "POST", "POST", "POST", "POST", "PUT", "DELETE", "GET"))
        return self._head(method, target, fields) + CRLF + body

    def _torn(self) -> bytes:
        """Some bytes of a request changed, doubled or gone."""
        data = bytearray(self._chance.choice((self._asked, self._sent))())
        for _ in range(self._chance.randint(1, 6)):
            at = self._chance.randrange(len(data) or 1)
            how = self._chance.randrange(4)
            if how == 0:
                data[at : at + 1] = self._chance.randbytes(1)
            elif how == 1:
                del data[at : at + self._chance.randint(1, 20)]
            elif how == 2:
                data[at:at] = data[at : at + self._chance.randint(1, 40)]
            else:
                data[at:at] = self._chance.choice((b"\0", b"\r", b"\n", b"\r\n\r\n", b"\xff", b" ", b":"))
        return bytes(data)

    def _noise(self) -> bytes:
        begin = self._chance.choice((b"\x16\x03\x01\x02\0", b"PRI * HTTP/2.0\r\n\r\n", b""))
        return begin + self._chance.randbytes(self._chance.randint(1, 400))

    def _head(self, method: str, target: str, fields: list[tuple[str, str]]) -> bytes:
        version = self._chance.choices(("1.1", "1.0", "0.9", "2.0", ""), (80, 14, 2, 2, 2))[0]
        if not any(name == "Host" for name, _ in fields):
            fields = [("Host", "127.0.0.1"), *fields]
        lines = [f"{method} {target} HTTP/{version}", *(f"{name}: {value}" for name, value in fields)]
        return b"".join(line.encode("utf-8", "surrogatepass") + CRLF for line in lines)

    def _fields(self, most: int = 3) -> list[tuple[str, str]]:
        chosen = self._chance.sample(HEADERS, self._chance.randint(0, most))
        return [(name, self._chance.choice(values)) for name, values in chosen]

    def _target(self) -> str:
        path = self._chance.choice(ROUTES).path if self._chance.random() < 0.9 else self._piece()
        path = _HOLE.sub(self._fill, path)
        count = self._chance.choice((0, 0, 1, 1, 2, 3))
        pairs = (f"{self._chance.choice(PARAMETERS)}={self._piece()}" for _ in range(count))
        query = "&".join(pairs)
        return f"{path}?{query}" if query else path

    def _fill(self, hole: re.Match[str]) -> str:
        right = RIGHT.get(hole[0])
        return right if right is not None and self._chance.random() < 0.7 else self._piece()

    def _piece(self) -> str:
        raw = self._chance.choice(KNOWN if self._chance.random() < 0.6 else HOSTILE)
        return quote(raw, safe="") if self._chance.random() < 0.7 else raw.replace(" ", "%20")

    def _json(self) -> bytes:
        if self._chance.random() < 0.1:
            return self._chance.choice(
                (b"[" * 5000, b'{"a":' * 3000, b'"\\ud800"', b"NaN", b"{", b"\xff", b"")
            )
        names = self._chance.sample(FIELDS, self._chance.randint(0, 4))
        spelt = json.dumps({name: self._value(3) for name in names}, ensure_ascii=self._chance.random() < 0.5)
        return spelt.encode("utf-8", "surrogatepass")

    def _yaml(self) -> bytes:
        return self._chance.choice(YAMLS).encode()

    def _text(self) -> bytes:
        """UTF-8, or nearly."""
        data = self._chance.choice((*HOSTILE, "Ships pass.")).encode()
        wrong = self._chance.choice(
            (b"", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\0")
        )
        return data + wrong

    def _value(self, depth: int) -> Any:
        simple: tuple[Callable[[], Any], ...] = (
            lambda: self._chance.choice(HOSTILE),
            lambda: self._chance.choice(KNOWN),
            lambda: self._chance.choice((0, -1, 1.0, 1e308, 10**30, float("nan"), True, None)),
            lambda: "\ud800" + self._chance.choice(HOSTILE),
        )
        if depth and self._chance.random() < 0.2:
            return {self._chance.choice(FIELDS): self._value(depth - 1)}
        if depth and self._chance.random() < 0.2:
            return [self._value(depth - 1) for _ in range(self._chance.randint(0, 3))]
        return self._chance.choice(simple)()
