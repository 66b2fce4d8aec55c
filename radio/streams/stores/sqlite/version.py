"""Which SQLite this is, and what is known to be wrong with it."""

import sqlite3

FAULTY_FROM = (3, 7, 0)
MENDED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""The first of its line in which the WAL-reset fault is mended; what comes after the last is mended too."""


def has_wal_reset_fault(version: tuple[int, int, int]) -> bool:
    """Whether a write and a checkpoint that race may lose a commit, unless a lock keeps them apart."""
    if version < FAULTY_FROM:
        return False
    of_line = next((mended for mended in MENDED if mended[:2] == version[:2]), MENDED[-1])
    return version < of_line


def described() -> str:
    """The version, and how its fault is met."""
    major, minor, patch = sqlite3.sqlite_version_info
    if not has_wal_reset_fault((major, minor, patch)):
        return sqlite3.sqlite_version
    return f"{sqlite3.sqlite_version}, whose WAL-reset fault the store's own lock keeps out"
