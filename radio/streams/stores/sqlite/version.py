"""Which SQLite this is, and its known faults."""

import sqlite3

FAULTY_FROM = (3, 7, 0)
MENDED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""The first of its line with the WAL-reset fault fixed; all versions after the last have the fix too."""


def has_wal_reset_fault(version: tuple[int, int, int]) -> bool:
    """Whether a race of a write and a checkpoint may lose a commit unless a lock prevents it."""
    if version < FAULTY_FROM:
        return False
    of_line = next((mended for mended in MENDED if mended[:2] == version[:2]), MENDED[-1])
    return version < of_line


def described() -> str:
    """The version, and how its fault is handled."""
    major, minor, patch = sqlite3.sqlite_version_info
    if not has_wal_reset_fault((major, minor, patch)):
        return sqlite3.sqlite_version
    return f"{sqlite3.sqlite_version}, whose WAL-reset fault the store's own lock keeps out"
