"""Where model files are found, fetched and checked.

A model is found by path, in the models folder, in an installed package, or in the hub's cache, in that order.
Only `pull` downloads.
"""

from radio.models.catalog import CATALOG, Model, UnknownModel
from radio.models.checks import FileStatus, ModelStatus, listing, verify
from radio.models.download import NoSpace, WrongHash, pull
from radio.models.locations import ModelMissing, find
from radio.models.progress import Progress, progress_on
from radio.models.selection import (
    KokoroFiles,
    checkpoint,
    default_llm,
    kokoro,
    llm,
    llm_name,
    tagger,
    whisper,
)

__all__ = [
    "CATALOG",
    "FileStatus",
    "KokoroFiles",
    "Model",
    "ModelMissing",
    "ModelStatus",
    "NoSpace",
    "Progress",
    "UnknownModel",
    "WrongHash",
    "checkpoint",
    "default_llm",
    "find",
    "kokoro",
    "listing",
    "llm",
    "llm_name",
    "progress_on",
    "pull",
    "tagger",
    "verify",
    "whisper",
]
