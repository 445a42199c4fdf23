"""The page of a seat is played on: what comes next is in sight and large, at each step."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import pytest

from pbem.games import GAMES as GAMES_KNOWN
from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.matches.hints import hint_for
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.views.matches import guard_of
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.transport import Fetched
from pbem.legacy.web.asking import Answer
from pbem.legacy.web.asking import _rows as rows_of
from tests.legacy.browsing import page_in
from tests.legacy.clubs.club import ANN, BOB
from tests.legacy.web.site import PUBLIC, Site, begin, begin_again

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

GAMES = {
    "logger": ("seat_order=given", 12),
    "looney_ludo": ("starter=given", 4),
    "logan_stones": ("", 12),
    "landrush": ("starter=given", 8),
}
"""Each game with its options, and the plies after which all kinds of steps come."""

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
ROOT = Path(__file__).parents[3]
FINGER, MOVES, STEPS = 44, 3, 14

COVERED = 40
"""Pixels of a picture that the bar may lie on: less than a seat with its hand is high."""

SEEN = """() => {
  const bar = [...document.querySelectorAll('#bar a, #bar button, #bar summary')]
    .filter((one) => !one.closest('[hidden]'))
    .filter((one) => one.localName === 'summary' || !one.closest('details:not([open])'))
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()]);
  const board = document.querySelector('#picture svg'), place = board.getBoundingClientRect();
  const table = document.getElementById('bar').getBoundingClientRect();
  const steps = document.getElementById('steps');
  return {
    shape: board.getAttribute('viewBox'),
    lies: [place.x, place.y, place.width, steps ? steps.offsetTop : 0].map(Math.round),
    covered: innerWidth < 900 ? Math.round(place.bottom - table.top) : 0,
    small: bar.filter(([, box]) => box.height < 44).map(([text]) => text),
    away: bar.filter(([, box]) => box.top < 0 || box.bottom > innerHeight + 1)
      .map(([text]) => text),
    count: bar.length,
    wide: document.documentElement.scrollWidth - innerWidth,
    focus: document.activeElement.tagName,
    question: document.getElementById('ask')?.textContent.trim() || '',
  };
}"""


async def played(site: Site, plies: int, rng: random.Random) -> bool:
    """Ann's turn, after some moves at random by mail; whether the match goes on."""
    ann = (await site.row(ANN)).id
    while True:
        match = await site.match()
        who = ANN if match.seat_of(ann) in match.to_act else BOB
        if match.status is Status.ENDED or (match.course.ply >= plies and who == ANN):
            return match.status is not Status.ENDED
        move = match.game.notation(rng.choice(list(match.game.legal(match.course.position))))
        await site.club.answer(who, f"#{guard_of(match)} {move}")
        assert (await site.match()).course.ply > match.course.ply


@asynccontextmanager
async def shown(browser: Browser, site: Site, path: str, **wishes: Any) -> AsyncIterator[Page]:
    """A page of a site in a browser, which asks the application itself."""

    async def answered(route: Route) -> None:
        asked = route.request
        if "/live" in asked.url:
            await route.abort()
            return
        way = asked.url.removeprefix(PUBLIC)
        if asked.method == "POST":
            fields = dict(parse_qsl(asked.post_data or "", keep_blank_values=True))
            answer = await site.post(way, fields)
        else:
            answer = await site.get(way)
        await route.fulfill(
            status=answer.status_code, headers=dict(answer.headers), body=answer.content
        )

    async with page_in(browser, answered, **wishes) as page:
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(PUBLIC + path)
        yield page
        assert not faults


async def pressed(page: Page, selector: str, rng: random.Random) -> None:
    """Press one of some controls, and wait for what comes of it."""
    await page.evaluate("document.getElementById('main').dataset.seen = 'yes'")
    await rng.choice(await page.locator(selector).all()).dispatch_event("click")
    await page.wait_for_selector("#main:not([data-seen])")


SIDEWAYS = {"small": (667, 375), "phone": (844, 390), "large": (932, 430), "narrow": (568, 320)}
LEAST = 224
"""Pixels of a board that is low, in which pieces can still be told apart and tapped."""

UNCOVERED = """() => {
  const [board, bar] = ['#picture svg', '#bar']
    .map((one) => document.querySelector(one).getBoundingClientRect());
  const beside = bar.left >= board.right;
  return {height: board.height, free: beside ? board.height : bar.top - Math.max(0, board.top)};
}"""


@pytest.mark.browser
@pytest.mark.parametrize("size", SIDEWAYS)
async def test_a_board_is_large_enough_on_a_phone_held_sideways(
    size: str, browser: Browser, site: Site
) -> None:
    width, height = SIDEWAYS[size]
    await begin(site, "logger", "seat_order=given")
    await played(site, 6, random.Random(5))
    path = await site.path(Purpose.ACT)
    async with shown(browser, site, path, viewport={"width": width, "height": height}) as page:
        seen = await page.evaluate(UNCOVERED)
        assert seen["height"] >= LEAST
        assert seen["free"] >= LEAST
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        for tap in await page.locator("#taps a").all():
            await tap.click(trial=True)


WIDE = (
    ("Large", "Medium →", "Medium ←", "Small"),
    ("Yellow Medium", "Medium ↑", "Medium →", "Medium ←", "Yellow Small", "Small"),
    ("Wild", "Swap", "Hold", "Again", "Aim", "Small ↑", "Small ↓", "Small →", "Small ←"),
    ("up", "down", "left", "right"),
)
"""Answers as they stand together, of wide letters and of narrow ones."""

LINES = """() => new Set([...document.querySelectorAll('.choices a')]
  .map((one) => one.getBoundingClientRect().top)).size"""


@pytest.mark.browser
@pytest.mark.parametrize("labels", WIDE, ids=" ".join)
async def test_answers_fill_no_more_lines_than_are_reckoned_with(
    labels: tuple[str, ...], browser: Browser
) -> None:
    style = (ROOT / "templates/legacy/pages/site.css").read_text(encoding="utf-8")
    items = "".join(f"<li><a href='#'>{label}</a></li>" for label in labels)
    bar = f"<main><div id=table><div id=bar><ul class=choices>{items}</ul></div></div></main>"
    async with page_in(browser, viewport=SIZES["phone"]) as page:
        await page.set_content(f"<style>{style}</style>{bar}")
        assert await page.evaluate(LINES) <= rows_of([Answer(label, "") for label in labels])


# --- without a browser ---------------------------------------------------------------------------


async def test_a_move_that_is_held_stands_on_the_board_and_can_go_or_come_back(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "window 10")
    path = await site.path(Purpose.ACT)
    before = board(await read(site, path))
    whole = await read(site, f"{path}?text=place%20a1")
    answer = await site.post(path, await site.form(path, f"#{guard_of(await site.match())} a1"))
    for page in (answer.text, await read(site, path)):
        assert board(page) == board(whole) != before
        assert "Your move goes to Bob at 12:" in page
        # The clock goes on whenever it is read, and a slow machine reads it more often.
        assert re.search(r" UTC, in (9|10) minutes\. Nobody has seen it yet\.", page)
        assert texts(page)[:2] == ["undo", "now"]
    assert board(await read(site, await site.path(Purpose.VIEW))) == board(
        await read(site, await site.path(Purpose.VIEW, BOB))
    )
    assert board(await read(site, await site.path(Purpose.ACT, BOB))) != board(whole)
    page = (await site.post(path, await site.form(path, "now"))).text
    assert "Sent. It is the turn of Bob." in page
    assert "Nobody has seen it" not in page
    assert [step.text for step in (await site.match()).course.steps] == ["place a1"]


async def test_the_end_says_how_it_ended_and_leads_on(site: Site) -> None:
    await begin(site)
    assert not await played(site, 1_000, random.Random(3))
    match = await site.match()
    points = sorted(match.course.position.scores, reverse=True)
    pages = {who: await read(site, await site.path(Purpose.ACT, who)) for who in (ANN, BOB)}
    score = f"{points[0]} to {points[1]}."
    assert sum(f"You won {score}" in page for page in pages.values()) == 1
    assert sum(f"won {score}" in page for page in pages.values()) == 2
    assert "The game is over: a round ended with 10 points or more." in pages[ANN]
    assert "each tree that you fell is one point" in pages[ANN]
    path = await site.path(Purpose.ACT)
    # Points count, as the rulebook reckons them; nobody is invited without a question.
    assert "Points count, then protesters in hand:" in pages[ANN]
    assert "[LG-" not in pages[ANN]
    assert "rematch" not in texts(pages[ANN])
    assert {"say Good game!", "say Thanks!"} <= {*texts(pages[ANN])}
    asked = await read(site, f"{path}?again=yes")
    assert "Invite Bob to another match?" in asked
    assert texts(asked)[0] == "rematch"
    page = (await site.post(path, await site.form(path, "rematch"))).text
    again = await site.match()
    assert (again.terms.rematch_of, again.status) == (match.id, Status.CHALLENGE)
    assert "Bob is invited to another match." in page
    assert texts(page)[0] == "decline"
    assert texts(await read(site, path))[0] == "decline"
    page = (await site.post(path, await site.form(path, "decline"))).text
    assert (await site.match()).status is Status.OFF
    assert "Called off: nobody is invited any more." in page
    assert "Play again" in page
    page = (await site.post(path, await site.form(path, "say Good game!"))).text
    assert "say Good game!" not in texts(page)
    assert "| Good game!" in site.club.last(BOB).text


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_is_put_together_by_links_alone(game: str, site: Site) -> None:
    options, plies = GAMES[game]
    rng = random.Random(11)
    await begin(site, game, options)
    assert await played(site, plies, rng)
    path = await site.path(Purpose.ACT)
    page = await read(site, path)
    for _ in range(STEPS):
        if 'id="send"' in page:
            break
        links = re.findall(r'<a href="(/act/[^"]+\?text=[^"]+)" data-swap', page)
        page = await read(site, unescape(rng.choice(links)))
    text = re.search(r'id="send".*?name="text" value="([^"]+)"', page, re.DOTALL)
    assert text is not None
    before = (await site.match()).course.ply
    await site.post(path, await site.form(path, unescape(text[1])))
    assert (await site.match()).course.ply > before


async def test_a_tap_that_is_no_answer_is_told_why(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    spots = {one.name: one for one in GAMES_KNOWN["logger-1"].places(None, None)}
    middle, corner = spots["c3"], spots["a1"]
    page = await read(site, f"{path}?text=&place={middle.x:.0f},{middle.y:.0f}")
    assert "Your logger begins in a corner that is free." in page
    assert 'id="send"' not in page
    page = await read(site, f"{path}?text=&place={corner.x:.0f},{corner.y:.0f}")
    assert 'id="send"' in page
    for place in ("-5,-5", "9999,0", "x,y", "c3%0A", "1e9,2"):
        page = await read(site, f"{path}?text=&place={place}")
        assert 'id="ask"' in page
        assert 'id="send"' not in page


async def test_an_invitation_says_who_invites_and_shows_what(site: Site) -> None:
    await site.club.write(ANN, f"new logger with {BOB}")
    await site.club.answer(ANN, "yes")
    page = await read(site, await site.path(Purpose.ACT, BOB))
    assert "Ann invites you to a match of Logger." in page
    assert texts(page)[:2] == ["accept", "decline"]
    assert 'viewBox="' in page
    assert page.partition('id="ten"')[2].partition("</details>")[0].count("<li>") == 10
    assert "resign" not in page
    path = await site.path(Purpose.ACT)
    page = await read(site, path)
    assert "You have invited to a match of Logger." in page
    assert "It begins when all have accepted: Bob." in page
    assert texts(page)[0] == "decline"
    page = (await site.post(path, await site.form(path, "decline"))).text
    assert "will not begin any more" in page
    assert (await site.match()).status is Status.OFF


async def test_what_the_signs_mean_names_those_that_are_not_there_yet(site: Site) -> None:
    await begin(site)
    page = await read(site, await site.path(Purpose.ACT))
    key = page.partition('id="key"')[2].partition("</details>")[0]
    for meaning in (
        "seedling",
        "sapling",
        "mature tree",
        "has grown",
        "was felled",
        "a point each",
    ):
        assert meaning in key
    drawn = set(re.findall(r'href="#(key-[^"]+)"', key))
    assert drawn
    assert drawn <= set(re.findall(r'id="(key-[^"]+)"', key))


async def test_what_is_asked_back_is_answered_on_the_page(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    for answer, over in (("no", False), ("yes", True)):
        page = (await site.post(path, await site.form(path, "resign"))).text
        assert "Nothing has changed so far." in page
        assert "Do you want to resign in" in page
        assert texts(page)[:2] == ["yes", "no"]
        await site.post(path, await site.form(path, answer))
        assert ((await site.match()).status is Status.ENDED) is over


async def test_a_pause_is_agreed_on_and_ended_on_the_page(site: Site) -> None:
    await begin(site)
    own, other = await site.path(Purpose.ACT), await site.path(Purpose.ACT, BOB)
    page = (await site.post(own, await site.form(own, "pause 5 days"))).text
    assert "A pause of 5 days waits for the others to agree." in page
    assert "resume" in texts(page)
    page = await read(site, other)
    assert "Ann asks for a pause of 5 days, in which all clocks stand." in page
    assert {"pause", "no"} <= {*texts(page)}
    page = (await site.post(other, await site.form(other, "pause"))).text
    assert "All clocks stand until " in page
    assert (await site.match()).pending.paused is not None
    page = (await site.post(own, await site.form(own, "resume"))).text
    assert "All clocks stand" not in page
    assert (await site.match()).pending.paused is None


async def test_the_next_board_is_led_to_from_ones_own_boards_alone(site: Site) -> None:
    await begin(site)
    first = await site.match()
    await begin_again(site, "logan stones", "starter=given")
    second = await site.match()
    assert first.id != second.id
    boards = await site.path(Purpose.PLAYER)
    here = f"{boards}/{first.id.lower()}"
    assert 'id="next"' not in await read(site, here)  # this one waits itself
    answer = await site.post(here, await site.form(here, f"#{guard_of(first)} a1"))
    assert f'id="next" href="{boards}/{second.id.lower()}"' in answer.text
    assert "Next board: Logan Stones" in answer.text
    there = f"{boards}/{second.id.lower()}"
    add = second.game.notation(second.game.legal(second.course.position)[0])
    answer = await site.post(there, await site.form(there, f"#{guard_of(second)} {add}"))
    assert "No other board waits for you." in answer.text
    alone = await read(site, await site.path(Purpose.ACT, match=first))
    assert second.id not in alone
    assert "/player/" not in alone
    assert "page" in texts(alone)
    path = await site.path(Purpose.ACT, match=first)
    await site.post(path, await site.form(path, "page"))
    assert f"{PUBLIC}{boards}" in site.club.last(ANN).text


async def test_a_button_asks_for_a_hint_and_the_page_puts_it_on_the_board(site: Site) -> None:
    await site.club.write(ANN, "new logger with bot easy")
    await site.club.answer(ANN, "yes")
    path = await site.path(Purpose.ACT)
    page = await read(site, path)
    assert "Hint (3 left)" in page
    assert "hint" in texts(page)
    heard = int((await site.get(f"{path}/live?once=1")).text)
    sent = (await site.post(path, await site.form(path, "hint"))).text
    assert "A hint is on its way" in sent or "Show the hint" in sent
    assert "Hint (" not in sent
    await site.club.work()
    match = await site.match()
    found = hint_for(match, match.to_act[0])
    assert found is not None
    page = await read(site, path)
    assert f"<strong>Hint: {found.notation}</strong>" in page
    assert "2 hints are left in this match." in page
    assert f'name="text" value="{found.notation}"' in page  # where it can be typed
    assert "Hint (" not in page
    assert int((await site.get(f"{path}/live?once=1")).text) > heard
    [href] = re.findall(r'href="([^"]+)"[^>]*>Show the hint', page)
    shown = await read(site, unescape(href))
    assert f"{guard_of(match)} {found.notation}" in unescape(shown)
    assert 'id="send"' in shown
    await site.post(path, await site.form(path, f"#{guard_of(match)} {found.notation}"))
    assert "Hint (2 left)" in await read(site, path)
    watched = await read(site, await site.path(Purpose.VIEW))
    shared = await read(site, await site.path(Purpose.SEAT))
    assert "Hint" not in watched + shared


async def test_while_a_hint_is_looked_for_the_page_says_so(site: Site) -> None:
    await site.club.write(ANN, "new logger with bot easy")
    await site.club.answer(ANN, "yes")
    path = await site.path(Purpose.ACT)
    letter = site.club.letter(ANN, site.club.last(ANN).reply_to, "hint").as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, 99, letter), site.club.house)
    await take_waiting(site.club.house)
    page = await read(site, path)
    assert "A hint is on its way" in page
    assert "Hint (" not in page
    await site.club.work()
    assert "<strong>Hint: " in await read(site, path)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_no_page_of_a_match_between_people_offers_a_hint(site: Site, game: str) -> None:
    await begin(site, game.replace("_", " "), GAMES[game][0])
    for who in (ANN, BOB):
        page = await read(site, await site.path(Purpose.ACT, who))
        assert "hint" not in texts(page)
        assert "Hint" not in page


async def test_the_page_of_a_seat_teaches_as_its_mails_do(site: Site) -> None:
    await site.club.write(ANN, "learn logger")
    await site.club.answer(ANN, "yes")
    path = await site.path(Purpose.ACT)
    assert "Lesson 1 of 6" in await read(site, path)
    await site.club.answer(ANN, "a1")
    assert "Lesson 2 of 6" in await read(site, path)
    await begin_again(site, "logger", "seat_order=given")
    assert 'id="lesson"' not in await read(site, await site.path(Purpose.ACT))


async def read(site: Site, path: str) -> str:
    answer = await site.get(path)
    assert answer.status_code == 200
    return answer.text


def board(page: str) -> str:
    return page.partition('<div id="picture"')[2].partition("</svg>")[0]


def texts(page: str) -> list[str]:
    """What the forms of a page send, in their order."""
    return re.findall(r'type="hidden" name="text" value="([^"]*)"', page)
