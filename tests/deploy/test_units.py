"""What `deploy/` says of systemd and containers, compared with what the programs take."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from radio.app.s2_lite import local_server, server_process
from radio.cli.entry import cli, known_variables
from tests.need import need

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("radio.service", "radio-s2-lite.service")
SERVES = {"radio.service": ["up"], "radio-s2-lite.service": ["lite"]}
EXPOSURE_MOST = 25
"""Of 100: what systemd thinks a unit could do to the machine."""


def directives(unit: str) -> list[tuple[str, str]]:
    """(name, value) in order."""
    lines = (DEPLOY / unit).read_text().splitlines()
    return [
        (name, value)
        for name, equals, value in (line.partition("=") for line in lines)
        if equals and name[0] != "#"
    ]


def command(unit: str) -> list[str]:
    (found,) = [value for name, value in directives(unit) if name == "ExecStart"]
    return found.split()


def options(argv: list[str]) -> set[str]:
    return {word for word in argv if word.startswith("--")}


def s2_lite_options() -> set[str]:
    """Those that the real one takes."""
    need("s2")
    said = subprocess.run(
        [local_server.find(""), "lite", "--help"], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"--[a-z-]+", said.stdout))


def up_options() -> set[str]:
    return {spelling for parameter in cli.commands["up"].params for spelling in parameter.opts}


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_one_that_systemd_takes(unit: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    text = (DEPLOY / unit).read_text()
    (tmp_path / unit).write_text(text.replace(command(unit)[0], sys.executable))
    said = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_may_do_little_to_the_machine(unit: str) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    argv = [
        "systemd-analyze",
        "security",
        "--offline=true",
        f"--threshold={EXPOSURE_MOST}",
        str(DEPLOY / unit),
    ]
    said = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_only_this_machine_reaches_the_s2_lite_of_the_unit() -> None:
    found = dict(directives("radio-s2-lite.service"))
    assert found["IPAddressDeny"] == "any"
    assert found["IPAddressAllow"] == "localhost"


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_a_program_and_no_root(unit: str) -> None:
    assert dict(directives(unit))["DynamicUser"] == "yes"
    assert command(unit)[1:2] == SERVES[unit]


def test_the_options_of_the_radio_exist() -> None:
    assert options(command("radio.service")) <= up_options()
    assert options(compose()["services"]["radio"]["command"]) <= up_options()


def test_the_settings_of_the_radio_exist() -> None:
    named = set(re.findall(r"RADIO_[A-Z0-9_]+", (DEPLOY / "radio.service").read_text()))
    assert named | set(compose()["services"]["radio"]["environment"]) <= known_variables()


def test_the_options_of_s2_lite_exist() -> None:
    assert options(command("radio-s2-lite.service")) <= s2_lite_options()
    assert options(compose()["services"]["s2-lite"]["command"]) <= s2_lite_options()


def test_in_containers_only_the_radio_reaches_s2_lite() -> None:
    found = compose()
    lite = found["services"]["s2-lite"]
    assert "ports" not in lite
    assert lite["networks"] == ["streams"]
    assert found["networks"]["streams"] == {"internal": True}
    assert [name for name, service in found["services"].items() if "streams" in service["networks"]] == [
        "s2-lite",
        "radio",
    ]
    assert "--local-root" in lite["command"]
    assert (
        f"http://s2-lite:{lite['command'][lite['command'].index('--port') + 1]}"
        == found["services"]["radio"]["environment"]["RADIO_S2_ENDPOINT"]
    )


def test_s2_lite_logs_the_same_wherever_it_runs() -> None:
    assert f"RUST_LOG={server_process.QUIET}" in dict(directives("radio-s2-lite.service"))["Environment"]
    assert compose()["services"]["s2-lite"]["environment"]["RUST_LOG"] == server_process.QUIET


def requirements(which: str) -> list[str]:
    said = subprocess.run(
        [sys.executable, DEPLOY / "requirements", which], capture_output=True, text=True, check=True
    )
    return said.stdout.splitlines()


def test_what_is_installed_is_read_from_the_project() -> None:
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    run = requirements("run")
    assert requirements("dev") == project["optional-dependencies"]["dev"]
    (own_build,) = set(project["dependencies"]) - set(run)
    assert own_build.startswith("llama-cpp-python==")
    assert set(run) < set(project["dependencies"])


def test_the_images_are_built_of_what_is_tested_here() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    targets = set(re.findall(r"^FROM \S+ AS (\S+)$", text, re.MULTILINE))
    assert {service["build"]["target"] for service in compose()["services"].values()} <= targets
    script = (DEPLOY / "s2-lite").read_text()
    (version,) = re.findall(r"^version=(\S+)$", script, re.MULTILINE)
    assert re.findall(r"s2-cli@(\S+)$", text, re.MULTILINE) == [version]
    assert tuple(map(int, version.split(".")[:2])) >= local_server.LEAST
