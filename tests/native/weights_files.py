"""Weights files as `radio.models.native_weights` describes them, right and wrong, without their 70 MB."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from radio.models.native_weights import ENTRY, FORMAT

MAGIC: Final = b"KOKW"
FLOATS: Final = 0
BYTES: Final = 1
HEADER: Final = struct.Struct("<4sIII")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One tensor of the table; offsets in bytes from the start of the file."""

    name: bytes
    kind: int = FLOATS
    dimensions: int = 1
    shape: tuple[int, ...] = (1, 1, 1, 1)
    data: int = 0
    scale: int = 0
    zero: int = 0

    def packed(self) -> bytes:
        return ENTRY.pack(
            self.name, self.kind, self.dimensions, *self.shape, self.data, self.scale, self.zero, 0
        )


def table(path: Path) -> list[Entry]:
    """The tensors of a whole file."""
    with path.open("rb") as file:
        _, _, tensors, _ = HEADER.unpack(file.read(HEADER.size))
        rows = [ENTRY.unpack(file.read(ENTRY.size)) for _ in range(tensors)]
    return [
        Entry(
            name=name.rstrip(b"\0"), kind=kind, dimensions=axes, shape=tuple(shape),
            data=data, scale=scale, zero=zero,
        )
        for name, kind, axes, *shape, data, scale, zero, _ in rows
    ]  # fmt: skip


def write(
    path: Path,
    entries: Sequence[Entry],
    *,
    size: int = 4096,
    magic: bytes = MAGIC,
    version: int = FORMAT,
    tensors: int | None = None,
) -> Path:
    """A file of `size` bytes at least, zeros behind its table; `tensors` is what its header says."""
    count = len(entries) if tensors is None else tensors
    with path.open("wb") as file:
        file.write(HEADER.pack(magic, version, count, 0) + b"".join(entry.packed() for entry in entries))
        file.truncate(max(size, file.tell()))
    return path


def hollow(entries: Sequence[Entry]) -> tuple[list[Entry], int]:
    """The same tensors, all of them in one region of zeros behind the table; and the size of that file."""
    behind = HEADER.size + ENTRY.size * len(entries)
    largest = max(4 * a * b * c * d for a, b, c, d in (entry.shape for entry in entries))
    return [replace(entry, data=behind, scale=behind, zero=behind) for entry in entries], behind + largest


def changed(entries: Sequence[Entry], name: bytes, **fields: object) -> list[Entry]:
    """The same table with other fields of one tensor."""
    (place,) = (i for i, entry in enumerate(entries) if entry.name == name)
    return [*entries[:place], replace(entries[place], **fields), *entries[place + 1 :]]  # type: ignore[arg-type]
