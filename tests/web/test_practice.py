from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs, urlsplit
from zlib import decompress

import httpx
import pytest

from pbem.games import GAMES

GAME_KEYS = sorted({game.key for game in GAMES.values()})
MOST_LESSON_TURNS = 30
MOST_STEPS = 8


async def begin(browser: httpx.AsyncClient, path: str) -> httpx.Response:
    return await browser.get(path, follow_redirects=True)


def find_whole_move(page: str) -> str:
    found = re.search(r'name="text" value="([^"]*)"', page)
    return unescape(found[1]) if found is not None else ""


def find_example(page: str) -> str:
    """Return the link to a move that does what a lesson asks for."""
    found = re.search(r'class="button example" href="([^"]*)"', page)
    return unescape(found[1]) if found is not None else ""


def find_step(page: str) -> tuple[int, int] | None:
    """Return the number of the step of a lesson, and the number of steps."""
    found = re.search(r"Step ([0-9]+) of ([0-9]+)", page)
    return (int(found[1]), int(found[2])) if found is not None else None


async def make_move(browser: httpx.AsyncClient, page: httpx.Response) -> httpx.Response:
    """Play the move that a lesson shows, or else one that the first links lead to."""
    path = page.url.path
    if example := find_example(page.text):
        page = await browser.get(f"{path}{example}")
        assert find_whole_move(page.text), "an example is a legal move"
    while not (move := find_whole_move(page.text)):
        query = find_next(page.text)
        assert query is not None
        page = await browser.get(path, params=query)
    return await browser.post(path, data={"text": move}, follow_redirects=True)


def read_address(path: str) -> list[str]:
    """Return the lines of the state that an address has."""
    data = path.rpartition("/")[2].partition(".")[0]
    return decompress(urlsafe_b64decode(data + "==")).decode().split("\n")


def find_next(page: str) -> dict[str, list[str]] | None:
    """Return the query of the first link that goes on with the move."""
    links = [
        parse_qs(urlsplit(unescape(one)).query)
        for one in re.findall(r'class="(?:next|button)" href="(\?m=[^"]*)"', page)
    ]
    return next((link for link in links if link.get("m")), None)


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_lesson_is_finished_by_doing_as_told(browser: httpx.AsyncClient, key: str) -> None:
    """All steps of a lesson come in order, before the game ends; the text stays during a move."""
    page = await begin(browser, f"/learn/{key}")
    assert "Green ring or frame: you can tap here" in page.text
    steps, count = [], 0
    for _ in range(MOST_LESSON_TURNS):
        step = find_step(page.text)
        if step is None:
            break
        number, count = step
        steps.append(number)
        assert (f'href="/try/{key}"' in page.text) == (number == count)
        query = find_next(page.text)
        assert query is not None
        assert find_step((await browser.get(page.url.path, params=query)).text) == step
        page = await make_move(browser, page)
        assert "set-cookie" not in page.headers
    assert count <= MOST_STEPS
    assert [*dict.fromkeys(steps)] == [*range(1, count + 1)]


async def test_each_new_game_has_draws_of_its_own(browser: httpx.AsyncClient) -> None:
    begun = [await begin(browser, "/try/looney_ludo") for _ in range(4)]
    boards = {re.findall(r'aria-label="(Guest [^"]*)"', page.text)[0] for page in begun}
    assert len(boards) > 1
    assert begun[0].history[0].headers["cache-control"] == "no-store"


async def test_a_lesson_offers_only_what_it_asks_for(browser: httpx.AsyncClient) -> None:
    lesson = await begin(browser, "/learn/looney_ludo")
    assert 'href="?m=pass"' not in lesson.text
    assert 'href="?m=pass"' in (await begin(browser, "/try/looney_ludo")).text


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_game_becomes_a_lesson_and_a_game_again(
    browser: httpx.AsyncClient, key: str
) -> None:
    """The explanations of a running game are about its own board, and nothing is lost."""
    played = await make_move(browser, await begin(browser, f"/try/{key}"))
    [address] = set(re.findall(rf'href="(/learn/{key}/[^"]+)"', played.text))
    lesson = await browser.get(address)
    assert find_step(lesson.text) is not None
    assert f'href="{played.url.path}"' in lesson.text
    after = await make_move(browser, lesson)
    assert after.status_code == 200
    assert after.url.path.startswith(f"/learn/{key}/")


async def test_a_game_is_played_to_its_end(browser: httpx.AsyncClient) -> None:
    page = await begin(browser, "/try/logger")
    for _ in range(60):
        if "Play again" in page.text:
            break
        page = await make_move(browser, page)
        assert page.status_code == 200
    assert "Play again" in page.text


async def test_the_same_move_has_the_same_answer(browser: httpx.AsyncClient) -> None:
    path = (await begin(browser, "/try/looney_ludo")).url.path
    answers = {
        (await browser.post(path, data={"text": "PASS"})).headers["location"] for _ in range(2)
    }
    assert len(answers) == 1


async def test_moves_that_are_none(browser: httpx.AsyncClient) -> None:
    path = (await begin(browser, "/try/logger")).url.path
    for text in ("place c3", "xyzzy", "", "<script>"):
        refused = await browser.post(path, data={"text": text}, follow_redirects=True)
        assert refused.url.path == path
        assert refused.status_code == 200
        assert ('role="alert"' in refused.text) == bool(text)
        assert "<script>" not in refused.text
    assert find_whole_move((await browser.get(path, params={"m": "Place A1"})).text) == "place a1"


@pytest.mark.parametrize(
    ("function", "shown"),
    [("picture", '<pre class="board"'), ("partial_move", 'role="img"'), ("", 'role="group"')],
)
async def test_a_page_outlives_a_game_that_fails(
    function: str, shown: str, browser: httpx.AsyncClient
) -> None:
    def fail(*_: object) -> None:
        raise KeyError

    game = GAMES["logger-1"]
    if function:
        game = replace(game, **{function: fail})  # type: ignore[arg-type]
    with GAMES.including(game):
        page = await begin(browser, "/try/logger")
    assert page.status_code == 200
    assert shown in page.text


async def test_states_are_signed_for_one_game(browser: httpx.AsyncClient) -> None:
    path = (await begin(browser, "/try/logger")).url.path
    state = path.rpartition("/")[2]
    others = [
        f"/try/landrush/{state}",
        f"/learn/logger/{state}",
        f"/try/logger/{state[:-1]}{'A' if state[-1] != 'A' else 'B'}",
        f"/try/logger/{'x' * 7000}",
        "/try/logger/a.b",
    ]
    for other in others:
        answer = await browser.get(other)
        assert answer.status_code == 303
        assert answer.headers["location"] != other
        begun = await browser.get(answer.headers["location"])
        assert 'role="alert"' in begun.text  # it says that this is another game
        assert 'role="alert"' not in (await browser.get(begun.url.path)).text
    for missing in ("/try/nothing", "/learn/nothing"):
        assert (await browser.get(missing)).status_code == 404


async def test_addresses_have_moves_and_no_deal(browser: httpx.AsyncClient) -> None:
    page = await begin(browser, "/try/logan_stones")
    page = await browser.get(page.url.path, params={"m": "add 1 L21"})
    move = find_whole_move(page.text)
    played = await browser.post(page.url.path, data={"text": move}, follow_redirects=True)
    number, *moves = read_address(played.url.path)
    assert re.fullmatch("[0-9a-f]{16} easy", number)
    assert [one[:6] for one in moves] == ["1 add ", "2 add "]


async def test_the_last_move_is_taken_back(browser: httpx.AsyncClient) -> None:
    first = (await begin(browser, "/try/logger")).url.path
    played = await browser.post(first, data={"text": "place a1"}, follow_redirects=True)
    assert f'href="{first}"' in played.text


async def test_the_level_of_the_bot_stays_chosen(browser: httpx.AsyncClient) -> None:
    page = await begin(browser, "/try/logger?level=medium")
    for _ in range(2):
        assert " medium" in read_address(page.url.path)[0]
        page = await make_move(browser, page)
    assert "/try/logger?level=medium" in page.text
    # A bot that searches for seconds would keep all visitors waiting.
    for level in ("strong", "nothing"):
        begun = await begin(browser, f"/try/logger?level={level}")
        assert read_address(begun.url.path)[0].endswith(" easy")
