from __future__ import annotations

import re
from datetime import timedelta
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus, urljoin

import httpx
import pytest
from sqlalchemy import text

from pbem.fairness import hash_message
from pbem.match.events import MovePlayed, Source
from pbem.names import MatchId
from pbem.store import event_log
from pbem.store.database import Database
from pbem.store.retention import delete_old
from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.conversations.service import DrivenService
from tests.web.played import browse, find_link, play

LOGGER = "match logger ann bob\n"
BITS = "0123456789abcdef" * 2


def find_database(club: Conversation) -> Database:
    """Return the database of the service."""
    assert isinstance(club.service, DrivenService)
    return club.service.server.app.database


async def dump(club: Conversation) -> dict[str, list[Any]]:
    """Return all rows of all tables, except when the service was last alive."""

    def read(conn: Any) -> dict[str, list[Any]]:
        names = conn.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars()
        return {
            name: conn.execute(text(f'SELECT * FROM "{name}"')).all()  # noqa: S608 - our own tables
            for name in names
            if name != "heartbeat"
        }

    return await find_database(club).read(read)


def read_form(page: str, text_value: str) -> dict[str, str]:
    """Return the hidden fields of the form that sends a text."""
    for form in re.findall(r"<form method=\"post\".*?</form>", page, re.DOTALL):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        if unescape(fields.get("text", "")) == text_value:
            return {name: unescape(value) for name, value in fields.items()}
    raise AssertionError(f"no form sends {text_value!r}")


async def send(browser: httpx.AsyncClient, link: str, typed: str, **more: str) -> httpx.Response:
    """Send a command from the page of a seat."""
    page = (await browser.get(link)).text
    fields = read_form(page, "") | {"text": typed, **more}
    return await browser.post(link, data=fields, follow_redirects=True)


async def list_moves(club: Conversation, match: str) -> list[MovePlayed]:
    events = await find_database(club).read(
        lambda conn: event_log.load_events(conn, MatchId(match))
    )
    return [row.event for row in events if isinstance(row.event, MovePlayed)]


async def crawl(browser: httpx.AsyncClient, starts: list[str]) -> set[str]:
    """Open every link that pages have, and every link of those, some hundred."""
    seen, waiting = set[str](), [*starts]
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen or not path.startswith(PUBLIC_URL):
            continue
        seen.add(path)
        answers = [await browser.request(method, path) for method in ("HEAD", "GET")]
        for answer in answers:
            assert answer.status_code < 500
            assert "set-cookie" not in answer.headers
        found = re.findall(r'(?:href|src|data-poll)="([^"]*)"', answers[-1].text)
        waiting += [urljoin(path, unescape(link)) for link in found]
    return seen


async def test_no_link_of_any_page_changes_anything(tmp_path: Path) -> None:
    script = (
        "match logan stones ann bob\nann replies\n    page\nann replies\n    draw\n"
        "ann writes\n    new logger link\n"
    )
    async with play(script, tmp_path) as club:
        starts = [find_link(club, "ann", path) for path in ("/act/", "/player/", "/join/")]
        starts += [find_link(club, "bob", "/act/"), f"{PUBLIC_URL}/"]
        starts += [email.unsubscribe_page for email in club.received[-3:]]
        before, emails = await dump(club), len(club.received)
        async with browse(club) as browser:
            seen = await crawl(browser, starts)
        assert len(seen) > 60
        assert any("?m=" in path for path in seen)
        assert await dump(club) == before
        await club.service.run_until_idle()
        assert len(club.received) == emails


async def test_a_form_is_executed_once_and_draws_are_bound_to_its_id(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        page = (await browser.get(link, params={"m": "place a1"})).text
        fields = read_form(page, "place a1")
        assert fields["bits"] == ""  # a script fills it in
        fields["bits"] = BITS
        answers = [await browser.post(link, data=fields) for _ in range(2)]
        assert len({answer.headers["location"] for answer in answers}) == 1
        [move] = await list_moves(club, club.labels["M1"])
        assert (move.notation, move.source) == ("place a1", Source.PAGE)
        assert move.message_hash == hash_message(fields["id"], BITS)
        shown = (await browser.get(answers[0].headers["location"])).text
        assert fields["id"] in shown
        assert BITS in shown


async def test_a_form_whose_reply_was_deleted_is_not_executed_again(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        fields = read_form((await browser.get(link)).text, "resign") | {"text": "say Hello"}
        for _ in range(2):
            assert (await browser.post(link, data=fields)).status_code == 303
            later = club.now + timedelta(days=100)
            await find_database(club).write(lambda conn, at=later: delete_old(conn, at))  # type: ignore[misc]
        assert len((await dump(club))["message"]) == 1
        assert (await browser.get(f"{link}?done={fields['id']}")).status_code == 200


async def test_what_a_seat_may_not_do(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        link, before = find_link(club, "ann", "/act/"), None
        for typed in (
            *("delete me", "stop", "new address", "name Eve", "set language de", "page"),
            *("history K7QX2", "record"),
        ):
            answer = await send(browser, link, typed)
            assert "only by email" in answer.text, typed
            assert "/player/" not in answer.text
            rows = await dump(club)
            before = before or rows["player"]
            assert rows["player"] == before
            assert not rows["question"] or rows["question"] == rows["question"][:2]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_replies_offer_only_what_works_on_the_page(tmp_path: Path, language: str) -> None:
    script = f"{LOGGER}ann writes\n    set language {language}\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        await send(browser, link, "place a1")
        for typed in ("foo bar", "verify", "history", "messages", "help", "rules"):
            page = (await send(browser, link, typed)).text
            [reply] = re.findall(r'<div class="reply".*?</section>', page, re.DOTALL)
            for offered in re.findall(r'name="text" value="([^"]*)"', reply):
                answer = (await send(browser, link, unescape(offered))).text
                assert "only by email" not in answer, (typed, offered)
                assert "nur per E-Mail" not in answer, (typed, offered)


async def test_the_reply_to_time_has_both_clocks(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        page = (await send(browser, find_link(club, "ann", "/act/"), "time")).text
        reply = page[page.index('<div class="reply"') : page.index("</section>")]
        assert "You have 10 days left" in reply
        assert "Bob has 10 days left" in reply


async def test_replies_neither_repeat_whose_turn_it_is_nor_speak_of_emails(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        await send(browser, link, "place a1")
        for typed in ("history", "time", "board", "verify", "hello", "foo bar", "place a2"):
            page = unescape((await send(browser, link, typed)).text)
            assert page.count("Bob's turn") == 1, typed
            assert "your email" not in page, typed


def list_notices(rows: dict[str, list[Any]]) -> list[str]:
    """Return the ids of the players who were told of a new browser, the first one first."""
    return [row.player for row in rows["outbox"] if row.kind == "account"]


async def test_the_first_use_by_a_browser_is_told_by_email(tmp_path: Path) -> None:
    script = f"{LOGGER}match logan stones ann bob\n"
    async with play(script, tmp_path) as club:
        code = club.labels["M1"].lower()
        ann, bob = (find_link(club, who, f"/act/{code}") for who in ("ann", "bob"))
        async with browse(club) as browser:
            opened = await browser.get(ann)
            assert "set-cookie" not in opened.headers
            answer = await send(browser, ann, "history")
            [cookie] = answer.history[0].headers.get_list("set-cookie")
            expected = {"HttpOnly", "Secure", "SameSite=strict", "Max-Age=15552000", "Path=/act"}
            assert expected <= {*cookie.split("; ")}
            await send(browser, ann, "history")
            # Her other games need no notice, and another player of the family needs one only.
            await send(browser, find_link(club, "ann", "/act/"), "history")
            for link in (bob, find_link(club, "bob", "/act/"), ann, bob):
                await send(browser, link, "history")
            ids = list_notices(await dump(club))
            assert len(ids) == len(set(ids)) == 2
            await find_database(club).write(
                lambda conn: conn.execute(text("UPDATE player SET generation = generation + 1"))
            )
            await send(browser, ann, "history")
        async with browse(club) as other:
            await send(other, ann, "history")
        assert list_notices(await dump(club)) == [*ids, ids[0], ids[0]]


async def test_a_move_in_the_address_that_was_played_is_not_refused(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        ann, bob = (find_link(club, who, "/act/") for who in ("ann", "bob"))
        await send(browser, ann, "place a1")
        old = [(ann, "place a1", True), (ann, "place a5", False)]
        for _ in range(2):  # before and after the opponent's move
            for link, move, was_played in old:
                page = (await browser.get(link, params={"m": move})).text
                assert ('class="refused"' in page) is not was_played, move
                assert ("has been played" in page) is was_played, move
            await send(browser, bob, "place e5")
        late = await send(browser, bob, "place e5")
        assert late.text.count("Ann&#39;s turn") == 1


async def test_a_tap_on_an_old_page_says_that_it_changed_nothing(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        await send(browser, link, "place a1")
        late = await browser.get(link, params={"m": "place a5"})
        assert "changed nothing" in late.text
        assert "changed nothing" not in (await browser.get(link)).text


async def test_against_bots_a_page_brings_no_emails(tmp_path: Path) -> None:
    script = "register ann\nann writes\n    new logger with bot starter=given\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/act/")
        before = len((await dump(club))["outbox"])
        page = (await browser.get(link, params={"m": "place a1"})).text
        await browser.post(link, data=read_form(page, "place a1"))
        page = (await browser.get(link)).text
        assert "data-soon" in page  # the bot has not moved yet
        assert 'value="hint"' not in page
        assert 'name="then"' not in page
        await club.service.run_until_idle()
        assert "data-soon" not in (await browser.get(link)).text
        assert [move.seat for move in await list_moves(club, club.labels["M1"])] == [1, 2]
        assert [row.kind for row in (await dump(club))["outbox"][before:]] == ["account"]
        hint = await send(browser, link, "hint")
        # The hint can be looked at before it is played, and no buttons lie over it.
        [reply] = re.findall(r'<div class="reply".*?</div>', hint.text, re.DOTALL)
        [move] = re.findall(r'href="\?m=([^"]*)"', reply)
        assert "<form" not in reply
        assert 'class="now"' in hint.text
        composed = await browser.get(f"{link}?m={move}")
        assert 'class="now kept"' in composed.text
        assert f'value="{unquote_plus(move)}"' in composed.text


async def test_messages_conditions_and_state(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        ann, bob = (find_link(club, who, "/act/") for who in ("ann", "bob"))
        state = await browser.get(f"{bob}/state")
        again = await browser.get(f"{bob}/state", headers={"If-None-Match": state.headers["etag"]})
        assert again.status_code == 304
        assert f'data-state="{state.text}"' in (await browser.get(bob)).text
        said = "Hello <b>Bob</b>\0\r\n\r\nresign\r\n\r\nGood luck"
        await send(browser, ann, "", say=said)
        page = (await browser.get(bob)).text
        assert "Hello &lt;b&gt;Bob&lt;/b&gt;<br>resign<br>Good luck" in page
        rows = await dump(club)
        assert "resign" not in [row.kind for row in rows["question"]]
        assert "\\r" not in str(rows["message"])
        later = await browser.get(f"{bob}/state", headers={"If-None-Match": state.headers["etag"]})
        assert later.status_code == 200
        for typed in (("place a1", " "), ("", "place e5"), ("place a1", "walk <e5>")):
            fields = dict(zip(("if", "then"), typed, strict=True))
            refused = (await send(browser, bob, "", **fields)).text
            assert 'class="reply"' in refused
            for value in typed:  # what was typed can be mended
                assert f'value="{escape(value.strip())}"' in refused
        empty = await send(browser, bob, "", **{"if": " ", "then": ""})
        assert "done=" not in str(empty.url)  # an empty form is no command
        kept = await send(browser, bob, "", **{"if": "place a1", "then": "place e5"})
        assert "If place a1, then place e5" in kept.text


async def test_pages_are_in_the_language_and_time_of_their_player(tmp_path: Path) -> None:
    script = (
        f"{LOGGER}ann writes\n    set language de\n    set timezone Europe/Berlin\n"
        "bob replies\n    say Hello Ann\nwait 3 hours\nann replies\n    say Hello Bob\n"
        "ann writes\n    page\n"
    )
    async with play(script, tmp_path) as club, browse(club) as browser:
        seat, player = [
            (await browser.get(find_link(club, "ann", path))).text for path in ("/act/", "/player/")
        ]
        assert all('<html lang="de"' in page for page in (seat, player))
        assert "subject=neu%20logger%20link" in player
        levels = re.findall(r"subject=neu%20logger%20mit%20(\w+)%20", player)
        assert len(set(levels)) == 3
        messages = re.findall(r'<div class="(message[^"]*)">\s*<p[^>]*>(.*)</p>', seat)
        assert [(kind, words[-13:]) for kind, words in messages] == [
            ("message", "13:05 Uhr CET"),
            ("message own", "16:07 Uhr CET"),
        ]


OVER = "play\n    ann: place a1\nbob replies\n    resign\nbob replies to question\n    yes\n"


async def test_the_state_of_a_page_tells_nothing_of_other_matches(tmp_path: Path) -> None:
    states = set()
    others = ["", "ann writes\n    new logger with bot\n"]
    others.append(f"{LOGGER}{OVER}ann replies\n    rematch\n")
    for other in others:
        script = LOGGER + OVER + other
        async with play(script, tmp_path / str(len(other))) as club, browse(club) as browser:
            seat = find_link(club, "ann", f"/act/{club.labels['M1'].lower()}")
            states.add((await browser.get(f"{seat}/state")).text)
    assert len(states) == 1


async def test_the_page_of_a_game_that_is_over_notices_a_rematch(tmp_path: Path) -> None:
    async with play(LOGGER + OVER, tmp_path) as club, browse(club) as browser:
        ann, bob = (find_link(club, who, "/act/") for who in ("ann", "bob"))
        before = (await browser.get(f"{ann}/state")).text
        states = [before]
        for link in (bob, ann):
            page = (await browser.get(link)).text
            assert "/view/" not in page  # a rematch that has not started has no page
            await browser.post(link, data=read_form(page, "rematch"))
            states.append((await browser.get(f"{ann}/state")).text)
        assert len(set(states)) == 3


@pytest.mark.parametrize("option", ["private=no", "private=yes"])
async def test_an_old_link_alone_leads_only_to_public_pages(option: str, tmp_path: Path) -> None:
    script = (
        f"match logger ann bob\n    starter=given {option}\nbob replies\n    resign\n"
        "bob replies to question\n    yes\nann replies\n    rematch\nbob replies\n    yes\n"
    )
    async with play(script, tmp_path) as club, browse(club) as browser:
        old, new = (club.labels[label].lower() for label in ("M1", "M2"))
        page = (await browser.get(find_link(club, "bob", f"/act/{old}"))).text.lower()
        assert f"/act/{new}" not in page
        assert (f"/view/{new}" in page) is (option == "private=no")
        used = await send(browser, find_link(club, "ann", f"/act/{old}"), "history")
        cookie = used.history[0].headers["set-cookie"].partition(";")[0]
        for who, is_own in (("ann", True), ("bob", False)):
            link = find_link(club, who, f"/act/{old}")
            page = (await browser.get(link, headers={"Cookie": cookie})).text.lower()
            assert (f"/act/{new}" in page) is is_own


BOT = "register ann\nann writes\n    new logan stones with bot\n"
SCHEDULED = f"setting window 5\n\n{LOGGER}ann replies\n    place a1\n"
DRAW_OFFERED = "match logan stones ann bob\nann replies\n    draw\n"
TAKEBACK_REQUESTED = f"{LOGGER}play\n    ann: place a1\n    bob: place e5\nann replies\n    undo\n"
OFFERED: list[tuple[str, str, list[str], bool]] = [
    (LOGGER, "ann", ["resign"], False),
    (LOGGER, "bob", ["resign"], True),
    (f"{LOGGER}play\n    ann: place a1\n", "ann", ["undo", "resign"], True),
    (SCHEDULED, "ann", ["now", "undo", "resign"], True),
    (LOGGER + OVER, "bob", ["rematch"], False),
    ("match logger ann bob cleo\n", "bob", ["resign"], False),
    ("match logan stones ann bob\n", "ann", ["draw", "resign"], False),
    (DRAW_OFFERED, "ann", ["resign"], False),
    (DRAW_OFFERED, "bob", ["no", "resign"], True),  # a link asks before the yes
    (TAKEBACK_REQUESTED, "bob", ["yes", "no", "resign"], True),
    (BOT, "ann", ["hint", "resign"], False),
]


@pytest.mark.parametrize(("script", "who", "commands", "has_conditions"), OFFERED)
async def test_what_a_page_offers(
    script: str, who: str, commands: list[str], tmp_path: Path, *, has_conditions: bool
) -> None:
    async with play(script, tmp_path) as club, browse(club) as browser:
        page = (await browser.get(find_link(club, who, "/act/"))).text
        assert re.findall(r'name="text" value="([^"]*)"', page) == commands
        assert ('name="then"' in page) is has_conditions
        assert "data-soon" not in page


@pytest.mark.parametrize("script", [DRAW_OFFERED, TAKEBACK_REQUESTED])
async def test_an_offer_has_no_button_that_looks_like_the_one_of_a_move(
    script: str, tmp_path: Path
) -> None:
    async with play(script, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "bob", "/act/")
        assert 'class="primary"' not in (await browser.get(link)).text
        asked = (await browser.get(link, params={"accept": "draw"})).text
        assert 'class="primary"' not in asked
        assert read_form(asked, "yes")


BROKEN_FORMS: list[dict[str, str]] = [
    {},
    {"id": "x", "ply": "1", "version": "1", "text": "place a1"},
    {"id": "0" * 32, "ply": "-1", "version": "1", "text": "place a1"},
    {"id": "0" * 32, "ply": "1", "version": "9" * 9, "text": "place a1"},
]


async def test_broken_forms_do_nothing(tmp_path: Path) -> None:
    async with play(LOGGER, tmp_path) as club, browse(club) as browser:
        before = await dump(club)
        for fields in BROKEN_FORMS:
            answer = await browser.post(find_link(club, "ann", "/act/"), data=fields)
            assert answer.status_code in (400, 415), fields
            assert await dump(club) == before, fields


async def test_another_seat_cannot_read_a_reply(tmp_path: Path) -> None:
    async with play("match logan stones ann bob\n", tmp_path) as club, browse(club) as browser:
        ann, bob = (find_link(club, who, "/act/") for who in ("ann", "bob"))
        answer = await send(browser, ann, "history")
        assert 'class="reply"' in answer.text
        query = str(answer.url).partition("?")[2]
        assert 'class="reply"' not in (await browser.get(f"{bob}?{query}")).text


async def test_the_page_of_a_player_has_the_games_that_ended_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.web.player.MAX_ENDED", 2)
    script = "".join(f"{LOGGER}operator adjudicate M{number} 1 2\n" for number in (1, 2, 3))
    async with play(f"{script}ann writes\n    page\n", tmp_path) as club, browse(club) as browser:
        page = (await browser.get(find_link(club, "ann", "/player/"))).text
        codes = re.findall(r'class="small muted">(\w{5})<', page)
        assert codes == [club.labels["M3"], club.labels["M2"]]


async def test_matches_that_wait_for_a_player_come_first_on_their_page(tmp_path: Path) -> None:
    script = """setting window 5

match logger bob ann
    starter=given
match logger ann bob
    starter=given
match logger ann bob
    starter=given
ann replies in M2
    place a1
ann writes
    page
"""
    async with play(script, tmp_path) as club, browse(club) as browser:
        page = (await browser.get(find_link(club, "ann", "/player/"))).text
        codes = re.findall(r'class="small muted">(\w{5})<', page)
        # M1 waits for Bob, and in M2 Ann has moved.
        assert codes == [club.labels[label] for label in ("M3", "M1", "M2")]
        assert "<title>(1) " in page
        assert page.count("waiting for you") == 1
