import os
import subprocess
import sys
from pathlib import Path

import pytest

from radio.app.lock import AlreadyRunning, sole


def test_the_folder_is_made_and_a_second_radio_is_refused_by_the_first_ones_pid(tmp_path: Path) -> None:
    data = tmp_path / "new" / "var"
    with sole(data), pytest.raises(AlreadyRunning) as refused, sole(data):
        pass
    assert refused.value.pid == str(os.getpid())
    assert "--data" in refused.value.hint


def test_the_lock_is_free_after_use(tmp_path: Path) -> None:
    for _ in range(2):
        with sole(tmp_path):
            pass


def test_a_killed_holder_leaves_it_free(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from radio.app.lock import sole\n"
        "with sole(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False).returncode == -9
    with sole(tmp_path):
        pass
