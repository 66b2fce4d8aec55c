"""Every rule that one store alone can show, with every store."""

import pytest

from radio.streams.conformance import RULES, Lab, Rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
async def test_rule(rule: Rule, lab: Lab) -> None:
    await rule.check(lab)
