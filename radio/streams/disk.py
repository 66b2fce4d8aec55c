"""The disk that the streams lie on, as far as this machine can see it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from radio.settings import Settings

ENOUGH = 5 / 4
"""An episode of too little space ends when this many times the floor are free."""


def watched(settings: Settings) -> Path | None:
    """The folder whose disk is watched; None: the floor is off, or the store lies elsewhere."""
    if settings.disk_floor <= 0:
        return None
    if settings.disk_folder:
        return Path(settings.disk_folder)
    return settings.data if settings.store == "sqlite" else None


def free_bytes(folder: Path) -> int:
    """Free space on a folder's disk for who is not root. Raises `OSError` if there is no such folder."""
    return shutil.disk_usage(folder).free


@dataclass(slots=True)
class Level:
    """Whether there is too little space; it does not flicker at the border."""

    floor: int
    is_low: bool = False

    @property
    def enough(self) -> int:
        return round(self.floor * ENOUGH)

    def see(self, free: int) -> bool:
        """Whether it is too little, with so many bytes free."""
        self.is_low = free < (self.enough if self.is_low else self.floor)
        return self.is_low
