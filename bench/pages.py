"""What a page costs beside one that says nothing, over a real connection, and how large it is.

A server of pages with the recorded match of each game, and a match that has just begun. Requests
take turns: one for `/healthz`, which is as little as the server can answer, then one for each page.
Elapsed time of each request (median and 95th percentile) and its ratio to that of the empty page's
95th percentile; processor time of the whole process by request; bytes as they are sent. The goals:
a page of a match has at most 60,000 bytes, and 95 of 100 requests take at most 5 x an empty one.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import httpx
import structlog

from pbem.legacy.cli.record import sound, taken_in
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path
from pbem.legacy.wiring.pages import pages_of
from tests.games.samples import SAMPLES
from tests.legacy.web.site import Site, begin, open_site

ROUNDS = 80
WARM = 5


async def measured(addresses: Mapping[str, str]) -> None:
    """Ask for each page by turns, and print what it took."""
    took: dict[str, list[float]] = {name: [] for name in addresses}
    spent: dict[str, float] = dict.fromkeys(addresses, 0.0)
    size: dict[str, int] = {}
    async with httpx.AsyncClient() as client:
        for number in range(ROUNDS + WARM):
            # Each round comes from somewhere else, as a proxy would say: one asker has a limit.
            client.headers["X-Forwarded-For"] = f"192.0.2.{number}"
            for name, address in addresses.items():
                began, processor = time.perf_counter(), time.process_time()
                answer = await client.get(address)
                if number >= WARM:
                    took[name].append(time.perf_counter() - began)
                    spent[name] += time.process_time() - processor
                answer.raise_for_status()
                size[name] = len(answer.content)
    empty = statistics.quantiles(took["empty"], n=20)[-1]
    for name, times in took.items():
        last = statistics.quantiles(times, n=20)[-1]
        print(
            f"{name:26} {statistics.median(times) * 1e3:6.2f} ms, 95 % {last * 1e3:6.2f} ms"
            f" ({last / empty:4.1f} x), processor {spent[name] / ROUNDS * 1e3:5.2f} ms,"
            f" {size[name]:6d} bytes"
        )


async def a_seat(folder: Path) -> None:
    """The pages of a club in which a match has just begun."""
    site = open_site(folder)
    await begin(site)
    seat = await site.path(Purpose.ACT)
    paths = {
        "empty": "/healthz",
        "club": "/",
        "rules of Looney Ludo": "/rules/looney-ludo",
        "seat": seat,
        "seat, a move tried": f"{seat}?text=place%20a1",
    }
    await served(site, paths)


async def a_record(folder: Path, name: str, lines: Sequence[str]) -> None:
    """The page of a recorded match for who watches: the newest board, and one in the middle."""
    site = open_site(folder)
    house = site.club.house
    read, match = sound(lines)
    unit = partial(taken_in, read=read, match=match, now=house.now())
    await asyncio.wrap_future(house.db.write(unit))
    view = page_path(house.keys, PageLink(Purpose.VIEW, match.id))
    await served(site, {"empty": "/healthz", name: view, "a step of it": f"{view}?at=9"})


async def served(site: Site, paths: Mapping[str, str]) -> None:
    """Serve and measure."""
    house = site.club.house
    async with pages_of(house, "127.0.0.1", 0) as where, site.client:
        await measured({name: where + path for name, path in paths.items()})
    house.db.close()


def main() -> None:
    """Measure and print."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder:
        (first := Path(folder) / "seat").mkdir()
        asyncio.run(a_seat(first))
        for path in SAMPLES:
            (own := Path(folder) / path.stem).mkdir()
            asyncio.run(a_record(own, path.stem, path.read_text("utf-8").splitlines()))
