"""A real S2 Lite process for tests, and names of basins that nobody else uses."""

import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from radio.app.s2_lite import local_server, server_process
from radio.streams.stores.s2.address import S2Address

STARTS_WITHIN_S = 60.0
STOPS_WITHIN_S = 20.0
"""With a client still connected it takes 10 s."""
POLL_S = 0.02


class S2Server:
    """S2 Lite on a folder and a port, which it keeps over restarts. `start` and `stop` block."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._log = folder.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def place(self, basin: str, origin: str = "") -> S2Address:
        """A basin on it, reached at `origin` if not directly."""
        return S2Address(basin, origin or self.origin, origin or self.origin)

    def start(self) -> None:
        """Return when it answers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                server_process.argv(local_server.find(""), self._folder, self.port),
                env=server_process.environment(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"S2 Lite does not start: {self._log.read_text()[-2000:]}")
            time.sleep(POLL_S)

    def kill(self) -> None:
        """SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM; all clients should be closed."""
        self._end(signal.SIGTERM)

    def send(self, number: signal.Signals) -> None:
        """Freeze or thaw it. Once this returns, a frozen one answers nothing more."""
        assert self._process is not None
        self._process.send_signal(number)
        if number == signal.SIGSTOP:
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            try:
                self._process.wait(STOPS_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                raise
            self._process = None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.origin}/health", timeout=5) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


def new_basin() -> str:
    return f"radio-{secrets.token_hex(6)}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
