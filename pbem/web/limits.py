"""Rate limits for networks. Each network has a bucket of points that refills as time passes.

A network is an IPv4 address, or the first 56 bits of an IPv6 address, which providers
assign to one customer. Forms cost more points than pages, because each may write to the
database. uvicorn takes the visitor's address from the headers of a proxy, if that proxy is
trusted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.web.rendering import show

MAX_POINTS: Final = 240.0  # points of a full bucket
POINTS_PER_SECOND: Final = 4.0  # points that are added to a bucket each second
FORM_COST: Final = 8.0  # points of a request that may change something; others cost one
MAX_NETWORKS: Final = 20_000  # networks whose buckets are kept
_PREFIX: Final = 56  # bits of an IPv6 address that identify a network


def find_network(host: str) -> str:
    """Return the key under which a visitor is counted.

    It is the whole address in IPv4, the first `_PREFIX` bits in IPv6, and `host` itself if that is
    no IP address.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return hex(int(address) >> (address.max_prefixlen - _PREFIX))
    return str(address)


class NetworkLimits:
    """ASGI middleware that answers 429 if the network of a request has too few points left."""

    def __init__(self, app: ASGIApp, now: Callable[[], datetime]) -> None:
        self._app, self._now = app, now
        self._buckets: OrderedDict[str, tuple[float, datetime]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the wrapped application, or answer 429 instead."""
        if scope["type"] == "http" and not self._take(scope):
            response = show(Request(scope), "error", status=429, code=429)
            response.headers["Retry-After"] = "60"
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _take(self, scope: Scope) -> bool:
        """Take a request's points from its network's bucket, if the bucket has enough.

        Returns:
            Whether the bucket had enough.
        """
        network = find_network(scope["client"][0] if scope.get("client") else "")
        cost = 1.0 if scope["method"] in ("GET", "HEAD") else FORM_COST
        now = self._now()
        points, since = self._buckets.pop(network, (MAX_POINTS, now))
        points = min(
            MAX_POINTS, points + POINTS_PER_SECOND * max(0.0, (now - since).total_seconds())
        )
        has_enough = points >= cost
        self._buckets[network] = (points - cost if has_enough else points, now)
        if len(self._buckets) > MAX_NETWORKS:
            self._buckets.popitem(last=False)
        return has_enough
