"""Records of a broadcast that an operator redacted: silence in place of their sound, and no text, for good.

The request is in `control` with `detail` `<first> <last>`, both inclusive. Code that gives broadcasts to
others folds it and veils these records, and reruns of them. Their numbers, lengths and air times stay. If the
store can, the named records are also overwritten.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record, StreamStore
from radio.streams.overwriting import Overwriting
from radio.streams.reading import known, pages
from radio.streams.records import BROADCAST, Audio, Skip, UnknownRecord

REDACT: Final = "redact"
_KEPT_HEADERS: Final = frozenset({b"e", b"v"})
"""Of a record that this version does not know."""
_PAGE: Final = 64


def spell(first: int, last: int) -> str:
    """The `detail` of a request."""
    return f"{first} {last}"


def stretch(detail: str) -> tuple[int, int] | None:
    """First and last record of a request; None if it names none."""
    first, _, last = detail.partition(" ")
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        return None
    return int(first), int(last)


class Redactions:
    """What is redacted, folded from the records of `control` in order."""

    def __init__(self) -> None:
        self.next_seq = 0
        self._stretches: dict[str, list[tuple[int, int]]] = {}

    def fold(self, found: Iterable[Record], next_seq: int) -> None:
        """Fold a page of `control`; records folded before are skipped."""
        for record in found:
            if record.seq >= self.next_seq:
                self._obey(record)
        self.next_seq = max(self.next_seq, next_seq)

    def _obey(self, record: Record) -> None:
        request = known(records.CONTROL, record, names.CONTROL)
        if not isinstance(request, records.ControlRequest) or request.what != REDACT:
            return
        taken = stretch(request.detail)
        if taken is not None:
            mine = self._stretches.get(request.target, [])
            self._stretches[request.target] = _united([*mine, taken])

    def of(self, station: str) -> tuple[tuple[int, int], ...]:
        """First and last record of each range, in order; no two are adjacent."""
        return tuple(self._stretches.get(station, ()))

    def within(self, station: str, first: int, last: int) -> tuple[tuple[int, int], ...]:
        """The redacted records between `first` and `last`."""
        cut = [(max(a, first), min(b, last)) for a, b in self.of(station)]
        return tuple((a, b) for a, b in cut if a <= b)

    def holds(self, station: str, seq: int) -> bool:
        """Whether the redaction of this very record was requested."""
        return bool(self.within(station, seq, seq))

    def takes(self, station: str, seq: int, of: int | None) -> bool:
        """Whether this record is redacted, or the one whose sound it repeats."""
        return self.holds(station, seq) or (of is not None and self.holds(station, of))


def stretches_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of each range of consecutive numbers, in order."""
    return _united([(number, number) for number in numbers])


def _united(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    whole: list[tuple[int, int]] = []
    for first, last in sorted(stretches):
        if whole and first <= whole[-1][1] + 1:
            whole[-1] = (whole[-1][0], max(whole[-1][1], last))
        else:
            whole.append((first, last))
    return whole


class RedactionLog:
    """The redactions of a store; each read continues where the last one ended."""

    def __init__(self, store: StreamStore, folded: Redactions | None = None) -> None:
        self._store = store
        self.folded = Redactions() if folded is None else folded

    async def read(self) -> Redactions:
        """All redactions requested until now. Raises `StoreError`."""
        async for page in pages(self._store, names.CONTROL, FromSeq(self.folded.next_seq)):
            self.folded.fold(page.records, page.next_seq)
        return self.folded


def veiled(record: Record) -> Record:
    """A redacted record as others may read it: the same length, without content."""
    if record.kind != "data":
        return record
    try:
        told = records.decode(BROADCAST, record)
    except UnknownRecord:
        return replace(record, headers=_bare(record), body=b"")
    if isinstance(told, Audio):
        told = replace(told, t="", body=silence(len(told.body)))
    elif isinstance(told, Skip):
        told = replace(told, t="")
    else:
        return record
    spelt = records.encode(told)
    return replace(record, headers=spelt.headers, body=spelt.body)


def first_of(record: Record) -> int | None:
    """The `of` of a record, without decoding it."""
    spelt = next((value for name, value in record.headers if name == b"of"), b"")
    return int(spelt) if spelt.isdigit() else None


def _bare(record: Record) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((name, value) for name, value in record.headers if name in _KEPT_HEADERS)


def silence(size: int) -> bytes:
    """That many bytes of silent frames."""
    return (SILENCE_FRAME * -(-size // FRAME_BYTES))[:size]


async def erase(store: StreamStore, station: str, first: int, last: int) -> bool | None:
    """Overwrite the records from `first` to `last` with what `veiled` leaves of them.

    Returns:
        None: this store keeps every record as it was appended. Otherwise whether the old content is gone from
            the store's own files; False: it is there until the store's next clean-up of its log.
    """
    if not isinstance(store, Overwriting):
        return None
    name, is_clean = names.broadcast(station), True
    async for page in pages(store, name, FromSeq(first), end=last + 1, max_records=_PAGE):
        is_clean = await store.overwrite(name, [veiled(r) for r in page.records if r.seq <= last])
    return is_clean
