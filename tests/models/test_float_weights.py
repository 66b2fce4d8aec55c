"""Weights of the original model, recovered from the export."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from radio import models
from radio.errors import BadInput
from radio.models import native_weights
from radio.models.float_weights import Shapes, plain, recovered
from radio.models.onnx_export import OnnxGraph
from radio.settings import Settings
from tests.need import need

pytestmark = pytest.mark.model

WANTED: Shapes = {
    "bert.embeddings.word_embeddings.weight": (178, 128),
    "bert.encoder.embedding_hidden_mapping_in.weight": (768, 128),
    "bert.encoder.albert_layer_groups.0.albert_layers.0.ffn.weight": (2048, 768),
    "bert.pooler.weight": (768, 768),
    "bert_encoder.weight": (512, 768),
    "predictor.text_encoder.lstms.1.fc.weight": (1024, 128),
    "predictor.lstm.weight_ih_l0": (1024, 640),
    "predictor.lstm.weight_hh_l0_reverse": (1024, 256),
    "predictor.lstm.bias_ih_l0": (1024,),
    "predictor.duration_proj.linear_layer.weight": (50, 512),
    "predictor.F0.1.pool.weight_v": (512, 1, 3),
    "text_encoder.embedding.weight": (178, 512),
    "text_encoder.cnn.2.0.weight_v": (512, 512, 5),
    "decoder.encode.conv1.weight_g": (1024, 1, 1),
    "decoder.encode.conv1.weight_v": (1024, 514, 3),
    "decoder.encode.conv1.bias": (1024,),
    "decoder.encode.norm1.norm.weight": (514,),
    "decoder.encode.norm1.norm.bias": (514,),
    "decoder.encode.norm1.fc.weight": (1028, 128),
    "decoder.asr_res.0.weight_v": (64, 512, 1),
    "decoder.generator.m_source.l_linear.weight": (1, 9),
    "decoder.generator.noise_convs.0.weight": (256, 22, 12),
    "decoder.generator.resblocks.0.alpha1.0": (1, 256, 1),
    "decoder.generator.ups.0.weight_v": (512, 256, 20),
}


@pytest.fixture(scope="module")
def graph() -> OnnxGraph:
    need("voice")
    return OnnxGraph(models.kokoro(Settings()).onnx)


@pytest.fixture(scope="module")
def tensors(graph: OnnxGraph) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    return recovered(graph, WANTED)


def test_every_kind_of_layer_is_found_in_the_layout_of_the_original(tensors: dict[str, np.ndarray]) -> None:
    assert {name: array.shape for name, array in tensors.items()} == WANTED
    for name, array in tensors.items():
        assert array.dtype == np.float32
        assert np.isfinite(array).all()
        assert array.std() > 0 or "norm" in name or "pooler" in name


def test_length_times_direction_of_each_row_is_what_the_native_voice_multiplies(
    graph: OnnxGraph,
    tensors: dict[str, np.ndarray],
) -> None:
    native = {
        name: tensor
        for name, tensor in native_weights.tensors(graph)
        if name in ("encode.conv1.w", "ups.0.w")
    }
    for name, original in (
        ("encode.conv1.w", "decoder.encode.conv1"),
        ("ups.0.w", "decoder.generator.ups.0"),
    ):
        packed = native[name]
        whole = packed.data.astype(np.float32)
        if packed.scale is not None and packed.zero is not None:
            rows = (-1, *[1] * (whole.ndim - 1))
            whole = (whole - packed.zero.reshape(rows)) * packed.scale.reshape(rows)
        direction = tensors[f"{original}.weight_v"]
        length = np.sqrt(np.square(direction).sum(axis=(1, 2), keepdims=True))
        np.testing.assert_allclose(whole, direction, atol=1e-6)
        if f"{original}.weight_g" in tensors:
            np.testing.assert_allclose(tensors[f"{original}.weight_g"], length, rtol=1e-5)


def test_gates_of_an_lstm_come_in_the_order_of_the_original() -> None:
    """Of two units: rows 0 to 7 are the gates i, o, f, c of ONNX; the original has i, f, c, o."""
    rows = np.arange(8, dtype=np.uint8)
    initial: dict[str, np.ndarray] = {
        "w": np.tile(rows, (2, 3, 1)),
        "r": np.tile(rows, (2, 2, 1)),
        "b": np.tile(np.arange(16, dtype=np.float32), (2, 1)),
        "s": np.array([1.0, 10.0], np.float32),
        "z": np.array([0, 1], np.uint8),
    }
    inputs = ["x", "w", "r", "b", "", "", "", "", "s", "z", "s", "z"]
    node = helper.make_node("DynamicQuantizeLSTM", inputs, ["y"], name="/encoder/predictor/lstm/LSTM_quant")
    toy = OnnxGraph.__new__(OnnxGraph)
    toy.model = helper.make_model(helper.make_graph([node], "toy", [], []))
    toy.initial = {name: numpy_helper.from_array(array, name) for name, array in initial.items()}
    got = recovered(
        toy,
        {
            "predictor.lstm.weight_ih_l0": (8, 3),
            "predictor.lstm.weight_hh_l0_reverse": (8, 2),
            "predictor.lstm.bias_hh_l0": (8,),
        },
    )
    order = [0, 1, 4, 5, 6, 7, 2, 3]
    assert got["predictor.lstm.weight_ih_l0"][:, 2].tolist() == order
    assert got["predictor.lstm.weight_hh_l0_reverse"][:, 1].tolist() == [10 * (row - 1) for row in order]
    assert got["predictor.lstm.bias_hh_l0"].tolist() == [8 + row for row in order]


def test_a_row_that_was_rounded_to_nothing_has_length_0_and_a_direction(graph: OnnxGraph) -> None:
    toy = OnnxGraph.__new__(OnnxGraph)
    kernel = numpy_helper.from_array(np.array([[[3.0, 4.0]], [[0.0, 0.0]]], np.float32), "k")
    node = helper.make_node("Conv", ["x", "k"], ["y"], name="/decoder/decoder/encode/conv1/Conv")
    toy.model = helper.make_model(helper.make_graph([node], "toy", [], []))
    toy.initial = {"k": kernel}
    got = recovered(
        toy, {"decoder.encode.conv1.weight_g": (2, 1, 1), "decoder.encode.conv1.weight_v": (2, 1, 2)}
    )
    assert got["decoder.encode.conv1.weight_g"].ravel().tolist() == [5, 0]
    assert got["decoder.encode.conv1.weight_v"].tolist() == [[[3, 4]], [[1, 1]]]


@pytest.mark.parametrize(
    ("name", "shape"),
    [("decoder.encode.conv9.weight_v", (1,)), ("decoder.encode.conv1.weight_v", (1, 2, 3)), ("bert.x", (1,))],
)
def test_what_the_export_has_not_is_an_error_with_a_hint(
    graph: OnnxGraph, name: str, shape: tuple[int, ...]
) -> None:
    with pytest.raises(BadInput, match=name) as raised:
        recovered(graph, {name: shape})
    assert raised.value.hint


def test_the_weights_are_kept_under_the_exports_checksum(tmp_path: Path, graph: OnnxGraph) -> None:
    wanted = {"bert.pooler.bias": (4,), "decoder.encode.conv1.bias": (1024,)}
    path = plain(models.kokoro(Settings()).onnx, wanted, tmp_path)
    with np.load(path) as arrays:
        assert {name: arrays[name].shape for name in arrays.files} == wanted
    written = path.stat().st_mtime_ns
    assert plain(models.kokoro(Settings()).onnx, wanted, tmp_path) == path
    assert path.stat().st_mtime_ns == written
    assert not list(tmp_path.glob("*.part"))


def test_what_is_no_export_leaves_no_weights(tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    other.write_bytes(onnx.ModelProto().SerializeToString())
    with pytest.raises(BadInput):
        plain(other, {"decoder.encode.conv1.bias": (1024,)})
    assert not list(tmp_path.glob("*.npz*"))
