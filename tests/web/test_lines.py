"""Lines that are tried on a board: turns of all seats, and nothing that its seat does not know."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from pbem.games import GAMES as ALL
from pbem.games import AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Seats
from pbem.games.logan_stones.stones import HIDDEN
from pbem.mail.addresses import Purpose
from pbem.notices.views.matches import guard_of
from pbem.web.lines import DRAWN, LONGEST, MOST, followed
from tests.clubs.club import ANN, BOB
from tests.web.site import PUBLIC, Site, begin
from tests.web.test_seat_page import GAMES, SEEN, SIZES, played, read, shown

if TYPE_CHECKING:
    from playwright.async_api import Browser

OWN = Seat(1)


def onward(page: str, rng: random.Random) -> str:
    """What a page of a line leads on with; empty where the line ends."""
    main = re.search(r'<a class="main" href="([^"]+)"', page)
    links = re.findall(r'<li><a href="([^"]+)" data-swap', page)
    links += re.findall(r'<a href="([^"]+)" data-swap aria-label', page)
    if main is not None and (not links or rng.random() < 0.8):
        return unescape(main[1])
    return unescape(rng.choice(links)) if links else ""


def question(page: str) -> str:
    found = re.search(r'<h2 id="ask"[^>]*>(.*?)</h2>', page, re.DOTALL)
    assert found is not None
    return found[1].strip()


def tried(page: str) -> list[str]:
    """The turns of a line, in words."""
    return re.findall(r"<li>(.*?)</li>", page.partition('<ol id="tried">')[2].partition("</ol>")[0])


def visited_by(site: Site, number: int) -> None:
    site.client._transport.client = (f"192.0.2.{number % 250}", 1)  # type: ignore[attr-defined]


ENDS = {
    "logger": "A line ends after 20 turns and draws.",
    "looney_ludo": "A line ends after 20 turns and draws.",
    "logan_stones": "Here something is uncovered that you do not know: the line ends.",
    "landrush": "A line ends after 20 turns and draws.",
}


@pytest.mark.parametrize("game", GAMES)
async def test_a_line_is_followed_by_links_alone_and_changes_nothing(game: str, site: Site) -> None:
    options, plies = GAMES[game]
    rng = random.Random(3)
    await begin(site, game, options)
    assert await played(site, plies, rng)
    path = await site.path(Purpose.ACT)
    assert f'href="{path}?line="' in await read(site, path)
    before, mails = (await site.match()).version, len(site.club.postbox.sent)
    way, page, number = f"{path}?line=", "", 0
    while way and number < 10 * MOST:
        number += 1
        visited_by(site, number)
        page = await read(site, way)
        assert "This is only tried: nothing is sent." in page
        assert "<form" not in page
        way = onward(page, rng)
    assert question(page).startswith(ENDS[game]), question(page)
    assert 0 < len(tried(page)) <= MOST
    await site.club.work()
    assert (await site.match()).version == before
    assert len(site.club.postbox.sent) == mails
    assert f'href="{path}?line="' in await read(site, path)


async def test_a_line_goes_back_begins_again_and_leads_to_the_form(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    page = await read(site, f"{path}?line=place%20a1&line=place%20e5")
    assert [one.split()[0] for one in tried(page)] == ["Ann", "Bob"]
    assert question(page).startswith("Ann: ")
    assert f'href="{path}?line=place%20a1" data-swap data-key="Backspace"' in page
    assert f'href="{path}?line=" data-swap data-key="Home"' in page
    assert f'href="{path}?text=place%20a1" data-swap>Play the first turn' in page
    form = await read(site, f"{path}?text=place%20a1")
    assert 'value="#1 place a1"' in form
    other = await read(site, f"{await site.path(Purpose.ACT, BOB)}?line=place%20a1")
    assert tried(other)
    assert "Play the first turn" not in other
    assert question(await read(site, f"{path}?line=place%20c3")).startswith("The next turn")


async def test_a_line_begins_at_any_board_of_the_match(site: Site) -> None:
    await begin(site)
    for who, move in ((ANN, "a1"), (BOB, "e5")):
        path = await site.path(Purpose.ACT, who)
        await site.post(path, await site.form(path, f"#{guard_of(await site.match())} {move}"))
    path = await site.path(Purpose.ACT)
    back = await read(site, f"{path}?at=1")
    assert f'href="{path}?at=1&amp;line="' in back
    page = await read(site, f"{path}?at=1&line=place%20a5")
    assert "It begins after step 1." in page
    assert tried(page)[0].startswith("Bob puts the logger on a5")
    assert "Play the first turn" not in page


async def test_only_the_seat_itself_tries_lines(site: Site) -> None:
    await begin(site)
    for purpose in (Purpose.SEAT, Purpose.VIEW):
        page = await read(site, f"{await site.path(purpose)}?line=place%20a1")
        assert "only tried" not in page
        assert "?line=" not in page


@pytest.mark.parametrize(
    "key", [*"xyz", " ", "* 1 1", "* " + "9" * 400, "place a1", "\0", "ß", "*"]
)
@pytest.mark.parametrize("game", GAMES)
async def test_what_is_no_line_is_a_page(game: str, key: str, site: Site) -> None:
    await begin(site, game, GAMES[game][0])
    path = await site.path(Purpose.ACT)
    for asked in (
        f"line={quote(key)}",
        f"line=&text={quote(key)}",
        f"line={quote(key)}&text=1.2.3",
    ):
        assert "only tried" in await read(site, f"{path}?{asked}")
    many = "&".join(f"line={quote(key[:9] * 20)}" for _ in range(60))
    assert len(await read(site, f"{path}?{many}")) < 64_000


@pytest.mark.browser
@pytest.mark.parametrize("game", GAMES)
async def test_what_a_line_asks_is_in_sight_and_large(
    game: str, browser: Browser, site: Site
) -> None:
    options, plies = GAMES[game]
    rng = random.Random(6)
    await begin(site, game, options)
    assert await played(site, plies, rng)
    path = await site.path(Purpose.ACT)
    async with shown(browser, site, f"{path}?line=", viewport=SIZES["phone"]) as page:
        for _ in range(8):
            await expect(page.locator("#bar .act a", has_text="To the match")).to_be_in_viewport(
                ratio=1
            )
            seen = await page.evaluate(SEEN)
            assert (seen["small"], seen["wide"]) == ([], 0), seen
            if not await page.locator("#bar .choices").count():
                assert not seen["away"], seen
            way = onward(await page.content(), rng)
            if not way:
                break
            await page.goto(PUBLIC + way)
        await page.keyboard.press("Escape")
        await expect(page.locator("#table[data-tried]")).to_have_count(0)


# --- what is known of it --------------------------------------------------------------------------


def begun(game: AnyGame, rng: random.Random, plies: int) -> Any:
    """A position after some turns at random."""
    position, number = game.initial(2, game.normal_options({})), 0
    while not isinstance(turn := game.turn(position), Over):
        if isinstance(turn, Chance):
            source = iter(lambda: rng.randrange(256), None)
            position = game.play(position, Drawn(answer(turn.draw, source)))
        elif number == plies:
            break
        else:
            position, number = (
                game.play(position, rng.choice(list(game.legal(position)))),
                number + 1,
            )
    return position


@pytest.mark.parametrize("seed", range(20))
def test_no_face_that_a_seat_has_not_seen_comes_into_a_line(seed: int) -> None:
    """What others hold is exchanged for something else, and the line is the same."""
    game, rng = ALL["logan_stones-1"], random.Random(seed)
    position = begun(game, rng, seed % 12)
    own = OWN if seed % 2 else Seat(2)
    other = replace(
        position,
        stones=tuple(_turned(stone, own) for stone in position.stones),
        hands=tuple(
            tuple(held._replace(stone=_turned(held.stone, own)) for held in hand)
            for hand in position.hands
        ),
    )
    assert other != position
    known = game.known(position, own)
    line = followed(game, known, own, ())
    texts: list[str] = []
    while line.seat is not None:
        texts.append(game.notation(rng.choice(list(game.legal(line.position)))))
        line = followed(game, known, own, texts)
        assert followed(game, game.known(other, own), own, texts) == line
    assert line.end in ("hidden", "long", "over")
    if line.end == "hidden":
        last = line.done[-1][1]
        shown = [stone for stone in last.after.stones if stone.top == HIDDEN]
        assert shown
        assert not any(stone.top == HIDDEN for stone in last.before.stones)


def _turned(stone: Any, own: Seat) -> Any:
    """A stone with another face below, where the seat has not seen it."""
    faces = "RPS"
    other = faces[(faces.index(stone.under) + 1) % len(faces)]
    return stone if stone.known_to(own) else stone._replace(under=other)


@pytest.mark.parametrize("key", ["looney_ludo-1", "landrush-1"])
def test_what_is_drawn_is_supposed_and_never_known(key: str) -> None:
    game, rng = ALL[key], random.Random(1)
    position = begun(game, rng, 4)
    first = game.notation(rng.choice(list(game.legal(position))))
    line = followed(game, position, OWN, [first])
    assert line.draw is not None
    drawn = next(iter(_drawings(line.draw, rng)))
    text = DRAWN + game.chance_notation(line.position, drawn)
    on = followed(game, position, OWN, [first, text])
    assert on.position == game.play(line.position, drawn)
    assert isinstance(game.turn(on.position), Seats)
    assert followed(game, position, OWN, [first, first]).end == "not_so"


def _drawings(draw: Any, rng: random.Random) -> Any:
    source = iter(lambda: rng.randrange(256), None)
    while True:
        yield Drawn(answer(draw, source))


def test_nobody_supposes_a_secret_deal() -> None:
    game = ALL["logan_stones-1"]
    position = game.initial(2, game.normal_options({}))
    turn = game.turn(position)
    assert isinstance(turn, Chance)
    assert turn.draw.secret
    assert followed(game, position, OWN, ["* 1"]).end == "chance"


def test_a_line_has_bounds() -> None:
    game = ALL["logger-1"]
    position = game.initial(2, game.normal_options({"tree_limit": "none"}))
    texts: list[str] = []
    while (line := followed(game, position, OWN, texts)).seat is not None:
        texts.append(game.notation(game.legal(line.position)[0]))
    assert line.end in ("long", "over")
    assert len(line.done) <= MOST
    assert len(" ".join(texts)) < LONGEST
