"""The voice's ONNX export as a graph: tensors and nodes by name, and its front as a graph of its own.

The front computes text features, durations, and the LSTM output from which pitch and energy are predicted.
Its nodes are unchanged, so durations are those of the export.
"""

from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from radio.errors import BadInput

ENCODER: Final = "/encoder/"
FEATURES: Final = ENCODER + "text_encoder/Transpose_2_output_0"
"""Text features, float32 [1, 512, tokens]."""
SHARED: Final = ENCODER + "shared/Reshape_output_0"
"""The input of the pitch and energy predictors, float32 [1, frames, 512]; frames of 25 ms."""

Node = onnx.NodeProto

_HINT: Final = "Run: radio models verify"


class OnnxGraph:
    """An ONNX model with its initialisers and nodes by name.

    Raises:
        BadInput: the file is not ONNX.
    """

    def __init__(self, export: Path) -> None:
        data = export.read_bytes()
        try:
            model = onnx.load_model_from_string(data)
        except Exception as error:  # protobuf's DecodeError, which onnx does not export
            raise BadInput(f"{export.name} is not an ONNX file", hint=_HINT) from error
        self.model = model
        self.initial = {tensor.name: tensor for tensor in model.graph.initializer}
        self.nodes = {node.name: node for node in model.graph.node}

    def array(self, name: str) -> NDArray[np.generic]:
        """Raises BadInput where there is no such initialiser."""
        if name not in self.initial:
            raise BadInput(f"the voice export has no tensor {name}", hint=_HINT)
        return np.asarray(numpy_helper.to_array(self.initial[name]))

    def node(self, *names: str) -> Node:
        """The first of `names` that exists. Raises BadInput where none does."""
        for name in names:
            if name in self.nodes:
                found: Node = self.nodes[name]
                return found
        raise BadInput(f"the voice export has no node {names[0]}", hint=_HINT)


def save_front(graph: OnnxGraph, path: Path) -> None:
    """Writes the part of the export that computes features, shared and durations, in this order."""
    durations = graph.node(ENCODER + "Clip").output[0]
    model = onnx.ModelProto()
    model.CopyFrom(graph.model)
    body = model.graph
    del body.output[:]
    for name in (FEATURES, SHARED, durations):
        body.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    _prune(body)
    path.write_bytes(model.SerializeToString())


def _prune(body: onnx.GraphProto) -> None:
    """Removes the nodes and initialisers that no output needs."""
    needed = {output.name for output in body.output}
    kept: list[Node] = []
    for node in reversed(body.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    tensors = [tensor for tensor in body.initializer if tensor.name in needed]
    del body.node[:]
    body.node.extend(reversed(kept))
    del body.initializer[:]
    body.initializer.extend(tensors)
