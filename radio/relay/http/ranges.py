"""Range requests on finite audio: which bytes of a body of known size are wanted. No I/O here."""

import re
from dataclasses import dataclass

_ONE = re.compile(r"([0-9]{0,18})-([0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Bytes `first` to `last`, both inclusive."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1

    def content_range(self, size: int) -> str:
        return f"bytes {self.first}-{self.last}/{size}"


@dataclass(frozen=True, slots=True)
class Whole:
    """No range, or one that is to be ignored."""


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """A well-formed range that lies outside of the body: 416."""


Wanted = ByteRange | Whole | Unsatisfiable


def wanted(header: str | None, if_range: str | None, etag: str, size: int) -> Wanted:
    """What a request asks of `size` bytes with the strong entity tag `etag` (quoted).

    A header that is malformed, has another unit or several ranges is ignored, as is any range whose
    `If-Range` is not exactly this tag (a date never is).
    """
    if header is None or (if_range is not None and if_range.strip() != etag):
        return Whole()
    unit, equals, ranges = header.partition("=")
    spec = _ONE.fullmatch(ranges.strip())
    if not equals or unit.strip().lower() != "bytes" or spec is None:
        return Whole()
    return _part(spec[1], spec[2], size)


def _part(first: str, last: str, size: int) -> Wanted:
    if not first:
        return _suffix(last, size)
    start = int(first)
    end = min(int(last), size - 1) if last else size - 1
    if last and int(last) < start:
        return Whole()
    return ByteRange(start, end) if start < size else Unsatisfiable()


def _suffix(length: str, size: int) -> Wanted:
    if not length:
        return Whole()
    if int(length) == 0 or size == 0:
        return Unsatisfiable()
    return ByteRange(max(size - int(length), 0), size - 1)
