"""Models that the operator downloaded from the hub by name, beyond the catalogue.

A small file in the models folder remembers them, with the SHA-256 that the hub stated.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from radio.errors import BadInput, RadioError
from radio.models.catalog import HubFile, Model, ModelFile

PREFIX: Final = "hf:"
_FILE: Final = "hub-models.json"


class RecordDamaged(RadioError):
    """The list of pulled models cannot be read."""


def parse(name: str) -> HubFile:
    """The file that `hf:OWNER/REPOSITORY/PATH` names.

    Raises:
        BadInput: it has another form, or is not a GGUF.
    """
    owner, _, rest = name.removeprefix(PREFIX).partition("/")
    repository, _, path = rest.partition("/")
    if not (owner and repository and path.endswith(".gguf")) or ".." in path.split("/"):
        raise BadInput(f"{name!r} is no model on the hub", hint="Write hf:OWNER/REPOSITORY/FILE.gguf")
    return HubFile(repository=f"{owner}/{repository}", path=path)


def model(file: HubFile, sha256: str, size: int) -> Model:
    """An LLM of one file, named after it."""
    name = Path(file.path).name
    one = ModelFile(name=name, parts=(), hub=file, stated=(sha256, size))
    return Model(
        name=name.removesuffix(".gguf"),
        kind="llm",
        title=f"{file.repository}, from the hub",
        license="",
        files=(one,),
    )


def read(folder: Path) -> Mapping[str, Model]:
    """The recorded models by name.

    Raises:
        RecordDamaged
    """
    path = folder / _FILE
    try:
        entries = json.loads(path.read_text())
        return {entry.name: entry for entry in map(_from_json, entries)}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as failed:
        raise RecordDamaged(f"{path} cannot be read: {failed}", hint="Remove it, and pull again.") from failed


def add(folder: Path, new: Model) -> None:
    """Remember `new`, instead of one of the same name. The caller holds the folder's lock."""
    entries = [_to_json(entry) for entry in {**read(folder), new.name: new}.values()]
    beside = folder / (_FILE + ".part")
    beside.write_text(json.dumps(entries, indent=1))
    os.replace(beside, folder / _FILE)


def _to_json(entry: Model) -> dict[str, object]:
    file = entry.files[0]
    assert file.hub is not None
    return {
        "repository": file.hub.repository,
        "path": file.hub.path,
        "sha256": file.sha256,
        "size": file.size,
    }


def _from_json(entry: Mapping[str, object]) -> Model:
    hub = HubFile(repository=str(entry["repository"]), path=str(entry["path"]))
    return model(hub, str(entry["sha256"]), int(str(entry["size"])))
