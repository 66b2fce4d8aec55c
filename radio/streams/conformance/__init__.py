"""The rules of the contract that one store can show by itself, without other processes, faults or our clock.

Each is a small function named after its rule (`docs/streams.md`), tried in a `Lab`. The tests run them with
every store, and `radio store check` with the operator's. They hold where trims take their time (X2), where
the clock is a server's, and where `ack.tail` lies above `ack.end`.
"""

from radio.streams.conformance.expectations import Broken
from radio.streams.conformance.fixture import Lab
from radio.streams.conformance.rule_list import RULES, Rule

__all__ = ["RULES", "Broken", "Lab", "Rule"]
