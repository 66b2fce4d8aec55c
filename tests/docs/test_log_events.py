"""`docs/log-events.md` against the code: every log call, its action, and its fields."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|([^|]*)\|$", re.MULTILINE)
ACTION = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
LIBRARIES = {"radio/log.py"}
"""Holds `log_event` itself."""


@cache
def documented() -> dict[str, set[str]]:
    rows = ROW.findall((ROOT / "docs/log-events.md").read_text(encoding="utf-8"))
    return {action: set(re.findall(r"`([^`]+)`", fields)) for action, _, _, fields in rows}


@cache
def modules() -> dict[str, ast.Module]:
    paths = sorted((ROOT / "radio").rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def events() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `log_event`, with where it stands."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "log_event":
                yield f"{name}:{node.lineno}", node


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in LEVELS
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "log"
            ):
                yield f"{name}:{node.lineno}", node


def test_every_action_is_a_literal_of_one_style_and_is_listed() -> None:
    wrong = []
    for where, call in events():
        action = call.args[0]
        if not isinstance(action, ast.Constant) or not ACTION.fullmatch(str(action.value)):
            wrong.append(f"{where}: no literal action of the form noun.what_happened")
        elif str(action.value) not in documented():
            wrong.append(f"{where}: {action.value!r} is not in docs/log-events.md")
    assert wrong == []


def test_every_field_is_listed() -> None:
    missing = [
        f"{where}: {call.args[0].value!r} has no field {keyword.arg} in docs/log-events.md"
        for where, call in events()
        if isinstance(call.args[0], ast.Constant)
        for keyword in call.keywords
        if keyword.arg is not None and keyword.arg not in documented().get(str(call.args[0].value), set())
    ]
    assert missing == []


def test_nothing_is_listed_that_is_never_logged() -> None:
    logged = {str(call.args[0].value) for _, call in events() if isinstance(call.args[0], ast.Constant)}
    assert sorted(documented().keys() - logged) == []
    assert list(documented()) == sorted(documented()), "the table is in alphabetical order"


def test_every_log_call_is_an_event_with_a_constant_message() -> None:
    wrong = []
    for where, call in log_calls():
        extra = next((keyword.value for keyword in call.keywords if keyword.arg == "extra"), None)
        if extra is None:
            wrong.append(f"{where}: no extra=log_event(...)")
        message = call.args[1 if isinstance(call.func, ast.Attribute) and call.func.attr == "log" else 0]
        if isinstance(message, ast.JoinedStr | ast.BinOp):
            wrong.append(f"{where}: the message is put together; facts go into fields")
    assert wrong == []


def test_extras_are_made_by_log_event_alone() -> None:
    """A dictionary written by hand would escape the tests above."""
    wrong = [
        f"{name}:{node.lineno}"
        for name, tree in modules().items()
        if name not in LIBRARIES
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        and any(isinstance(key, ast.Constant) and key.value == "action" for key in node.keys)
    ]
    assert wrong == []


@pytest.mark.parametrize("row", ["| `a.b` | info | once | `x` |", "| `a.b` | info | once | |"])
def test_a_row_of_the_table_is_read(row: str) -> None:
    assert ROW.findall(row)
