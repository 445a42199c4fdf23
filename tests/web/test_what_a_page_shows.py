"""A page of a seat shows what concerns that seat: an answer that tells more goes by mail alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, fields
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from pbem.mail.addresses import Purpose
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.match import Match
from pbem.notices.codec import KINDS
from pbem.notices.replies import Account, OrderRefused, OrderResult
from pbem.orders.order_table import TABLE
from pbem.web.answers import of_seat
from tests.clubs.club import ANN, BOB, CLEO, Club
from tests.clubs.kept import kept
from tests.notices.test_golden import MAILS
from tests.web.site import Site, begin, begin_again, open_site

PEOPLE = (ANN, BOB, CLEO)

ANYBODYS = {"RulesShown", "HelpShown"}
"""Notices that are about no match, and say what anybody may read."""

FILLED = {"{move}": "place a1", "{answer}": "place e5", "K7QX2": "", "MOVE": "place a1"}


@dataclass
class Scene:
    """Ann's matches against Bob: one runs, one is over, and in one stones lie hidden."""

    site: Site
    runs: Match
    over: Match
    hidden: Match
    number: int = 0

    async def page(self, match: Match) -> str:
        return await self.site.path(Purpose.ACT, match=match)

    async def sends(self, match: Match, text: str) -> str:
        """What the page of a match says to a form."""
        self.number += 1
        self.site.client._transport.client = (f"192.0.2.{self.number % 250}", 1)  # type: ignore[attr-defined]
        path = await self.page(match)
        answer = await self.site.post(path, await self.site.form(path, text))
        assert answer.status_code == 200, text
        return answer.text

    async def strange(self, match: Match, page: str, text: str) -> list[str]:
        """What stands on a page that is not of this seat of this match; not what was typed."""
        own = {
            await self.site.path(one, match=match)
            for one in (Purpose.ACT, Purpose.SEAT, Purpose.VIEW)
        }
        for line in sorted({text, *text.splitlines()}, key=len, reverse=True):
            page = page.replace(escape(line), "").replace(line, "")
        page = unquote(unescape(page))
        links = set(re.findall(r"/(?:act|seat|view|player|calendar|stop)/[a-z0-9.-]+", page))
        tags = set(re.findall(r"games\+([^@\s\"?&]+)@", page))
        assert len(tags) <= 1  # that of the seat, behind "or write a mail"
        others = {one.id for one in (self.runs, self.over, self.hidden)} - {match.id}
        return [
            *sorted(links - own),
            *(one for one in (*others, *PEOPLE) if one in page),
            *re.findall(r"\[ref [^\]]*\]", page),
        ]


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    site = open_site(tmp_path, refusals_per_day=10_000)
    async with site.client:
        yield await _scene(site)
    site.club.house.db.close()


@kept
async def _given_up(club: Club) -> None:
    await club.insist(ANN, "resign")
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")


async def _scene(site: Site) -> Scene:
    await begin(site)
    over = await site.match()
    await _given_up(site.club)
    await begin_again(site, "logan stones", "starter=given")
    hidden = await site.match()
    await begin_again(site, "logger", "seat_order=given")
    runs = await site.match()
    assert len({over.id, hidden.id, runs.id}) == 3
    return Scene(site, runs, over, hidden)


def lines() -> Iterator[str]:
    """Every verb, by each of its examples."""
    for verb in VERBS:
        for example in verb.examples:
            line = example
            for mark, word in FILLED.items():
                line = line.replace(mark, word)
            yield " ".join(line.split())


CHOSEN = ["runs", pytest.param("over", marks=pytest.mark.slow)]


@pytest.mark.parametrize("chosen", CHOSEN)
@pytest.mark.parametrize("part", range(4))
async def test_no_verb_shows_on_a_page_what_is_not_of_its_seat(
    scene: Scene, chosen: str, part: int
) -> None:
    match = getattr(scene, chosen)
    every = [*dict.fromkeys(lines()), *(f"say {one}" for one in ("hello",)), "games\nsettings"]
    shown = 0
    for text in every[part::4]:
        page = await scene.sends(match, text)
        assert not await scene.strange(match, page, text), text
        shown += 'class="mail"' in page
        if text == "resign":
            await scene.sends(match, "undo")
    assert shown


ELSEWHERE = ("{match} board", "{match} resign", "{match} #1 place a1", "{match} history",
             "{match} undo", "{match} note x", "{match} verify", "join {match}", "watch {match}",
             "unwatch {match}", "{match} accept", "{match} say hello", "{match} record",
             "board\n{match} board", "{match} place a1", "{match}: board", "{match} yes",
)  # fmt: skip


@pytest.mark.parametrize("chosen", CHOSEN)
async def test_an_order_for_another_match_is_refused(scene: Scene, chosen: str) -> None:
    match = getattr(scene, chosen)
    for other in (scene.hidden, scene.over if match is scene.runs else scene.runs):
        for pattern in ELSEWHERE:
            text = pattern.format(match=other.id)
            mails = len(scene.site.club.mails(BOB))
            page = await scene.sends(match, text)
            assert "It was not carried out." in page, text
            assert "This page is of one match alone" in page, text
            assert not await scene.strange(match, page, text), text
            assert len(scene.site.club.mails(BOB)) == mails


async def test_an_order_for_the_match_of_the_page_may_name_it(scene: Scene) -> None:
    page = await scene.sends(scene.runs, f"{scene.runs.id} history")
    assert "Done:" in page
    assert 'class="mail"' in page


@pytest.mark.parametrize("text", ["my data", "games", "settings", "address list", "calendar"])
async def test_what_tells_more_goes_by_mail_and_the_page_says_so(scene: Scene, text: str) -> None:
    before = len(scene.site.club.mails(ANN))
    page = await scene.sends(scene.runs, text)
    assert "Done:" in page
    assert 'id="mailed"' in page
    assert 'class="mail"' not in page
    assert len(scene.site.club.mails(ANN)) > before


async def test_what_concerns_the_seat_stands_on_its_page(scene: Scene) -> None:
    for text in (
        "history",
        "note my secret",
        "note",
        "messages",
        "rules",
        "why place a1",
        "verify",
    ):
        page = await scene.sends(scene.runs, text)
        assert 'class="mail"' in page, text
        assert 'id="mailed"' not in page, text
    both = await scene.sends(scene.runs, "games\nhistory")
    assert 'class="mail"' in both
    assert 'id="mailed"' in both


async def test_a_page_tells_nothing_of_wishes_for_all_mails(scene: Scene) -> None:
    wishes = ("width 60", "thread off", "mail text")
    for text in wishes:
        await scene.sends(scene.runs, text)
    page = unescape(await scene.sends(scene.runs, "history"))
    assert 'class="mail"' in page
    told = scene.site.club.last(ANN).text
    for text in wishes:
        assert text in told
        assert text not in page


async def test_only_the_link_of_ones_own_boards_leads_to_other_matches(scene: Scene) -> None:
    site = scene.site
    boards = await site.path(Purpose.PLAYER)
    page = (await site.get(boards)).text
    for one in (scene.hidden, scene.over):
        assert f'href="{boards}/{one.id.lower()}"' in page
    for purpose in (Purpose.ACT, Purpose.SEAT, Purpose.VIEW, Purpose.STOP):
        path = await site.path(purpose, match=scene.runs)
        page = (await site.get(path)).text
        assert not await scene.strange(scene.runs, page.replace(path, ""), ""), purpose


# --- each notice says itself whether a page shows it ----------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_what_a_page_shows_names_the_match_that_it_is_of(name: str) -> None:
    kind = KINDS[name]
    if kind.traits.on_page and name not in ANYBODYS:
        assert "match" in {field.name for field in fields(kind)}


@pytest.mark.parametrize("name", MAILS)
def test_a_page_shows_nothing_of_a_mail_of_another_match(name: str) -> None:
    notices, _, _ = MAILS[name]
    for notice in of_seat(notices, "XXXXX"):  # type: ignore[arg-type]
        assert type(notice).__name__ in ANYBODYS


def test_what_is_not_said_to_be_of_a_seat_is_not_shown() -> None:
    secret = OrderResult(typed="x", status="done", outcome="renamed", facts={"name": "Ann"})
    refused = OrderRefused(match=None, typed="x", code="which_match", facts={})
    assert not [*of_seat([Account(results=(secret,)), refused], "XXXXX")]  # type: ignore[arg-type]


def test_orders_about_more_than_a_match_are_of_no_seat() -> None:
    for order, row in TABLE.items():
        if row.of_match:
            assert row.of_seat, order
    told = {order.__name__ for order, row in TABLE.items() if row.of_seat and not row.of_match}
    assert told == {"Accept", "Decline", "Yes", "ShowRules", "Help"}
