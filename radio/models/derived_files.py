"""Files derived from the voice's export, stored under its SHA-256, so that a changed export gives new ones.

The SHA-256 is stored beside them with the export's size and time, so that it is not computed at every start.
"""

import fcntl
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DerivedKind:
    """A kind of derived file.

    Args:
        family: begins the files' names.
        version: of the way they are made; a new one makes them again.
        suffixes: one for each file.
        variant: one of several forms, which are kept beside one another.
    """

    family: str
    version: int
    suffixes: tuple[str, ...]
    variant: str = ""

    def names(self, sha256: str) -> tuple[str, ...]:
        """Of the files that are made of the export with this SHA-256."""
        variant = f"-{self.variant}-" if self.variant else ""
        return tuple(f"{self.family}{variant}{self._tail(sha256)}{suffix}" for suffix in self.suffixes)

    def holds(self, name: str, sha256: str) -> bool:
        """Whether `name` is one of these files, or of another variant with the same version and export."""
        if not self.variant:
            return name in self.names(sha256)
        return any(name.endswith(f"-{self._tail(sha256)}{suffix}") for suffix in self.suffixes)

    def _tail(self, sha256: str) -> str:
        return f"{self.version}-{sha256[:16]}"


def made(
    kind: DerivedKind, export: Path, folder: Path, make: Callable[[Sequence[Path]], object]
) -> tuple[Path, ...]:
    """The files of `kind` in `folder`, made first if they are missing. Idempotent.

    Of several callers one makes them and the others wait. Making files deletes those of another version or
    export, of all variants; processes that have them mapped keep what is mapped.

    Args:
        make: writes the given paths, one for each suffix; each is moved into place whole.

    Raises:
        OSError: the folder is not writable.
    """
    return _found(kind, export, folder) or _made(kind, export, folder, make)


def _found(kind: DerivedKind, export: Path, folder: Path) -> tuple[Path, ...] | None:
    """The files, if the export has not changed since its SHA-256 was noted."""
    noted = _noted(_note(export, folder))
    if any(noted.get(key) != value for key, value in _stamp(export).items()):
        return None
    paths = _paths(kind, folder, str(noted["sha256"]))
    return paths if all(path.exists() for path in paths) else None


def _made(
    kind: DerivedKind, export: Path, folder: Path, make: Callable[[Sequence[Path]], object]
) -> tuple[Path, ...]:
    with _locked(folder):
        if found := _found(kind, export, folder):
            return found
        stamp = _stamp(export)
        with export.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        paths = _paths(kind, folder, sha256)
        if not all(path.exists() for path in paths):
            _put(paths, make)
        note = json.dumps({**stamp, "sha256": sha256})
        _put([_note(export, folder)], lambda parts: parts[0].write_text(note))
        for old in folder.glob(f"{kind.family}*"):
            if not kind.holds(old.name, sha256):
                old.unlink(missing_ok=True)
        return paths


def _paths(kind: DerivedKind, folder: Path, sha256: str) -> tuple[Path, ...]:
    return tuple(folder / name for name in kind.names(sha256))


def _stamp(export: Path) -> dict[str, object]:
    status = export.stat()
    return {"size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _note(export: Path, folder: Path) -> Path:
    return folder / f"{export.name}.digest.json"


def _noted(note: Path) -> dict[str, object]:
    """SHA-256 of an export, and its size and time then; empty if there is no note, or it is damaged."""
    try:
        known = json.loads(note.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) and "sha256" in known else {}


def _put(paths: Sequence[Path], fill: Callable[[Sequence[Path]], object]) -> None:
    """Writes files beside `paths`, then moves each into place whole; only under the lock."""
    parts = [path.with_name(f"{path.name}.part") for path in paths]
    try:
        fill(parts)
        for part, path in zip(parts, paths, strict=True):
            part.replace(path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One maker at a time; the lock is released when its holder dies."""
    with (folder / ".cut.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
