"""Invitations as links: made, passed on, taken, called back, and lapsed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.addresses import PageLink, Purpose, page_token
from pbem.matches.match import Status
from pbem.transaction.installation import verified
from tests.clubs.club import ANN, BOB, CLEO, open_club
from tests.links.inviting import LINK, asked, invited, match_of, name_of, said, title_of, token_of
from tests.web.site import PUBLIC, Site

DAN = "dan@example.org"


async def joined(site: Site, who: str, path: str, *, answer: str = "yes") -> None:
    """Somebody new writes what the mail beside the form has, and answers the question."""
    await site.club.write(who, f"join {token_of(path)}")
    await site.club.answer(who, answer)


async def test_the_mail_has_the_link_on_a_line_of_its_own_and_as_a_button(site: Site) -> None:
    path = await invited(site)
    mail = site.club.last(ANN)
    lines = mail.text.splitlines()
    at = lines.index(f"{PUBLIC}{path}")
    assert lines[at - 1] == "Shall we play Logger? Look, try it, and take the seat:"
    assert mail.text.count(path) == 1
    button = re.search(rf'<a [^>]*href="{PUBLIC}{path}"[^>]*>(.*?)</a>', mail.html)
    assert button is not None
    assert button[1] == "Open the invitation"
    assert "until Saturday 5 December" in said(site, ANN)


async def test_of_two_newcomers_the_first_yes_sits_and_the_other_hears_what_is_open(
    site: Site,
) -> None:
    path = await invited(site)
    await site.club.answer(ANN, "new looney ludo open")
    other = await site.match()
    for who in (BOB, CLEO):
        await asked(site, path, address=who)
        assert (await match_of(site, path)).table.open_seats == 1  # nothing is held
    assert f"| join {name_of(path)}" in site.club.last(BOB).text
    await site.club.answer(CLEO, "yes")
    match = await match_of(site, path)
    assert match.status is Status.RUNNING
    assert [(await site.row(one)).id for one in (ANN, CLEO)] == sorted(
        match.table.players, key=match.table.entrants.index
    )
    assert len(site.club.mails(CLEO)) == 2  # the question, and the begin
    await site.club.answer(BOB, "yes")
    mail = site.club.last(BOB)
    assert mail.subject == f"The seat in {match.id}"
    assert mail.text.startswith(f"Too late: somebody else has taken the seat in {match.id}.")
    assert f"Looney Ludo {other.id}: Ann, and 1 open seat" in said(site, BOB)
    assert "Welcome to Club" in mail.text  # the address is proved all the same
    await site.club.answer(BOB, f"join {other.id}")
    assert "Begun:" in said(site, BOB)
    found = await site.club.read(lambda conn: verified(conn, match.id))
    assert found[0].findings == ()  # type: ignore[index]


async def test_whoever_plays_here_joins_by_the_whole_address(site: Site) -> None:
    path = await invited(site)
    await site.club.write(BOB, "new logger with bot")
    await site.club.answer(BOB, "yes")
    await site.club.answer(BOB, f"Join {PUBLIC}{path}.")
    assert (await match_of(site, path)).status is Status.RUNNING


async def test_the_seat_is_listed_nowhere_and_the_name_of_the_match_takes_it_not(
    site: Site,
) -> None:
    path = await invited(site)
    name = name_of(path)
    await site.club.write(BOB, "new logger with bot")
    await site.club.answer(BOB, "yes")
    await site.club.answer(BOB, "open")
    assert "No seat is open at the moment." in said(site, BOB)
    assert name not in (await site.get("/")).text
    for order in (f"join {name}", f"{name} accept", f"{name} join"):
        await site.club.answer(BOB, order)
        assert f"No seat is open in {name} any more." in said(site, BOB)
    assert (await match_of(site, path)).table.open_seats == 1


@pytest.mark.parametrize("purpose", [one for one in Purpose if one is not Purpose.JOIN])
async def test_no_token_of_another_kind_takes_a_seat(site: Site, purpose: Purpose) -> None:
    path = await invited(site)
    other = page_token(site.club.house.keys, PageLink(purpose, name_of(path)))
    await site.club.write(BOB, f"join {other}")
    await site.club.answer(BOB, "yes")
    assert f"No seat is open in {name_of(path)} any more." in said(site, BOB)
    assert (await site.get(f"/join/{other}")).status_code == 404
    for kind in Purpose:
        if kind is not Purpose.JOIN:
            page = await site.get(f"/{kind}/{token_of(path)}")
            assert page.status_code in (404, 410), kind


async def test_more_play_where_the_others_are_named(site: Site) -> None:
    path = await invited(site, f"new looney ludo with {BOB} link")
    assert "One more seat is for whoever gets a link to it from Ann." in said(site, BOB)
    await joined(site, CLEO, path)
    assert "You have a seat in Looney Ludo" in said(site, CLEO)
    assert "Still to answer: Bob." in said(site, ANN)
    assert (await site.get(path)).status_code == 410
    await site.club.answer(CLEO, f"{name_of(path)} leave")
    assert "A seat waits for whoever has its link." in said(site, ANN)
    assert (await site.get(path)).status_code == 200
    await site.club.answer(CLEO, f"join {token_of(path)}")
    await site.club.answer(BOB, "accept")
    assert (await match_of(site, path)).status is Status.RUNNING


@pytest.mark.parametrize("more", ["link 2", "link open 4", "link seats=4"])
async def test_a_link_is_for_one_seat(site: Site, more: str) -> None:
    await site.club.write(ANN, f"new looney ludo {more}")
    await site.club.answer(ANN, "yes")
    assert "A link is for one seat" in said(site, ANN)
    assert '"new looney ludo with Bob link"' in said(site, ANN)
    before = len(site.club.mails(ANN))
    await site.club.answer(ANN, "new looney ludo with bot link\nnew logger link\nnew logger link")
    links = {LINK.findall(mail.text)[0] for mail in site.club.mails(ANN)[before:-1]}
    assert len(links) == 3


async def test_the_link_comes_again_and_is_called_back(site: Site) -> None:
    path = await invited(site)
    await site.club.answer(ANN, "link")
    assert f"{PUBLIC}{path}" in said(site, ANN)
    await asked(site, path, address=BOB)
    await site.club.answer(ANN, "link off")
    assert "The invitation is called back" in said(site, ANN)
    assert (await match_of(site, path)).status is Status.OFF
    page = await site.get(path)
    assert (page.status_code, title_of(page.text)) == (410, "This invitation was called back")
    await site.club.answer(BOB, "yes")
    assert site.club.last(BOB).text.startswith("Not open any more: the invitation to")
    for order in ("link", "link off"):
        await site.club.answer(ANN, f"{name_of(path)} {order}")
        assert f"There is no link to a seat in {name_of(path)}" in said(site, ANN)


async def test_only_the_inviter_has_the_link(site: Site) -> None:
    path = await invited(site, f"new looney ludo with {BOB} link")
    await site.club.answer(BOB, "accept")
    before = len(site.club.mails(ANN))
    for order in ("link", "link off"):
        await site.club.answer(BOB, order)
        assert f"There is no link to a seat in {name_of(path)}" in said(site, BOB)
    assert all(token_of(path) not in str(mail) for mail in site.club.mails(BOB))
    assert len(site.club.mails(ANN)) == before


async def test_after_two_weeks_it_lapses_and_its_maker_is_told_once(site: Site) -> None:
    path = await invited(site)
    await asked(site, path, address=BOB)
    await site.club.wait(days=13, hours=23)
    assert (await site.get(path)).status_code == 200
    before = len(site.club.mails(ANN))
    await site.club.wait(hours=2)
    assert (await match_of(site, path)).status is Status.OFF
    page = await site.get(path)
    assert (page.status_code, title_of(page.text)) == (410, "This invitation has lapsed")
    await site.club.wait(days=60)
    [told] = site.club.mails(ANN)[before:]
    assert "Logger" in told.subject


async def test_a_page_says_that_it_lapsed_before_anybody_closed_it(site: Site) -> None:
    path = await invited(site)
    site.club.clock.time += (await match_of(site, path)).table.link_until - site.club.clock.time  # type: ignore[attr-defined]
    assert (await site.get(path)).status_code == 410
    assert (await asked(site, path, address=BOB))[0] == 410


async def test_who_is_blocked_hears_that_it_is_taken(site: Site) -> None:
    path = await invited(site)
    await site.club.write(BOB, "new logger with bot")
    await site.club.answer(BOB, "yes")
    await site.club.answer(ANN, f"block {BOB}")
    await site.club.answer(BOB, f"join {token_of(path)}")
    assert site.club.last(BOB).text.startswith("Too late: somebody else has taken the seat")
    assert (await match_of(site, path)).table.open_seats == 1


async def test_new_addresses_replace_the_link(site: Site) -> None:
    path = await invited(site)
    await site.club.insist(ANN, "new address")
    assert title_of((await site.get(path)).text) == "This invitation was called back"
    again = await invited(site, f"{name_of(path)} link")
    assert again != path
    await joined(site, CLEO, again)
    assert (await match_of(site, path)).status is Status.RUNNING


async def test_who_is_forgotten_invites_nobody(site: Site) -> None:
    path = await invited(site)
    await asked(site, path, address=BOB)
    await site.club.insist(ANN, "delete me")
    page = await site.get(path)
    assert (page.status_code, title_of(page.text)) == (410, "This invitation was called back")
    assert "Ann" not in page.text
    await site.club.answer(BOB, "yes")
    assert site.club.last(BOB).text.startswith("Not open any more")


@pytest.mark.parametrize("answer", ["never", "no"])
async def test_who_wants_no_mail_gets_none_by_a_link(site: Site, answer: str) -> None:
    path = await invited(site)
    await asked(site, path, address=BOB)
    await site.club.answer(BOB, answer)
    before = len(site.club.mails(BOB))
    assert await asked(site, path, address=BOB) == (200, "Look into your mail")
    assert len(site.club.mails(BOB)) == before
    assert (await match_of(site, path)).table.open_seats == 1


async def test_a_forged_name_of_somebody_who_plays_here_is_asked_about(site: Site) -> None:
    path = await invited(site)
    await site.club.write(BOB, "new logger with bot")
    await site.club.answer(BOB, "yes")
    await asked(site, path, address=BOB, name="Somebody else")
    assert "A mail in your name" in site.club.last(BOB).subject
    assert token_of(path) not in site.club.last(BOB).text
    assert (await match_of(site, path)).table.open_seats == 1
    await site.club.answer(BOB, "yes")
    assert (await match_of(site, path)).status is Status.RUNNING
    assert (await site.row(BOB)).name == "Bob"


async def test_a_name_that_is_gone_costs_nobody_the_seat(site: Site) -> None:
    path = await invited(site)
    await asked(site, path, address=CLEO, name="Cleopatra")
    await site.club.write(DAN, "new logger with bot\nname Cleopatra")
    await site.club.answer(DAN, "yes")
    assert (await site.row(DAN)).name == "Cleopatra"
    await site.club.answer(CLEO, "yes")
    assert (await match_of(site, path)).status is Status.RUNNING
    assert (await site.row(CLEO)).name == "Cleo"


async def test_in_german(site: Site) -> None:
    await site.club.write(ANN, "neu logger link\nsprache de")
    await site.club.answer(ANN, "ja")
    assert "Gib den Link weiter: Wer den Platz zuerst nimmt" in said(site, ANN)
    assert "/join/" in said(site, ANN)
    await site.club.answer(ANN, "link aus")
    assert "Die Einladung ist zurückgezogen" in said(site, ANN)


async def test_where_there_are_no_pages_it_says_what_to_do(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, "new looney ludo link")
    await club.answer(ANN, "yes")
    text = " ".join(club.last(ANN).text.split())
    assert "There are no pages here that a link could lead to." in text
    assert '"new looney ludo open"' in text
    assert '"new looney ludo with bob@example.org"' in text
    assert "link" not in text.partition("Any time:")[2].replace("/", " ").split()
    club.house.db.close()
