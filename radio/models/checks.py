"""Which models are present, and whether their files are right."""

from dataclasses import dataclass

from radio.models.catalog import Model, ModelFile
from radio.models.locations import ModelMissing, everything, is_right, locate
from radio.models.selection import default_llm
from radio.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """One listed model, as on this machine."""

    name: str
    kind: str
    title: str
    license: str
    size: int
    """Bytes of its files."""
    present: bool
    where: str
    """`models folder`, `package` or `hub cache`; empty if absent."""
    is_default: bool
    """Whether it is the LLM of stations that name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStatus:
    """One file of a model that is present at least in part."""

    model: str
    file: str
    state: str
    """`right`, `missing`, or `damaged` (another size or SHA-256)."""


def listing(settings: Settings) -> list[ModelStatus]:
    """All listed models."""
    try:
        default = default_llm(settings)
    except ModelMissing:
        default = None
    found = []
    for model in everything(settings).values():
        places = [locate(file, settings) for file in model.files]
        here = [place for place in places if place]
        present = len(here) == len(places)
        found.append(
            ModelStatus(
                name=model.name,
                kind=model.kind,
                title=model.title,
                license=model.license,
                size=model.size,
                present=present,
                where=", ".join(sorted({place.source for place in here})) if present else "",
                is_default=present and here[0].path == default,
            )
        )
    return found


def verify(settings: Settings) -> list[FileStatus]:
    """Every file of the models that the radio needs, and of others that are present, against its SHA-256."""
    return [
        FileStatus(model=model.name, file=file.name, state=_state(file, settings))
        for model in everything(settings).values()
        if model.kind != "test" or _is_begun(model, settings)
        for file in model.files
    ]


def _is_begun(model: Model, settings: Settings) -> bool:
    return any((settings.models / file.name).exists() for file in model.files)


def _state(file: ModelFile, settings: Settings) -> str:
    place = locate(file, settings)
    if place is None:
        return "damaged" if (settings.models / file.name).exists() else "missing"
    return "right" if is_right(place.path, file) else "damaged"
