import logging
import os
from pathlib import Path

import pytest

from radio.app import network_interfaces
from radio.app.s2_lite import local_server
from radio.errors import BadInput, Unsupported
from radio.settings import Settings


def program(folder: Path, says: str, status: int = 0) -> Path:
    """A program that prints a line and ends."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "s2"
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {status}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Neither in PATH nor in the cache is an `s2`; the folder of the cache."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}{os.pathsep}/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "radio" / "s2" / "bin"


def test_the_command_is_the_one_named_else_the_one_in_path_else_the_one_in_the_cache(
    nothing_here: Path, tmp_path: Path
) -> None:
    cached = program(nothing_here, "s2 0.43.4")
    assert local_server.find("") == cached
    in_path = program(tmp_path / "path", "s2 0.43.4")
    assert local_server.find("") == in_path
    named = program(tmp_path / "elsewhere", "s2 0.43.4")
    assert local_server.find(str(named)) == named


@pytest.mark.parametrize("named", ["", "/no/such/s2"])
def test_where_there_is_no_command_the_hint_says_how_to_get_it(nothing_here: Path, named: str) -> None:
    with pytest.raises(Unsupported) as absent:
        local_server.find(named)
    assert "make s2-lite" in absent.value.hint


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ("s2 0.43.4", (0, 43, 4)),
        ("s2 0.43.4 (rev 28da49, via source build)", (0, 43, 4)),
        ("s2 1.0.0-rc.1", (1, 0, 0)),
    ],
)
def test_a_version_from_0_43_on_will_do(tmp_path: Path, says: str, version: tuple[int, ...]) -> None:
    assert local_server.check_version(program(tmp_path, says)) == version


@pytest.mark.parametrize("says", ["s2 0.42.7", "s2 0.9.0"])
def test_an_older_version_is_refused_with_a_hint(tmp_path: Path, says: str) -> None:
    with pytest.raises(Unsupported, match=r"needs 0\.43 or newer") as old:
        local_server.check_version(program(tmp_path, says))
    assert "make s2-lite" in old.value.hint


@pytest.mark.parametrize("says", ["", "S2 geometry 0.43.4", "s2 forty-three"])
def test_another_program_of_that_name_is_not_run(tmp_path: Path, says: str) -> None:
    with pytest.raises(Unsupported, match="is not the command"):
        local_server.check_version(program(tmp_path, says))


def test_a_file_that_does_not_run_is_an_error(tmp_path: Path) -> None:
    broken = program(tmp_path, "")
    broken.write_bytes(b"\x7fELF not really")
    with pytest.raises(Unsupported, match="does not run"):
        local_server.check_version(broken)


def test_where_others_could_reach_its_port_it_is_refused_and_the_error_says_why_and_what_to_do() -> None:
    with pytest.raises(BadInput, match="knows no passwords") as refused:
        local_server.refuse_exposure(["eth0", "wlan0"], 4002)
    assert "eth0, wlan0" in str(refused.value)
    for way in ("IPAddressDeny=any", "IPAddressAllow=localhost", "firewall", "internal network", "4002"):
        assert way in refused.value.hint
    assert "--s2-lite-exposed" in refused.value.hint


def test_where_only_loopback_is_up_it_is_not_refused() -> None:
    local_server.refuse_exposure([], 4002)


def test_the_operator_may_expose_it_and_is_warned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(network_interfaces, "reachable", lambda: ["eth0"])
    named = program(tmp_path, "s2 0.43.4")
    with pytest.raises(BadInput):
        local_server.examine(Settings(s2_lite=True, s2_lite_binary=str(named)))
    with caplog.at_level(logging.WARNING):
        assert local_server.examine(Settings(s2_lite_exposed=True, s2_lite_binary=str(named))) == named
    assert [(r.action, r.interfaces) for r in caplog.records] == [("s2_lite.exposed", "eth0")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("store", "expected"), [("sqlite", "s2://radio-main"), ("s2://harbour", "s2://harbour")]
)
def test_processes_find_their_store_on_it(store: str, expected: str) -> None:
    told = local_server.on_it(Settings(store=store, s2_lite=True, s2_lite_port=4711))
    assert (told.store, told.s2_endpoint, told.s2_lite) == (expected, "http://127.0.0.1:4711", False)


def test_it_cannot_hold_the_memory_store() -> None:
    with pytest.raises(BadInput, match="memory"):
        local_server.on_it(Settings(store="memory", s2_lite=True))
