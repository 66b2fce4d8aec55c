"""The voice's weights in float32, with the names and layouts of the original model.

They are recovered from the int8 export: dequantised, ONNX layouts undone, LSTM gates put in the original's
order, and each convolution split into the length and direction of its rows (weight norm).
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from radio.errors import BadInput
from radio.log import log_event
from radio.models.derived_files import DerivedKind, made

if TYPE_CHECKING:
    from radio.models.onnx_export import Node, OnnxGraph

log = logging.getLogger(__name__)

Array = NDArray[np.float32]
Shapes = Mapping[str, tuple[int, ...]]

_KIND: Final = DerivedKind("kokoro-plain", 1, (".npz",))
_HINT: Final = "Run: radio models verify"
_WEIGHTS: Final = ("weight", "weight_g", "weight_v")
_PRODUCTS: Final = ("MatMulInteger", "MatMul")
_KERNELS: Final = ("ConvInteger", "Conv", "ConvTranspose")
_LSTM: Final = "DynamicQuantizeLSTM"


def plain(export: Path, wanted: Shapes, folder: Path | None = None) -> Path:
    """The file of all weights, NumPy's `npz`, made first if it is missing (some 330 MB, 3 seconds).

    Args:
        export: the official int8 export.
        wanted: name and shape of each tensor of the original model.
        folder: of the file; the export's own folder by default.

    Raises:
        BadInput: the file is not the export that this module knows.
        OSError: the folder cannot be written.
    """

    def recover(parts: Sequence[Path]) -> None:
        from radio.models.onnx_export import OnnxGraph  # imported here because `onnx` takes memory

        log.info(
            "recovering the voice's weights", extra=log_event("model.recovering_weights", file=export.name)
        )
        tensors = recovered(OnnxGraph(export), wanted)
        with parts[0].open("wb") as file:
            np.savez(file, allow_pickle=False, **tensors)

    (path,) = made(_KIND, export, folder or export.parent, recover)
    return path


def recovered(graph: "OnnxGraph", wanted: Shapes) -> dict[str, Array]:
    """Every tensor of `wanted`.

    Two kinds are in no export and are filled in: `bert.pooler`, whose result is never used, with 0, and the
    scale and shift of the norms inside AdaIN, which are 1 and 0.

    Raises:
        BadInput: a tensor is missing, or has another shape.
    """
    modules = _modules(graph.model.graph.node)
    tensors = {}
    for name, shape in wanted.items():
        array = _filled_in(name, shape)
        if array is None:
            array = _tensor(graph, modules, name)
        if array.shape != shape:
            raise BadInput(f"{name} of the voice export has the shape {array.shape}, not {shape}", hint=_HINT)
        tensors[name] = np.ascontiguousarray(array, np.float32)
    return tensors


def _filled_in(name: str, shape: tuple[int, ...]) -> Array | None:
    if name.startswith("bert.pooler."):
        return np.zeros(shape, np.float32)
    if ".norm." in name:
        return np.full(shape, float(name.endswith(".weight")), np.float32)
    return None


def _modules(nodes: Iterable["Node"]) -> dict[str, "Node"]:
    """The first node that uses the weights of each module, by the module's path in the original model."""
    found: dict[str, Node] = {}
    for node in nodes:
        if node.op_type in (*_PRODUCTS, *_KERNELS, _LSTM):
            found.setdefault(_module(node.name), node)
    return found


def _module(node: str) -> str:
    """`/encoder/text_encoder/cnn.0/cnn.0.1/Conv` is of module `text_encoder.cnn.0.1`."""
    parts: list[str] = []
    for part in node.strip("/").split("/")[1:-1]:
        if parts and part.startswith(f"{parts[-1]}."):
            parts.pop()
        parts.append(part)
    return ".".join(parts)


def _tensor(graph: "OnnxGraph", modules: Mapping[str, "Node"], name: str) -> Array:
    stored = ("decoder." if name.startswith("decoder.") else "encoder.") + name
    if stored in graph.initial:
        return graph.array(stored).astype(np.float32)
    module, _, leaf = name.rpartition(".")
    node = modules.get(module) or modules.get(module.removeprefix("predictor."))
    if node is not None and node.op_type == _LSTM:
        return _lstm(graph, node, leaf)
    if node is not None and leaf in _WEIGHTS:
        return _normed(_weight(graph, node), leaf)
    if node is None and f"{stored}_quantized" in graph.initial:
        return _embedding(graph, f"{stored}_quantized")
    raise BadInput(f"the voice export has no {name}", hint=_HINT)


def _embedding(graph: "OnnxGraph", stored: str) -> Array:
    gather = next(node for node in graph.model.graph.node if stored in node.input)
    scaled = next(node for node in graph.model.graph.node if gather.output[0] in node.input)
    return _dequantised(graph, stored, scaled.input[1], scaled.input[2])


def _weight(graph: "OnnxGraph", node: "Node") -> Array:
    """Of a convolution as it stands; of a product transposed, [out, in]."""
    source = node.input[1]
    if node.op_type in ("Conv", "ConvTranspose", "MatMul"):
        whole = graph.array(source).astype(np.float32)
    else:
        scale = source.removesuffix("_quantized") + "_scale"
        whole = _dequantised(graph, source, scale, node.input[3], axis=0 if node.op_type in _KERNELS else -1)
    return whole.T if node.op_type in _PRODUCTS else whole


def _normed(weight: Array, leaf: str) -> Array:
    """Weight norm: `weight_g` is the length of each row, `weight_v` the row; a row of zeros has length 0."""
    if leaf == "weight":
        return weight
    axes = tuple(range(1, weight.ndim))
    length = np.sqrt(np.square(weight.astype(np.float64)).sum(axis=axes, keepdims=True))
    if leaf == "weight_g":
        return np.asarray(length, np.float32)
    return np.asarray(np.where(length == 0, 1, weight), np.float32)


def _lstm(graph: "OnnxGraph", node: "Node", leaf: str) -> Array:
    """A parameter by its name in torch, such as `weight_ih_l0_reverse`."""
    direction = int(leaf.endswith("_reverse"))
    kind = leaf.removesuffix("_reverse").removesuffix("_l0")
    if kind in ("bias_ih", "bias_hh"):
        both = graph.array(node.input[3]).astype(np.float32)[direction]
        return _gates(np.split(both, 2)[int(kind == "bias_hh")])
    at = {"weight_ih": 1, "weight_hh": 2}[kind]
    scale, zero = node.input[2 * at + 6], node.input[2 * at + 7]
    whole = _dequantised(graph, node.input[at], scale, zero, axis=(0, -1))
    return _gates(whole[direction].T)


def _gates(array: Array) -> Array:
    """From ONNX's order, input, output, forget, cell, to input, forget, cell, output."""
    into, out, forget, cell = np.split(array, 4)
    return np.concatenate([into, forget, cell, out])


def _dequantised(
    graph: "OnnxGraph", source: str, scale: str, zero: str, axis: int | tuple[int, int] = 0
) -> Array:
    """Scale and zero are one for all, or one for each index of `axis`."""
    data = graph.array(source).astype(np.float32)
    scales, zeros = (_spread(graph.array(name).astype(np.float32), data.ndim, axis) for name in (scale, zero))
    return np.asarray((data - zeros) * scales, np.float32)


def _spread(values: Array, dimensions: int, axis: int | tuple[int, int]) -> Array:
    if values.size == 1:
        return values.reshape(())
    shape = [1] * dimensions
    for place, size in zip(axis if isinstance(axis, tuple) else (axis,), values.shape, strict=False):
        shape[place] = size
    return values.reshape(shape)
