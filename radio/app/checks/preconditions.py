"""What the machine must have before `radio up` starts anything: a data folder, a voice, a clock that is set.

Each that is missing is one line; what is looked at here changes nothing but that the data folder is made.
"""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from radio import models
from radio.errors import RadioError
from radio.settings import Settings

EARLIEST_MS = 1_577_836_800_000
"""2020-01-01: a clock before it has not been set."""


class DataFolderUnusable(RadioError):
    """The data folder cannot be written."""

    def __init__(self, data: Path, why: OSError) -> None:
        super().__init__(
            f"the data folder {data} cannot be used: {why.strerror or why}",
            hint="name one that this user may write with --data",
        )


class ClockNotSet(RadioError):
    """The clock of this machine is years behind."""


def make_data_folder(data: Path) -> None:
    """Make the folder, unless it is there, and see that files can be made in it.

    Raises:
        DataFolderUnusable
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=data, prefix=".writable-"):
            os.stat(data)
    except OSError as refused:
        raise DataFolderUnusable(data, refused) from refused


def check_voice(settings: Settings) -> None:
    """The voice's files are there and have their sizes. Raises `ModelMissing`."""
    if settings.engine != "tone":
        models.kokoro(settings)
        models.tagger(settings)


def check_clock(now_ms: int) -> None:
    """Raises `ClockNotSet`."""
    if now_ms < EARLIEST_MS:
        shown = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        raise ClockNotSet(
            f"the clock of this machine says {shown} UTC, and runs begin by it",
            hint="set it, or wait until the network has, and start again",
        )
