"""What the engines are measured against: ONNX Runtime with all behind the front, or the whole, in float32.

Weights are dequantised exactly as the library's are; a front that stays int8 has the export's durations. The
STFT of the excitation is a convolution with an exact zero for the imaginary part at DC and Nyquist, where the
export's phase is rounding noise.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Array = NDArray[np.float32]

GENERATOR = "/decoder/decoder/generator/"
EXCITATION = GENERATOR + "Concat_3_output_0"
DURATIONS = "/encoder/Clip"
BEHIND_FRONT = ("/decoder/", "/encoder/F0", "/encoder/N")


class Reference:
    """Runs the reference; slow and exact. `whole`: the front in float32 too."""

    def __init__(self, export: Path, *, whole: bool = False) -> None:
        model = onnx.load(str(export))
        dequantise(model.graph, ("/",) if whole else BEHIND_FRONT)
        _stft_as_convolution(model.graph)
        names = {node.name: node for node in model.graph.node}
        for name in (names[DURATIONS].output[0], EXCITATION):
            model.graph.output.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def run(self, feed: Mapping[str, NDArray[np.generic]]) -> tuple[Array, Array, Array]:
        """Audio at the export's level [samples], durations [tokens], excitation [22, rows]."""
        audio, durations, excitation = self._session.run(None, dict(feed))
        return audio.ravel(), durations.ravel(), np.ascontiguousarray(excitation[0])


def dequantise(graph: onnx.GraphProto, parts: tuple[str, ...]) -> None:
    """Replaces quantised convolutions, products and LSTMs by float32 ones, where names begin with `parts`."""
    initial = {tensor.name: tensor for tensor in graph.initializer}
    users: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    makers = {name: node for node in graph.node for name in node.output}
    kept: list[onnx.NodeProto] = []
    replaced: dict[str, onnx.NodeProto] = {}
    for node in graph.node:
        if not node.name.startswith(parts):
            continue
        if node.op_type in ("ConvInteger", "MatMulInteger"):
            last, new = _float_node(node, graph, initial, users, makers)
            replaced[last.output[0]] = new
        elif node.op_type == "DynamicQuantizeLSTM":
            replaced[node.output[0]] = _float_lstm(node, graph, initial)
    for node in graph.node:
        kept.append(replaced.get(node.output[0], node))
    del graph.node[:]
    graph.node.extend(kept)


def _float_node(
    node: onnx.NodeProto,
    graph: onnx.GraphProto,
    initial: Mapping[str, onnx.TensorProto],
    users: Mapping[str, list[onnx.NodeProto]],
    makers: Mapping[str, onnx.NodeProto],
) -> tuple[onnx.NodeProto, onnx.NodeProto]:
    """The node that rescales the integers to floats, and the float node that takes its place."""
    source = node.input[1]
    data = numpy_helper.to_array(initial[source]).astype(np.float32)
    zero = numpy_helper.to_array(initial[node.input[3]]).astype(np.float32)
    scale = numpy_helper.to_array(initial[source.removesuffix("_quantized") + "_scale"])
    weight = source + "_f32"
    graph.initializer.append(numpy_helper.from_array(((data - zero) * scale).astype(np.float32), weight))
    inputs = [makers[node.input[0]].input[0], weight]
    after = users[node.output[0]][0]
    if after.op_type == "Add":
        inputs.append(_bias(next(name for name in after.input if name != node.output[0]), initial, makers))
        after = users[after.output[0]][0]
    assert after.op_type == "Cast", after.op_type
    rescale = users[after.output[0]][0]
    assert rescale.op_type == "Mul", rescale.op_type
    kind = "Conv" if node.op_type == "ConvInteger" else "MatMul"
    new = helper.make_node(kind, inputs, [rescale.output[0]], name=node.name + "_f32")
    new.attribute.extend(node.attribute)
    return rescale, new


def _float_lstm(
    node: onnx.NodeProto, graph: onnx.GraphProto, initial: Mapping[str, onnx.TensorProto]
) -> onnx.NodeProto:
    names = []
    for at in (1, 2):
        data, scale, zero = (
            numpy_helper.to_array(initial[node.input[i]]).astype(np.float32)
            for i in (at, 2 * at + 6, 2 * at + 7)
        )
        whole = (data - zero[:, None, None]) * scale[:, None, None]
        names.append(f"{node.input[at]}_f32")
        tensor = np.ascontiguousarray(whole.transpose(0, 2, 1), np.float32)
        graph.initializer.append(numpy_helper.from_array(tensor, names[-1]))
    inputs = [node.input[0], *names, *node.input[3:8]]
    new = helper.make_node("LSTM", inputs, list(node.output), name=node.name + "_f32")
    new.attribute.extend(node.attribute)
    return new


def _bias(name: str, initial: Mapping[str, onnx.TensorProto], makers: Mapping[str, onnx.NodeProto]) -> str:
    """The float32 vector from which the quantised bias `name` is computed."""
    return next(found for found in _ancestors(name, makers) if _is_vector(initial.get(found)))


def _ancestors(name: str, makers: Mapping[str, onnx.NodeProto]) -> Iterator[str]:
    queue = deque([name])
    while queue:
        current = queue.popleft()
        yield current
        if current in makers:
            queue.extend(makers[current].input)


def _is_vector(tensor: onnx.TensorProto | None) -> bool:
    return tensor is not None and tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) == 1


def _stft_as_convolution(graph: onnx.GraphProto) -> None:
    initial = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    nodes = {node.name: node for node in graph.node}
    stft = nodes[GENERATOR + "STFT"]
    window = initial[stft.input[2]].astype(np.float64)
    turns = 2 * np.pi * np.arange(11)[:, None] * np.arange(20) / 20
    inner = (np.arange(11) % 10 != 0)[:, None]
    basis = np.concatenate([np.cos(turns) * window, -np.sin(turns) * window * inner])[:, None]
    graph.initializer.append(numpy_helper.from_array(basis.astype(np.float32) + np.float32(0), "stft/basis"))
    graph.initializer.append(numpy_helper.from_array(np.array([11, 11]), "stft/split"))
    transposed = nodes[GENERATOR + "Transpose_3"].output[0]
    parts = {int(initial[node.input[1]]): node for node in graph.node if transposed in node.input}
    new = [
        helper.make_node(
            "Conv",
            [nodes[GENERATOR + "Pad"].output[0], "stft/basis"],
            ["stft/out"],
            strides=[5],
            kernel_shape=[20],
        ),
        helper.make_node("Split", ["stft/out", "stft/split"], [parts[i].output[0] for i in (0, 1)], axis=1),
    ]
    nodes[GENERATOR + "Greater"].op_type = "GreaterOrEqual"
    gone = {GENERATOR + "Transpose_3", parts[0].name, parts[1].name}
    kept: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.name == stft.name:
            kept.extend(new)
        elif node.name not in gone:
            kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)
