"""Where model files are found, fetched and checked.

A model is found by path, in the models folder, in an installed package, or in the hub's cache, in that order.
Only `pull` downloads.
"""

from radio.models.catalog import CATALOG, Model, UnknownModel
from radio.models.checks import Checked, Listed, listing, verify
from radio.models.chosen import KokoroFiles, checkpoint, default_llm, kokoro, llm, llm_name, tagger, whisper
from radio.models.places import ModelMissing, find
from radio.models.progress import Progress, progress_on
from radio.models.pulling import NoSpace, WrongHash, pull

__all__ = [
    "CATALOG",
    "Checked",
    "KokoroFiles",
    "Listed",
    "Model",
    "ModelMissing",
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
