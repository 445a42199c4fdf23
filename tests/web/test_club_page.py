"""The page of the club: open seats, and who plays how well."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from sqlalchemy import Connection

from pbem.names import MatchId
from pbem.standing import book
from pbem.store import ratings
from pbem.transaction.installation import Loaded, MatchCache, find_match
from pbem.web import club_pages
from pbem.web.access import view_path
from tests.clubs.club import ANN, BOB, CLEO, Club
from tests.store.ratings.league import end
from tests.web.site import Site


async def order(club: Club, sender: str, words: str) -> None:
    """What whoever is known answers to a mail, and who is not confirms."""
    if any(reader == sender for reader, _ in club.postbox.sent):
        await club.answer(sender, words)
    else:
        await club.write(sender, words)
        await club.answer(sender, "yes")


async def play(site: Site, new: str, loser: str = BOB, opponent: str = BOB) -> None:
    """Begin a match of Ann's, which ends as somebody resigns."""
    club = site.club
    await order(club, ANN, f"new {new} with {opponent}")
    if opponent == BOB:
        await club.answer(BOB, "accept")
    await club.answer(loser, "resign")
    await club.answer(loser, "yes")
    assert (await site.match()).course.outcome is not None


def shown(page: str) -> list[list[str]]:
    """The cells of the tables' rows, without their links."""
    plain = re.sub(r"</?a\b[^>]*>", "", page)
    return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr><td>.*?</tr>", plain)]


async def listed(site: Site, *matches: tuple[str, tuple[str, str]]) -> None:
    """These matches end, each with its two in the order of their places, at distant times."""
    ids = {address: (await site.row(address)).id for address in (ANN, BOB)}
    now = site.club.house.now()

    def unit(conn: Connection) -> None:
        for number, (game, people) in enumerate(matches):
            at = now - timedelta(days=20 * (len(matches) - number) / len(matches))
            end(conn, f"Z{number}", [ids[one] for one in people], (1, 2), at, game=game)
        ratings.follow(conn)

    await asyncio.wrap_future(site.club.house.db.write(unit))


async def test_the_table_has_the_best_of_each_game(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(site, "logger")
    assert 'class="standings"' not in (await site.get("/")).text
    monkeypatch.setattr(book, "SURE", 330.0)
    await listed(site, ("logger", (ANN, BOB)), ("logger", (ANN, BOB)), ("landrush", (BOB, ANN)))
    rows = shown((await site.get("/")).text)
    assert [(*row[:2], *row[3:]) for row in rows] == [
        ("1", "Ann", "2", "2"),
        ("2", "Bob", "2", "0"),
        ("1", "Bob", "1", "1"),
        ("2", "Ann", "1", "0"),
    ]
    assert all(re.fullmatch(r"[0-9]{4} ±[0-9]{3}", row[2]) for row in rows)
    await site.club.insist(ANN, "delete me")
    await site.club.wait(days=31)
    assert [row[1] for row in shown((await site.get("/")).text)] == ["Bob", "Bob"]


async def test_the_page_of_a_player_has_what_everybody_may_see(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(site, "logger")
    public = (await site.match()).id
    await order(site.club, ANN, f"new logger with {BOB} private")
    await site.club.answer(BOB, "accept")
    hidden = site.club.last(BOB).subject.partition("]")[0].split()[-1]
    await site.club.answer(BOB, f"{hidden} resign")
    await site.club.answer(BOB, "yes")
    assert hidden != public
    monkeypatch.setattr(book, "SURE", 330.0)
    await listed(site, ("looney_ludo", (ANN, BOB)), ("looney_ludo", (BOB, ANN)))
    [path] = set(re.findall(r'<a href="(/profile/[^"]+)">Bob</a>', (await site.get("/")).text))
    answer = await site.get(path)
    page = answer.text
    assert answer.status_code == 200
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert [(*row[:2], *row[3:]) for row in shown(page)] == [("1", "Looney Ludo", "2", "1")]
    assert f"Logger {public}</a>" in page
    assert re.search(r"1\. Ann, 2\. Bob", page)
    assert hidden not in page
    assert BOB not in page
    assert ANN not in page
    [picture] = re.findall(r"<svg.*?</svg>", page.partition('class="history"')[2])
    assert set(re.findall(r"<(\w+)", picture)) == {"svg", "line", "text", "path"}
    assert path in (await site.get("/")).text
    german = (await site.get(path, headers=GERMAN)).text
    assert "Die letzten öffentlichen Partien" in german


async def test_who_wants_none_or_is_gone_has_no_page(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(site, "logger")
    monkeypatch.setattr(book, "SURE", 330.0)
    await listed(site, ("logger", (ANN, BOB)), ("logger", (ANN, BOB)))
    page = (await site.get("/")).text
    paths = {name: path for path, name in re.findall(r'<a href="(/profile/[^"]+)">(\w+)</a>', page)}
    assert [(await site.get(paths[name])).status_code for name in ("Ann", "Bob")] == [200, 200]
    await site.club.answer(BOB, "profile off")
    assert (await site.get(paths["Bob"])).status_code == 404
    page = (await site.get("/")).text
    assert "<td>Bob</td>" in page  # the list names who has won there, as results do
    assert paths["Bob"] not in page
    await site.club.answer(BOB, "profile on")
    assert (await site.get(paths["Bob"])).status_code == 200
    await site.club.insist(ANN, "delete me")
    assert (await site.get(paths["Ann"])).status_code == 404
    assert (await site.get(f"{paths['Bob'][:-1]}a")).status_code == 404


async def test_no_more_is_looked_at_than_is_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(site, "logger")
    for _ in range(2):  # those that run are no reason to show none that has ended
        await order(site.club, ANN, f"new logger with {BOB}")
        await site.club.answer(BOB, "accept")
    monkeypatch.setattr(club_pages, "_SHOWN", 1)
    looked: list[str] = []

    def find(conn: Connection, match: MatchId, cache: MatchCache) -> Loaded | None:
        looked.append(match)
        return find_match(conn, match, cache)

    monkeypatch.setattr(club_pages, "find_match", find)
    assert (await site.get("/")).text.count('href="/view/') == 2
    assert len(looked) == 2


async def test_open_seats_are_shown_with_the_mail_that_takes_one(site: Site) -> None:
    club = site.club
    assert 'id="seats"' not in (await site.get("/")).text
    await order(club, ANN, "new landrush open 3")
    first = (await site.match()).id
    await order(club, BOB, "new logger open 1 private")
    page = (await site.get("/")).text
    seats = page.partition('id="seats"')[2].partition("</ul>")[0]
    assert re.findall(r"<li>(.*?):", seats) == [f"Landrush {first}, Ann"]
    assert "2 seats are free. Ann is new here." in seats
    [address] = re.findall(r'href="mailto:([^"]+)"', seats)
    words = re.findall(r"body=(.*)", address)[0].replace("%20", " ")
    await order(club, CLEO, words)
    assert "1 seat is free. Ann is new here." in (await site.get("/")).text
    await order(club, ANN, "profile off")
    assert "1 seat is free <a" in (await site.get("/")).text


GERMAN = {"Accept-Language": "de"}


@pytest.mark.parametrize("try_out", [True, False])
async def test_mails_beside_forms_are_in_the_words_of_the_reader(
    site: Site, *, try_out: bool
) -> None:
    club = site.club
    web = club.house.settings.web.model_copy(update={"try_out": try_out})
    settings = club.house.settings.model_copy(update={"web": web})
    object.__setattr__(club.house, "settings", settings)
    await order(club, ANN, "new landrush open 3")
    pages = [(await site.get(path, headers=GERMAN)).text for path in ("/", "/rules/looney-ludo")]
    bodies = {unquote(one) for one in re.findall(r'"mailto:[^"]*body=([^"]+)"', "".join(pages))}
    match = (await site.match()).id
    assert {
        "neu Looney Ludo mit bot",
        "hilfe\r\nsprache de",
        "seite\r\nsprache de",
        f"mitspielen {match}\r\nsprache de",
    } <= bodies
    assert not any(re.match("new|open|help|page|join", one) for one in bodies)
    for number, body in enumerate(sorted(bodies)):
        who = f"who{number}@host{number}.example"
        await club.write(who, body)
        assert "Antworte" in club.last(who).text, body


async def test_a_match_tells_what_others_played_where_enough_have_come(site: Site) -> None:
    await play(site, "logger")
    ended = view_path(site.club.house, (await site.match()).id)
    assert 'id="others"' not in (await site.get(f"{ended}?at=0")).text
    assert "What came of the matches here" in (await site.get("/rules/logger")).text
    for _ in range(5):
        await order(site.club, ANN, f"new logger with {BOB} seat_order=given")
        await site.club.answer(BOB, "accept")
        await site.club.answer(ANN, "e1")
        await site.club.answer(BOB, "resign")
        await site.club.answer(BOB, "yes")
    await order(site.club, ANN, f"new logger with {BOB} seat_order=given")
    await site.club.answer(BOB, "accept")
    running = view_path(site.club.house, (await site.match()).id)
    page = (await site.get(f"{ended}?at=0", headers=GERMAN)).text
    assert "Was hier in 5 anderen Partien gespielt wurde" in page
    assert ["setze e1", "5", "100 %"] in shown(page)
    assert 'id="others"' not in (await site.get(f"{running}?at=0")).text
    matches = site.club.house.settings.matches.model_copy(update={"opening_book": True})
    settings = site.club.house.settings.model_copy(update={"matches": matches})
    object.__setattr__(site.club.house, "settings", settings)
    assert 'id="others"' in (await site.get(f"{running}?at=0")).text
    rules = (await site.get("/rules/logger")).text
    assert ["place e1", "5", "100 %"] in shown(rules)
