"""Work apart: the urgent goes first, and nothing that ends badly holds up what waits behind it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from pebble import ProcessExpired

from pbem.legacy.transport import apart
from pbem.legacy.transport.apart import Apart, Rank
from tests.legacy.runners.broken_process import Lost

LONG = 60.0


def end(apart: Apart) -> None:
    apart.pool().stop()  # type: ignore[no-untyped-call]
    apart.pool().join()


@pytest.fixture
async def one() -> AsyncIterator[Apart]:
    apart = Apart()
    await apart.do(os.getpid, LONG)  # it is started
    yield apart
    end(apart)


def write_down(book: Path, word: str, seconds: float = 0.0) -> str:
    """In the process."""
    with book.open("a", encoding="utf-8") as file:
        file.write(f"{word} ")
    time.sleep(seconds)
    return word


async def asked(apart: Apart, book: Path, words: dict[str, Rank]) -> list[asyncio.Task[str]]:
    """Tasks that have asked, in this order."""
    tasks = [
        asyncio.create_task(apart.do(partial(write_down, book, word), LONG, rank=rank))
        for word, rank in words.items()
    ]
    await asyncio.sleep(0)
    return tasks


def said(book: Path) -> str:
    return book.read_text("utf-8") if book.exists() else ""


async def until_written(book: Path, word: str) -> None:
    async with asyncio.timeout(LONG):
        while word not in said(book):  # noqa: ASYNC110 - the process tells nobody
            await asyncio.sleep(0.01)


WAITING = {
    "analysis": Rank.ANALYSIS,
    "hint": Rank.HINT,
    "lesson": Rank.LESSON,
    "move": Rank.MOVE,
    "trial": Rank.TRIAL,
    "later": Rank.MOVE,
}
IN_ORDER = ["move", "later", "trial", "lesson", "hint", "analysis"]


async def test_the_urgent_goes_first_and_then_who_asked_first(one: Apart, tmp_path: Path) -> None:
    book = tmp_path / "book"
    first = asyncio.create_task(one.do(partial(write_down, book, "first", 0.3), LONG))
    await until_written(book, "first")
    made = await asyncio.gather(*await asked(one, book, WAITING))
    assert made == [*WAITING]
    assert said(book).split() == ["first", *IN_ORDER]
    assert await first == "first"


async def test_a_work_that_is_lost_with_its_processes_is_done_by_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "LOOKED_EVERY", 0.01)
    some = Apart()
    some._pool = Lost()  # type: ignore[assignment]
    async with asyncio.timeout(LONG):
        assert await some.do(os.getpid, LONG) != os.getpid()
    end(some)


async def test_who_gives_up_is_not_waited_for(one: Apart, tmp_path: Path) -> None:
    book = tmp_path / "book"
    running = asyncio.create_task(one.do(partial(write_down, book, "running", LONG), LONG))
    await until_written(book, "running")
    tasks = await asked(one, book, WAITING)
    tasks[3].cancel()  # it waits
    await asyncio.sleep(0)
    running.cancel()  # its process is ended
    rest = [task for at, task in enumerate(tasks) if at != 3]
    async with asyncio.timeout(LONG / 2):
        await asyncio.gather(*rest)
    assert said(book).split() == ["running", *IN_ORDER[1:]]
    assert tasks[3].cancelled()
    assert running.cancelled()


def _broken() -> None:
    raise ZeroDivisionError


def once_all_have_asked(go: Path, end: Callable[[], object]) -> None:
    """In the process: else it may end before anybody waits."""
    while not go.exists():
        time.sleep(0.005)
    end()


@pytest.mark.parametrize(
    ("end", "seconds", "error"),
    [
        (partial(time.sleep, LONG), 1.0, TimeoutError),
        (partial(os._exit, 3), LONG, ProcessExpired),
        (_broken, LONG, ZeroDivisionError),
    ],
    ids=["too long", "died", "raised"],
)
async def test_what_ends_badly_makes_room_for_what_waits(
    one: Apart, tmp_path: Path, end: Callable[[], object], seconds: float, error: type[Exception]
) -> None:
    go = tmp_path / "go"
    bad = asyncio.create_task(one.do(partial(once_all_have_asked, go, end), seconds))
    await asyncio.sleep(0)
    tasks = await asked(one, tmp_path / "book", WAITING)
    await asyncio.to_thread(go.touch)
    with pytest.raises(error):
        await bad
    assert await asyncio.gather(*tasks) == [*WAITING]
    assert said(tmp_path / "book").split() == IN_ORDER


async def test_as_many_run_at_once_as_there_are_processes(tmp_path: Path) -> None:
    two, book = Apart(2), tmp_path / "book"
    works = [two.do(partial(write_down, book, word, 0.5), LONG) for word in ("a", "b", "c")]
    tasks = [asyncio.ensure_future(work) for work in works]
    await until_written(book, "a")
    await until_written(book, "b")
    assert "c" not in said(book)
    assert await asyncio.gather(*tasks) == ["a", "b", "c"]
    end(two)


def test_it_serves_one_loop_after_another() -> None:
    apart = Apart()

    async def given_up() -> None:
        task = asyncio.create_task(apart.do(partial(time.sleep, LONG), LONG))
        await asyncio.sleep(0.1)
        task.cancel()

    asyncio.run(given_up())
    assert asyncio.run(apart.do(os.getpid, LONG)) != os.getpid()
    end(apart)
