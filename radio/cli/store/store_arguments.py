"""Which stores a command names: `sqlite`, `sqlite:FOLDER`, `s2://BASIN`."""

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from radio.app.lock import sole
from radio.errors import BadInput, NotFound
from radio.settings import S2_SCHEME, Settings
from radio.streams.stores.open_store import SQLITE_FILE

HINT = f"it is sqlite, sqlite:FOLDER or {S2_SCHEME}BASIN"
_FOLDER = "sqlite:"


def settings_of(place: str, settings: Settings) -> Settings:
    """The settings of the store at `place`; what it does not say is as in `settings`.

    Raises:
        BadInput: no store that is kept has such a name.
    """
    if place == "sqlite" or place.startswith(S2_SCHEME):
        return dataclasses.replace(settings, store=place)
    if place.startswith(_FOLDER) and (rest := place.removeprefix(_FOLDER)):
        return dataclasses.replace(settings, store="sqlite", data=_data_folder(Path(rest)))
    raise BadInput(f"no store that is kept is called {place!r}", hint=HINT)


def must_exist(settings: Settings) -> None:
    """Raises `NotFound` if it is a file that is not there."""
    if settings.store == "sqlite" and not sqlite_file(settings).exists():
        raise NotFound(
            f"there is no store in {settings.data}",
            hint=f"its file is called {SQLITE_FILE}; name the radio's folder with --data or RADIO_DATA",
        )


def sqlite_file(settings: Settings) -> Path:
    return settings.data / SQLITE_FILE


@contextmanager
def nobody_else(*places: Settings) -> Iterator[None]:
    """No radio runs on the data folders of these stores, and none starts meanwhile.

    Raises:
        AlreadyRunning: one does.
    """
    with ExitStack() as locks:
        for data in sorted({place.data.resolve() for place in places}):
            locks.enter_context(sole(data))
        yield


def _data_folder(path: Path) -> Path:
    """The folder itself, or that of the store's file."""
    if path.name == SQLITE_FILE:
        return path.parent
    if path.exists() and not path.is_dir():
        raise BadInput(f"{path} is no data folder", hint=f"the file of a store is called {SQLITE_FILE}")
    return path
