"""Stands between a producer and an editor's program, so that the program ends when the producer does.

`python program_child.py PROGRAM ARGUMENTS…`, with stdin a pipe that its parent holds: it starts that in
a process group of its own with the same stdout and stderr, and ends with the program's exit status. When the
pipe closes, however the parent ended, the whole group is killed.
"""

import os
import signal
import subprocess
import sys
import threading

NOT_STARTED = 127


def main(argv: list[str]) -> int:
    parent = os.dup(0)
    try:
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, process_group=0)
    except OSError as e:
        os.write(2, f"cannot be started: {e.strerror}\n".encode())
        return NOT_STARTED
    threading.Thread(target=_watch, args=(parent, child.pid), daemon=True).start()
    status = child.wait()
    _kill(child.pid)
    return status if status >= 0 else 128 - status


def _watch(parent: int, group: int) -> None:
    while os.read(parent, 4096):
        continue
    _kill(group)


def _kill(group: int) -> None:
    """End what the program left running, too."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
