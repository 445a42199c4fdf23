"""Pages without a browser: what they show to whom, what a form does, and what nothing does."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from html import unescape
from typing import Any

import pytest
from sqlalchemy import Connection, text

from pbem.games.game import Marks, Played, Seat
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path
from pbem.legacy.matches.match import Status
from pbem.legacy.store.mails import inbox
from pbem.legacy.web.access import READING
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club
from tests.legacy.web.site import PUBLIC, Site, begin


async def letters(club: Club) -> dict[str, int]:
    return await asyncio.wrap_future(club.house.db.read(inbox.counts))


def hrefs(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'(?:href|action)="([^"]+)"', page)]


# --- what stands on a page -----------------------------------------------------------------------


async def test_a_player_moves_by_the_form_and_the_other_is_mailed(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    tried = await site.get(path, params={"text": "place a1"})
    assert 'id="send"' in tried.text
    assert (await site.match()).course.ply == 0
    form = await site.form(path, "#1 place a1")
    before = len(site.club.mails(BOB))
    answer = await site.post(path, form)
    assert answer.status_code == 200
    assert 'id="sent"' in answer.text
    match = await site.match()
    assert [step.text for step in match.course.steps] == ["place a1"]
    assert len(site.club.mails(BOB)) == before + 1


async def test_the_same_form_twice_is_one_move_and_an_old_board_plays_nothing(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    form = await site.form(path, "#1 place a1")
    for _ in range(2):
        assert (await site.post(path, form)).status_code == 200
    assert (await site.match()).course.ply == 1
    kept = await letters(site.club)
    bob = await site.path(Purpose.ACT, BOB)
    old = await site.form(bob, "#1 place e5")
    assert (await site.post(bob, old)).status_code == 200
    assert (await site.match()).course.ply == 1
    assert (await letters(site.club))["refused"] == kept.get("refused", 0) + 1


async def test_why_a_form_is_refused_stands_on_the_page(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    answer = await site.post(path, await site.form(path, "place c3"))
    assert answer.status_code == 200
    why = "\n".join(site.club.last(ANN).text.splitlines())
    refused = " ".join(why[why.index("c3 is no corner") :].partition("\n\n")[0].split())
    assert re.findall(r'<p class="why">(.*?)</p>', answer.text) == [refused]
    shown = answer.text.partition('class="mail">')[2].partition("</pre>")[0]
    assert "c3 is no corner" in shown
    assert "[ref" not in shown


@pytest.mark.parametrize(
    ("sent", "filled_in"),
    [
        ("#1 place c3", 'name="text" value="place c3"'),
        ("#1.2 place c3", 'name="text" value="place c3"'),
        ("ressign <now>", 'maxlength="2000">ressign &lt;now&gt;</textarea>'),
    ],
)
async def test_what_was_refused_is_filled_in_again(site: Site, sent: str, filled_in: str) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    assert filled_in not in (await site.get(path)).text
    assert filled_in in (await site.post(path, await site.form(path, sent))).text
    done = await site.post(path, await site.form(path, "#1 place a1"))
    assert 'maxlength="2000"></textarea>' in done.text


async def test_the_key_stands_below_the_board_that_it_explains(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "a1")
    await site.club.answer(BOB, "e5")
    get = partial(site.get, await site.path(Purpose.ACT))
    for page in (await get(), await get(params={"text": "c1 plant c2"})):
        key = _used(page.text.partition('<details id="key">')[2].partition("</details>")[0])
        assert key
        assert [one for one in key if f'id="{one}"' not in page.text] == []


def _used(picture: str) -> set[str]:
    return set(re.findall(r'href="#([^"]+)"', picture))


async def test_a_form_that_was_taken_before_is_said_to_play_nothing(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    await site.club.answer(ANN, "window 10")
    form = await site.form(path, "#1 place a1")
    assert "Nobody has seen it yet." in (await site.post(path, form)).text
    await site.post(path, await site.form(path, "undo"))
    again = (await site.post(path, form)).text
    assert "Nobody has seen it yet." not in again
    assert "This form was sent before" in again
    assert not (await site.match()).pending.held
    page = (await site.post(path, await site.form(path, "#1 place a1"))).text
    assert "Nobody has seen it yet." in page
    assert (await site.match()).pending.held


@pytest.mark.parametrize(
    "sent",
    ["-- \nsay hello", "> say hello", "=== \nsay hello", "On Monday, Bob wrote:\nsay hello",
     "-----Original Message-----\nsay hello", "--\nAnn\n\nsay hello"],
)  # fmt: skip
async def test_no_line_of_a_form_is_lost_in_silence(site: Site, sent: str) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    before = len(site.club.mails(BOB))
    page = (await site.post(path, await site.form(path, sent))).text
    heard = [mail.text for mail in site.club.mails(BOB)[before:]]
    told = page.partition('id="sent"')[2].partition("</div>")[0]
    assert any("hello" in text for text in heard) or 'class="why"' in told, told
    again = (await site.post(path, await site.form(path, "> well, well"))).text
    again = (await site.post(path, await site.form(path, "> so it goes"))).text
    assert "Done:" not in again
    assert ">&gt; so it goes</textarea>" in again


async def test_a_slash_behind_an_address_leads_to_no_other_host(site: Site) -> None:
    await begin(site)
    for purpose in Purpose:
        path = await site.path(purpose)
        for host in ("evil.example", "games.pbem.example"):
            answer = await site.get(f"{path}/", headers={"Host": host})
            assert answer.status_code == 404
            assert "location" not in answer.headers


async def test_draws_are_bound_to_a_number_of_the_browsers(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    form = await site.form(path, "#1 place a1", own="ab" * 16)
    await site.post(path, form)

    def raw(conn: Connection) -> bytes:
        key = conn.execute(text("select mail_key from inbox where account = 'web'")).scalar_one()
        found = inbox.letter(conn, key)
        assert found is not None
        return found.raw

    letter = (await asyncio.wrap_future(site.club.house.db.read(raw))).decode()
    assert f"Message-ID: <page.{form['nonce']}.{'ab' * 16}@pbem.example>" in letter


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"nonce": "x"}, 409),
        ({"made": "0"}, 409),
        ({"made": "99999999999"}, 409),
        ({"made": "999999999999"}, 409),
        ({"made": "-99999999999"}, 409),
        ({"made": "soon"}, 409),
        ({"own": "<script>"}, 409),
        ({"text": "  "}, 400),
        ({"text": "a" * 2_001}, 413),
    ],
)
async def test_a_form_that_is_none_sends_nothing(
    site: Site, changes: dict[str, str], status: int
) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    kept = await letters(site.club)
    form = await site.form(path, "#1 place a1")
    answer = await site.post(path, {**form, **changes})
    assert answer.status_code == status
    assert "<h1>" in answer.text
    assert await letters(site.club) == kept


async def test_a_large_body_is_not_read(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    answer = await site.client.post(path, content=b"text=" + b"a" * 100_000)
    assert answer.status_code == 413


async def test_a_refused_move_is_told_before_it_is_sent(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    page = (await site.get(path, params={"text": "place b2"})).text
    assert 'id="refusal"' in page
    assert 'id="send"' not in page


async def test_half_a_move_is_shown_on_the_board_and_asked_about(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "a1")
    await site.club.answer(BOB, "e5")
    path = await site.path(Purpose.ACT)
    before = (await site.get(path)).text
    assert "Where does your logger go?" in before
    page = (await site.get(path, params={"text": "c1"})).text
    assert "Where does your logger plant a seedling?" in page
    assert _board(page) != _board(before)
    assert 'id="send"' not in page
    assert 'id="refusal"' not in page
    whole = (await site.get(path, params={"text": "c1 plant c2"})).text
    assert 'id="send"' in whole
    assert "Ann goes from a1 to c1 and plants c2" in whole
    assert _board(whole) not in (_board(before), _board(page))
    back = re.search(r'class="back" href="([^"]+)"', whole)
    assert back is not None
    assert _board((await site.get(unescape(back[1]))).text) == _board(page)


def _board(page: str) -> str:
    return page.partition('<div id="picture"')[2].partition("</svg>")[0]


async def test_many_possibilities_are_folded_and_all_there(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, f"new landrush with {BOB}")
    await site.club.answer(BOB, "accept")
    match = await site.match()
    [player] = match.to_act
    address = ANN if match.player_at(player) == (await site.row(ANN)).id else BOB
    page = (await site.get(await site.path(Purpose.ACT, address))).text
    folded = page.partition('<details class="many">')[2].partition("</details>")[0]
    squares = {f"{column}{row}" for column in "abcdefgh" for row in range(1, 13)}
    assert set(re.findall(r"data-swap>([a-h]\d+)<", folded)) == squares


# --- who sees what -------------------------------------------------------------------------------


async def test_a_shared_page_shows_and_does_not_move(site: Site) -> None:
    await begin(site)
    for purpose in (Purpose.SEAT, Purpose.VIEW):
        path = await site.path(purpose)
        page = await site.get(path)
        assert page.status_code == 200
        assert "<form" not in page.text
        assert (await site.client.post(path, data={"text": "resign"})).status_code == 405
        token = path.rpartition("/")[2]
        assert (await site.get(f"/act/{token}")).status_code == 410
        assert "/act/" not in page.text


async def test_a_seat_sees_its_own_stones_and_nobody_elses(site: Site) -> None:
    await begin(site, "logan stones", "starter=given")
    match = await site.match()
    pictures = {}
    for purpose, address, seat in (
        (Purpose.ACT, ANN, Seat(1)),
        (Purpose.SEAT, BOB, Seat(2)),
        (Purpose.VIEW, ANN, None),
    ):
        page = (await site.get(await site.path(purpose, address))).text
        (shown,) = re.findall(r'id="picture"[^>]*>(<svg.*?</svg>)', page, re.DOTALL)
        names = tuple([(await site.row(one)).name for one in (ANN, BOB)])
        since = tuple(Played(step.move, step.before, step.after) for step in match.course.steps)
        marks: Marks[Any, Any] = Marks(since=since, names=names, idle=False, plain=True)
        assert shown == match.game.picture(match.course.position, seat, marks).strip()
        pictures[seat] = shown
    assert len(set(pictures.values())) == len(pictures)


async def test_a_private_match_is_shown_to_its_players_alone(site: Site) -> None:
    await begin(site, more="seat_order=given private")
    assert (await site.match()).table.private
    view = await site.path(Purpose.VIEW)
    assert (await site.get(view)).status_code == 404
    page = await site.get(await site.path(Purpose.ACT))
    assert page.status_code == 200
    assert "/view/" not in page.text
    assert (await site.match()).id not in (await site.get("/")).text


async def test_a_new_address_ends_the_pages_of_before(site: Site) -> None:
    await begin(site)
    paths = [await site.path(one) for one in (Purpose.ACT, Purpose.SEAT, Purpose.PLAYER)]
    await site.club.insist(ANN, "new address")
    for path in paths:
        answer = await site.get(path)
        assert answer.status_code == 410
        assert "<h1>" in answer.text
    assert (await site.get(await site.path(Purpose.ACT))).status_code == 200


async def test_who_is_banned_has_no_pages(site: Site) -> None:
    from pbem.legacy.store.people import roster

    await begin(site)
    path, row = await site.path(Purpose.ACT), await site.row(ANN)
    ban = partial(roster.ban, player=row.id, banned=True)
    await asyncio.wrap_future(site.club.house.db.write(ban))
    assert (await site.get(path)).status_code == 410


async def test_an_invitation_is_accepted_on_its_page(site: Site) -> None:
    club = site.club
    for address in (ANN, BOB):
        await club.write(address, "hello")
        await club.answer(address, "yes")
    await club.answer(ANN, f"new logger with {BOB}")
    path = await site.path(Purpose.ACT, BOB)
    assert 'value="accept"' in (await site.get(path)).text
    await site.post(path, await site.form(path, "accept"))
    assert (await site.match()).status is Status.RUNNING


async def test_links_in_mails_can_be_opened_by_anybody_a_hundred_times(site: Site) -> None:
    await begin(site)
    club = site.club
    await site.post(path := await site.path(Purpose.ACT), await site.form(path, "#1 place a1"))
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    found: set[str] = set()
    for _, data in club.postbox.sent:
        whole = data.replace(b"=\r\n", b"").decode("utf-8", "replace").replace("=3D", "=")
        found |= set(re.findall(rf"{re.escape(PUBLIC)}(/[A-Za-z0-9./_-]+)", whole))
    assert {one.split("/")[1] for one in found} == {"act", "player", "stop"}

    def state(conn: Connection) -> tuple[int, ...]:
        tables = ("event", "inbox", "outbox", "player", "question", "reply_address", "timer")
        return tuple(
            conn.execute(text(f"select count(*) from {name}")).scalar_one()  # noqa: S608 - names of ours
            for name in tables
        )

    before = await asyncio.wrap_future(club.house.db.read(state))
    rounds = 100 // len(found) + 1
    for number in range(rounds):
        for one in sorted(found):
            site.client._transport.client = (f"192.0.2.{number}", 1)  # type: ignore[attr-defined]
            assert (await site.get(one)).status_code == 200
            assert (await site.client.head(one)).status_code == 200
    await club.work()
    assert await asyncio.wrap_future(club.house.db.read(state)) == before
    for kind in ("act", "stop"):
        assert any(one.startswith(f"/{kind}/") for one in found)
    await site.post(path, await site.form(path, "say still here"))
    assert "still here" in club.last(BOB).text


async def test_every_page_leads_only_to_pages(site: Site) -> None:
    await begin(site)
    seen, todo = set(), ["/", await site.path(Purpose.PLAYER), await site.path(Purpose.ACT)]
    number = 0
    while todo:
        path = todo.pop().split("#")[0]
        if path in seen:
            continue
        seen.add(path)
        number += 1
        site.client._transport.client = (f"198.51.100.{number % 250}", 1)  # type: ignore[attr-defined]
        answer = await site.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            links = [one for one in hrefs(answer.text) if one.startswith("/")]
            todo += [one for one in links if "line=" not in path or "line=" not in one]
            images = re.findall(r'<img src="([^"]+)"', answer.text)
            assert all(one.startswith("/rules/pictures/") for one in images)
            todo += images
    assert any(path.startswith("/rules/pictures/") for path in seen)


async def test_one_click_stops_mail_and_a_visit_does_not(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.STOP)
    assert (await site.get(path)).status_code == 200
    assert (await site.row(ANN)).wishes == {}
    sent = len(site.club.postbox.sent)
    answer = await site.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert (await site.row(ANN)).wishes == {"everything": "off"}
    assert len(site.club.postbox.sent) == sent


async def test_a_kind_of_mail_is_stopped_and_nothing_else(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.STOP, number=4)
    await site.post(path, {"List-Unsubscribe": "One-Click"})
    assert (await site.row(ANN)).wishes == {"news": "off"}


async def test_who_watches_is_led_to_what_everybody_may_see(site: Site) -> None:
    await begin(site)
    await site.club.write(CLEO, "games")
    await site.club.answer(CLEO, "yes")
    await site.club.answer(CLEO, f"watch {(await site.match()).id}")
    path = await site.path(Purpose.VIEW)
    assert PUBLIC + path in site.club.last(CLEO).text.replace("\n", "")
    assert "/act/" not in site.club.last(CLEO).text


async def test_mails_say_where_the_button_is(site: Site) -> None:
    await begin(site)
    raw = site.club.postbox.sent[-1][1].decode("ascii")
    unfolded = raw.replace("\r\n ", " ")
    header = next(line for line in unfolded.splitlines() if line.startswith("List-Unsubscribe: "))
    first, second = header.removeprefix("List-Unsubscribe: ").split(", ")
    assert first.startswith(f"<{PUBLIC}/stop/")
    assert second.startswith("<mailto:")
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in raw


# --- headers, faults, limits ---------------------------------------------------------------------


async def test_pages_keep_to_themselves(site: Site) -> None:
    await begin(site)
    pages = [await site.path(one) for one in Purpose]
    for path in ("/", "/rules/logger", *pages, "/nowhere"):
        headers = (await site.get(path)).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none';")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        private = path not in ("/", "/rules/logger")
        assert ("noindex" in headers.get("x-robots-tag", "")) is private
        if private:
            assert headers["cache-control"] == "no-store"


async def test_styles_and_scripts_are_those_of_the_policy(site: Site) -> None:
    from base64 import b64encode
    from hashlib import sha256

    answer = await site.get("/")
    for tag in ("style", "script"):
        (body,) = re.findall(rf"<{tag}>(.*?)</{tag}>", answer.text, re.DOTALL)
        digest = b64encode(sha256(body.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert " style=" not in answer.text
    assert not re.findall(r"\son[a-z]+=", answer.text)


async def test_a_board_of_a_match_that_is_over_is_kept_as_long_as_it_is_so(site: Site) -> None:
    await begin(site)
    await site.club.insist(ANN, "resign")
    path = await site.path(Purpose.VIEW)
    answer = await site.get(path, params={"at": "0"})
    assert answer.headers["cache-control"] == "no-cache"
    tag = answer.headers["etag"]
    for known in (tag, f'"other", {tag}'):
        again = await site.get(path, params={"at": "0"}, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
    assert (await site.get(path)).headers["cache-control"] == "no-store"
    name = (await site.row(BOB)).name
    assert name in answer.text
    await site.club.insist(BOB, "delete me")
    after = await site.get(path, params={"at": "0"}, headers={"If-None-Match": tag})
    assert after.status_code == 200
    assert name not in after.text


async def test_a_step_that_there_is_not_is_the_newest(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.VIEW)
    for at in ("99", "-1", "x", "9" * 40, "٣"):
        assert (await site.get(path, params={"at": at})).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/act/x",
        "/seat/k7qx2.1.aa.aaaaaaaaaaaaaaaaaaaaaaaaaa",
        "/view/x",
        "/player/x",
        "/stop/x",
        "/rules/chess",
        "/rules/pictures/..%2f..%2fkeys.toml",
        "/rules/pictures/none.svg",
        "/nowhere",
    ],
)
async def test_a_wrong_address_gets_a_page_that_says_what_to_do(site: Site, path: str) -> None:
    answer = await site.get(path)
    assert answer.status_code in (404, 410)
    assert "<h1>" in answer.text
    assert 'href="/"' in answer.text


async def test_who_asks_too_much_is_told_to_wait(site: Site) -> None:
    answers = [await site.get("/icon.svg") for _ in range(int(READING.room) + 5)]
    assert {one.status_code for one in answers} == {200, 429}
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert (await site.get("/healthz")).status_code == 200


async def test_the_language_is_that_of_the_reader(site: Site) -> None:
    english = (await site.get("/")).text
    german = (await site.get("/", headers={"Accept-Language": "de-AT, en;q=0.5"})).text
    assert '<html lang="en">' in english
    assert '<html lang="de">' in german
    await begin(site)
    await site.club.answer(ANN, "lang de")
    page = await site.get(await site.path(Purpose.ACT))
    assert '<html lang="de">' in page.text


async def test_names_are_text(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "name <b>Ann</b>")
    for purpose in (Purpose.ACT, Purpose.VIEW, Purpose.PLAYER):
        assert "<b>Ann" not in (await site.get(await site.path(purpose))).text


async def test_what_is_typed_is_text(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.ACT)
    for words in ("<script>alert(1)</script>", '"><img src=x>', "a" * 5_000, "\x00\u202e"):
        page = await site.get(path, params={"text": words, "place": words})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text


async def test_health_says_whether_anybody_plays_what_is_sent(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.legacy.health import WRITER
    from pbem.legacy.runners.watch import note_signs
    from pbem.legacy.web import live

    monkeypatch.setattr(live, "STILL_TRUE", 0.0)
    assert (await site.get("/healthz")).text == "ok\n"
    assert (await site.get("/readyz")).status_code == 503
    note = partial(note_signs, name=WRITER, took=0.1, now=site.club.house.now())
    await asyncio.wrap_future(site.club.house.db.write(note))
    assert (await site.get("/readyz")).status_code == 200


async def test_an_answer_about_health_holds_for_a_moment(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.legacy.health import Facts
    from pbem.legacy.web import live

    looks: list[object] = []

    def look(*_: object, **__: object) -> Facts:
        looks.append(1)
        return Facts(at=site.club.house.now(), unfit="it is gone")

    monkeypatch.setattr(live, "look", look)
    for _ in range(5):
        assert (await site.get("/readyz")).status_code == 503
    assert len(looks) == 1


async def test_a_fault_of_ours_is_a_page_as_well(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.legacy.web.match_pages import Boards

    await begin(site)

    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(Boards, "shown", broken)
    answer = await site.get(await site.path(Purpose.VIEW))
    assert answer.status_code == 500
    assert "<h1>" in answer.text
    assert "RuntimeError" not in answer.text


async def test_a_number_beyond_the_seats_is_no_seat(site: Site) -> None:
    await begin(site)
    match = await site.match()
    for number in (0, 3, 999):
        path = page_path(site.club.house.keys, PageLink(Purpose.ACT, match.id, number))
        assert (await site.get(path)).status_code == 410
