"""How many multiply-adds the voice's generator needs for a second of audio, from the shapes of its layers."""

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from radio.models.native_weights import ENTRY

_RESBLOCK: Final = re.compile(r"(resblocks|noise_res)\.\d+\.convs[12]\.\d+\.w")
_ROWS: Final[Mapping[int, int]] = {256: 800, 128: 4800}
"""Rows for a second of audio in each of the generator's two stages, by its channels."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """Winograd's F(outputs, taps)."""

    outputs: int
    taps: int

    def products(self, taps: int) -> Fraction:
        """Multiplications for one output of a convolution of `taps` taps, in groups of the scheme's.

        Where the last group is not full, its last tap is zero, and so are its products at infinity: the
        library leaves them out.
        """
        groups = -(-taps // self.taps)
        points = groups * (self.outputs + self.taps - 1)
        return Fraction(points - (groups * self.taps > taps), self.outputs)


def shapes(weights: Path) -> dict[str, Sequence[int]]:
    """Name and shape of each tensor of a weights file; see `radio.models.native_weights`."""
    data = weights.read_bytes()
    (count,) = struct.unpack_from("<I", data, 8)
    entries = (ENTRY.unpack_from(data, 16 + i * ENTRY.size) for i in range(count))
    return {name.rstrip(b"\0").decode(): shape[:rank] for name, _, rank, *shape in entries}


def convolutions(tensors: Mapping[str, Sequence[int]]) -> list[tuple[int, int]]:
    """Channels and taps of each convolution in the generator's residual blocks."""
    found = [tuple(shape) for name, shape in tensors.items() if _RESBLOCK.fullmatch(name)]
    return [(channels, taps) for channels, _, taps in found]


def multiply_adds(layers: Sequence[tuple[int, int]], schemes: Mapping[int, Scheme] | None = None) -> float:
    """Of these convolutions for a second of audio: direct, or by the scheme of each number of taps."""
    each = (
        _ROWS[channels] * channels**2 * (schemes[taps].products(taps) if schemes else taps)
        for channels, taps in layers
    )
    return float(sum(each))
