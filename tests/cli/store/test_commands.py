"""`radio store`, as a person and as a program meet it."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from radio.app.lock import sole
from radio.cli import main
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams.contract import NewRecord
from radio.streams.listing import every_name
from radio.streams.stores.open_store import open_store

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
    from radio.streams.stores.memory import MemoryStore

    async def delete(self: MemoryStore, name: str, *, missing_ok: bool = True) -> bool:
        return True

    monkeypatch.setattr(MemoryStore, "delete", delete)
    assert main(["store", "check", "--store", "memory", "--rule", "D2"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "1/1 broken D2   delete can be repeated",
        "       Broken: expected False, found True",
        "0 of 1 rule held, 1 check, 1 broken",
    ]


def fill(folder: Path, *names: str) -> None:
    """A store of two records a stream."""

    async def run() -> None:
        store = await open_store(Settings(data=folder), SystemClock())
        for name in names:
            await store.append(name, [NewRecord(b"0"), NewRecord(b"1")])
        await store.close()

    asyncio.run(run())


def standing(folder: Path) -> list[str]:
    async def run() -> list[str]:
        store = await open_store(Settings(data=folder), SystemClock())
        try:
            return await every_name(store)
        finally:
            await store.close()

    return asyncio.run(run())


def test_copy_says_what_it_copied_and_does_not_do_it_twice(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path / "a", "jobs", "control")
    command = ["store", "copy", "sqlite", f"sqlite:{tmp_path / 'b'}", "--data", str(tmp_path / "a")]
    assert main(command) == 0
    assert capsys.readouterr().out.startswith("2 streams, 4 records, 0.0 MB copied and compared; digest ")
    assert standing(tmp_path / "b") == ["control", "jobs", "meta/copy"]
    assert main(command) == 1
    assert "finished before" in capsys.readouterr().err


def test_copy_tells_a_program(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path / "a", "jobs")
    origin, copied = f"sqlite:{tmp_path / 'a' / 'radio.sqlite3'}", f"sqlite:{tmp_path / 'b'}"
    assert main(["store", "copy", origin, copied, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["streams"], told["records"], told["size"], told["moved"]) == (1, 2, 2, 0)


def test_copy_is_refused_while_a_radio_runs_on_either_folder(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path / "a", "jobs")
    for running in ("a", "b"):
        with sole(tmp_path / running):
            status = main(["store", "copy", f"sqlite:{tmp_path / 'a'}", f"sqlite:{tmp_path / 'b'}"])
        assert status == 1
        assert "a radio already runs" in capsys.readouterr().err
    assert not (tmp_path / "b" / "radio.sqlite3").exists()


@pytest.mark.parametrize("place", ["memory", "sqlite:", "postgres"])
def test_copy_of_what_is_no_kept_store_is_wrong_use(place: str, tmp_path: Path, capsys: Out) -> None:
    assert main(["store", "copy", place, f"sqlite:{tmp_path}"]) == 2
    assert "sqlite:FOLDER" in capsys.readouterr().err


def test_copy_of_a_store_that_is_not_there_or_holds_nothing_fails(tmp_path: Path, capsys: Out) -> None:
    assert main(["store", "copy", f"sqlite:{tmp_path / 'no'}", f"sqlite:{tmp_path / 'b'}"]) == 1
    assert "there is no store in" in capsys.readouterr().err
    fill(tmp_path / "empty")
    assert main(["store", "copy", f"sqlite:{tmp_path / 'empty'}", f"sqlite:{tmp_path / 'b'}"]) == 1
    assert "holds no stream" in capsys.readouterr().err


def test_info_is_a_table_with_what_kind_of_store_it_is(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path, "jobs", "control", "pub/casts/Zm9vYmFyYmF6")
    assert main(["store", "info", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "FAMILY"
    assert [line.split()[:3] for line in lines[1:5]] == [
        ["casts", "1", "2"],
        ["control", "1", "2"],
        ["jobs", "1", "2"],
        ["all", "3", "6"],
    ]
    assert "survives power loss" in lines[5]
    assert "on disk" in lines[6]
    assert sqlite3.sqlite_version in lines[7]


def test_info_tells_a_program(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path, "jobs")
    assert main(["store", "info", "--data", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["store"], told["schema"], len(told["id"])) == ("sqlite", 1, 32)
    assert told["disk_bytes"] > 0 < told["free_bytes"]
    (family,) = told["families"]
    everything = {"records": 2, "bytes": 18}
    rates = {"last_day": everything, "last_hour": everything}
    assert family == {"family": "jobs", "streams": 1, **everything, **rates, "bytes_estimated": False}


def test_info_makes_no_store_where_there_is_none(tmp_path: Path, capsys: Out) -> None:
    assert main(["store", "info", "--data", str(tmp_path / "none")]) == 1
    assert "there is no store" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_trim_says_what_goes_and_does_it_only_when_it_is_meant(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path, "jobs")
    command = ["store", "trim", "jobs", "1", "--data", str(tmp_path)]
    assert main(command) == 1
    said = capsys.readouterr()
    assert said.out.startswith("jobs: 1 record, 0 to 0, 9 B, 20")
    assert said.out.endswith("UTC; 1 record stays\n")
    assert "--yes" in said.err
    assert main([*command, "--yes"]) == 0
    assert capsys.readouterr().out.endswith("trimmed\n")
    assert main([*command, "--yes"]) == 0
    assert capsys.readouterr().out == "jobs: nothing below that number stands; 2 records stay\n"


def test_trim_of_no_stream_fails(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path, "jobs")
    assert main(["store", "trim", "no", "1", "--data", str(tmp_path)]) == 1
    assert "no stream no" in capsys.readouterr().err
    assert main(["store", "trim", "no name", "1", "--data", str(tmp_path)]) == 2


def test_what_holds_for_good_is_not_trimmed_by_hand(tmp_path: Path, capsys: Out) -> None:
    fill(tmp_path, "control")
    for more in ([], ["--yes"]):
        assert main(["store", "trim", "control", "1", "--data", str(tmp_path), *more]) == 2
        assert "redacted" in capsys.readouterr().err
    assert main(["store", "info", "--data", str(tmp_path), "--json"]) == 0
    families = json.loads(capsys.readouterr().out)["families"]
    assert [family["records"] for family in families if family["family"] == "control"] == [2]


def test_backup_and_restore_bring_back_what_stood(tmp_path: Path, capsys: Out) -> None:
    data, file = tmp_path / "data", tmp_path / "saved"
    fill(data, "jobs")
    assert main(["store", "backup", str(file), "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("1 stream, 2 records, 0.0 MB, read through and whole; store ")
    fill(data, "jobs", "control")
    assert main(["store", "restore", str(file), "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert standing(data) == ["jobs"]
    (aside,) = data.glob("replaced-*")
    assert str(aside) in said
    assert standing(aside) == ["control", "jobs"]


def test_restore_is_refused_while_a_radio_runs(tmp_path: Path, capsys: Out) -> None:
    data, file = tmp_path / "data", tmp_path / "saved"
    fill(data, "jobs")
    assert main(["store", "backup", str(file), "--data", str(data)]) == 0
    with sole(data):
        assert main(["store", "restore", str(file), "--data", str(data)]) == 1
    assert "a radio already runs" in capsys.readouterr().err
    assert not list(data.glob("replaced-*"))


def test_restore_takes_the_place_of_a_store_that_cannot_be_opened(tmp_path: Path, capsys: Out) -> None:
    data, file = tmp_path / "data", tmp_path / "saved"
    fill(data, "jobs")
    assert main(["store", "backup", str(file), "--data", str(data)]) == 0
    (data / "radio.sqlite3").write_bytes(b"\xa5" * 100_000)
    assert main(["store", "restore", str(file), "--data", str(data)]) == 0
    assert "cannot be opened" in capsys.readouterr().err
    assert standing(data) == ["jobs"]


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_store_that_is_no_file_is_not_saved_as_one(command: str, tmp_path: Path, capsys: Out) -> None:
    assert main(["store", command, str(tmp_path / "x"), "--store", "s2://radio-main"]) == 2
    assert "S2 Lite" in capsys.readouterr().err
