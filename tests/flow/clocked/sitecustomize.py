"""Every Python process with this folder in PYTHONPATH has a wall clock that a test can set.

`TEST_CLOCK_FILE` names a file that holds the offset in ms. Python imports this module by itself at its start.
"""

import os
import time
from pathlib import Path

_file = Path(os.environ["TEST_CLOCK_FILE"])
_time_ns = time.time_ns


def time_ns() -> int:
    return _time_ns() + int(_file.read_bytes()) * 1_000_000


time.time_ns = time_ns
