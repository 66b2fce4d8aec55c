"""`radio store`, as a person and as a program meet it."""

import json
import sqlite3
from pathlib import Path

import pytest

from radio.cli import main

Out = pytest.CaptureFixture[str]


def test_check_prints_a_line_a_rule_and_leaves_nothing(tmp_path: Path, capsys: Out) -> None:
    assert main(["store", "check", "--data", str(tmp_path), "--rule", "A2", "--rule", "D4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1/3 held   A2   numbers are dense and commands count"
    assert lines[-1] == "2 of 2 rules held, 3 checks, 0 broken"
    db = sqlite3.connect(tmp_path / "radio.sqlite3")
    assert db.execute("SELECT count(*) FROM stream").fetchone() == (0,)
    db.close()


def test_check_tells_a_program(capsys: Out) -> None:
    assert main(["store", "check", "--store", "memory", "--rule", "C3", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["seconds"] >= 0
    del row["seconds"]
    says = "a place above zero in a missing stream is refused"
    assert row == {"rule": "C3", "says": says, "held": True, "broken": None}


def test_check_of_an_unknown_rule_is_wrong_use(capsys: Out) -> None:
    assert main(["store", "check", "--store", "memory", "--rule", "Q7"]) == 2
    assert "no rule Q7" in capsys.readouterr().err


def test_check_of_a_store_that_breaks_a_rule_fails(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    from radio.streams.memory import MemoryStore

    async def delete(self: MemoryStore, name: str, *, missing_ok: bool = True) -> bool:
        return True

    monkeypatch.setattr(MemoryStore, "delete", delete)
    assert main(["store", "check", "--store", "memory", "--rule", "D2"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "1/1 broken D2   delete can be repeated",
        "       Broken: expected False, found True",
        "0 of 1 rule held, 1 check, 1 broken",
    ]
