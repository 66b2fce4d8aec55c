"""What every store refuses before any I/O: names, sizes, tokens, limits (rules N1 to N5, R8, D3). Pure."""

import re
from collections.abc import Sequence

from radio.streams.contract import (
    MAX_BATCH_BYTES,
    MAX_BATCH_RECORDS,
    MAX_NAME_BYTES,
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    MAX_TOKEN_BYTES,
    RESERVED_HEADER,
    Appendable,
    Fence,
    FromSeq,
    FromTail,
    InvalidRequest,
    NewRecord,
    Start,
    Trim,
)

MAX_SEQ = (1 << 63) - 1
_SEGMENT = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~@-]+"
_NAME = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT})*\Z")


def check_name(name: str) -> None:
    if len(name) > MAX_NAME_BYTES or not _NAME.match(name):
        raise InvalidRequest(
            f"not a stream name: {name[:80]!r}",
            hint=f"at most {MAX_NAME_BYTES} bytes: segments of A-Z a-z 0-9 . _ ~ @ - joined by /",
        )


def metered(record: Appendable) -> int:
    """The size of a record in bytes, as S2 counts it."""
    match record:
        case NewRecord():
            pairs = record.headers
            return 8 + 2 * len(pairs) + sum(len(n) + len(v) for n, v in pairs) + len(record.body)
        case Fence():
            return 8 + 2 + len(b"fence") + len(record.token.encode())
        case Trim():
            return 8 + 2 + len(b"trim") + 8


def check_append(
    name: str, records: Sequence[Appendable], match_seq_num: int | None, fencing_token: str | None
) -> None:
    check_name(name)
    if not 1 <= len(records) <= MAX_BATCH_RECORDS:
        raise InvalidRequest(f"an append holds 1 to {MAX_BATCH_RECORDS} records, not {len(records)}")
    for record in records:
        _check_record(record)
    size = sum(map(metered, records))
    if size > MAX_BATCH_BYTES:
        raise InvalidRequest(f"an append holds at most {MAX_BATCH_BYTES} bytes, not {size}")
    if match_seq_num is not None:
        _check_seq("match_seq_num", match_seq_num)
    if fencing_token is not None:
        check_token(fencing_token)


def check_token(token: str) -> None:
    if len(token.encode()) > MAX_TOKEN_BYTES:
        raise InvalidRequest(f"a fencing token has at most {MAX_TOKEN_BYTES} bytes: {token!r}")
    if token == "!":
        raise InvalidRequest("the fencing token '!' is reserved for probing")


def check_read(name: str, start: Start, max_records: int = 1, max_bytes: int = 1) -> None:
    check_name(name)
    if isinstance(start, FromSeq):
        _check_seq("seq", start.seq)
    if isinstance(start, FromTail):
        _check_seq("count", start.count)
    if not 1 <= max_records <= MAX_READ_RECORDS:
        raise InvalidRequest(f"max_records is 1 to {MAX_READ_RECORDS}, not {max_records}")
    if max_bytes < 1:
        raise InvalidRequest(
            f"max_bytes is at least 1 (above {MAX_READ_BYTES} it is lowered), not {max_bytes}"
        )


def check_list(prefix: str, start_after: str, limit: int) -> None:
    if not 1 <= limit <= 1000:
        raise InvalidRequest(f"limit is 1 to 1000, not {limit}")
    for text in (prefix, start_after):
        if len(text.encode()) > MAX_NAME_BYTES:
            raise InvalidRequest(f"a prefix or a name has at most {MAX_NAME_BYTES} bytes")


def _check_record(record: Appendable) -> None:
    match record:
        case Fence():
            check_token(record.token)
        case Trim():
            _check_seq("first_seq", record.first_seq)
        case NewRecord():
            for name, _ in record.headers:
                if not name or name.startswith(RESERVED_HEADER):
                    raise InvalidRequest(f"not a header name: {name!r}")


def _check_seq(what: str, seq: int) -> None:
    if not 0 <= seq <= MAX_SEQ:
        raise InvalidRequest(f"{what} is 0 to {MAX_SEQ}, not {seq}")
