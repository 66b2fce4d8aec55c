"""All that is installed is pinned, and under a licence that allows what this radio does with it."""

import importlib.util
import re
import sys
from importlib.metadata import Distribution
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
CONSTRAINTS = ROOT / "deploy" / "constraints.txt"
ALLOWED = re.compile(
    r"MIT(-0)?|0BSD|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla Public License|Zlib|CC0|CNRI|"
    r"LGPL|Lesser General Public License|Unlicense"
)
REFUSED = re.compile(r"(?<!L)(?<!Lesser )\b(A?GPL|General Public License)|Proprietary|Commercial|SSPL|BUSL")
UNSTATED = {"espeakng-loader"}
"""Whose metadata name none: docs/licences.md says what is known."""


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pinned", ROOT / "deploy" / "pinned.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PINNED = load()
INSTALLED: dict[str, Distribution] = PINNED.installed()


def licence(one: Distribution) -> str:
    """As its metadata tell it."""
    told = {key: one.metadata.get_all(key) or [] for key in ("License-Expression", "License", "Classifier")}
    classifiers = [name.rpartition("::")[2] for name in told["Classifier"] if name.startswith("License")]
    stated = [text[:80] for text in told["License-Expression"] + told["License"]]
    return " ".join([*stated, *classifiers]).strip()


def test_what_is_installed_is_what_is_pinned() -> None:
    hint = "run: .venv/bin/python deploy/pinned.py >deploy/constraints.txt"
    pinned = dict(
        line.split("==") for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("#")
    )
    direct = {PINNED.canonicalize_name(one.name) for one in PINNED.asked()}
    brought = {name: one.version for name, one in INSTALLED.items() if name not in direct}
    differ = {
        name: (version, pinned.get(name)) for name, version in brought.items() if pinned.get(name) != version
    }
    assert not differ, hint
    if sys.version_info[:2] == (3, 11):  # others may need less
        assert set(pinned) <= set(brought), hint
    for one in PINNED.asked():
        [version] = [part.version for part in one.specifier if part.operator == "=="]
        name = PINNED.canonicalize_name(one.name)
        assert name in PINNED.LEFT_OUT or INSTALLED[name].version == version, name


def test_make_hands_the_pins_to_pip() -> None:
    assert "export PIP_CONSTRAINT := $(CURDIR)/deploy/constraints.txt" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_each_licence_allows_what_this_radio_does_with_it(name: str) -> None:
    told = licence(INSTALLED[name])
    assert (name in UNSTATED) == (not told), told
    assert name in UNSTATED or ALLOWED.search(told), told
    assert not REFUSED.search(told), told
    if name in UNSTATED:
        assert name in (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "told", ["GPL-3.0-or-later", "GNU General Public License v3", "AGPL-3.0", "Proprietary"]
)
def test_a_licence_that_asks_too_much_would_be_noticed(told: str) -> None:
    assert REFUSED.search(told)
    assert not REFUSED.search("LGPL-2.1-or-later GNU Library or Lesser General Public License (LGPL)")
