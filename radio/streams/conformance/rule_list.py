"""All rules that one store alone can show, in the order of the contract."""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from radio.streams.conformance import (
    append,
    fencing,
    follow,
    lifecycle,
    names_and_records,
    read,
    removal,
    timestamps,
)
from radio.streams.conformance.fixture import Lab

_NAMED = re.compile(r"([A-Z]\d+)_(.+)")
_MODULES = (names_and_records, append, fencing, read, follow, timestamps, removal, lifecycle)


@dataclass(frozen=True, slots=True)
class Rule:
    """One side of a numbered rule. `check` raises `Broken`, or what the store raised, if it does not hold."""

    number: str
    name: str
    check: Callable[[Lab], Awaitable[None]]

    @property
    def says(self) -> str:
        return self.name.removeprefix(f"{self.number}_").replace("_", " ")


def _of(module: ModuleType) -> Iterator[Rule]:
    for name, value in vars(module).items():
        if named := _NAMED.fullmatch(name):
            yield Rule(named[1], name, value)


RULES: tuple[Rule, ...] = tuple(rule for module in _MODULES for rule in _of(module))
