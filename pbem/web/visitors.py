"""Whose a request is: the peer's, or that of the visitor whom a trusted proxy names."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import Scope

Network = IPv4Network | IPv6Network
_Address = IPv4Address | IPv6Address

_NETWORK: Final = 64
"""Bits of an IPv6 address that say whose it is."""


def visitor(scope: Scope, trusted: Collection[Network]) -> str:
    """Whose bounds count for a request; who has no address is on this machine, and trusted."""
    peer = scope.get("client")
    nearest = _read(peer[0]) if peer else None
    if peer and not _is_of(nearest, trusted):
        return owner(peer[0])
    said = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for text in reversed(b",".join(said).decode("latin-1").split(",")):
        named = _read(text)
        if named is None:
            break
        nearest = named
        if not _is_of(named, trusted):
            break
    return _owner(nearest)


def owner(address: str) -> str:
    """An IPv4 address, or of IPv6 the network that one customer has all of."""
    return _owner(_read(address))


def _owner(address: _Address | None) -> str:
    if isinstance(address, IPv6Address):
        return str(IPv6Address(int(address) >> _NETWORK << _NETWORK))
    return str(address or "")


def _read(text: str) -> _Address | None:
    """An address as proxies write it, perhaps with a port; one of IPv4 in IPv6 is that of IPv4."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_of(address: _Address | None, networks: Collection[Network]) -> bool:
    return address is not None and any(address in network for network in networks)
