"""The disk that holds the streams, as far as this machine can see it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from radio.settings import Settings

ENOUGH = 5 / 4
"""An episode of low space ends when this many times the quota are free."""


def watched(settings: Settings) -> Path | None:
    """The folder whose disk is watched; None if the quota is off, or the store is elsewhere."""
    if settings.disk_floor <= 0:
        return None
    if settings.disk_folder:
        return Path(settings.disk_folder)
    return settings.data if settings.store == "sqlite" else None


def free_bytes(folder: Path) -> int:
    """Free space on a folder's disk for ordinary users. Raises `OSError` if there is no such folder."""
    return shutil.disk_usage(folder).free


@dataclass(slots=True)
class Level:
    """Whether space is low, with hysteresis so that it does not flicker."""

    floor: int
    is_low: bool = False

    @property
    def enough(self) -> int:
        return round(self.floor * ENOUGH)

    def see(self, free: int) -> bool:
        """Whether space is low, with this many bytes free."""
        self.is_low = free < (self.enough if self.is_low else self.floor)
        return self.is_low
