"""Consent on the whole way (MAIL 3): who never agreed is not taken for a player, whatever they say.

An answer that is no plain yes changes nothing, is told so once, and never where it refuses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import pytest

from pbem.legacy.runners.timers import keep_house
from pbem.legacy.store import views
from pbem.legacy.store.people import roster
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.hostile import at_play, became, newest, player, raw, to_of, with_settings
from tests.legacy.clubs.kept import kept

OURS = "mx.pbem.example"
REFUSALS = ["No, that was not me.", "This is spam", "no", "STOP", "I did not ask for this", "nein"]
NEVER = ["never", "Never again!", "nie wieder"]
OTHERS = [
    "", "ok", "yes but who are you", "yes\n\nbut who are you?", "Yes, it was me.", "e1", "Hi!",
    "I am out of the office until Monday. In urgent cases call Bob.", "Who is this?", "yes please",
    "yes\n-- \nno, this is spam", "yes\n\nSent from my phone\n\nThis was not me",
    "yes\n_____\nI did not ask for this",
    "accept", "games", "yes\nname Zoe", "Ich bin bis Montag im Urlaub.",
]  # fmt: skip


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    site = one.house.settings.site.model_copy(update={"authserv_id": OURS})
    with_settings(one, one.house.settings.model_copy(update={"site": site}))
    yield one
    one.house.db.close()


@kept
async def asked(club: Club, address: str, order: str = "new logger with bot") -> ReceivedMail:
    """The question to somebody in whose name a letter came."""
    await club.write(address, order)
    return club.last(address)


async def matches_of(club: Club, address: str) -> int:
    found = await player(club, address)
    rows = await club.read(lambda conn: views.matches_of(conn, found.id, ("running", "challenge")))
    return len(rows)  # type: ignore[arg-type]


async def confirmed_addresses(club: Club, address: str) -> list[str]:
    found = await player(club, address)
    rows = await club.read(lambda conn: roster.addresses_of(conn, found.id))
    return [row.address for row in rows if row.confirmed]  # type: ignore[attr-defined]


# --- registration --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    ["yes", "Yes.", "ja", "yes\n\nBest regards\nAnn", "\n\nYES", "yes\n-- \nAnn A.\nIn Ltd"],
)
async def test_one_yes_proves_the_address_and_carries_out_what_waited(
    club: Club, answer: str
) -> None:
    question = await asked(club, ANN)
    assert "| new logger with bot" in question.text
    await club.answer(ANN, answer, sender="Ann <ann@example.org>")
    assert (await player(club, ANN)).confirmed
    assert await matches_of(club, ANN) == 1


@pytest.mark.parametrize("answer", ["accept", "annehmen"])
async def test_the_word_of_an_invitation_accepts_nothing_where_none_was_made(
    club: Club, answer: str
) -> None:
    await asked(club, ANN)
    await club.answer(ANN, answer)
    assert not (await player(club, ANN)).confirmed
    assert await matches_of(club, ANN) == 0


@pytest.mark.parametrize("answer", OTHERS[::4])
async def test_any_other_answer_is_no_consent_and_is_hinted_at_three_times(
    club: Club, answer: str
) -> None:
    await asked(club, ANN)
    for _ in range(4):
        await club.answer(ANN, answer)
        await club.wait(days=2)
    assert not (await player(club, ANN)).confirmed
    assert await matches_of(club, ANN) == 0
    assert len(club.mails(ANN)) == 4  # the question, and three hints for ever
    await club.answer(ANN, "yes")
    assert await matches_of(club, ANN) == 1


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("new landrush", None, "landrush"),
        ("Hello, how is Looney Ludo played?", None, "looney ludo"),
        ("hi", "new landrush with bot", "landrush"),
        ("rules landrush", "new logger with bot", "landrush"),
        ("hi", None, "logger"),
    ],
)
async def test_the_welcome_tells_of_the_game_asked_for_and_of_letters_that_were_not_read(
    club: Club, first: str, second: str | None, game: str
) -> None:
    question = await asked(club, ANN, first)
    assert "One mail is enough" in question.text
    if second is not None:
        await club.write(ANN, second)
        assert len(club.mails(ANN)) == 1
    await club.answer(ANN, "yes")
    assert await matches_of(club, ANN) == 0  # a letter that the question does not show is not done
    welcome = next(mail for mail in club.mails(ANN) if mail.subject.startswith("Welcome"))
    assert f'"new {game} with bot"' in welcome.text
    assert ("Another mail came from this address" in welcome.text) is (second is not None)


@pytest.mark.parametrize("answer", REFUSALS)
async def test_who_refuses_hears_nothing_and_the_question_is_closed(
    club: Club, answer: str
) -> None:
    question = await asked(club, ANN)
    await club.answer(ANN, answer)
    assert len(club.mails(ANN)) == 1
    assert not (await player(club, ANN)).confirmed
    await club.post(raw(ANN, to_of(question), "yes"))
    assert await matches_of(club, ANN) == 0


async def test_who_is_asked_may_choose_the_language_of_the_question(club: Club) -> None:
    question = await asked(club, ANN)
    assert '"sprache de"' in question.text
    await club.answer(ANN, "sprache de")
    assert "um eine Partie Logger gebeten." in club.last(ANN).text
    assert "nichts geschehen" not in club.last(ANN).text
    await club.answer(ANN, "ja")
    assert await matches_of(club, ANN) == 1


async def test_a_forged_letter_is_carried_out_by_its_own_question_only(club: Club) -> None:
    first = await asked(club, ANN)
    await club.wait(days=2)
    await club.write(ANN, "new looney ludo with bot")  # forged
    second = club.last(ANN)
    assert to_of(first) != to_of(second)
    await club.post(raw(ANN, to_of(first), "yes"))
    assert await matches_of(club, ANN) == 1
    await club.post(raw(ANN, to_of(club.last(ANN)), "games"))
    await club.post(raw(ANN, to_of(club.last(ANN)), "yes", In_Reply_To=second.message_id))
    assert await matches_of(club, ANN) == 1


async def test_only_the_address_that_was_asked_consents(club: Club) -> None:
    question = await asked(club, ANN)
    failed = f"{OURS}; dmarc=fail header.from=example.org"
    for letter in (
        raw(BOB, to_of(question), "yes"),
        raw(ANN, to_of(question), "yes", Authentication_Results=failed),
        raw(ANN, GAMES, "yes"),
        raw(ANN, GAMES, "yes", In_Reply_To=question.message_id),
    ):
        await club.post(letter)
        assert not (await player(club, ANN)).confirmed


# --- invitations ---------------------------------------------------------------------------------


@kept
async def invited(club: Club) -> ReceivedMail:
    """Ann, a player, invites Bob, of whom nobody knows anything."""
    await asked(club, ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    return club.last(BOB)


@pytest.mark.parametrize(
    "answer",
    ["accept", "yes", "annehmen", 'accept "tall trees"', "Ja.", "Sprache Deutsch\nja",
     "accept\nlang de"],
)  # fmt: skip
async def test_an_invitation_is_consented_to_by_its_own_word(club: Club, answer: str) -> None:
    await invited(club)
    await club.answer(BOB, answer)
    assert (await player(club, BOB)).confirmed
    assert "[Logger" in club.last(BOB).subject


@pytest.mark.parametrize(
    "answer",
    ["Accept! What is it?", "rules", "say Hello", "accept\nname Robert", "name Robert", "Hm.",
     "lang en\nyes but who are you"],
)  # fmt: skip
async def test_anything_else_from_who_was_invited_is_answered_three_times(
    club: Club, answer: str
) -> None:
    await invited(club)
    for _ in range(4):
        await club.answer(BOB, answer)
        await club.wait(days=2)
    found = await player(club, BOB)
    assert not found.confirmed
    assert found.name == "Bob"
    assert len(club.mails(BOB)) == 4
    assert not any("Hello" in mail.text for mail in club.mails(ANN))
    await club.answer(BOB, "accept")
    assert (await player(club, BOB)).confirmed


async def test_who_was_invited_may_decline_without_consenting_to_anything(club: Club) -> None:
    await invited(club)
    await club.answer(BOB, "decline")
    assert not (await player(club, BOB)).confirmed
    assert any("Bob" in mail.text and "declin" in mail.text for mail in club.mails(ANN))


# --- further addresses ---------------------------------------------------------------------------


@kept
async def claimed(club: Club, address: str = CLEO) -> ReceivedMail:
    """Ann names an address as hers; the question that went there."""
    await at_play(club)
    await club.insist(ANN, f"address add {address}")
    return club.last(address)


async def test_who_adds_an_address_is_named_and_nothing_else_of_theirs(club: Club) -> None:
    question = await claimed(club)
    assert "Ann wants to play" in question.text
    assert '"never"' in question.text
    told = question.raw.decode()
    assert ANN not in told
    assert (await player(club, ANN)).id not in told


@pytest.mark.parametrize("answer", [*OTHERS, *REFUSALS][1::5])
async def test_no_answer_but_a_plain_yes_confirms_an_address(club: Club, answer: str) -> None:
    await claimed(club)
    sent = len(club.mails(ANN))
    for _ in range(3):
        await club.answer(CLEO, answer)
    assert await confirmed_addresses(club, ANN) == [ANN]
    assert len(club.mails(CLEO)) == (1 if answer in REFUSALS else 2)
    assert len(club.mails(ANN)) == sent


async def test_a_plain_yes_confirms_an_address(club: Club) -> None:
    question = await claimed(club)
    for letter in (
        raw(BOB, to_of(question), "yes"),
        raw(CLEO, to_of(club.last(ANN)), "yes"),
        raw(CLEO, GAMES, "yes", In_Reply_To=question.message_id),
    ):
        await club.post(letter)
        assert await confirmed_addresses(club, ANN) == [ANN]
    await club.post(raw(CLEO, to_of(question), "yes"))
    assert await confirmed_addresses(club, ANN) == [ANN, CLEO]


async def test_a_claim_that_nobody_answers_goes_after_two_weeks(club: Club) -> None:
    question = await claimed(club)
    found = await player(club, ANN)
    await club.wait(days=13)
    await keep_house(club.house)
    rows = await club.read(lambda conn: roster.addresses_of(conn, found.id))
    assert len(rows) == 2  # type: ignore[arg-type]
    await club.wait(days=2)
    await keep_house(club.house)
    rows = await club.read(lambda conn: roster.addresses_of(conn, found.id))
    assert len(rows) == 1  # type: ignore[arg-type]
    await club.post(raw(CLEO, to_of(question), "yes"))
    assert await confirmed_addresses(club, ANN) == [ANN]
    assert (await became(club)).code == "address_gone"


# --- never ---------------------------------------------------------------------------------------


async def everybody_names(club: Club, address: str) -> None:
    """Every way to have us write to an address, by people who play here and by forged letters."""
    await club.insist(ANN, f"address add {address}")
    for order in (f"new logger with {address}", f"block {address}", f"new landrush with {address}"):
        await club.post(raw(ANN, to_of(newest(club.mails(ANN), "Logger")), order))
    for _ in range(3):
        await club.write(address, "new logger with bot")
        await club.wait(days=2)


@pytest.mark.parametrize(
    ("way", "answer"),
    [*product(["claim", "invitation", "registration"], NEVER)][::4],
)
async def test_who_answers_never_is_never_written_to_again(
    club: Club, way: str, answer: str
) -> None:
    await at_play(club)
    if way == "claim":
        await club.insist(ANN, f"address add {CLEO}")
    elif way == "invitation":
        await club.answer(ANN, f"new logger with {CLEO}")
    else:
        await club.write(CLEO, "new logger with bot")
    await club.answer(CLEO, answer)
    assert len(club.mails(CLEO)) == 1
    tagged = CLEO.replace("@", "+tag@")
    for address in (CLEO, CLEO.upper(), tagged):
        await everybody_names(club, address)
    everywhere = [reader for reader, _ in club.postbox.mails if "cleo" in reader.lower()]
    assert everywhere == [CLEO]


async def test_whoever_wants_no_mail_is_welcome_again_when_they_write_themselves(
    club: Club,
) -> None:
    await asked(club, CLEO)
    await club.answer(CLEO, "never")
    await club.wait(days=2)
    passed = f"{OURS}; dmarc=pass header.from=example.com"
    await club.write(CLEO, "games", Authentication_Results=passed)
    assert len(club.mails(CLEO)) == 2
    await club.answer(CLEO, "yes")
    assert (await player(club, CLEO)).confirmed
