"""Letters of every shape go the whole way, stored, read, taken and answered, and cost little.

The costs are processor time as the reference machine would take it, so that a slower or busier one
passes, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path

import pytest
import pytest_asyncio

from pbem.runners.receive import store_letter, take_waiting
from pbem.store.mails import inbox
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.effort import LINEAR, clock, in_reference_seconds
from tests.letter_shapes import DEAR, SHAPES, Shape

SMALL = 20_000
DEAREST = 1.0
"""Processor seconds of the reference machine for any letter."""

FREE = 0.06
"""Processor seconds below which growth says nothing: most of them are fixed."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def club(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Club]:
    one = open_club(Path(tmp_path_factory.mktemp("shapes")), letters_per_hour=1_000_000)
    await one.write(ANN, f"new logger with {BOB} seat_order=given")
    await one.answer(ANN, "yes")
    await one.answer(BOB, "accept")
    await one.answer(ANN, "e1")
    yield one
    one.house.db.close()


async def newest(club: Club) -> inbox.InboxLine:
    lines = await asyncio.wrap_future(club.house.db.read(lambda conn: inbox.listed(conn, limit=1)))
    return lines[0]


async def cost(club: Club, raw: bytes) -> float:
    """The processor seconds of one letter on its whole way, after which nothing has failed."""
    begun = clock()
    club.written += 1
    await store_letter(Fetched("test", "INBOX", 1, club.written, raw, None, None), club.house)
    await take_waiting(club.house)
    spent = clock() - begun
    line = await newest(club)
    assert line.state in {"done", "refused"}, line
    await club.work()
    return in_reference_seconds(spent)


async def require_cheap(club: Club, shape: Shape, size: int, most: float) -> None:
    to = parseaddr(club.last(BOB).reply_to)[1]
    small = large = most * LINEAR
    for _ in range(4):
        small = min(small, await cost(club, shape.letter(BOB, to, size)))
        large = min(large, await cost(club, shape.letter(BOB, to, 2 * size)))
        if large <= max(FREE, LINEAR * small):
            break
    assert large <= max(FREE, LINEAR * small), "it grows faster than its length"
    assert large < most


@pytest.mark.parametrize("name", DEAR)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_letter_of_a_dear_shape_costs_little(club: Club, name: str) -> None:
    await require_cheap(club, SHAPES[name], SMALL, DEAREST / 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.asyncio(loop_scope="module")
async def test_the_greatest_letter_of_any_shape_costs_a_second(club: Club, name: str) -> None:
    await require_cheap(club, SHAPES[name], 500_000, DEAREST)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_writer_is_told_what_was_not_read(club: Club) -> None:
    lines = "\n".join(f"word{number} and more words" for number in range(2_000))
    await club.answer(BOB, f"board\n\n{lines}\n\nresign")
    text = " ".join(club.last(BOB).text.split())
    assert "longer than 32 KB" in text
    await club.answer(BOB, "board\n\nJust a few words")
    assert "longer than" not in club.last(BOB).text
