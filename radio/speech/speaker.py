"""The voice of the narrator: caption text in, one MP3 record out.

    speech text -> phonemes -> engine -> edges, level, pause -> MP3

A record contains all sound of its sentence and the pause after it. Nothing is ever cut off.
"""

import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from radio import models, voices
from radio.errors import RadioError, Unsupported
from radio.log import log_event
from radio.mp3 import FRAME_BYTES, RATE, encode, levelled
from radio.pronunciation import NONE, Pronunciations
from radio.settings import Settings
from radio.speech import shaping
from radio.speech.engines import Engine, EngineFailed, ManyEngine
from radio.speech.engines.batch_results import BatchResults
from radio.speech.engines.model_inputs import vocabulary
from radio.speech.engines.tone_engine import Letters, ToneEngine
from radio.speech.g2p.espeak import EspeakFailed, open_espeak
from radio.speech.g2p.phonemiser import G2P, Phonemiser
from radio.speech.levels import gain
from radio.speech.splitting import split
from radio.speech.text.speech_text import spelt

log = logging.getLogger(__name__)

_WARM_UP: Final = "Good morning, and welcome."
_REMEMBERED: Final = 64
"""Sentences whose phonemes are kept between `units` and `speak`."""
_LEAST_MS_A_PHONEME: Final = 8.0
"""A shorter result means that the engine swallowed words: the fastest speech is above 20 ms a phoneme."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence to speak, as `Speaker.speak` takes it."""

    text: str
    voice: str
    pronounce: Pronunciations = NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One sentence, spoken."""

    mp3: bytes
    frames: int
    """Of 24 ms and 192 bytes each."""
    phonemes: int
    gen_ms: float
    """Wall time from text to record; of sentences spoken together, its share by length."""


ENGINE: Final = "engine"  # the `Unspeakable.reason` for a fault of the engine, not of the text


class Unspeakable(RadioError):
    """This text cannot be spoken.

    Attributes:
        reason: `empty`, `no phonemes`, `silent`, `too short`, `language` (not spoken here), or `ENGINE`.
    """

    def __init__(self, reason: str, message: str | None = None, *, hint: str = "") -> None:
        super().__init__(message or f"this text cannot be spoken: {reason}", hint=hint)
        self.reason = reason


class Speaker(Protocol):
    """Speaks captions. `speak` and `speak_all` block and are called from one thread; `units` from any."""

    name: str
    """The engine and what it runs on, for the log and the metrics."""
    at_once: int
    """The best number of sentences to speak together, if that many wait; at least 1."""

    def warm_up(self) -> None:
        """Speak a discarded sentence, so that the next one is not the slow first one."""
        ...

    def units(self, text: str, voice: str) -> int:
        """Number of phonemes of `text`, to which its duration is proportional.

        Raises:
            Unspeakable: `language` or `engine`; a text without phonemes has 0 units.
            BadInput: the voice.
        """
        ...

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        """The record of `text`, whole however long.

        Args:
            pronounce: words that are not pronounced by the rules.

        Raises:
            Unspeakable
            BadInput: the voice.
        """
        ...

    def speak_all(self, sentences: Sequence[Utterance]) -> list[Spoken | Exception]:
        """For each, what `speak` would return or raise."""
        ...

    def close(self) -> None:
        """End its child processes. Safe to repeat."""
        ...


class VoiceSpeaker:
    """Speaks by an engine.

    Args:
        engine: makes the sound.
        g2p: makes phonemes of speech text.
        known: whether the engine has a sound for a symbol.
        voice: what `warm_up` speaks with.
    """

    def __init__(self, engine: Engine, g2p: G2P, known: Callable[[str], bool], voice: str) -> None:
        self.name = engine.name
        self.at_once = engine.at_once if isinstance(engine, ManyEngine) else 1
        self._engine = engine
        self._g2p = g2p
        self._known = known
        self._voice = voice
        self._spelt: OrderedDict[tuple[str, str, Pronunciations], str] = OrderedDict()
        self._unspoken = 0
        self._one_at_a_time = threading.Lock()

    def warm_up(self) -> None:
        """See `Speaker`."""
        self.speak(_WARM_UP, self._voice)

    def units(self, text: str, voice: str) -> int:
        """See `Speaker`."""
        return len(self._phonemes(text, voices.language(voice), NONE))

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        """See `Speaker`."""
        return self._speak(Utterance(text, voice, pronounce), self._engine)

    def speak_all(self, sentences: Sequence[Utterance]) -> list[Spoken | Exception]:
        """See `Speaker`."""
        begun = time.perf_counter()
        engine: Engine = self._engine
        if isinstance(engine, ManyEngine):
            engine = BatchResults(engine, [part for sentence in sentences for part in self._parts(sentence)])
        results = [self._attempt(sentence, engine) for sentence in sentences]
        return _shared_out(results, (time.perf_counter() - begun) * 1000)

    def _attempt(self, sentence: Utterance, engine: Engine) -> Spoken | Exception:
        try:
            return self._speak(sentence, engine)
        except Exception as failed:  # noqa: BLE001 - crosses to the caller, who judges it
            return failed

    def _parts(self, sentence: Utterance) -> list[tuple[str, voices.Blend]]:
        """What the engine is given for it; nothing if it cannot be spoken."""
        with suppress(Exception):  # the error is raised again when the sentence is spoken
            phonemes, blend = self._read(sentence)
            return [(piece, blend) for piece in split(phonemes)]
        return []

    def _read(self, sentence: Utterance) -> tuple[str, voices.Blend]:
        blend = voices.parse(sentence.voice)
        phonemes = self._phonemes(sentence.text, voices.language(sentence.voice), sentence.pronounce)
        if not any(map(str.isalpha, phonemes)):
            raise Unspeakable("no phonemes" if sentence.text.strip() else "empty")
        return phonemes, blend

    def _speak(self, sentence: Utterance, engine: Engine) -> Spoken:
        begun = time.perf_counter()
        phonemes, blend = self._read(sentence)
        pieces = split(phonemes)
        sounds = [self._sound(piece, blend, engine) for piece in pieces]
        sound = shaping.joined(sounds, [piece[-1] for piece in pieces])
        _check_length(sound, phonemes, blend)
        shaped = levelled(sound, gain(blend))
        mp3 = encode(shaping.with_pause(shaped, phonemes[-1]))
        return Spoken(
            mp3=mp3,
            frames=len(mp3) // FRAME_BYTES,
            phonemes=len(phonemes),
            gen_ms=(time.perf_counter() - begun) * 1000,
        )

    def close(self) -> None:
        """See `Speaker`."""
        self._g2p.close()

    def _sound(self, phonemes: str, blend: voices.Blend, engine: Engine) -> shaping.Samples:
        try:
            samples = engine.synthesise(phonemes, blend)
        except EngineFailed as failed:
            raise Unspeakable(ENGINE, str(failed)) from failed
        if not np.isfinite(samples).all():
            raise Unspeakable(ENGINE, "the voice engine gave values that are no numbers")
        sound = shaping.trimmed(samples)
        if not sound.size:
            raise Unspeakable("silent")
        return sound

    def _phonemes(self, text: str, language: str, pronounce: Pronunciations) -> str:
        key = text, language, pronounce
        with self._one_at_a_time:
            if key not in self._spelt:
                self._spelt[key] = self._spell(*key)
                if len(self._spelt) > _REMEMBERED:
                    self._spelt.popitem(last=False)
            return self._spelt[key]

    def _spell(self, text: str, language: str, pronounce: Pronunciations) -> str:
        said, given = spelt(text, language, pronounce)
        try:
            phonemes = self._g2p.phonemes(said, language, given)
        except Unsupported as failed:
            raise Unspeakable("language", str(failed), hint=failed.hint) from failed
        except EspeakFailed as failed:
            raise Unspeakable(ENGINE, str(failed)) from failed
        kept = "".join(filter(self._known, phonemes)).strip()
        if strange := [symbol for symbol in phonemes.strip() if not self._known(symbol)]:
            self._unspoken += len(strange)
            log.warning(
                "symbols without a sound are left out",
                extra=log_event(
                    "g2p.symbols_dropped",
                    symbols="".join(sorted(set(strange))),
                    left_out=len(strange),
                    since_start=self._unspoken,
                ),
            )
        return kept


def _check_length(sound: shaping.Samples, phonemes: str, blend: voices.Blend) -> None:
    if sound.size * 1000 / RATE * blend.speed < len(phonemes) * _LEAST_MS_A_PHONEME:
        raise Unspeakable("too short")


def _shared_out(results: Sequence[Spoken | Exception], wall_ms: float) -> list[Spoken | Exception]:
    """Each with its share of the wall time."""
    frames = sum(result.frames for result in results if isinstance(result, Spoken))
    return [
        replace(result, gen_ms=wall_ms * result.frames / frames) if isinstance(result, Spoken) else result
        for result in results
    ]


def load_speaker(settings: Settings) -> Speaker:
    """The speaker that the settings select.

    `auto` is torch if it is installed and sees a CUDA device, else the native engine if its library was
    built.

    Raises:
        ModelMissing, Unsupported, EngineFailed, VoiceDamaged: with a hint.
    """
    if settings.engine == "tone":
        return VoiceSpeaker(ToneEngine(settings.tone_xrt), Letters(), lambda _: True, settings.voice)
    files = models.kokoro(settings)
    g2p = Phonemiser(models.tagger(settings), open_espeak())
    engine = _engine(settings, files)
    log.info("voice engine", extra=log_event("voice.engine", engine=engine.name))
    return VoiceSpeaker(engine, g2p, vocabulary(files.config).__contains__, settings.voice)


def _engine(settings: Settings, files: models.KokoroFiles) -> Engine:
    from radio.speech.engines import torch_engine
    from radio.speech.engines.native_engine import NativeEngine  # here: the tone needs no ONNX Runtime
    from radio.speech.engines.onnx_engine import OnnxEngine

    threads = settings.voice_threads or min(4, len(os.sched_getaffinity(0)))
    if settings.engine == "torch" or (settings.engine == "auto" and torch_engine.has_cuda()):
        return torch_engine.TorchEngine(
            files, threads, device=settings.torch_device, precision=settings.torch_precision
        )
    if settings.engine in ("auto", "native"):
        try:
            return NativeEngine(files, threads, settings.isa, settings.voice_seed)
        except Unsupported as failed:
            if settings.engine == "native":
                raise
            log.warning(
                "the native voice cannot run, ONNX Runtime speaks instead, two to ten times slower",
                extra=log_event("voice.fallback", reason=str(failed)),
            )
    return OnnxEngine(files, threads)
