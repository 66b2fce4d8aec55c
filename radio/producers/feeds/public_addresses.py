"""Which addresses belong to the open internet. Pure."""

import ipaddress
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_LOCAL_NAT64: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")
_IPV4: Final = 0xFFFFFFFF


def is_public(address: str) -> bool:
    """Whether it leads to the open internet. One that wraps an IPv4 address leads where that one does.

    Raises:
        ValueError: it is no address.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    wrapped = _wrapped(found) if isinstance(found, ipaddress.IPv6Address) else ()
    if wrapped:
        return all(one.is_global for one in wrapped)
    return found.is_global and found not in _LOCAL_NAT64


def _wrapped(address: ipaddress.IPv6Address) -> tuple[ipaddress.IPv4Address, ...]:
    if address.teredo is not None:
        return address.teredo
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address in _NAT64 or address in _COMPATIBLE:
        return (ipaddress.IPv4Address(int(address) & _IPV4),)
    return ()
