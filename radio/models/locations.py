"""Where a model's files are: in the models folder, an installed package, or the hub's cache, in that order.

Nothing here downloads. Finding compares sizes; `verify` and `pull` compare SHA-256.
"""

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from radio.errors import NotFound
from radio.models import hub, hub_models
from radio.models.catalog import CATALOG, Model, ModelFile, Wheel, named
from radio.settings import Settings


class ModelMissing(NotFound):
    """A model is not on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """Where one file was found."""

    path: Path
    source: str
    """`models folder`, `package` or `hub cache`."""


def find(name: str, settings: Settings) -> Mapping[str, Path]:
    """The files of a model, by their names in the models folder.

    Args:
        name: the path of a file, or a listed model.

    Raises:
        ModelMissing: with the command that downloads it.
        UnknownModel: neither a file nor listed.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return {path.name: path}
    if _looks_like_a_path(name):
        raise ModelMissing(f"there is no file {name}", hint="Give the path of a model, or a listed name.")
    model = listed(name, settings)
    found = {file.name: place.path for file in model.files if (place := locate(file, settings))}
    missing = [file.name for file in model.files if file.name not in found]
    if missing:
        what = missing[0] if len(missing) == 1 else f"{len(missing)} files"
        raise ModelMissing(
            f"the model {model.name} is not complete: {what} missing",
            hint=f"Run: radio models pull {model.name}",
        )
    return found


def everything(settings: Settings) -> Mapping[str, Model]:
    """All listed models: the catalogue's, and those downloaded from the hub by name."""
    return {**CATALOG, **hub_models.read(settings.models)}


def listed(name: str, settings: Settings) -> Model:
    """The listed model of this name.

    Raises:
        UnknownModel
    """
    more = hub_models.read(settings.models)
    return more[name] if name in more else named(name)


def locate(file: ModelFile, settings: Settings) -> FoundFile | None:
    """Where `file` is, with the right size; None if nowhere."""
    at_home = settings.models / file.name
    if _has_size(at_home, file):
        return FoundFile(path=at_home, source="models folder")
    packaged = _in_package(file)
    if packaged and _has_size(packaged, file):
        return FoundFile(path=packaged, source="package")
    cached = hub.cached(file.hub) if file.hub else None
    if cached and _has_size(cached, file):
        return FoundFile(path=cached, source="hub cache")
    return None


def is_right(path: Path, file: ModelFile) -> bool:
    """Whether the file at `path` is byte for byte what the catalogue says."""
    return _has_size(path, file) and sha256(path) == file.sha256


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or name.endswith((".gguf", ".onnx"))


def _has_size(path: Path, file: ModelFile) -> bool:
    return path.is_file() and path.stat().st_size == file.size


def _in_package(file: ModelFile) -> Path | None:
    if len(file.parts) != 1 or not isinstance(file.parts[0][0], Wheel):
        return None
    module, _, rest = file.parts[0][1].partition("/")
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / rest
