"""The weights behind the front: which tensors of the export they are, and the flat file that `native/` maps.

The file, little-endian: magic `KOKW`, format (u32), number of tensors (u32), 0 (u32); one entry of 112 bytes
per tensor: name in 56 bytes padded with NUL, kind (u32), dimensions (u32), shape (4 x u32), offsets of data,
scale and zero (3 x u64), 0 (u64); then the arrays, each at a multiple of 64 bytes. Kind 0 holds float32; kind
1 holds uint8 with a scale and a zero (float32) for each row of the first axis: `(data - zero) * scale`.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.models.onnx_export import ENCODER, Node, OnnxGraph

FORMAT: Final = 1
_MAGIC: Final = b"KOKW"
ENTRY: Final = struct.Struct("<56sII4IQQQQ")
"""Of one tensor, as above."""
_ALIGN: Final = 64

_DECODER: Final = "/decoder/decoder/"
_GENERATOR: Final = _DECODER + "generator/"

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array of the file; `scale` and `zero` (one per row) only where `data` is uint8."""

    data: NDArray[np.generic]
    scale: Array | None = None
    zero: Array | None = None


_RESIDUAL = (
    "encode",
    *(f"decode.{i}" for i in range(4)),
    *(f"{part}.{i}" for part in ("F0", "N") for i in range(3)),
)
"""Residual blocks of the decoder and of the pitch and energy predictors."""
_UPSAMPLING: Final = ("decode.3", "F0.1", "N.1")
_SAME_SIZE: Final = ("F0.0", "F0.2", "N.0", "N.2")
"""Residual blocks whose shortcut is the identity."""
_RESBLOCKS: Final = (*(f"resblocks.{i}" for i in range(6)), "noise_res.0", "noise_res.1")


def tensors(graph: OnnxGraph) -> Iterator[tuple[str, Tensor]]:
    """All weights behind the front, by the names that the library asks for."""
    for block in _RESIDUAL:
        yield from _residual(graph, block)
    for name in ("F0_proj", "N_proj"):
        yield from _convolution(graph, name, ENCODER + name, f"encoder.predictor.{name}")
    for name in ("F0_conv", "N_conv"):
        yield from _convolution(graph, name, _DECODER + name, f"decoder.decoder.{name}")
    yield from _convolution(graph, "asr_res", _DECODER + "asr_res/asr_res.0", "decoder.decoder.asr_res.0")
    for name in ("ups.0", "ups.1", "noise_convs.0", "noise_convs.1", "conv_post"):
        yield from _convolution(graph, name, _GENERATOR + name, f"decoder.decoder.generator.{name}")
    for block in _RESBLOCKS:
        yield from _resblock(graph, block)
    yield from _ends(graph)


def _residual(graph: OnnxGraph, block: str) -> Iterator[tuple[str, Tensor]]:
    inside = block[0] in "FN"
    nodes = (ENCODER if inside else _DECODER) + block
    names = ("encoder.predictor." if inside else "decoder.decoder.") + block
    for part in ("conv1", "conv2"):
        yield from _convolution(graph, f"{block}.{part}", f"{nodes}/{part}", f"{names}.{part}")
    if block not in _SAME_SIZE:
        yield f"{block}.conv1x1.w", _kernel(graph, f"{nodes}/conv1x1")
    if block in _UPSAMPLING:
        yield from _convolution(graph, f"{block}.pool", f"{nodes}/pool", f"{names}.pool")
    for part in ("norm1", "norm2"):
        yield from _linear(graph, f"{block}.{part}", f"{nodes}/{part}", f"{names}.{part}")


def _resblock(graph: OnnxGraph, block: str) -> Iterator[tuple[str, Tensor]]:
    nodes, names = _GENERATOR + block, f"decoder.decoder.generator.{block}"
    for half in (1, 2):
        for k in range(3):
            conv, norm, alpha = f"convs{half}.{k}", f"adain{half}.{k}", f"alpha{half}.{k}"
            yield from _convolution(graph, f"{block}.{conv}", f"{nodes}/{conv}", f"{names}.{conv}")
            yield from _linear(graph, f"{block}.{norm}", f"{nodes}/{norm}", f"{names}.{norm}")
            yield f"{block}.{alpha}", _plain(graph.array(f"{names}.{alpha}").ravel())


def _ends(graph: OnnxGraph) -> Iterator[tuple[str, Tensor]]:
    """The source (excitation), and the layers that turn the spectrum into audio."""
    mix = graph.node(_GENERATOR + "m_source/l_linear/MatMul")
    yield "l_linear.w", _plain(graph.array(mix.input[1]).ravel())
    yield "l_linear.b", _plain(graph.array("decoder.decoder.generator.m_source.l_linear.bias"))
    yield "istft", _plain(graph.array("decoder.decoder.generator.stft.istft.stft.inverse_basis")[:, 0])


def _convolution(graph: OnnxGraph, name: str, node: str, source: str) -> Iterator[tuple[str, Tensor]]:
    yield f"{name}.w", _kernel(graph, node)
    yield f"{name}.b", _plain(graph.array(f"{source}.bias"))


def _kernel(graph: OnnxGraph, node: str) -> Tensor:
    """[out, in, kernel]; of a transposed convolution [in, out, kernel]. Quantised as a whole, or float32."""
    found = graph.node(f"{node}/Conv_quant", f"{node}/Conv", f"{node}/ConvTranspose")
    if found.op_type != "ConvInteger":
        return _plain(graph.array(found.input[1]))
    return _quantised(graph, found)


def _linear(graph: OnnxGraph, name: str, node: str, source: str) -> Iterator[tuple[str, Tensor]]:
    """[out, 128], quantised by output."""
    whole = _quantised(graph, graph.node(f"{node}/fc/Gemm_MatMul_quant"), transposed=True)
    yield f"{name}.w", whole
    yield f"{name}.b", _plain(graph.array(f"{source}.fc.bias"))


def _plain(array: NDArray[np.generic]) -> Tensor:
    return Tensor(np.ascontiguousarray(array, np.float32))


def _quantised(graph: OnnxGraph, node: Node, *, transposed: bool = False) -> Tensor:
    source = node.input[1]
    data = graph.array(source)
    scale = graph.array(source.removesuffix("_quantized") + "_scale").astype(np.float32)
    zero = graph.array(node.input[3]).astype(np.float32)
    if data.dtype == np.int8:
        data, zero = (data.astype(np.int16) + 128).astype(np.uint8), zero + np.float32(128)
    data = np.ascontiguousarray(data.T if transposed else data)
    rows = (data.shape[0],)
    return Tensor(data, np.broadcast_to(scale, rows).copy(), np.broadcast_to(zero, rows).copy())


def write(path: Path, named: Iterator[tuple[str, Tensor]]) -> None:
    """Writes the weights file."""
    entries = list(named)
    offset = _aligned(16 + ENTRY.size * len(entries))
    table: list[bytes] = []
    arrays: list[tuple[int, NDArray[np.generic]]] = []
    for name, tensor in entries:
        places = []
        for array in (tensor.data, tensor.scale, tensor.zero):
            places.append(0 if array is None else offset)
            if array is not None:
                arrays.append((offset, array))
                offset = _aligned(offset + array.nbytes)
        shape = (*tensor.data.shape, *[1] * (4 - tensor.data.ndim))
        kind = 0 if tensor.scale is None else 1
        table.append(ENTRY.pack(name.encode(), kind, tensor.data.ndim, *shape, *places, 0))
    with path.open("wb") as file:
        file.write(_MAGIC + struct.pack("<III", FORMAT, len(entries), 0) + b"".join(table))
        for place, array in arrays:
            file.seek(place)
            file.write(array.tobytes())
        file.truncate(offset)


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
