"""Icecast 2 as a child process, with a source that sends it one MP3 in step, as a measure beside the relay.

Nothing of the machine's own Icecast is used: the configuration and the logs lie in a folder of ours.
"""

import base64
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MOUNT: Final = "/live.mp3"
BYTES_PER_S: Final = 8000
PASSWORD: Final = "bench"
AHEAD_S: Final = 10.0
"""What the source sends at once, so that every listener gets a whole burst."""
_CONFIGURATION: Final = """<icecast>
  <limits>
    <clients>{clients}</clients><sources>2</sources><queue-size>524288</queue-size>
    <client-timeout>30</client-timeout><header-timeout>15</header-timeout><source-timeout>10</source-timeout>
    <burst-on-connect>1</burst-on-connect><burst-size>65535</burst-size>
  </limits>
  <authentication>
    <source-password>{password}</source-password><admin-user>admin</admin-user>
    <admin-password>{password}</admin-password>
  </authentication>
  <hostname>127.0.0.1</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <fileserve>0</fileserve>
  <paths>
    <basedir>/usr/share/icecast2</basedir><logdir>{folder}</logdir>
    <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""
_OWNER: Final = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>"


def is_here() -> bool:
    return shutil.which("icecast2") is not None


@contextmanager
def serving(folder: Path, sound: bytes, *, listeners: int) -> Iterator[tuple[int, int]]:
    """Icecast and its source; yields its process id and port. `sound` is sent over and over."""
    port = free_port()
    with _icecast(folder, port, listeners) as process, _source(port, sound):
        yield process.pid, port


@contextmanager
def _icecast(folder: Path, port: int, listeners: int) -> Iterator[subprocess.Popen[bytes]]:
    is_root = os.geteuid() == 0
    owner = _OWNER if is_root else ""
    configuration = folder / "icecast.xml"
    configuration.write_text(
        _CONFIGURATION.format(
            clients=listeners + 100, password=PASSWORD, port=port, folder=folder, owner=owner
        ),
        encoding="utf-8",
    )
    if is_root:  # Icecast does not run as root, and becomes nobody
        shutil.chown(folder, "nobody", "nogroup")
    with subprocess.Popen(
        ("icecast2", "-c", str(configuration)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def _source(port: int, sound: bytes) -> Iterator[None]:
    sock, over = _connect(port), threading.Event()
    head = f"SOURCE {MOUNT} ICE/1.0\r\nAuthorization: Basic {_basic()}\r\nContent-Type: audio/mpeg\r\n\r\n"
    sock.sendall(head.encode())
    assert b" 200 " in sock.recv(1024), "Icecast refused the source"
    thread = threading.Thread(target=_send, args=(sock, sound, over), name="source")
    thread.start()
    try:
        time.sleep(2)  # until it has taken what a burst is made of
        yield
    finally:
        over.set()
        thread.join()
        sock.close()


def _send(sock: socket.socket, sound: bytes, over: threading.Event) -> None:
    began, sent = time.monotonic(), 0
    while not over.is_set():
        due = int((time.monotonic() - began + AHEAD_S) * BYTES_PER_S)
        while sent < due:
            start = sent % len(sound)
            part = sound[start : start + due - sent]
            sock.sendall(part)
            sent += len(part)
        over.wait(0.1)


def _connect(port: int) -> socket.socket:
    deadline = time.monotonic() + 30
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _basic() -> str:
    return base64.b64encode(f"source:{PASSWORD}".encode()).decode()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
