"""How many rules each store's tests held: which rule and store a test is about, and the sums."""

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.contract.rules import CANNOT_HOLD, RULES, RULES_OF_USE, STORES

NAMED = re.compile(r"test_([A-Z]\d+)_")


def rule_of(test: pytest.Function) -> str | None:
    """The number of the rule that a test is about."""
    if "rule" in _params(test):
        return str(_params(test)["rule"].number)
    named = NAMED.match(test.name)
    return named[1] if named else None


def store_of(test: pytest.Function) -> str:
    """The store that a test runs with: its parameter, or the fixture it asks for."""
    params = _params(test)
    return str(
        params.get("lab") or params.get("kit") or params.get("shared") or next(iter(stores_of(test.function)))
    )


def stores_of(test: Any) -> set[str]:
    """All stores that a test function is run with: SQLite if neither module nor fixture says otherwise."""
    if ".test_s2_" in test.__module__:
        return {"s2"}
    asked = set(inspect.signature(test).parameters)
    if "lab" in asked:
        return set(STORES)
    if "kit" in asked:
        return {"memory", "sqlite"}
    if "shared" in asked:
        return {"sqlite", "s2"}
    return asked & set(STORES) or {"sqlite"}


def _params(test: pytest.Function) -> Mapping[str, Any]:
    return test.callspec.params if hasattr(test, "callspec") else {}


class Counts:
    """Tests by store and outcome, and the rules that passed all of theirs."""

    def __init__(self) -> None:
        self._tests: dict[str, Counter[str]] = defaultdict(Counter)
        self._rules: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def add(self, about: Mapping[str, object], outcome: str) -> None:
        """A test's outcome; nothing if it is about no rule."""
        if "rule" in about and "store" in about:
            self._tests[str(about["store"])][outcome] += 1
            self._rules[str(about["store"])][str(about["rule"])].add(outcome)

    def lines(self) -> Iterator[str]:
        for store, tests in self._tests.items():
            held = sum(outcomes == {"passed"} for outcomes in self._rules[store].values())
            cannot = sum(name == store for name, _ in CANNOT_HOLD)
            every = len(RULES) - len(RULES_OF_USE)
            said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tests.items()))
            yield (
                f"contract on {store}: {held} of {every} rules held ({said}), {cannot} it cannot hold"
                " (tests/contract/rules.py says why)"
            )
