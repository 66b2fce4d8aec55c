"""The numbered rules of the contract, and which of them a store or a test cannot hold, with the reason."""

from tests.contract.kit import KITS

RULES = [
    f"{letter}{number}"
    for letter, count in {"N": 6, "A": 11, "C": 11, "R": 12, "F": 12, "T": 3, "X": 7, "D": 4, "M": 10}.items()
    for number in range(1, count + 1)
]

STORES = (*KITS, "s2")

CANNOT_HOLD: dict[tuple[str, str], str] = {
    ("memory", "A10"): "a call inside one process loses no reply",
    ("memory", "F8"): "a follower has no connection to lose, and no process but its own writes",
    ("memory", "M1"): "nothing is kept; `durability` says none",
    ("memory", "M2"): "it lives in one process",
    ("memory", "M3"): "it lives in one process",
    ("memory", "M4"): "it wakes followers by a call, with no hint that could be lost",
    ("memory", "M5"): "it has no disk",
    ("memory", "M8"): "it has no file",
    ("memory", "M9"): "two of them share nothing by construction",
    ("s2", "M3"): "no writer holds a lock; a batch that was not sent whole is not there (A9, A11)",
    ("s2", "M4"): "the server pushes, with no hint that could be lost; a lost connection is F8",
    (
        "s2",
        "M5",
    ): "on a full disk S2 Lite says nothing and waits for room: an append is AppendUncertain, nothing"
    " is lost or twice (test_s2_full_disk)",
}
"""By store and rule. Each other rule of `RULES` has a test that runs with the store."""

RULES_OF_USE = {
    "T3": "about code above the store; ownership rests on tokens alone (tests/streams/ownership)",
    "M10": "about code above the store; each room's own tests hold it",
}
"""Rules for callers, which no store can keep or break."""


def table() -> str:
    """What the stores hold, as text."""
    lines = [f"{store:8} {rule:4} {reason}" for (store, rule), reason in CANNOT_HOLD.items()]
    lines += [f"{'callers':8} {rule:4} {reason}" for rule, reason in RULES_OF_USE.items()]
    return "\n".join(lines)
