"""`deploy/side-by-side`: commands at once, one verdict."""

import subprocess
import time
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "deploy" / "side-by-side"


def run(*commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), *commands], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def waits_for(other: str, mine: str) -> str:
    """Ends well only when the other command runs meanwhile."""
    return f"touch {mine}; until [ -e {other} ]; do sleep 0.05; done; echo {mine} met {other}"


def test_all_run_at_once_and_each_says_how_long_it_took(tmp_path: Path) -> None:
    said = run(waits_for("a", "b"), waits_for("b", "a"), folder=tmp_path)
    assert said.returncode == 0, said.stderr
    assert {"a met b", "b met a"} <= set(said.stdout.splitlines())
    assert said.stdout.count(" took ") == 2


def test_a_failure_ends_the_others_and_its_last_lines_come_last(tmp_path: Path) -> None:
    endless = "echo $$ >running; while :; do echo noise; sleep 0.01; done"
    failing = "until [ -s running ]; do sleep 0.05; done; echo the reason >&2; exit 3"
    said = run(endless, failing, folder=tmp_path)
    assert said.returncode == 3
    assert "the reason" in said.stderr
    assert "noise" not in said.stderr
    assert said.stderr.splitlines()[-1] == f"radio: failed with status 3: {failing}"
    is_over(int((tmp_path / "running").read_text()))


def test_its_own_end_ends_what_it_started(tmp_path: Path) -> None:
    with subprocess.Popen(
        [str(SCRIPT), "echo $$ >running; sleep 1000"], cwd=tmp_path, stdout=subprocess.DEVNULL
    ) as process:
        noted = tmp_path / "running"
        while not (noted.exists() and noted.read_text()):
            time.sleep(0.02)
        process.terminate()
        assert process.wait(timeout=60) == 143
    is_over(int(noted.read_text()))


def is_over(pid: int) -> None:
    """A process that was ended is gone, or waits for its parent to notice; returns once it is so."""
    for _ in range(3000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise AssertionError(f"{pid} still runs")
