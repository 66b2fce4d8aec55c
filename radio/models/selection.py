"""Which models the radio uses: the LLM, the voice, the tagger, and the speech recogniser of the tests."""

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radio.errors import BadInput
from radio.log import log_event
from radio.models import hub
from radio.models.catalog import (
    KOKORO_CHECKPOINT,
    KOKORO_CONFIG,
    KOKORO_ONNX,
    TAGGER_FOLDER,
    VOICES_FOLDER,
    WHISPER_FOLDER,
    Model,
    UnknownModel,
)
from radio.models.locations import ModelMissing, everything, find, locate
from radio.settings import Settings

log = logging.getLogger(__name__)

_BESIDE: Final = 2 << 30
"""Bytes that the system, the voice and the store need beside the LLM."""
_CONTEXT: Final = 512 << 20
"""Bytes of an LLM's context and work space beside its weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KokoroFiles:
    """The voice."""

    onnx: Path
    voices_dir: Path
    """`<name>.bin` each, float32 [510, 256]: row n - 1 is the style of a text of n phonemes."""
    config: Path
    """JSON whose `vocab` maps each phoneme to its number."""
    checkpoint: Path | None = None
    """The original weights, for the engine `torch`; None if they must be recovered from the export."""


def kokoro(settings: Settings) -> KokoroFiles:
    """The voice's files.

    Raises:
        ModelMissing
    """
    files = find("kokoro", settings)
    folders = {path.parent for name, path in files.items() if name.startswith(f"{VOICES_FOLDER}/")}
    if len(folders) > 1:
        raise ModelMissing("the voices lie in several folders", hint="Run: radio models pull kokoro")
    return KokoroFiles(
        onnx=files[KOKORO_ONNX],
        voices_dir=folders.pop(),
        config=files[KOKORO_CONFIG],
        checkpoint=checkpoint(settings),
    )


def checkpoint(settings: Settings) -> Path | None:
    """The original weights of the voice: in the models folder or the hub's cache; None elsewhere."""
    at_home = settings.models / KOKORO_CHECKPOINT.path
    return at_home if at_home.is_file() else hub.cached(KOKORO_CHECKPOINT)


def tagger(settings: Settings) -> Path:
    """The folder of spaCy's English tagger.

    Raises:
        ModelMissing
    """
    return find("en_core_web_sm", settings)[f"{TAGGER_FOLDER}/config.cfg"].parent


def whisper(settings: Settings) -> Path:
    """The folder of the speech recognition that tests listen with.

    Raises:
        ModelMissing
    """
    return find("whisper-base", settings)[f"{WHISPER_FOLDER}/model.bin"].parent


def llm(settings: Settings, name: str = "default") -> Path:
    """The GGUF of an LLM.

    Args:
        name: `default` (the operator's choice, or else the best that fits), a listed model, or a path.

    Raises:
        ModelMissing, UnknownModel
        BadInput: the model is not an LLM.
    """
    name = settings.model if name == "default" else name
    if name == "default":
        return default_llm(settings)
    files = find(name, settings)
    path = next(iter(files.values()))
    if len(files) > 1 or path.suffix != ".gguf":
        raise BadInput(f"{name} is not an LLM", hint="An LLM is one GGUF file.")
    return path


def llm_name(settings: Settings, name: str = "default") -> str | None:
    """The name of an LLM for listeners: that of its file; None if it is missing here. An address is never
    shown."""
    chosen = settings.model if name == "default" else name
    if "://" in chosen:
        return "server"
    try:
        return llm(settings, name).name
    except (ModelMissing, UnknownModel, BadInput) as e:
        log.warning("a station's LLM is missing: %s", e, extra=log_event("llm.missing", model=chosen))
        return None


def default_llm(settings: Settings, memory: int | None = None) -> Path:
    """The largest listed LLM that is present and fits into memory.

    Args:
        memory: bytes of this machine; measured if not given.

    Raises:
        ModelMissing: none is present, or none fits.
    """
    memory = memory or _memory()
    present = [(model, path) for model in everything(settings).values() if (path := _gguf(model, settings))]
    fitting = [(model.size, path) for model, path in present if _fits(model.size, memory)]
    if fitting:
        return max(fitting)[1]
    if present:
        smallest = min(present, key=lambda pair: pair[0].size)[0]
        raise ModelMissing(
            f"no present LLM fits into {memory / 2**30:.1f} GiB of memory",
            hint=f"The smallest is {smallest.name}; set RADIO_MODEL={smallest.name} to try it all the same.",
        )
    raise ModelMissing("no LLM is present", hint="Run: radio models pull")


def _gguf(model: Model, settings: Settings) -> Path | None:
    place = locate(model.files[0], settings) if model.kind == "llm" else None
    return place.path if place else None


def _fits(size: int, memory: int) -> bool:
    return size + _CONTEXT + _BESIDE <= memory


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
