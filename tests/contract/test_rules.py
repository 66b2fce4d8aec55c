"""No rule without its test: each runs with every store, unless the table says why not."""

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from pathlib import Path

import tests.contract
from tests.contract.rules import CANNOT_HOLD, RULES, RULES_OF_USE, STORES, table

NAMED = re.compile(r"test_([A-Z]\d+)_")


def rules_with_tests() -> dict[str, set[str]]:
    """For each rule, the stores that a test named after it runs with."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in pkgutil.iter_modules(tests.contract.__path__):
        if not module.name.startswith("test_"):
            continue
        for name, test in vars(importlib.import_module(f"tests.contract.{module.name}")).items():
            if rule := NAMED.match(name):
                found[rule[1]] |= set(STORES) if "kit" in inspect.signature(test).parameters else {"sqlite"}
    return found


def test_every_rule_has_a_test_with_every_store_or_a_reason() -> None:
    tested = rules_with_tests()
    print(f"\n{table()}")
    missing = [
        (store, rule)
        for rule in RULES
        if rule not in RULES_OF_USE
        for store in STORES
        if store not in tested[rule] and (store, rule) not in CANNOT_HOLD
    ]
    assert missing == []


def test_the_table_names_only_rules_that_exist_and_are_not_tested() -> None:
    tested = rules_with_tests()
    assert set(tested) <= set(RULES)
    assert {rule for _, rule in CANNOT_HOLD} | set(RULES_OF_USE) <= set(RULES)
    assert [key for key in CANNOT_HOLD if key[0] in tested[key[1]]] == []
    assert [rule for rule in RULES_OF_USE if tested.get(rule)] == []


def test_the_documentation_explains_every_rule() -> None:
    text = (Path(__file__).parents[2] / "docs" / "streams.md").read_text()
    assert [rule for rule in RULES if f"**{rule}**" not in text] == []
