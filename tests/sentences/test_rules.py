"""The golden rules of each language, one by one, and that the document counts them right."""

import re
from pathlib import Path

import pytest

from radio.sentences import weight
from tests.sentences.cutting import cut
from tests.sentences.rules import RULES, Rule

DOCUMENT = Path(__file__).parents[2] / "docs/sentences.md"
NAMED = [
    pytest.param(language, rule, id=f"{language} {n} {rule.name}")
    for language, rules in RULES.items()
    for n, rule in enumerate(rules, 1)
]


@pytest.mark.parametrize(("language", "rule"), NAMED)
def test_a_rule_is_kept_or_what_a_radio_does_instead(language: str, rule: Rule) -> None:
    assert tuple(cut(rule.text, language=language)) == (rule.pieces if rule.holds else rule.heard)


@pytest.mark.parametrize(("language", "rule"), NAMED)
def test_a_rule_that_does_not_hold_has_a_reason_and_loses_nothing(language: str, rule: Rule) -> None:
    assert rule.holds == (not rule.reason)
    for pieces in filter(None, (rule.pieces, rule.heard)):
        assert "".join("".join(pieces).split()) == "".join(rule.text.split())
    assert rule.heard != rule.pieces
    assert weight(rule.text) <= 200 or len(rule.pieces) > 1


def test_there_are_as_many_rules_as_pysbd_has() -> None:
    assert {language: len(rules) for language, rules in RULES.items() if language != "pt"} == {
        "en": 48, "es": 5, "fr": 5, "hi": 1, "it": 3, "ja": 4, "zh": 2,
    }  # fmt: skip


def test_the_document_counts_the_rules_that_hold_and_names_the_others() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w\w)` \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert rows == [
        (language, str(len(rules)), str(sum(rule.holds for rule in rules)))
        for language, rules in RULES.items()
    ]
    others = [
        (language, str(n), rule.name, rule.reason)
        for language, rules in RULES.items()
        for n, rule in enumerate(rules, 1)
        if not rule.holds
    ]
    assert re.findall(r"^\| `(\w\w)` (\d+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE) == others
