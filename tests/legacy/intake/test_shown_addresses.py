"""A letter that goes to others of the match shows them the seat's address: it gets another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.codec import load
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.players.player import OLD_ASKS
from pbem.legacy.store.mails import inbox, outbox
from pbem.legacy.store.people import lookups, personal, roster
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transport import Envelope, Result
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.kept import kept
from tests.legacy.orders.test_windows import begun

FRIEND = "friend@example.org"


def newest_of(conn: Any, player: PlayerId, match: MatchId) -> int:
    """The generation of the address that mails of a match are sent from."""
    found = lookups.of_readers(conn, [player], [match])
    return personal.newest(found.generations[player], match, 0)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def address(club: Club, reader: str) -> str:
    return parseaddr(club.last(reader).reply_to)[1]


async def write(
    club: Club,
    sender: str,
    text: str,
    *,
    to: str = "",
    answers: ReceivedMail | None = None,
    **headers: str,
) -> None:
    """A letter to an address of ours, the usual one unless another is named."""
    letter = club.letter(sender, to or address(club, sender), text, **headers)
    if answers is not None:
        letter["In-Reply-To"] = answers.message_id
    await club.post(letter.as_bytes())


@kept
async def welcomed(club: Club) -> ReceivedMail:
    """Ann plays here, in no match yet: the mail that welcomed her, from her address outside of any.

    Who asks for a match with the first mail is welcomed in the match.
    """
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    assert "+p." in address(club, ANN)
    return club.last(ANN)


async def disposition(club: Club) -> tuple[str, str | None]:
    """What became of the newest letter."""
    rows: Any = await club.read(partial(inbox.listed, limit=1))
    return rows[0].disposition, rows[0].code


async def ply(club: Club, name: MatchId) -> int:
    found: Any = await club.read(partial(find_match, match=name))
    return int(found.match.course.ply)


async def told_of(club: Club, mail: ReceivedMail | None = None) -> list[str]:
    """The notices of a mail to Ann, the newest unless another is given, by class."""
    ident = (mail or club.last(ANN)).message_id
    row: Any = await club.read(partial(outbox.find_by_message_id, message_id=ident))
    return [type(notice).__name__ for notice in load(row.notices)]


async def refused(club: Club, mail: ReceivedMail) -> str | None:
    """The code of what a mail to Ann refuses."""
    row: Any = await club.read(partial(outbox.find_by_message_id, message_id=mail.message_id))
    found = (one.code for one in load(row.notices) if isinstance(one, OrderRefused))
    return next(found, None)


def told(club: Club, reader: str) -> bool:
    return "with your reply address in it" in " ".join(club.last(reader).text.split())


# --- who has seen it -----------------------------------------------------------------------------


FIELDS = ("Cc", "To", "Resent-To", "Resent-Cc")
NAMED = [
    BOB,
    BOB.upper(),
    f"Bob <{BOB}>",
    f"x@example.org, {BOB}",
    "bob+games@example.net",
    '"bob"@example.net',
    '"b\\ob"@example.net',
    '"Bob" <"bob"@example.net>',
    "friends: x@example.org, bob@example.net;",
    "bob (he plays) @ example.net",
    "bob@(over there)example.net",
    "x@example.org (and bob@example.net)",
    "bob@EXAMPLE.NET.",
    "bob@mail.example.net",
    "<@relay.example:bob@example.net>",
    "=?utf-8?q?Bob_=3Cbob=40example=2Enet=3E?= <list@example.org>",
    "=?utf-8?q?B=C3=B6b?= <bob@example.net>",
    ", ".join([*(f"x{number}@example.org" for number in range(300)), BOB]),
]
"""Ways to name the opponent in a field."""


@pytest.mark.parametrize(
    ("field", "named"),
    [
        (field, named)
        for number, named in enumerate(NAMED)
        for at, field in enumerate(FIELDS)
        if (at + number) % len(FIELDS) == 0 or named == BOB
    ],
)
async def test_a_letter_to_the_opponent_too_makes_the_address_old(
    club: Club, field: str, named: str
) -> None:
    name = await begun(club)
    old = address(club, ANN)
    if field == "To":
        await write(club, ANN, "e1", to=f"{old}, {named}")
    else:
        await write(club, ANN, "e1", Cc=named)
    assert await ply(club, name) == 1  # the letter itself is proven, and counts
    assert told(club, ANN)
    assert address(club, ANN) != old


async def test_a_field_may_be_written_twice(club: Club) -> None:
    await begun(club)
    old = address(club, ANN)
    letter = club.letter(ANN, old, "e1").as_bytes()
    more = b"Cc: x@example.org\r\nCc: y@example.org\r\nCc: bob@example.net\r\n"
    await club.post(more + letter)
    assert told(club, ANN)
    assert address(club, ANN) != old


@pytest.mark.parametrize(
    ("own", "named"),
    [
        ("bob@xn--bcher-kva.example", "bob@b\u00fccher.example"),
        ("bob@xn--bcher-kva.example", "Bob <bob@B\u00dcCHER.example.>"),
        ("bob@xn--strae-oqa.example", "bob@stra\u00dfe.example"),
        ("bob@strasse.example", "bob@stra\u00dfe.example"),
        ("b.o.b@gmail.com", "bob+x@googlemail.com"),
        ("bob@gmail.com", '"b.ob"@gmail.com'),
    ],
)
@pytest.mark.parametrize("outside", [False, True])
async def test_spellings_of_the_opponents_mailbox_are_one(
    club: Club, own: str, named: str, *, outside: bool
) -> None:
    home = await welcomed(club)
    await begun(club, others=own)
    old = parseaddr(home.reply_to)[1] if outside else address(club, ANN)
    letter = club.letter(ANN, old, "settings").as_bytes()
    await club.post(f"Cc: {named}\r\n".encode() + letter)
    assert told(club, ANN)
    assert address(club, ANN) != old


@pytest.mark.parametrize("named", [FRIEND, ANN, GAMES, "bob@example.com", "nobody"])
async def test_a_letter_to_nobody_of_the_match_changes_nothing(club: Club, named: str) -> None:
    await begun(club)
    old = address(club, ANN)
    await write(club, ANN, "e1", Cc=named)
    assert address(club, ANN) == old
    assert not told(club, ANN)


async def test_who_watches_has_seen_it_too_and_is_not_named(club: Club) -> None:
    name = await begun(club)
    await club.write(CLEO, "hello")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {name}")
    old = address(club, ANN)
    await write(club, ANN, "e1", Cc=CLEO)
    assert told(club, ANN)
    assert "Cleo" not in club.last(ANN).text
    assert address(club, ANN) != old


async def test_another_address_of_the_opponent_counts_once_it_is_theirs(club: Club) -> None:
    await begun(club)

    async def other(*, confirmed: bool) -> None:
        def unit(conn: Any) -> None:
            bob = roster.player_by_address(conn, BOB)
            assert bob is not None
            roster.add_address(conn, bob.id, FRIEND, club.house.now())
            if confirmed:
                roster.confirm_address(conn, bob.id, FRIEND)

        club.house.db.write(unit).result()

    old = address(club, ANN)
    await other(confirmed=False)
    await write(club, ANN, "board", Cc=FRIEND)
    assert address(club, ANN) == old
    await other(confirmed=True)
    await write(club, ANN, "board", Cc=FRIEND)
    assert address(club, ANN) != old


async def test_a_forged_letter_renews_nothing(club: Club) -> None:
    await begun(club)
    old = address(club, ANN)
    await write(club, FRIEND, "e1", to=old, Cc=BOB)
    assert not told(club, ANN)
    await club.answer(ANN, "board")
    assert address(club, ANN) == old


async def test_only_that_match_gets_another_address(club: Club) -> None:
    await begun(club)
    old = address(club, ANN)
    bobs = address(club, BOB)
    await club.write(BOB, "hello", to=bobs)
    await club.answer(BOB, f"new logger with {ANN}")
    await club.answer(ANN, "accept")
    other = address(club, ANN)
    assert other != old
    await write(club, ANN, "board", to=old, Cc=BOB)
    assert address(club, ANN) not in (old, other)
    await write(club, ANN, "board", to=other)
    assert address(club, ANN) == other
    await club.answer(BOB, "board")
    await club.answer(ANN, "games")


async def test_what_the_letter_said_is_accounted_for_beside(club: Club) -> None:
    await begun(club)
    await write(club, ANN, "say hello Bob", Cc=BOB)
    assert told(club, ANN)
    assert "Sent to the others" in club.last(ANN).text or "said" in club.last(ANN).text
    before = len(club.mails(ANN))
    await write(club, ANN, "Thanks!", Cc=BOB)
    assert len(club.mails(ANN)) == before + 1
    assert told(club, ANN)


# --- what the old one is worth -------------------------------------------------------------------


@kept
async def shown(club: Club) -> tuple[MatchId, ReceivedMail, str]:
    """Bob has seen Ann's address: the match, the mail that she answered, and the old address."""
    name = await begun(club)
    prompt, old = club.last(ANN), address(club, ANN)
    await write(club, ANN, "board", Cc=BOB)
    assert told(club, ANN)
    return name, prompt, old


async def test_the_new_address_plays(club: Club) -> None:
    name, _, _ = await shown(club)
    await write(club, ANN, "e1")
    assert await ply(club, name) == 1


async def test_the_old_address_asks_before_it_acts(club: Club) -> None:
    name, _, old = await shown(club)
    await write(club, ANN, "e1", to=old)
    assert await ply(club, name) == 0
    assert await disposition(club) == ("doubted", None)
    assert "Was this you?" in club.last(ANN).text
    assert "reply address of yours that others have seen" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "yes")
    assert await ply(club, name) == 1


@pytest.mark.parametrize(
    ("order", "notice"),
    [("board", "BoardShown"), ("history", "HistoryShown"), ("help", "HelpShown"),
     ("games", "GamesListed"), ("why e1", "WhyTold"), ("rules", "RulesShown")],
)  # fmt: skip
@pytest.mark.parametrize("days", [0, 15])
async def test_the_old_address_reads(club: Club, order: str, notice: str, days: int) -> None:
    _, _, old = await shown(club)
    new = address(club, ANN)
    await club.wait(days=days)
    for _ in range(2):
        sent = len(club.postbox.mails)
        await write(club, ANN, order, to=old)
        assert await disposition(club) == ("done", None)
        assert [reader for reader, _ in club.postbox.mails[sent:]] == [ANN]
        assert notice in await told_of(club)
        assert address(club, ANN) == new


async def test_what_is_asked_for_beside_an_act_is_shown_at_once(club: Club) -> None:
    name, _, old = await shown(club)
    sent = len(club.mails(ANN))
    await write(club, ANN, "history\n\ne1\n\nboard", to=old)
    first, second = club.mails(ANN)[sent:]
    assert {"HistoryShown"} <= set(await told_of(club, first)) | set(await told_of(club, second))
    assert await ply(club, name) == 0
    asked = next(mail for mail in (first, second) if "Was this you?" in mail.text)
    await write(club, ANN, "yes", to=parseaddr(asked.reply_to)[1], answers=asked)
    assert await ply(club, name) == 1


ACTS = ("e1", "say Hello there", "width 50", "new logger with bot", "offer draw", "resign",
        "delete me", "new address", "undo", "yes", "stop", "if any then resign yes")  # fmt: skip


@pytest.mark.parametrize("days", [0, 15])
async def test_no_act_is_carried_out_by_the_old_address(club: Club, days: int) -> None:
    name, _, old = await shown(club)
    await club.wait(days=days)
    row = await club.read(partial(roster.player_by_address, address=ANN))
    match: Any = await club.read(partial(find_match, match=name))
    bobs = len(club.mails(BOB))
    for act in ACTS:
        await write(club, ANN, act, to=old)
    after: Any = await club.read(partial(find_match, match=name))
    assert after.head == match.head
    assert await club.read(partial(roster.player_by_address, address=ANN)) == row
    assert len(club.mails(BOB)) == bobs
    asked = [mail for mail in club.mails(ANN) if "Was this you?" in mail.text]
    assert len(asked) == (0 if days else 1)  # once a day, and after two weeks not at all
    assert "address_seen" in {(await refused(club, mail)) for mail in club.mails(ANN)}


async def test_who_is_refused_is_told_the_new_address(club: Club) -> None:
    name, _, old = await shown(club)
    new = address(club, ANN)
    await club.wait(days=15)
    await write(club, ANN, "e1", to=old)
    assert await disposition(club) == ("refused", "address_seen")
    assert address(club, ANN) == new
    await club.answer(ANN, "e1")
    assert await ply(club, name) == 1


async def test_a_flood_to_the_old_address_costs_its_player_nothing(club: Club) -> None:
    """Who has seen it must not use up what she may write and be told."""
    name, _, old = await shown(club)
    new, bobs = address(club, ANN), address(club, BOB)
    before = len(club.mails(ANN))
    for number in range(60):
        await write(club, ANN, f"e1 {number}", to=old, Cc=BOB)
    assert len(club.mails(ANN)) - before <= 22
    assert await disposition(club) == ("refused", "rate_limited")
    assert address(club, ANN) == new  # what was shown before is not shown again
    await write(club, ANN, "nonsense", to=new)
    assert await disposition(club) == ("refused", "no_orders")
    await write(club, ANN, "e1", to=new)
    assert await ply(club, name) == 1
    assert address(club, BOB) == bobs


async def test_so_does_what_was_mailed_before(club: Club) -> None:
    """The opponent has the Message-ID that the letter answered, and the line in its quote."""
    name, prompt, _ = await shown(club)
    await write(club, ANN, "e1", to=GAMES, answers=prompt)
    assert await ply(club, name) == 0
    assert await disposition(club) == ("doubted", None)
    quote = "\n".join(f"> {line}" for line in prompt.text.splitlines())
    await write(club, ANN, f"e1\n\n{quote}", to=GAMES)
    assert await ply(club, name) == 0


async def test_after_two_weeks_it_only_reads(club: Club) -> None:
    name, prompt, old = await shown(club)
    new = address(club, ANN)
    await club.wait(days=15)
    await write(club, ANN, "e1", to=old)
    assert await disposition(club) == ("refused", "address_seen")
    await write(club, ANN, "e1", to=GAMES, answers=prompt)
    assert await ply(club, name) == 0
    await write(club, ANN, "e1", to=new)
    assert await ply(club, name) == 1


async def test_new_address_renews_all_and_no_number_comes_twice(club: Club) -> None:
    name, _, old = await shown(club)
    second = address(club, ANN)
    await club.answer(ANN, "new address")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "say hello")
    third = address(club, ANN)
    assert len({old, second, third}) == 3
    for dead in (old, second):
        await write(club, ANN, "e1", to=dead)
        assert await disposition(club) == ("nobody", "not_public")
    await write(club, ANN, "e1", to=third)
    assert await ply(club, name) == 1
    await write(club, ANN, "board", to=third, Cc=BOB)
    assert address(club, ANN) not in (old, second, third)


async def test_shown_twice_each_is_old_for_its_own_time(club: Club) -> None:
    name, _, first = await shown(club)
    await club.wait(days=10)
    second = address(club, ANN)
    await write(club, ANN, "board", Cc=BOB)
    third = address(club, ANN)
    await club.wait(days=10)
    await write(club, ANN, "e1", to=first)
    assert await disposition(club) == ("refused", "address_seen")
    await write(club, ANN, "e1", to=second)
    assert await disposition(club) == ("doubted", None)
    await write(club, ANN, "e1", to=third)
    assert await ply(club, name) == 1


async def test_a_mail_that_waits_for_the_relay_is_written_anew(club: Club) -> None:
    await begun(club)
    old = address(club, ANN)

    def away(_: Envelope) -> Result:
        return Result("transient", 451, "later")

    club.postbox.verdict = away
    await club.answer(BOB, "say are you there?")
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await write(club, ANN, "board", to=old, Cc=BOB)
    await club.wait(minutes=30)
    await club.work()
    late = [mail for mail in club.mails(ANN) if "are you there?" in mail.text]
    assert [parseaddr(mail.reply_to)[1] == old for mail in late] == [False]


async def test_who_was_invited_only_has_an_address_of_the_seat_already(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    old = address(club, BOB)
    await write(club, BOB, "accept", Cc=ANN)
    assert address(club, BOB) != old


def test_a_generation_is_told_apart_by_its_time(club: Club) -> None:
    """What a seat's address is worth is a question of its own successor alone."""
    now = club.house.now()
    standing = personal.Standing

    def unit(conn: Any) -> None:
        ann = roster.add_player(conn, PlayerId("ann"), address=ANN, name="Ann", now=now).id
        match = MatchId("K7QX2")
        first = personal.renew_seat(conn, ann, match, now)
        worth = partial(personal.standing, conn, ann, match)
        assert newest_of(conn, ann, match) == first
        assert newest_of(conn, ann, MatchId("0THER")) == 0
        assert worth(0, now) is standing.OLD
        assert worth(0, now + OLD_ASKS) is standing.RETIRED
        assert worth(first, now + 10 * OLD_ASKS) is standing.ALIVE
        assert worth(first + 1, now) is standing.DEAD
        assert personal.renew(conn, ann, now) == first + 1
        assert worth(first, now) is standing.DEAD

    club.house.db.write(unit).result()


# --- outside of matches --------------------------------------------------------------------------


@kept
async def at_home(club: Club) -> ReceivedMail:
    """A mail to Ann that comes from the address that is hers outside of matches."""
    mail = await welcomed(club)
    await begun(club)
    await write(club, ANN, "settings", to=parseaddr(mail.reply_to)[1], answers=mail)
    assert address(club, ANN) == parseaddr(mail.reply_to)[1]
    return club.last(ANN)


async def test_a_letter_to_another_player_makes_the_address_outside_of_matches_old(
    club: Club,
) -> None:
    mail = await at_home(club)
    await club.wait(days=1)  # she has been asked once today: whether the invitation is hers
    old = parseaddr(mail.reply_to)[1]
    await write(club, ANN, "games", to=old, answers=mail, Cc=BOB)
    assert told(club, ANN)
    new = address(club, ANN)
    assert new != old
    mails = len(club.mails(BOB))
    await write(club, ANN, f"new logger with {CLEO}", to=old)
    assert await disposition(club) == ("doubted", None)
    await write(club, ANN, "width 50", to=new)
    assert await disposition(club) == ("done", None)
    assert len(club.mails(BOB)) == mails
    await club.wait(days=15)
    await write(club, ANN, "width 60", to=old)
    assert await disposition(club) == ("refused", "address_seen")
    await write(club, ANN, "games", to=old)
    assert "GamesListed" in await told_of(club)


async def test_a_letter_to_nobody_who_plays_here_shows_no_address(club: Club) -> None:
    mail = await at_home(club)
    await write(club, ANN, "games", answers=mail, Cc=FRIEND)
    assert not told(club, ANN)
    assert address(club, ANN) == parseaddr(mail.reply_to)[1]


@pytest.mark.parametrize("words", ["games", "no wait, what do you think, Bob?"])
async def test_a_question_whose_address_others_have_seen_is_closed(club: Club, words: str) -> None:
    await begun(club)
    await club.answer(ANN, "delete me")
    asked = club.last(ANN)
    assert "+m." in asked.reply_to
    where = parseaddr(asked.reply_to)[1]
    await write(club, ANN, words, to=where, answers=asked, Cc=BOB)
    await write(club, ANN, "yes", to=where, answers=asked)
    row: Any = await club.read(partial(roster.player_by_address, address=ANN))
    assert row is not None
    assert row.name == "Ann"
