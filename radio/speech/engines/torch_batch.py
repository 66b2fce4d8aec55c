"""Several sentences through kokoro's model at once: each sounds as it does alone.

They are padded to the longest. Every operation over time is limited to each sentence's own frames:
convolutions see zeros behind its end, as they do alone; norms and LSTMs leave the padding out; the source and
both Fourier transforms, whose ends matter, run sentence by sentence. The layers are the model's own: some get
another `forward`, which equals the original if all sentences have the same length.

Imported by `torch_engine` alone, which knows whether torch is here.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from radio.speech.engines import Voiced
from radio.speech.engines.model_inputs import ModelInput

Tensor = Any
"""A torch.Tensor; torch is not installed where types are checked."""

_EXACT: Final = ("F0_conv", "N_conv", "generator.noise_convs.", "generator.conv_post")
"""Convolutions of the decoder that stay in float32: their input or output is pitch or phase."""


class Together:
    """Speaks with `model`, which it changes permanently.

    Args:
        model: a `kokoro.model.KModel` with plain weights, on `device`, in evaluation mode.
        seed: of each sentence's noise.
        numbers: type in which the wide convolutions compute: `float32` or `bfloat16`. Everything else is
            float32, above all what pitch is computed from, because its error accumulates in the phase.
    """

    def __init__(self, model: Any, *, device: str, seed: int, numbers: str) -> None:
        self._model = model
        self._device = device
        self._ends = ends = _Ends()
        decoder, predictor = model.decoder, model.predictor
        if numbers != "float32":
            _halve(decoder, getattr(torch, numbers))
        for part in (predictor.F0, predictor.N, decoder):
            _mind_ends(part, ends)
        predictor.shared.forward = partial(_own_steps, predictor.shared.forward, ends)
        _one_by_one(decoder.generator, ends, seed)

    def speak(self, lines: Sequence[ModelInput]) -> list[Voiced]:
        """Each sentence as it would be alone, within float error. At least one."""
        with torch.no_grad():
            sounds, durations = self._speak(lines)
        return [
            Voiced(sound.float().cpu().numpy(), frames.numpy())
            for sound, frames in zip(sounds, durations, strict=True)
        ]

    def _speak(self, lines: Sequence[ModelInput]) -> tuple[list[Tensor], list[Tensor]]:
        model, ends = self._model, self._ends
        styles = self._sent(np.concatenate([line.style for line in lines]))
        tokens = [torch.from_numpy(line.tokens[0]) for line in lines]
        counts = torch.tensor([line.tokens.size for line in lines])
        ids = torch.nn.utils.rnn.pad_sequence(tokens, batch_first=True).to(self._device)
        beyond = (torch.arange(ids.shape[1])[None] >= counts[:, None]).to(self._device)
        features = self._features(ids, counts, beyond, styles[:, 128:])
        durations = self._durations(features, counts, lines)
        ends.begin([int(frames.sum()) for frames in durations])
        places = _places(durations).to(self._device)
        pitch, energy = model.predictor.F0Ntrain(_taken(features, places, ends), styles[:, 128:])
        texts = model.text_encoder(ids, counts, beyond).transpose(1, 2)
        sound = model.decoder(_taken(texts, places, ends), pitch, energy, styles[:, :128])
        return [
            one[0, :size] for one, size in zip(sound, ends.lengths(sound.shape[-1]), strict=True)
        ], durations

    def _features(self, ids: Tensor, counts: Tensor, beyond: Tensor, style: Tensor) -> Tensor:
        """[sentences, tokens, features], from which durations, pitch and energy are predicted."""
        model = self._model
        context = model.bert(ids, attention_mask=(~beyond).int())
        encoded = model.bert_encoder(context).transpose(1, 2)
        return model.predictor.text_encoder(encoded, style, counts, beyond)

    def _durations(self, features: Tensor, counts: Tensor, lines: Sequence[ModelInput]) -> list[Tensor]:
        """Frames of each sentence's tokens, on the CPU."""
        predictor = self._model.predictor
        read = _packed(predictor.lstm, features, counts)
        speeds = self._sent(np.array([[line.speed] for line in lines], np.float32))
        frames = torch.sigmoid(predictor.duration_proj(read)).sum(-1) / speeds
        rounded = frames.round().clamp(min=1).long().cpu()
        return [row[:count] for row, count in zip(rounded, counts.tolist(), strict=True)]

    def _sent(self, array: NDArray[np.float32]) -> Tensor:
        return torch.from_numpy(array).to(self._device)


class _Ends:
    """Where each sentence of the batch ends. An axis of time has so many steps a frame, and some more."""

    def __init__(self) -> None:
        self._frames: list[int] = []
        self._beyond: dict[tuple[int, Any], Tensor] = {}

    def begin(self, frames: list[int]) -> None:
        """The next batch has sentences of these numbers of frames."""
        self._frames = frames
        self._beyond = {}

    @property
    def are_equal(self) -> bool:
        return len(set(self._frames)) == 1

    def lengths(self, axis: int) -> list[int]:
        """Of each sentence, on an axis of so many steps."""
        steps, more = divmod(axis, max(self._frames))
        return [frames * steps + more for frames in self._frames]

    def beyond(self, axis: int, device: Any) -> Tensor:
        """bool [sentences, 1, axis]: the steps behind each sentence's end."""
        key = axis, device
        if key not in self._beyond:
            lengths = torch.tensor(self.lengths(axis), device=device)
            self._beyond[key] = torch.arange(axis, device=device) >= lengths[:, None, None]
        return self._beyond[key]


def _places(durations: Sequence[Tensor]) -> Tensor:
    """int64 [sentences, frames]: the token of each frame; 0 behind the end."""
    rows = [torch.repeat_interleave(torch.arange(frames.numel()), frames) for frames in durations]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


def _taken(tokens: Tensor, places: Tensor, ends: _Ends) -> Tensor:
    """[sentences, features, frames] of [sentences, tokens, features]."""
    index = places[:, :, None].expand(-1, -1, tokens.shape[2])
    frames = tokens.gather(1, index).transpose(1, 2)
    return frames.masked_fill(ends.beyond(frames.shape[2], frames.device), 0.0)


def _packed(lstm: Any, steps: Tensor, counts: Tensor, forward: Callable[..., Any] | None = None) -> Tensor:
    """[sentences, steps, features] through `lstm`, each sentence's own steps alone; 0 behind them."""
    utils = torch.nn.utils.rnn
    packed = utils.pack_padded_sequence(steps, counts, batch_first=True, enforce_sorted=False)
    read, _ = (forward or lstm)(packed)
    return utils.pad_packed_sequence(read, batch_first=True, total_length=steps.shape[1])[0]


def _own_steps(forward: Callable[..., Any], ends: _Ends, steps: Tensor) -> tuple[Tensor, None]:
    """In place of an LSTM's `forward` over frames."""
    if ends.are_equal:
        return forward(steps)[0], None
    return _packed(None, steps, torch.tensor(ends.lengths(steps.shape[1])), forward), None


def _halve(decoder: Any, half: Any) -> None:
    """Its wide convolutions keep their weights in half precision and round their input; they output
    float32."""
    for name, module in decoder.named_modules():
        if _is_convolution(module) and not name.startswith(_EXACT):
            module.to(half)
            module.forward = partial(_rounded, module.forward, half)


def _rounded(forward: Callable[..., Any], half: Any, x: Tensor) -> Tensor:
    return forward(x.to(half)).float()


def _is_convolution(module: Any) -> bool:
    return isinstance(module, torch.nn.Conv1d | torch.nn.ConvTranspose1d)


def _mind_ends(part: Any, ends: _Ends) -> None:
    """Of all layers in `part` that reach over frames."""
    for module in part.modules():
        if _is_convolution(module) and module.kernel_size != (1,):
            module.forward = partial(_zeros_beyond, module.forward, ends)
        elif isinstance(module, torch.nn.InstanceNorm1d):
            module.forward = partial(_own_norm, module, module.forward, ends)


def _zeros_beyond(forward: Callable[..., Any], ends: _Ends, x: Tensor) -> Tensor:
    return forward(x if ends.are_equal else x.masked_fill(ends.beyond(x.shape[-1], x.device), 0.0))


def _own_norm(norm: Any, forward: Callable[..., Any], ends: _Ends, x: Tensor) -> Tensor:
    """Replaces an instance norm's `forward`: mean and variance of each sentence's own frames."""
    if ends.are_equal:
        return forward(x)
    beyond = ends.beyond(x.shape[-1], x.device)
    count = (~beyond).sum(-1, keepdim=True)
    mean = x.masked_fill(beyond, 0.0).sum(-1, keepdim=True) / count
    centred = (x - mean).masked_fill(beyond, 0.0)
    scale = torch.rsqrt((centred * centred).sum(-1, keepdim=True) / count + norm.eps)
    return centred * scale * norm.weight[:, None] + norm.bias[:, None]


def _one_by_one(generator: Any, ends: _Ends, seed: int) -> None:
    """The source and both transforms, sentence by sentence; padded with zeros again."""
    source, stft = generator.m_source, generator.stft
    source.forward = partial(_source, source.forward, ends, seed)
    stft.transform = partial(_transform, stft.transform, ends)
    stft.inverse = partial(_inverse, stft.inverse, ends)


def _source(forward: Callable[..., Any], ends: _Ends, seed: int, pitch: Tensor) -> tuple[Tensor, ...]:
    """Of pitch [sentences, samples, 1]."""
    made = []
    for one, size in zip(pitch, ends.lengths(pitch.shape[1]), strict=True):
        torch.manual_seed(seed)
        made.append(forward(one[None, :size]))
    return tuple(_side_by_side([each[0] for each in kind]) for kind in zip(*made, strict=True))


def _transform(transform: Callable[..., Any], ends: _Ends, wave: Tensor) -> tuple[Tensor, ...]:
    """Magnitudes and phases [sentences, bins, rows] of [sentences, samples]."""
    sizes = ends.lengths(wave.shape[-1])
    made = [transform(one[None, :size]) for one, size in zip(wave, sizes, strict=True)]
    return tuple(
        _side_by_side([each[0].transpose(0, 1) for each in kind]).transpose(1, 2)
        for kind in zip(*made, strict=True)
    )


def _inverse(inverse: Callable[..., Any], ends: _Ends, magnitude: Tensor, phase: Tensor) -> Tensor:
    """[sentences, 1, samples]."""
    sizes = ends.lengths(magnitude.shape[-1])
    made = [
        inverse(loud[None, :, :size], angle[None, :, :size])
        for loud, angle, size in zip(magnitude, phase, sizes, strict=True)
    ]
    return _side_by_side([each[0].transpose(0, 1) for each in made]).transpose(1, 2)


def _side_by_side(rows: Sequence[Tensor]) -> Tensor:
    """[sentences, steps, ...], behind shorter ones zeros."""
    return torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True)
