import hashlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from radio import models
from radio.errors import BadInput
from radio.models import CATALOG, ModelMissing, UnknownModel, hub_models
from radio.models.catalog import HubFile, Model, ModelFile, Wheel
from radio.models.checksums import CHECKSUMS
from radio.models.locations import locate
from radio.models.progress import BarProgress, LineProgress, progress_on
from radio.models.selection import default_llm
from radio.settings import Settings
from radio.voices import VOICES
from tests.need import need

GIB = 1 << 30


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(models=tmp_path / "models")


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path with the package `toy_data`, which must not be imported."""
    package = tmp_path / "site" / "toy_data"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(package.parent))
    yield package
    assert "toy_data" not in sys.modules


def toy(content: bytes, hub: HubFile | None = None) -> ModelFile:
    wheel = Wheel(package="toy-data", version="1.0", size=1)
    digest = hashlib.sha256(content).hexdigest()
    return ModelFile(
        name="toy.bin", parts=((wheel, "toy_data/toy.bin"),), hub=hub, stated=(digest, len(content))
    )


def test_every_listed_file_has_a_checksum_and_a_source() -> None:
    files = [file for model in CATALOG.values() for file in model.files]
    assert {file.name for file in files} == set(CHECKSUMS)
    assert all(len(file.sha256) == 64 and file.size > 0 and file.parts for file in files)
    assert all(".." not in file.name and not file.name.startswith("/") for file in files)


def test_the_listed_voice_has_every_voice() -> None:
    names = {file.name for file in CATALOG["kokoro"].files}
    assert {f"voices/{voice}.bin" for voice in VOICES} <= names


def test_a_model_is_found_by_path(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(b"x")
    assert models.find(str(path), settings) == {"own.gguf": path}
    assert models.llm(settings, str(path)) == path


def test_a_path_that_leads_nowhere_is_an_error(settings: Settings) -> None:
    with pytest.raises(ModelMissing):
        models.find("nowhere/own.gguf", settings)


def test_an_unknown_name_is_an_error_with_the_listed_ones(settings: Settings) -> None:
    with pytest.raises(UnknownModel) as raised:
        models.find("gpt", settings)
    assert "SmolLM2" in raised.value.hint


def test_a_missing_model_is_an_error_with_the_command_that_brings_it(settings: Settings) -> None:
    for look in (models.kokoro, models.tagger, models.whisper, models.default_llm):
        with pytest.raises(ModelMissing) as raised:
            look(settings)
        assert "radio models pull" in raised.value.hint


def test_the_folder_comes_before_the_package_and_the_package_before_the_hub(
    settings: Settings, packaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"content"
    cached = tmp_path / "hub" / "toy.bin"
    cached.parent.mkdir()
    monkeypatch.setattr("radio.models.hub.cached", lambda _: cached if cached.exists() else None)
    file = toy(content, HubFile(repository="o/r", path="toy.bin"))
    assert locate(file, settings) is None
    for path, source in (
        (cached, "hub cache"),
        (packaged / "toy.bin", "package"),
        (settings.models / "toy.bin", "models folder"),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        place = locate(file, settings)
        assert place is not None
        assert (place.path, place.source) == (path, source)


def test_a_file_of_another_size_is_not_taken(settings: Settings) -> None:
    settings.models.mkdir()
    (settings.models / "toy.bin").write_bytes(b"conten")
    assert locate(toy(b"content"), settings) is None


def llms(folder: Path, **sizes: int) -> None:
    folder.mkdir(exist_ok=True)
    for name, size in sizes.items():
        hub = HubFile(repository="o/r", path=f"{name}.gguf")
        hub_models.add(folder, hub_models.model(hub, "0" * 64, size))
        with (folder / f"{name}.gguf").open("wb") as file:
            file.truncate(size)


def test_the_default_llm_is_the_largest_present_one_that_fits(settings: Settings) -> None:
    llms(settings.models, small=1 * GIB, middle=2 * GIB, large=6 * GIB)
    assert default_llm(settings, memory=8 * GIB).name == "middle.gguf"
    assert default_llm(settings, memory=4 * GIB).name == "small.gguf"
    assert default_llm(settings, memory=64 * GIB).name == "large.gguf"
    (settings.models / "large.gguf").unlink()
    assert default_llm(settings, memory=64 * GIB).name == "middle.gguf"
    with pytest.raises(ModelMissing, match="fits") as raised:
        default_llm(settings, memory=3 * GIB)
    assert "RADIO_MODEL=small" in raised.value.hint


def test_what_the_operator_set_comes_before_the_default(settings: Settings) -> None:
    llms(settings.models, small=1, large=2)
    assert models.llm(settings).name == "large.gguf"
    assert models.llm(Settings(models=settings.models, model="small")).name == "small.gguf"
    assert models.llm(settings, "small").name == "small.gguf"


def test_listeners_are_told_a_model_s_name_and_no_address(settings: Settings) -> None:
    assert models.llm_name(settings) is None
    llms(settings.models, small=1, large=2)
    assert models.llm_name(settings) == "large.gguf"
    assert models.llm_name(settings, "small") == "small.gguf"
    assert models.llm_name(settings, "http://user:secret@10.0.0.7:8080/v1") == "server"


def test_a_model_that_is_no_llm_is_refused_as_one(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "voice.onnx"
    path.write_bytes(b"x")
    with pytest.raises(BadInput):
        models.llm(settings, str(path))


def test_a_damaged_list_of_pulled_models_is_an_error_that_names_it(settings: Settings) -> None:
    settings.models.mkdir()
    (settings.models / "hub-models.json").write_text("[{}]")
    with pytest.raises(hub_models.RecordDamaged, match="hub-models"):
        models.listing(settings)


def test_the_listing_says_what_is_present_and_what_is_the_default(settings: Settings) -> None:
    llms(settings.models, small=1, large=2)
    rows = {row.name: row for row in models.listing(settings)}
    assert set(rows) == {*CATALOG, "small", "large"}
    assert [name for name, row in rows.items() if row.is_default] == ["large"]
    assert rows["large"].where == "models folder"
    assert not rows["kokoro"].present
    assert rows["kokoro"].where == ""


def test_verify_tells_right_missing_and_damaged_files_apart(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"right": b"abc", "missing": b"abc", "changed": b"abd", "longer": b"abcd"}
    digest = hashlib.sha256(b"abc").hexdigest()
    files = tuple(ModelFile(name=name, parts=(), stated=(digest, 3)) for name in names)
    model = Model(name="toy", kind="voice", title="", license="", files=files)
    monkeypatch.setattr("radio.models.checks.everything", lambda _: {"toy": model})
    settings.models.mkdir()
    for name, content in names.items():
        if name != "missing":
            (settings.models / name).write_bytes(content)
    states = {check.file: check.state for check in models.verify(settings)}
    assert states == {"right": "right", "missing": "missing", "changed": "damaged", "longer": "damaged"}


def test_models_of_tests_are_verified_only_where_they_are(settings: Settings) -> None:
    assert "whisper-base" not in {check.model for check in models.verify(settings)}
    folder = settings.models / "whisper-base"
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(b"{}")
    assert "whisper-base" in {check.model for check in models.verify(settings)}


@pytest.mark.model
def test_the_real_models_are_right() -> None:
    need("llm", "voice")
    checks = models.verify(Settings())
    assert checks
    assert [check for check in checks if check.state != "right"] == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere() -> None:
    for out, kind in ((Terminal(), BarProgress), (io.StringIO(), LineProgress)):
        progress = progress_on(out)
        assert isinstance(progress, kind)
        progress.begin("thing", 2_000_000)
        progress.at(1_000_000)
        progress.at(900_000)
        progress.at(5_000_000)
        progress.end()
        progress.note("that is all")
        assert "thing" in out.getvalue()
        assert "that is all" in out.getvalue()
