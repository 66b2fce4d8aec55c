"""From `make run` in a clean clone, with empty caches, to the URL.

    python3 bench/setup.py [--rounds 3] [--warm]

Each round clones the checkout's last commit into a folder of its own, with a home of its own there, so that
pip, npm and the radio find no cache. `CPU` is what all processes used together: on a busy machine it says
more than the seconds. `--warm` follows each round with another clone, which finds the caches of the first. It
needs Python alone, since there is no environment yet. What `deploy/system-parts run` installs must be here.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
ON_AIR = "radio: on air at "
"""What `radio up` says before the URL."""


def cpu_s() -> float:
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def to_url(clone: Path, home: Path) -> tuple[float, float]:
    """Seconds to the URL, and CPU seconds until the radio was stopped. What `make` says is shown, with times.

    Raises:
        SystemExit: `make run` ended without a URL.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "RADIO_"))}
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    used, began = cpu_s(), time.monotonic()
    with subprocess.Popen(
        ["make", "run", "ARGS=--port=0"],
        cwd=clone, env={**kept, "HOME": str(home)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        seconds = 0.0
        for line in process.stdout:
            print(f"{time.monotonic() - began:7.1f} {line}", end="", flush=True)
            if line.startswith(ON_AIR):
                seconds = time.monotonic() - began
                os.killpg(process.pid, signal.SIGINT)
    if not seconds:
        sys.exit(f"make run ended with status {process.returncode} and without a URL")
    return seconds, cpu_s() - used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--warm", action="store_true", help="once more with the caches of the first")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder otherwise")
    options = parser.parse_args()
    rows = []
    for round_number in range(1, options.rounds + 1):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            home = Path(folder) / "home"
            home.mkdir()
            for caches in ("empty", "warm") if options.warm else ("empty",):
                seconds, used = to_url(Path(folder) / caches, home)
                rows.append(f"{round_number:5}  {caches:6}  {seconds:8.0f}  {used:7.0f}")
    print("ROUND  CACHES  TO URL s  CPU s", *rows, sep="\n")


if __name__ == "__main__":
    main()
