"""Station files that no editor writes: each is read, or its faults are told; nothing else may happen."""

import random
from pathlib import Path

import pytest

from radio.stations.definition import loading

ROOT = Path(__file__).parents[3]
SAMPLES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "schedules").glob("*.yaml"))]
PIECES = (
    "\t", "\n", "\n\n  ", ": ", "- ", "[", "]", "{", "}", "&a ", "*a", "!!python/object:os.system ",
    "!!binary ////",
    "<<: *a", "|", ">", "%YAML 9", "---\n", "...\n", "'", '"', "\x00", "\x85", "\u2028", "\ufeff", "é", "🎙",
    "? ",
    "0x10", "1e999", ".nan", "-1", "25:61", "24:00", "9" * 400, "mon-", "* * * *", "shows:", "at:",
    "length: 0m",
    "timezone: Mars/Base", "../../../../etc/passwd", "files: ['**/*']", "topics: [[[[[]]]]]", "a" * 5000, "~",
    "off",
)  # fmt: skip


def torn(chance: random.Random) -> bytes:
    """A shipped station file that something happened to."""
    text = chance.choice(SAMPLES)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        how = chance.randrange(4)
        if how == 0:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif how == 1:
            text = text[:at] + text[at + chance.randint(1, 30) :]
        elif how == 2:
            text = text[:at] + text[max(at - 200, 0) : at] + text[at:]
        else:
            text = text[:at] + chr(chance.choice((0x0, 0x7F, 0xFFFD, 0x1F600, 0x3A, 0x20))) + text[at + 1 :]
    data = text.encode()
    return data if chance.random() < 0.9 else data[: chance.randrange(len(data))] + b"\xff\xfe\xed\xa0\x80"


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.soak)])
def test_a_station_file_that_is_torn_is_read_or_its_faults_are_told(tmp_path: Path, count: int) -> None:
    chance, file = random.Random(7), tmp_path / "harbor.yaml"
    for folder in ("books", "feeds"):
        if (ROOT / "schedules" / folder).exists():
            (tmp_path / folder).symlink_to(ROOT / "schedules" / folder)
    read = refused = 0
    for _ in range(count):
        file.write_bytes(torn(chance))
        loaded = loading.load([file])
        read, refused = read + bool(loaded.stations), refused + bool(loaded.faults)
        assert loaded.stations or loaded.faults
        assert all(fault.message and fault.line >= 0 for fault in loaded.faults)
    assert read
    assert refused
