"""The interfaces through which other machines can reach this one: `getifaddrs` of Linux, macOS and BSD."""

import ctypes
import socket
import sys
from collections.abc import Iterator

IFF_UP = 0x1
IFF_LOOPBACK = 0x8
"""The same on all these systems."""
UNKNOWN = "interfaces that this system does not list"


class _SocketAddress(ctypes.Structure):
    """Its beginning: the family in 16 bits, or on BSD and macOS a length and the family in 8 bits each."""

    _fields_ = (("head", ctypes.c_uint8 * 2),)


class _Interface(ctypes.Structure):
    """The beginning of `struct ifaddrs`; the rest is not read."""


_Interface._fields_ = (
    ("next", ctypes.POINTER(_Interface)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.POINTER(_SocketAddress)),
)


def reachable() -> list[str]:
    """Names of the interfaces that are up, have an IP address and are not loopback; sorted.

    `UNKNOWN` if the system does not say; treat it as reachable.
    """
    try:
        return sorted(set(_reachable()))
    except (AttributeError, OSError):
        return [UNKNOWN]


def _reachable() -> Iterator[str]:
    system = ctypes.CDLL(None, use_errno=True)
    first = ctypes.POINTER(_Interface)()
    if system.getifaddrs(ctypes.byref(first)) != 0:
        raise OSError(ctypes.get_errno(), "getifaddrs")
    try:
        entry = first
        while entry:
            if _is_reachable(entry.contents):
                yield entry.contents.name.decode()
            entry = entry.contents.next
    finally:
        system.freeifaddrs(first)


def _is_reachable(interface: _Interface) -> bool:
    is_network = bool(interface.flags & IFF_UP) and not interface.flags & IFF_LOOPBACK
    if not is_network or not interface.address:
        return False
    return _family(bytes(interface.address.contents.head)) in (socket.AF_INET, socket.AF_INET6)


def _family(head: bytes) -> int:
    return int.from_bytes(head, sys.byteorder) if sys.platform == "linux" else head[1]
