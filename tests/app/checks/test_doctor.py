import json
import socket
from pathlib import Path

import pytest

from radio.app.checks.doctor import Finding, examine
from radio.cli import main
from radio.settings import Settings


def findings(settings: Settings) -> dict[str, Finding]:
    return {finding.what: finding for finding in examine(settings)}


def test_it_looks_at_everything_and_changes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "var"
    found = findings(Settings(data=data, engine="tone"))
    assert list(found) == [
        "Python", "SQLite", "espeak-ng", "LLM", "voice model", "engine", "store", "S2 Lite", "disk", "port",
    ]  # fmt: skip
    assert found["Python"].verdict == "ok"
    assert found["engine"].verdict == "ok"
    assert not data.exists()


def test_absent_models_fail_with_the_command_that_brings_them(tmp_path: Path) -> None:
    found = findings(Settings(data=tmp_path, models=tmp_path / "none"))
    assert found["voice model"].verdict == "fail"
    assert "radio models pull" in found["voice model"].says


@pytest.mark.parametrize(("is_wanted", "verdict"), [(True, "fail"), (False, "note")])
def test_an_absent_s2_lite_fails_only_a_radio_that_wants_it(
    tmp_path: Path, is_wanted: bool, verdict: str
) -> None:
    named = str(tmp_path / "s2")
    found = findings(Settings(data=tmp_path, engine="tone", s2_lite=is_wanted, s2_lite_binary=named))
    assert found["S2 Lite"].verdict == verdict
    assert "no program" in found["S2 Lite"].says


def test_a_port_that_answers_is_noted(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = findings(Settings(data=tmp_path, engine="tone", port=server.getsockname()[1]))
    assert found["port"].verdict == "note"


def test_a_damaged_store_fails_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "radio.sqlite3").write_bytes(b"not a database, whatever its name says" * 40)
    found = findings(Settings(data=tmp_path, engine="tone"))
    assert found["store"].verdict == "fail"
    assert found["store"].says


def test_the_command_fails_if_something_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", f"--data={tmp_path}", f"--models={tmp_path}"]) == 1
    found = {row["what"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["LLM"]["verdict"] == "fail"
    assert main(["doctor", f"--data={tmp_path}", f"--models={tmp_path}"]) == 1
    assert "fail  LLM" in capsys.readouterr().out


def test_with_s2_lite_the_store_is_not_the_embedded_one(tmp_path: Path) -> None:
    found = findings(Settings(data=tmp_path, engine="tone", s2_lite=True))
    assert found["store"].verdict == "ok"
    assert found["store"].says.startswith("on the local S2 Lite")
