"""`deploy/s2-lite`, with a cargo and an apt of the test's own: what it asks for, and what it says."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy" / "s2-lite"
FITS, TOO_OLD = "rustc 1.95.0 (59807616e 2026-04-14)", "rustc 1.63.0"


class Machine:
    """A machine that has only what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.programs, self.cache, self.home = folder / "bin", folder / "cache", folder / "home"
        self.asked = folder / "asked"
        self.programs.mkdir()
        self.home.mkdir()
        for name in ("bash", "sed", "sort", "head", "rm", "printf", "mkdir", "cat", "chmod", "id", "touch"):
            for place in ("/bin", "/usr/bin"):
                if os.access(f"{place}/{name}", os.X_OK):
                    (self.programs / name).symlink_to(f"{place}/{name}")
                    break

    def has(self, name: str, script: str) -> None:
        path = self.programs / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/bash\necho {name} $* >>{self.asked}\n{script}\n")
        path.chmod(0o755)

    def has_rust(self, version: str) -> None:
        self.has("rustc", f"echo '{version}'")
        made = self.cache / "radio/s2/bin"
        self.has(
            "cargo",
            f"echo opt-level ${{CARGO_PROFILE_RELEASE_OPT_LEVEL:-of the release}} >>{self.asked}\n"
            f"mkdir -p {made} $CARGO_TARGET_DIR && echo 'echo s2 0.43.4' >{made}/s2 && chmod +x {made}/s2",
        )

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        known = {"PATH": str(self.programs), "HOME": str(self.home), "XDG_CACHE_HOME": str(self.cache)}
        return subprocess.run(
            [str(SCRIPT), *arguments],
            env={**known, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        return self.asked.read_text().splitlines() if self.asked.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_is_built_into_the_cache_once_and_what_building_left_is_removed(machine: Machine) -> None:
    machine.has_rust(FITS)
    first = machine.run()
    assert first.returncode == 0, first.stderr
    assert "12 minutes" in first.stdout
    assert (machine.cache / "radio/s2/bin/s2").exists()
    assert not (machine.cache / "radio/s2-target").exists()
    builds = [call for call in machine.calls if call.startswith("cargo")]
    assert builds == [f"cargo install --locked --force --root {machine.cache}/radio/s2 s2-cli@0.43.4"]
    assert machine.run().returncode == 0
    assert [call for call in machine.calls if call.startswith("cargo")] == builds


@pytest.mark.parametrize(
    ("says", "builds"), [("s2 0.43.0", False), ("s2 0.42.7", True), ("S2 geometry", True)]
)
def test_one_in_path_will_do_if_it_is_new_enough(machine: Machine, says: str, builds: bool) -> None:
    machine.has("s2", f"echo '{says}'")
    machine.has_rust(FITS)
    assert machine.run().returncode == 0
    assert any(call.startswith("cargo install") for call in machine.calls) is builds


def test_a_contributor_without_it_is_told_which_tests_are_skipped(machine: Machine) -> None:
    said = machine.run("test")
    assert said.returncode == 0
    assert "skipped" in said.stderr
    assert machine.calls == []


def test_where_nothing_may_be_skipped_it_is_built(machine: Machine) -> None:
    machine.has_rust(FITS)
    assert machine.run("test", RADIO_REQUIRE="all").returncode == 0
    assert any(call.startswith("cargo install") for call in machine.calls)
    assert "opt-level 0" in machine.calls


def test_the_quick_build_for_tests_does_not_stand_for_the_real_one(machine: Machine) -> None:
    machine.has_rust(FITS)
    assert machine.run("test", RADIO_REQUIRE="all").returncode == 0
    assert machine.run("test", RADIO_REQUIRE="all").returncode == 0
    assert machine.run().returncode == 0
    assert machine.run().returncode == 0
    assert machine.run("test", RADIO_REQUIRE="all").returncode == 0
    built = [call for call in machine.calls if call.startswith("opt-level")]
    assert built == ["opt-level 0", "opt-level of the release"]


def test_without_a_compiler_that_is_new_enough_it_says_where_one_is(machine: Machine) -> None:
    machine.has_rust(TOO_OLD)
    machine.has("id", "echo 1000")
    machine.has(
        "apt-cache",
        "[ $2 = cargo ] && echo '  Candidate: 0.66.0+ds1-1' || echo '  Candidate: 1.96.0+dfsg1-1'",
    )
    said = machine.run()
    assert said.returncode == 1
    assert "1.94.1" in said.stderr
    assert "rustup" in said.stderr
    assert "sudo apt-get install cargo-web" in said.stderr


def test_root_installs_the_packaged_compiler_where_that_is_new_enough(
    machine: Machine, tmp_path: Path
) -> None:
    machine.has("id", "echo 0")
    machine.has(
        "apt-cache",
        "[ $2 = cargo ] && echo '  Candidate: 0.66.0+ds1-1' || echo '  Candidate: 1.96.0+dfsg1-1'",
    )
    machine.has_rust(FITS)
    held = tmp_path / "rustc"
    (machine.programs / "rustc").rename(held)
    (machine.programs / "mv").symlink_to("/bin/mv")
    machine.has("apt-get", f"[ $1 = update ] || mv {held} {machine.programs}/rustc")
    said = machine.run()
    assert said.returncode == 0, said.stderr
    assert "apt-get install -y --no-install-recommends cargo-web gcc libc6-dev" in machine.calls


def test_a_package_that_is_too_old_is_not_installed(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has("apt-cache", "echo '  Candidate: 0.66.0+ds1-1'")
    machine.has("apt-get", "true")
    assert machine.run().returncode == 1
    assert machine.calls[0] == "id -u"
    assert [call for call in machine.calls if call.startswith("apt-get")] == ["apt-get update"]


def test_it_knows_no_other_words(machine: Machine) -> None:
    assert machine.run("install").returncode == 2
