"""Acts on matches from another process: asked about, given a reason, mailed to the players."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.cli.operator import moment
from pbem.config import AddressKeys, write_keys
from pbem.errors import ConfigError
from pbem.store import views
from pbem.transaction.installation import verified
from pbem.wiring.process import clock
from tests.cli.service import Service
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.orders.test_people import bounce

WHY = ("--reason", "Both have asked for it.", "--as", "anna")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A match with clocks, in a service that runs meanwhile."""
    one = open_club(tmp_path, clock=clock)  # commands have no other
    Service(tmp_path).write('[site]\naddress = "games@pbem.example"\n')
    write_keys(tmp_path / "keys.toml", AddressKeys("a", {"a": bytes(range(32))}))
    await one.write(ANN, f"new logger with {BOB} seat_order=given time=24/8/48")
    await one.answer(ANN, "yes")
    await one.answer(BOB, "accept")
    yield one
    one.house.db.close()


def row(club: Club) -> views.MatchRow:
    [found] = club.house.db.read(views.matches).result()
    return found


def service(club: Club) -> Service:
    return Service(Path(club.house.settings.store.database).parent)


def sound(club: Club) -> bool:
    name = row(club).id
    found, _ = club.house.db.read(lambda conn: verified(conn, name)).result()
    return found.findings == ()


async def test_a_match_is_voided_and_the_players_are_told_why(club: Club) -> None:
    name = row(club).id
    said = service(club).run("match", "void", name, *WHY, typed="n\n", code=1)
    assert "Ann - Bob, running, after ply 0" in said
    assert row(club).status == "running"
    service(club).run("match", "void", name, *WHY, typed="y\n")
    assert row(club).status == "ended"
    await club.work()
    for reader in (ANN, BOB):
        text = club.last(reader).text
        assert "The operator has ended Logger" in text
        assert "| Both have asked for it." in text
        assert "anna" not in text
    await club.answer(ANN, "e1")
    assert "the operator has ended it" in " ".join(club.last(ANN).text.split())
    assert sound(club)
    told = service(club).run("history", name)
    assert "the operator (anna)" in told
    assert 'reason "Both have asked for it."' in told


async def test_a_comment_is_taken_away_and_its_writer_is_told_why(club: Club) -> None:
    name = row(club).id
    await club.answer(ANN, "e1")
    await club.answer(BOB, "resign yes")
    await club.answer(BOB, "comment 1: Rude words.\n\ncomment: Kind words.")
    listed = service(club).run("match", "uncomment", name)
    assert "1. Bob of move 1: Rude words." in listed
    assert "2. Bob of the match: Kind words." in listed
    service(club).run("match", "uncomment", name, "3", *WHY, "--yes", code=1)
    service(club).run("match", "uncomment", name, "1", *WHY, typed="n\n", code=1)
    service(club).run("match", "uncomment", name, "1", *WHY, typed="y\n")
    listed = service(club).run("match", "uncomment", name)
    assert "1. Bob of move 1: (no longer kept)" in listed
    assert "Rude" not in service(club).run("export", name)
    await club.work()
    assert "| Both have asked for it." in club.last(BOB).text
    assert sound(club)
    told = service(club).run("history", name)
    assert "Kind words." in told
    assert "Rude" not in told
    replayed = service(club).run("replay", name)
    assert "Bob (after the end): Kind words." in replayed
    record = service(club).run("export", name, "--record")
    assert "{comment by Bob: Kind words.}" in record


async def test_a_match_is_decided(club: Club) -> None:
    name = row(club).id
    assert "give as many places" in service(club).run(
        "match", "adjudicate", name, "1", *WHY, "--yes", code=1
    )
    assert "one for each of the 2 seats" in service(club).run(
        "match", "adjudicate", name, "2", "3", *WHY, "--yes", code=1
    )
    said = service(club).run("match", "adjudicate", name, "2", "1", *WHY, "--yes")
    assert "1. Bob, 2. Ann" in said
    await club.work()
    assert "The operator has decided Logger" in club.last(BOB).text
    assert "The operator has decided the match." in club.last(ANN).text
    assert sound(club)


async def test_clocks_are_stopped_and_go_on(club: Club) -> None:
    name = row(club).id
    service(club).run("match", "pause", name, *WHY, "--yes")
    await club.work()
    assert "has stopped all clocks" in club.last(ANN).text
    count = len(club.mails(ANN))
    said = service(club).run("match", "pause", name, *WHY, "--yes", code=1)
    assert 'already; "pbem match resume" lets them run again' in said
    said = service(club).run("match", "deadline", name, "1", "40h", *WHY, "--yes", code=1)
    assert '"pbem match resume" comes first' in said
    await club.work()
    assert len(club.mails(ANN)) == count
    await club.answer(ANN, "e1")
    service(club).run("match", "resume", name, *WHY, "--yes")
    await club.work()
    assert "run again" in club.last(BOB).text
    said = service(club).run("match", "resume", name, *WHY, "--yes", code=1)
    assert 'Nobody has stopped the clocks of this match by "pbem match pause"' in said
    told = service(club).run("history", name)
    assert "Clock paused: seat 1 (Ann)" in told
    assert "Clock resumed: seat 2 (Bob)" in told
    assert sound(club)


async def test_a_deadline_is_no_later_than_the_clock_can_hold_and_says_so(club: Club) -> None:
    name, now = row(club).id, clock()
    words = ("match", "deadline", name, "1", "4800h", *WHY)
    said = service(club).run(*words, typed="n\n", code=1)
    most = now + timedelta(hours=48)
    assert f"4800h is more than its clock can hold: the most is until {most:%Y-%m-%d}" in said
    said = service(club).run(*words, "--yes")
    assert "4800h is more than" in said
    assert "more than" not in service(club).run(
        "match", "deadline", name, "1", "40h", *WHY, "--yes"
    )
    assert sound(club)


async def test_a_seat_gets_another_deadline(club: Club) -> None:
    name = row(club).id
    service(club).run("match", "deadline", name, "1", "40h", *WHY, "--yes")
    await club.work()
    assert "has given Ann time until" in " ".join(club.last(BOB).text.split())
    said = service(club).run("match", "deadline", name, "2", "40h", *WHY, "--yes", code=1)
    assert "The clock of seat 2 stands" in said
    assert "has 2 seats" in service(club).run(
        "match", "deadline", name, "3", "40h", *WHY, "--yes", code=1
    )
    assert sound(club)


async def test_another_player_plays_on(club: Club) -> None:
    name = row(club).id
    await club.write(CLEO, "games")
    said = service(club).run("match", "seat", name, "1", CLEO, *WHY, "--yes", code=1)
    assert "has never answered a mail" in said
    await club.answer(CLEO, "yes")
    said = service(club).run("match", "seat", name, "1", BOB, *WHY, "--yes", code=1)
    assert "This player sits in the match already." in said
    service(club).run("match", "seat", name, "1", CLEO, *WHY, "--yes")
    await club.work()
    assert "You play on for Ann" in " ".join(club.last(CLEO).text.split())
    assert "| Both have asked for it." in club.last(BOB).text
    assert "to Cleo." in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, f"{name} e1")
    assert row(club).ply == 0
    await club.answer(CLEO, "e1")
    assert row(club).ply == 1
    assert sound(club)


async def test_no_seat_is_given_to_who_gets_no_mail(club: Club) -> None:
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")
    service(club).run("ban", CLEO, *WHY, "--yes")
    said = service(club).run("match", "seat", row(club).id, "1", CLEO, *WHY, "--yes", code=1)
    assert "`pbem pardon` lets them play again" in said


async def test_who_is_banned_sits_down_with_nobody(club: Club) -> None:
    """What runs goes on without --resign; what has not begun is off."""
    running = row(club).id
    await club.answer(ANN, "new logger open 1")
    service(club).run("ban", ANN, *WHY, "--yes")
    await club.work()
    rows = await club.read(views.matches)
    assert isinstance(rows, list)
    assert {(one.id == running, one.status) for one in rows} == {(True, "running"), (False, "off")}


async def test_a_match_goes_back(club: Club) -> None:
    name = row(club).id
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    said = service(club).run("match", "rollback", name, "2", *WHY, "--yes", code=1)
    assert "The match stands after move 2: name an earlier one" in said
    service(club).run("match", "rollback", name, "1", *WHY, "--yes")
    assert row(club).ply == 1
    await club.work()
    mail = " ".join(club.last(BOB).text.split())
    assert "Your turn" in mail
    assert "it stands as it did after move 1." in mail
    await club.answer(BOB, "e5")
    assert row(club).ply == 2
    assert sound(club)


def test_an_act_needs_a_reason_and_a_match_that_runs(service: Service) -> None:
    assert "--reason" in service.run("match", "void", "K7QX2", "--yes", code=2)
    assert "--reason needs a text" in service.run(
        "match", "void", "K7QX2", "--yes", "--reason", " ", code=1
    )
    said = service.run("match", "void", "K7QX2", "--reason", "x", "--as", "a: b", "--yes", code=1)
    assert "--as needs a name" in said
    assert "The match is over." in service.run("match", "void", "K7QX2", *WHY, "--yes", code=1)
    assert "there is no match" in service.run("match", "void", "QQQQQ", *WHY, "--yes", code=1)


NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "at"),
    [
        ("48h", "2026-11-23T12:00:00+00:00"),
        ("3d", "2026-11-24T12:00:00+00:00"),
        ("30 min", "2026-11-21T12:30:00+00:00"),
        ("2026-11-24T12:00", "2026-11-24T12:00:00+00:00"),
        ("2026-11-24 12:00+02:00", "2026-11-24T10:00:00+00:00"),
    ],
)
def test_a_time_is_read(typed: str, at: str) -> None:
    assert moment(typed, NOW).isoformat() == at


@pytest.mark.parametrize("typed", ["soon", "0h", "2025-01-01", "9999999h", ""])
def test_what_is_no_time_to_come_is_refused(typed: str) -> None:
    with pytest.raises(ConfigError):
        moment(typed, NOW)


# --- players -------------------------------------------------------------------------------------


async def test_a_banned_player_is_told_once_and_nothing_is_carried_out(club: Club) -> None:
    service(club).run("ban", ANN, *WHY, "--yes")
    await club.work()
    assert "You are excluded from Club" in club.last(ANN).text
    assert "| Both have asked for it." in club.last(ANN).text
    said = service(club).run("ban", ANN, *WHY, "--yes", code=1)
    assert "is banned already" in said
    await club.work()
    count, name = len(club.mails(ANN)), row(club).id
    for mail in club.mails(ANN)[:3]:
        to = parseaddr(mail.reply_to)[1]
        await club.post(club.letter(ANN, to, f"{name} e1").as_bytes())
    await club.write(ANN, "games")
    await club.answer(BOB, f"new logger with {ANN}")
    assert "Nobody was invited" in club.last(BOB).text
    assert (len(club.mails(ANN)), row(club).ply) == (count, 0)
    service(club).run("pardon", "Ann", *WHY, "--yes")
    await club.work()
    assert "You may play at Club again" in club.last(ANN).text
    assert "is not banned" in service(club).run("pardon", "Ann", *WHY, "--yes", code=1)
    await club.answer(ANN, f"{name} e1")
    assert row(club).ply == 1


async def test_a_banned_player_can_be_taken_out_of_the_matches(club: Club) -> None:
    service(club).run("ban", ANN, *WHY, "--resign", "--yes")
    await club.work()
    assert row(club).status == "ended"
    assert "Over: you won" in club.last(BOB).text
    assert sound(club)
    assert "excluded" in club.last(ANN).text


async def test_mail_is_sent_again_to_whom_it_came_back_from(club: Club) -> None:
    """Other servers took none for a while: nobody knows that they have to write."""
    await club.answer(ANN, f"{row(club).id} e1")
    await club.answer(ANN, "say Your turn.")
    said = service(club).run("reach", BOB, "--yes", code=1)
    assert "no mail came back from there" in said
    for earlier in range(3):
        await bounce(club, BOB, earlier)
    assert "Mail to 1 player came back, and none is sent." in service(club).run("status")
    assert "say which PLAYER, or --all" in service(club).run("reach", code=1)
    count = len(club.mails(BOB))
    said = service(club).run("reach", "--all", typed="n\n", code=1)
    assert said.startswith(f"Bob <{BOB}>, mail came back 1 time")
    await club.work()
    assert len(club.mails(BOB)) == count
    assert "1 player gets mail again" in service(club).run("reach", "--all", "--yes")
    await club.work()
    text = " ".join(club.last(BOB).text.split())
    assert "1 match waits for you" in text
    assert "Your mail comes again." in text
    assert "Bob can be reached again" in " ".join(club.last(ANN).text.split())
    assert "came back" not in service(club).run("status")
    await club.answer(BOB, "a5")
    assert (row(club).ply, sound(club)) == (2, True)


async def test_a_name_is_corrected(club: Club) -> None:
    said = service(club).run("rename", BOB, "Robert", *WHY, typed="n\n", code=1)
    assert f"Bob <{BOB}>" in said
    assert "Somebody else is called" in service(club).run(
        "rename", BOB, "Ann", *WHY, "--yes", code=1
    )
    service(club).run("rename", BOB, "Robert", *WHY, "--yes")
    said = service(club).run("rename", BOB, "Robert", *WHY, "--yes", code=1)
    assert "Robert is called so already" in said
    await club.work()
    assert "Your name here is Robert from now on" in " ".join(club.last(BOB).text.split())
    assert "Ann - Robert" in service(club).run("matches")


async def test_who_is_suspended_again_and_again_is_named(club: Club) -> None:
    await club.answer(ANN, f"{row(club).id} e1")
    for times in range(2):
        if times:
            await club.answer(BOB, "say Here I am.")
        for _ in range(3):
            await club.answer(ANN, "say Are you there?")
        for earlier in range(3):
            await bounce(club, BOB, earlier)
        assert ("mail came back" in service(club).run("status")) == (times > 0)
    assert f"Bob <{BOB}>, mail came back 2 times" in service(club).run("status")
    said = service(club).run("ban", BOB, *WHY, typed="n\n", code=1)
    assert "mail came back 2 times" in said


async def test_reports_are_listed_with_what_was_said(club: Club) -> None:
    assert "Messages" in service(club).run("reports")
    await club.answer(BOB, "say You are a cheat!")
    await club.answer(ANN, "report Bob")
    await club.answer(BOB, "say And you lose.")
    said = service(club).run("reports")
    assert f"{row(club).id} Bob: You are a cheat!" in said
    assert "And you lose" not in said
    listed = json.loads(service(club).run("reports", "--json"))
    assert [(one["by"], one["of"], one["said"]) for one in listed] == [
        ("Ann", "Bob", ["You are a cheat!"])
    ]
