"""docs/adding-a-producer.md is followed to the letter in a copy of the package; its kind writes a run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from radio import producer_kinds

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/adding-a-producer.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^(?:In `([^`]+)`(?:, ([^\n]*))?:|[^\n]*(station) file:)\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL
)

WRITE = """
import asyncio, json, sys
from pathlib import Path
from radio.clock import ManualClock
from radio.producers import runner
from radio.settings import Settings
from radio.stations.definition import loading as files
from radio.stations.service import plan
from radio.streams.contract import FromSeq, StreamNotFound
from radio.streams.stores.memory import MemoryStore
from radio.streams.names import script
from radio.streams.records import SCRIPT, Begin, Text, decode

async def main():
    [station] = files.load([Path(sys.argv[1])]).stations.values()
    now = 1_800_000_000_000
    clock = ManualClock(now)
    store = MemoryStore(clock)
    begin = Begin(run="clock@1", show="clock", title="The Pier Clock", voice="af_heart", producer="hours",
                  at=now, until=now + 60_000)
    stop = asyncio.Event()
    task = plan.assignment(station, begin, attempt=1)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, task))
        while True:
            await asyncio.sleep(0.05)
            try:
                found = (await store.read(script("pier", "clock@1"), FromSeq(0))).records
            except StreamNotFound:
                continue
            texts = [r for r in (decode(SCRIPT, record) for record in found) if isinstance(r, Text)]
            if len(texts) > 3:
                break
        stop.set()
    print(json.dumps([[r.seg, r.text, r.mark] for r in texts]))

asyncio.run(main())
"""


def blocks() -> list[tuple[str, str, str]]:
    """File, where in it, and what, of each block to be written somewhere."""
    return [(m[1] or m[3], m[2] or "", m[4]) for m in BLOCK.finditer(TEXT)]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package with the page's kind added, beside a station file that uses it."""
    shutil.copytree(ROOT / "radio", tmp_path / "radio", ignore=shutil.ignore_patterns("__pycache__"))
    for name, where, code in blocks():
        path = tmp_path / ("pier.yaml" if name == "station" else name)
        before = path.read_text() if path.exists() else ""
        path.write_text(added(before, where, code))
    catalogue = tmp_path / "radio/producers/catalogue.py"
    catalogue.write_text(
        catalogue.read_text().replace(
            "\nfrom radio.producers", "\nfrom radio.producers import hours\nfrom radio.producers", 1
        )
    )
    return tmp_path


def added(before: str, where: str, code: str) -> str:
    """A file with a block put where the page says."""
    if where == "above `Options`":
        return before.replace("\nOptions = ", f"\n{code}\n\nOptions = ", 1)
    if where == "in place of `Options`":
        [line] = re.findall(r"^Options = .*$", before, re.MULTILINE)
        assert code.strip() == f"{line} | Hours", "the page shows other kinds than there are"
        return before.replace(line, code.strip(), 1)
    if where == "in `KINDS`":
        return re.sub(r"(^KINDS: .*\{\n)", lambda m: m[1] + code, before, count=1, flags=re.MULTILINE)
    assert before == "", f"the page does not say where in the file this goes: {code}"
    return code


def run(package: Path, *argv: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, *argv],
        cwd=package,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_kind_that_the_page_builds_writes_a_run(package: Path) -> None:
    said = run(package, "-c", WRITE, "pier.yaml")
    text = "It is about 9:00, and this is The Pier Clock."
    assert f'[0, "{text}\\n\\n", "09#0"]' in said
    assert '[3, "' in said


def test_a_station_file_with_it_is_checked(package: Path) -> None:
    assert "right, 1 show" in run(package, "-m", "radio.cli", "check", "pier.yaml")
    path = package / "pier.yaml"
    path.write_text(path.read_text().replace("minutes: 10", "minutes: 0"))
    env = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, "-m", "radio.cli", "check", "pier.yaml"],
        cwd=package, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "'minutes' must be at least 1" in done.stdout + done.stderr


def test_the_page_tells_of_each_kind() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]*\| [^|]+ \| [^|]+ \|$", TEXT, re.MULTILINE)
    assert rows == list(producer_kinds.KINDS)
