"""No rule without its test: each runs with every store, unless the table says why not."""

import importlib
import pkgutil
from collections import defaultdict
from pathlib import Path

import tests.contract
from radio.streams import conformance
from tests.contract.counts import NAMED, stores_of
from tests.contract.rules import CANNOT_HOLD, RULES, RULES_OF_USE, STORES, table


def rules_with_tests() -> dict[str, set[str]]:
    """For each rule, the stores that a test about it runs with."""
    found: dict[str, set[str]] = defaultdict(set)
    for rule in conformance.RULES:
        found[rule.number] |= set(STORES)
    for module in pkgutil.iter_modules(tests.contract.__path__):
        if not module.name.startswith("test_"):
            continue
        for name, test in vars(importlib.import_module(f"tests.contract.{module.name}")).items():
            if rule_name := NAMED.match(name):
                found[rule_name[1]] |= stores_of(test)
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
