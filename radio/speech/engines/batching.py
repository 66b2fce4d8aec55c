"""Which sentences go through a model together: those of similar length. Pure."""

from collections.abc import Sequence
from typing import Final

LONGEST_SHARE: Final = 2.0
"""Maximum ratio of the longest to the shortest in a group: less than half is padding."""


def groups(lengths: Sequence[int], *, most: int, room: int) -> list[list[int]]:
    """Indices into `lengths`, each in one group, longest first.

    Args:
        lengths: of the sentences, above 0.
        most: sentences in a group.
        room: limit of a group's longest length times its count; a single sentence is always allowed.
    """
    found: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if found and _fits(lengths[found[-1][0]], lengths[place], len(found[-1]) + 1, most, room):
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _fits(longest: int, length: int, count: int, most: int, room: int) -> bool:
    return count <= most and longest * count <= room and longest <= length * LONGEST_SHARE
