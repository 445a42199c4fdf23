"""Mail to people who have never answered: through one door, and few of it in a day (MAIL 3)."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import wrap

import pytest
from sqlalchemy import Connection, select

from pbem.cli.status import budget_lines
from pbem.config.settings import Settings, Strangers
from pbem.mail.headers import mailbox_of
from pbem.notices import codec
from pbem.store import tables
from pbem.store.database import Database
from pbem.store.mails import inbox, unknown_letters
from pbem.store.people import rates, roster
from pbem.transaction import limits
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.clubs.kept import kept
from tests.databases import new_database

INVITERS = [f"player{letter}@club.example" for letter in "abcdef"]
ZOE = "zoe@example.org"
SPELLINGS = (
    "zoe@example.org",
    "Zoe@Example.ORG",
    "zoe+a@example.org",
    "zoe+b@example.org",
    "zoe@mail.example.org",
    "ZOE+c@lists.example.org",
)

MAY_GO = {name for name, kind in codec.KINDS.items() if kind.traits.unproved}
"""Every notice that is sent to people who have never answered; each counts."""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, invitations_per_day=1000, pending_invitations=1000)
    yield one
    one.house.db.close()


@kept
async def join(club: Club, *people: str) -> None:
    """These become players, on days on which nothing else goes on."""
    for number, person in enumerate(people):
        await club.write(person, "games")
        await club.answer(person, "yes")
        if number % 10 == 9:
            await club.wait(days=1, minutes=1)
    await club.wait(days=1, minutes=1)


def names(club: Club, reader: str) -> list[str]:
    return re.findall(r"\[\w+ (\w{5})\]", " ".join(mail.subject for mail in club.mails(reader)))


def most_in_a_day(times: list[datetime]) -> int:
    times = sorted(times)
    return max(
        (sum(start <= at < start + timedelta(days=1) for at in times) for start in times), default=0
    )


async def queued(club: Club) -> list[tuple[datetime, str, str]]:
    """Mails to addresses of which none has answered: when, where to, and what is in them."""

    def unit(conn: Connection) -> list[tuple[datetime, str, str]]:
        out = tables.outbox.c
        silent = roster.unproved(conn, [row.id for row in roster.all_players(conn)])
        found = []
        for row in conn.execute(select(out.queued_at, out.recipient, out.to_address, out.notices)):
            address = row.to_address or silent.get(row.recipient)
            if address is not None:
                kinds = " ".join(type(one).__name__ for one in codec.load(row.notices))
                found.append((row.queued_at, address, kinds))
        return found

    result = await club.read(unit)
    assert isinstance(result, list)
    return result


# --- forged strangers ----------------------------------------------------------------------------


async def test_twice_as_many_strangers_draw_sixty_mails_in_any_day(club: Club) -> None:
    sent = []
    for number in range(120):
        address = f"victim{number}@domain{number}.example"
        await club.write(address, "new logger")
        await club.wait(minutes=10)
        if club.mails(address):
            sent.append(club.clock())
    assert len([at for at in sent if at < sent[0] + timedelta(days=1)]) == 60
    assert most_in_a_day(sent) == 60


async def test_one_domain_gets_its_share_only(club: Club) -> None:
    for number in range(30):
        await club.write(f"victim{number}@sub{number}.victim.example", "new logger")
    assert len(club.postbox.mails) == 20


async def test_a_flood_of_strangers_locks_no_player_out(club: Club) -> None:
    await join(club, ANN)
    for number in range(70):
        await club.write(f"victim{number}@domain{number}.example", "new logger")
    await club.write(ANN, "games")  # a letter that proves nothing: Ann is asked
    assert "Was this you?" in club.last(ANN).text


async def test_who_did_write_is_welcomed_whatever_others_forge(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    site = club.house.settings.site.model_copy(update={"authserv_id": "mx.pbem.example"})
    settings = club.house.settings.model_copy(update={"site": site})
    object.__setattr__(club.house, "settings", settings)
    for number in range(70):
        await club.write(f"victim{number}@domain{number}.example", "new logger")
    vouched = "mx.pbem.example; dmarc=pass header.from=example.org"
    await club.write(ZOE, "games", Authentication_Results=vouched)
    assert len(club.mails(ZOE)) == 1
    club.house.db.close()


async def test_what_a_refused_stranger_said_stays_in_the_inbox(club: Club) -> None:
    for number in range(21):
        await club.write(f"victim{number}@victim.example", "new logger")
    listed = await club.read(lambda conn: inbox.listed(conn, limit=1))
    assert isinstance(listed, list)
    assert (listed[0].disposition, listed[0].code) == ("stranger", "too_many")
    await club.wait(days=1)
    await club.write("victim20@victim.example", "new logger")
    assert len(club.mails("victim20@victim.example")) == 1


# --- inviters ------------------------------------------------------------------------------------


async def test_six_players_put_one_mail_a_day_into_one_mailbox(club: Club) -> None:
    await join(club, *INVITERS)
    start = club.clock()
    for turn in range(4):
        for number, inviter in enumerate(INVITERS):
            spelling = SPELLINGS[(turn + number) % len(SPELLINGS)]
            await club.answer(inviter, f"new logger with {spelling}")
            await club.answer(inviter, f"address add {spelling}")
            await club.answer(inviter, "say Hello Zoe")
            await club.answer(inviter, "withdraw")
        await club.wait(hours=9)
    times = [at for at, address, _ in await queued(club) if address.casefold().startswith("zoe")]
    assert club.clock() > start + timedelta(days=1)
    assert most_in_a_day(times) == 1
    assert len(times) == 2


async def test_an_inviter_has_ten_strangers_a_day_written_to_and_hears_why(club: Club) -> None:
    await join(club, ANN)
    for number in range(12):
        await club.answer(ANN, f"new logger with friend{number}@domain{number}.example")
        await club.answer(ANN, "withdraw")
    mails = {address for address, _ in club.postbox.mails} - {ANN}
    assert len(mails) == 10
    told = [" ".join(mail.text.split()) for mail in club.mails(ANN)]
    refused = [text for text in told if f"tell them to write to {GAMES}" in text]
    assert len(refused) == 2
    await club.wait(days=1)
    await club.answer(ANN, "new logger with friend11@domain11.example")
    assert club.mails("friend11@domain11.example")


async def test_one_letter_is_no_way_around(club: Club) -> None:
    await join(club, ANN)
    lines = [f"new logger with friend{n}@domain{n}.example" for n in range(30)]
    await club.answer(ANN, "\n".join(lines))
    assert len({address for address, _ in club.postbox.mails} - {ANN}) == 10
    await club.wait(days=1)
    await club.answer(ANN, "\n".join(f"new logger with zoe+{n}@example.org" for n in range(9)))
    assert len([one for one, _ in club.postbox.mails if mailbox_of(one) == mailbox_of(ZOE)]) == 1


async def test_tags_behind_a_hyphen_bring_a_few_mails_a_day(club: Club) -> None:
    """They may be one mailbox, and may be people of one name."""
    await join(club, ANN)
    await club.answer(ANN, "\n".join(f"new logger with w-{n}@example.org" for n in range(9)))
    await club.write("w-20@example.org", "new logger")
    reached = {one for one, _ in club.postbox.mails if one.startswith("w-")}
    assert len(reached) == limits.ALIKE
    await club.answer(ANN, "new logger with anna-lena@example.org")
    await club.answer(ANN, "new logger with anna-maria@example.org")
    assert club.mails("anna-lena@example.org")
    assert club.mails("anna-maria@example.org")


async def test_who_is_refused_beside_another_has_used_nothing_up(club: Club) -> None:
    await join(club, ANN, BOB)
    await club.answer(BOB, f"new logger with {ZOE}")
    await club.answer(ANN, f"new landrush with yan@example.com, {ZOE}")
    assert not club.mails("yan@example.com")
    await club.answer(ANN, "new logger with yan@example.com")
    assert len(club.mails("yan@example.com")) == 1


async def test_who_has_answered_is_written_to_as_ever(club: Club) -> None:
    await join(club, ANN, BOB)
    await club.answer(ANN, f"new logger with {BOB}")
    before = len(club.mails(BOB))
    for _ in range(3):
        await club.answer(ANN, f"new logger with {BOB}")
    assert len(club.mails(BOB)) == before + 3


async def test_news_of_what_was_not_answered_has_no_mail_of_its_own(club: Club) -> None:
    """PLAY 4: who was invited hears how it stands by answering; a second mail has no room."""
    await join(club, ANN)
    await club.answer(ANN, f"new logger with {ZOE}")
    assert len(club.mails(ZOE)) == 1
    await club.answer(ANN, "decline")
    assert len(club.mails(ZOE)) == 1


async def test_nothing_is_said_to_somebody_who_would_not_hear_it(club: Club) -> None:
    await join(club, ANN)
    await club.answer(ANN, f"new logger with {ZOE}")
    await club.answer(ANN, "say Are you there?")
    assert len(club.mails(ZOE)) == 1
    assert "has never answered us" in club.last(ANN).text
    await club.wait(days=1)
    await club.answer(ANN, "say Are you there?")
    assert "Are you there?" in club.last(ZOE).text


# --- one door ------------------------------------------------------------------------------------


async def test_every_mail_to_who_never_answered_is_known_and_within_the_budgets(club: Club) -> None:
    chance = random.Random(11)
    await join(club, *INVITERS)
    targets = [f"{who}{tag}@{host}" for who in ("zoe", "yan", "xia") for tag in ("", "+a")
               for host in ("example.org", "mail.example.org", "example.net")]  # fmt: skip
    for _ in range(160):
        sender = chance.choice(INVITERS)
        target = chance.choice(targets)
        text = chance.choice(
            [f"new logger with {target}", f"new landrush with {target}, {chance.choice(targets)}",
             "withdraw", "say Hello", f"address add {target}", f"block {target}", "rematch"]
        )  # fmt: skip
        if chance.random() < 0.1:
            await club.write(target, "new logger")
        else:
            await club.answer(sender, text)
        if text.startswith("address add"):
            await club.answer(sender, "yes")  # it is asked about first
        await club.wait(minutes=chance.randrange(1, 60))
    found = await queued(club)
    by_mailbox: dict[str, list[datetime]] = {}
    for at, address, _ in found:
        by_mailbox.setdefault(mailbox_of(address), []).append(at)
    assert max(map(most_in_a_day, by_mailbox.values())) == 1
    assert most_in_a_day([at for at, _, _ in found]) <= 60
    kinds = Counter(kind for _, _, kinds in found for kind in kinds.split())
    assert set(kinds) <= MAY_GO
    assert {"Invitation", "ConfirmationAsked", "AddressAsked"} <= set(kinds)


async def test_the_operator_sees_which_budget_binds(club: Club) -> None:
    for number in range(25):
        await club.write(f"victim{number}@victim.example", "new logger")

    def unit(conn: Connection) -> list[tuple[str, str]]:
        return list(limits.binding(conn, club.house.settings, club.clock()))

    assert await club.read(unit) == [("domain", "victim.example")]


def test_the_budgets_are_on_unless_somebody_turns_them_off() -> None:
    assert Settings().strangers == Strangers(
        mails_per_day=60,
        mails_per_domain=20,
        mails_per_mailbox=1,
        mails_per_inviter=10,
        forms_per_day=30,
        forms_per_domain=5,
    )


# --- what is kept of them ------------------------------------------------------------------------


def noise(length: int) -> str:
    """Text that is kept in half its length at best: letters are compressed."""
    digits = random.Random(length).randbytes(length // 2).hex()
    return "\n".join(wrap(digits, 70))


async def test_letters_of_unknown_people_have_a_bound_and_players_letters_have_not(
    tmp_path: Path,
) -> None:
    club = open_club(tmp_path)
    bounded = club.house.settings.strangers.model_copy(update={"letters_megabytes": 1})
    settings = club.house.settings.model_copy(update={"strangers": bounded})
    object.__setattr__(club.house, "settings", settings)
    club.house.arrived.step = 100_000
    await join(club, ANN)
    await club.answer(ANN, f"help\n\n{noise(160_000)}")
    for number in range(30):
        await club.write(f"stranger{number}@domain{number}.example", noise(100_000))
    kept = await club.read(unknown_letters.size)
    assert isinstance(kept, int)
    assert 500_000 < kept <= 1_000_000 + 200_000

    def sizes(conn: Connection) -> list[int]:
        rows = conn.execute(select(tables.inbox.c.raw).order_by(tables.inbox.c.number)).scalars()
        return [len(raw) for raw in rows]

    found = await club.read(sizes)
    assert isinstance(found, list)
    assert found[2] > 150_000  # Ann's
    assert found[3] == 0  # the first stranger's
    assert found[-1] > 90_000  # the last one's
    club.house.db.close()


async def test_what_nobody_was_welcomed_by_goes_whole(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    nobody = GAMES.replace("games", "games+wrong.1.aaaaaaaaaaaaaaaaaa")
    for _ in range(20):
        await club.write(ZOE, noise(20_000), to=nobody)
    before = await club.read(unknown_letters.size)
    gone = await asyncio.wrap_future(
        club.house.db.write(lambda conn: unknown_letters.trim(conn, 100_000))
    )
    assert gone > 5
    rows = await club.read(lambda conn: sum(inbox.counts(conn).values()))
    assert rows == 20 - gone
    after = await club.read(unknown_letters.size)
    assert isinstance(before, int)
    assert isinstance(after, int)
    assert after <= 100_000 < before
    club.house.db.close()


def test_status_and_check_say_which_budget_binds(tmp_path: Path) -> None:
    few = Strangers(mails_per_day=2, mails_per_domain=1, forms_per_day=1, forms_per_domain=1)
    settings = Settings(strangers=few)
    new_database(tmp_path / "x.db")
    db = Database.open(tmp_path / "x.db")
    now = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)

    def spent(conn: Connection) -> None:
        for name in ("all", "all", "domain:example.org", "forms", "form-domain:example.net"):
            rates.spend(conn, f"unproved:{name}", now)

    db.write(spent).result()
    told = db.read(lambda conn: budget_lines(settings, conn, now=now)).result()
    assert told[0].startswith("2 of 2 mails of the last day")
    assert "strangers.mails_per_day" in told[1]
    assert "example.org" in told[2]
    assert "strangers.forms_per_day" in told[3]
    assert "example.net by forms" in told[4]
    later = now + timedelta(days=1)
    assert db.read(lambda conn: len(budget_lines(settings, conn, now=later))).result() == 2
    db.close()


async def test_names_of_before_are_looked_at_anew(club: Club) -> None:
    await join(club, ANN)

    def spoil(conn: Connection) -> None:
        conn.execute(tables.player.update().values(name_folded="otherwise"))

    await asyncio.wrap_future(club.house.db.write(spoil))
    assert await asyncio.wrap_future(club.house.db.write(roster.refold)) == 1
    assert await asyncio.wrap_future(club.house.db.write(roster.refold)) == 0
    found = await club.read(lambda conn: len(roster.players_named(conn, "ann")))
    assert found == 1


# --- names ---------------------------------------------------------------------------------------


TAKEN_NAMES = (
     "Operator", "0perator 2", "Club", "resign", "aufgeben", "Robot", "bob", "B0B", "B\u043eb",
     "Operators", "Admin1", "MAILER-DAEMON", "no-reply", "You", "Ihr", "e1", "c3", "pass", "K7QX2",
     "Logger", "Looney Ludo", "yes please", "Ja, bitte", "Ja bitte", "i give up", "evil dot com",
     "\u15e9nna", "Bo\u0299by", "\u13a0ora",
)  # fmt: skip


async def test_nobody_is_called_like_us_an_order_or_another(club: Club) -> None:
    await join(club, ANN, BOB)
    for name in TAKEN_NAMES:
        await club.answer(ANN, f"name {name}")
        names_now = await club.read(lambda conn: [row.name for row in roster.all_players(conn)])
        assert (name, sorted(names_now)) == (name, ["Ann", "Bob"])  # type: ignore[call-overload]


async def test_who_may_not_be_called_so_hears_why(club: Club) -> None:
    await join(club, ANN, BOB)
    for name, reason in (("Operators", "nobody's name here"), ("bob", "Somebody else is called"),
                         ("\u15e9nna", "letters of one script")):  # fmt: skip
        await club.answer(ANN, f"name {name}")
        assert reason in " ".join(club.last(ANN).text.split())


async def test_names_that_there_are_remain(club: Club) -> None:
    await join(club, ANN)

    def unit(conn: Connection) -> None:
        [ann] = roster.all_players(conn)
        roster.rename(conn, ann.id, "Logger")

    club.house.db.write(unit).result()
    await club.answer(ANN, "settings")
    await club.answer(ANN, "new logger with bot")
    found = await club.read(lambda conn: [row.name for row in roster.all_players(conn)])
    assert "Logger" in found  # type: ignore[operator]


@pytest.mark.parametrize(
    ("signed", "called"),
    [
        ("Operator", "Zoe"),
        ("www.evil.com", "Zoe"),
        ("Call 0900 1234567", "Zoe"),
        ("Zoe O'Brien", "Zoe O'Brien"),
        ("resign", "Zoe"),
    ],
)
async def test_a_name_of_a_from_line_is_held_to_the_same(
    club: Club, signed: str, called: str
) -> None:
    await club.write(f'"{signed}" <{ZOE}>', "games")
    found = await club.read(lambda conn: [row.name for row in roster.all_players(conn)])
    assert found == ["Zoe"]  # until then it may be anybody who calls them so
    await club.answer(ZOE, "yes", sender=f'"{signed}" <{ZOE}>')
    found = await club.read(lambda conn: [row.name for row in roster.all_players(conn)])
    assert found == [called]
