#!/usr/bin/env python3
"""The distributions that those of pyproject.toml bring with them, as installed here, with versions.

`.venv/bin/python deploy/pinned.py >deploy/constraints.txt` after a change of a pin; a test compares the two.
"""

import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LEFT_OUT = frozenset({"setuptools", "pip", "wheel"})
"""What builds others: each of those says which it needs."""
HEAD = "# What pyproject.toml brings with it, by deploy/pinned.py; `make` hands it to pip.\n"


def asked() -> list[Requirement]:
    """What pyproject.toml asks for, the tests' part included; not torch and the model hub."""
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    return [Requirement(one) for one in [*project["dependencies"], *project["optional-dependencies"]["dev"]]]


def installed() -> dict[str, Distribution]:
    """By name: what is asked for, and what that needs in turn, as far as it is here."""
    found: dict[str, Distribution] = {}
    left = [(requirement, "") for requirement in asked()]
    seen: set[tuple[str, str]] = set()
    while left:
        requirement, extra = left.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        try:
            one = found.setdefault(name, distribution(name))
        except PackageNotFoundError:
            if not extra:
                raise
            continue
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                left += [(Requirement(needed), wanted) for needed in one.requires or ()]
    return {name: found[name] for name in sorted(found) if name not in LEFT_OUT}


def constraints() -> str:
    """The file: what pyproject.toml pins itself is not in it."""
    direct = {canonicalize_name(one.name) for one in asked()}
    brought = {name: one for name, one in installed().items() if name not in direct}
    return HEAD + "".join(f"{name}=={one.version}\n" for name, one in brought.items())


if __name__ == "__main__":
    sys.stdout.write(constraints())
