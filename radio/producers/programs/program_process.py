"""Stands between a producer and an editor's program, so that the program ends when the producer does.

`python program_process.py PROGRAM ARGUMENTS…`, with stdin a pipe that its parent holds: it starts that in
a process group of its own with the same stdout and stderr, and ends with the program's exit status. When the
pipe closes, however the parent ended, or the program ends, all that it started is killed. On Linux that is
also what left the group: orphans of the program become children of this process, which is their subreaper.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

NOT_STARTED = 127
_SET_CHILD_SUBREAPER = 36
"""Of `prctl`."""
_END_S = 3.0
"""What starts new processes faster than they are killed is let go after this."""


def main(argv: list[str]) -> int:
    parent = os.dup(0)
    adopts = _adopt_orphans()
    try:
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, process_group=0)
    except OSError as e:
        os.write(2, f"cannot be started: {e.strerror}\n".encode())
        return NOT_STARTED
    threading.Thread(target=_watch, args=(parent, child.pid), daemon=True).start()
    status = child.wait()
    _kill(child.pid)
    if adopts:
        _kill_the_adopted()
    return status if status >= 0 else 128 - status


def _adopt_orphans() -> bool:
    """Whether the system gives this process the orphans of those that it starts."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


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


def _kill_the_adopted() -> None:
    """End all descendants; those that are started meanwhile are found at the next walk."""
    end = time.monotonic() + _END_S
    while (found := _descendants()) and time.monotonic() < end:
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        _reap()
        time.sleep(0.01)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


def _descendants() -> list[int]:
    """The processes below this one, as `/proc` tells them."""
    children: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parent = (folder / "stat").read_bytes().rpartition(b")")[2].split()[1]
            except OSError:
                continue  # it is gone
            children[int(parent)].append(int(folder.name))
    found = list(children[os.getpid()])
    for pid in found:
        found += children[pid]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
