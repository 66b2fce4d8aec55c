"""How threads share a sentence's blocks: each block once, whoever is slow."""

import subprocess
from pathlib import Path

from tests.need import need

SOURCE = Path(__file__).with_name("shares.cpp")
ROUNDS = 20


def test_each_block_is_taken_once_by_any_number_of_threads(tmp_path: Path) -> None:
    need("compiler")
    program = tmp_path / "shares"
    flags = ("-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread")
    subprocess.run(["c++", *flags, str(SOURCE), "-o", str(program)], check=True, timeout=500)
    done = subprocess.run(
        [str(program), str(ROUNDS)], capture_output=True, text=True, check=False, timeout=500
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
