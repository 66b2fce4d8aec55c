import ctypes
import json
import shutil
import socket
import subprocess
import sys

import psutil
import pytest

from radio.app import network_interfaces

RAISE_LOOPBACK = """
import fcntl, socket, struct
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
"""
ASK = (
    "import json; from radio.app import network_interfaces; print(json.dumps(network_interfaces.reachable()))"
)


def by_psutil() -> list[str]:
    """What another library says of the same machine."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    ip = (socket.AF_INET, socket.AF_INET6)
    return sorted(
        name
        for name, addresses in psutil.net_if_addrs().items()
        if name in up
        and any(a.family in ip for a in addresses)
        and not any(a.family == socket.AF_INET and a.address.startswith("127.") for a in addresses)
    )


def test_the_interfaces_are_those_that_psutil_sees() -> None:
    assert network_interfaces.reachable() == by_psutil()


def test_a_machine_with_nothing_but_loopback_can_be_reached_by_nobody() -> None:
    alone = ("unshare", "--user", "--map-root-user", "--net")
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], check=False).returncode != 0:
        pytest.skip("no network of one's own here")
    said = subprocess.run(
        [*alone, sys.executable, "-c", RAISE_LOOPBACK + ASK], capture_output=True, check=True
    )
    assert json.loads(said.stdout) == []


def test_a_system_that_lists_no_interfaces_is_taken_for_one_that_can_be_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    assert network_interfaces.reachable() == [network_interfaces.UNKNOWN]
