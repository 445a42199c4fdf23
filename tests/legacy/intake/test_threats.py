"""What a hostile letter may try: who wrote it, and whose address it is (MAIL 3)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.legacy.mail.addresses import SeatAddress, message_id, mint, reply_address
from pbem.legacy.store.people import personal, roster
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.hostile import (
    THIEF,
    at_play,
    became,
    bounce,
    bounce_of,
    newest,
    player,
    ply,
    raw,
    status,
    tags_of,
    to_of,
    with_settings,
)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


# --- strangers ------------------------------------------------------------------------------------


async def test_who_writes_in_anothers_name_learns_nothing_whoever_it_is(club: Club) -> None:
    # No oracle: whatever is answered goes to the address itself; whoever forged it hears nothing.
    await at_play(club)
    await club.answer(ANN, f"block {CLEO}")
    sent = len(club.postbox.mails)
    for address in ("nobody@example.org", ANN, BOB, CLEO):
        await club.post(raw(address, GAMES, "games", Reply_To=THIEF, Sender=THIEF, Cc=THIEF))
    assert club.mails(THIEF) == []
    assert [recipient for recipient, _ in club.postbox.mails[sent:]] == [
        "nobody@example.org", ANN, BOB, CLEO,
    ]  # fmt: skip
    assert all(envelope.rcpt_to != (THIEF,) for envelope in club.envelopes)


async def test_mail_in_the_name_of_a_suspended_address_is_asked_about_there_once(
    club: Club,
) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    for earlier in range(3):
        await bounce(club, BOB, earlier)
    sent = len(club.postbox.mails)
    for _ in range(3):
        await club.post(raw(BOB, GAMES, "games", Reply_To=THIEF))
    assert [recipient for recipient, _ in club.postbox.mails[sent:]] == [BOB]
    await bounce(club, BOB)
    assert len(club.postbox.mails) == sent + 1
    assert (await player(club, BOB)).suspended


async def test_block_and_address_add_tell_nothing_about_who_plays_here(club: Club) -> None:
    await at_play(club)
    answers = []
    for address in (CLEO, BOB):  # a stranger to us, and a player
        told = []
        for order in ("block", "unblock", "address add"):
            await club.answer(ANN, f"{order} {address}")
            if order == "address add":
                await club.answer(ANN, "yes")
            first = club.last(ANN).text.split("===")[0].replace(address, "ADDRESS")
            told.append(" ".join(first.split()))
        answers.append(told)
    assert answers[0] == answers[1]
    assert [mail for mail in club.mails(CLEO) if "this address, too" not in mail.text] == []


async def test_a_challenge_tells_the_same_of_known_and_unknown_addresses(club: Club) -> None:
    await at_play(club)
    answers = []
    for address in ("zoe@example.org", BOB):
        await club.answer(ANN, f"new logger with {address}")
        first = newest(club.mails(ANN), "Zoe" if "zoe" in address else "Bob").text.split("===")[0]
        answers.append(re.sub(r"Logger \w{5}", "Logger", first).replace("Zoe", "Bob"))
    assert answers[0] == answers[1]


async def test_only_the_public_address_answers_strangers(club: Club) -> None:
    # MAIL 4: unknown senders are welcomed at the public address only.
    for to in ("games+abc@pbem.example", "other@pbem.example", "undisclosed-recipients:;"):
        await club.post(raw(THIEF, to, "games"))
        assert (await became(club)).code == "not_public"
    assert club.postbox.mails == []


async def test_one_welcome_a_day_whatever_stands_behind_the_plus(club: Club) -> None:
    for number in range(5):
        await club.write(f"zoe+{number}@example.org", "games")
        await club.write("zoe@example.org", f"games {number}")
    assert len(club.postbox.mails) == 1


async def test_who_was_named_by_a_forger_may_say_no(club: Club) -> None:
    await club.write(CLEO, f"new logger with {BOB}")
    await club.answer(CLEO, "never again")
    assert club.mails(BOB) == []
    await club.write("zoe@example.org", f"new logger with {BOB}")
    await club.answer("zoe@example.org", "No thanks!")
    assert club.mails(BOB) == []


# --- stolen and forged proofs ---------------------------------------------------------------------


@pytest.mark.parametrize("carrier", ["recipient", "message-id", "references", "token line"])
async def test_a_stolen_proof_with_another_from_is_held_and_the_thief_hears_nothing(
    club: Club, carrier: str
) -> None:
    match = await at_play(club)
    prompt = club.last(ANN)
    match carrier:
        case "recipient":
            letter = raw(THIEF, to_of(prompt), "e1")
        case "message-id":
            letter = raw(THIEF, GAMES, "e1", In_Reply_To=prompt.message_id)
        case "references":
            letter = raw(THIEF, GAMES, "e1", References=prompt.message_id)
        case _:
            line = next(line for line in prompt.text.splitlines() if line.startswith("[ref"))
            letter = raw(THIEF, GAMES, f"e1\n\n> {line}")
    await club.post(letter)
    assert await ply(club, match) == 0
    assert club.mails(THIEF) == []
    asked = club.last(ANN)
    assert "Was this you?" in asked.text
    assert "| e1" in asked.text
    await club.answer(ANN, "yes")
    assert await ply(club, match) == 1


async def test_the_thief_cannot_say_yes_for_the_owner(club: Club) -> None:
    match = await at_play(club)
    to = to_of(club.last(ANN))
    await club.post(raw(THIEF, to, "e1"))
    await club.post(raw(THIEF, to, "yes"))
    await club.post(raw(ANN, to, "yes"))  # From forged: the token is the usual one
    assert await ply(club, match) == 0
    assert to_of(newest(club.mails(ANN), "Was this you?")) != to


async def test_a_stray_ok_lets_no_thief_pass(club: Club) -> None:
    match = await at_play(club)
    prompt = club.last(ANN)
    await club.post(raw(THIEF, to_of(prompt), "resign yes"))
    await club.post(raw(ANN, to_of(prompt), "ok"))
    await club.post(raw(ANN, to_of(prompt), "yes", In_Reply_To=prompt.message_id))
    assert await status(club, match) == "running"


async def test_all_of_a_held_letter_is_shown(club: Club) -> None:
    await at_play(club)
    await club.post(raw(THIEF, to_of(club.last(ANN)), f"board {'x ' * 60}\n\nresign yes"))
    assert "resign yes" in club.last(ANN).text


async def test_a_held_move_plays_only_on_the_board_it_was_written_for(club: Club) -> None:
    match = await at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    prompt = club.last(ANN)
    await club.post(raw(THIEF, to_of(prompt), "e3 plant d3"))
    asked = club.last(ANN)
    await club.post(raw(ANN, to_of(prompt), "stay plant e2"))
    await club.answer(BOB, "a3 plant b3")
    before = await ply(club, match)
    assert before == 4
    await club.post(raw(ANN, to_of(asked), "yes", In_Reply_To=asked.message_id))
    assert await ply(club, match) == before
    assert "move 5 is due by now" in " ".join(club.last(ANN).text.split())


async def test_the_seat_of_one_is_not_moved_with_the_token_of_another(club: Club) -> None:
    # Bob's token and Ann's From, and the other way round: both are held.
    match = await at_play(club)
    annes, bobs = to_of(club.last(ANN)), to_of(club.last(BOB))
    await club.post(raw(ANN, bobs, "e1"))
    await club.post(raw(BOB, annes, "e1"))
    assert await ply(club, match) == 0
    assert "Was this you?" in club.last(ANN).text
    assert "Was this you?" in club.last(BOB).text


async def test_a_token_of_one_match_moves_nobody_elses_seat_in_another(club: Club) -> None:
    first = await at_play(club)
    await club.write(CLEO, "new logger with zoe@example.org seat_order=given")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"{first} e1\n\n{first} board\n\n{first} resign yes")
    assert await ply(club, first) == 0
    assert await status(club, first) == "running"
    assert f"You have no match {first}" in club.last(CLEO).text


async def test_a_forged_token_or_message_id_is_no_proof(club: Club) -> None:
    match = await at_play(club)
    prompt = club.last(ANN)
    forged_to = re.sub(r"\.[a-z2-7]+@", ".aaaaaaaaaaaaaaaaaa@", to_of(prompt))
    forged_id = re.sub(r"\.a[a-z2-7]{10}@", ".aaaaaaaaaaa@", prompt.message_id)
    others = replace(club.house.keys, secrets={"a": b"x" * 32})
    right_shape = message_id(others, cause="x", domain="pbem.example")
    minted = mint(others, SeatAddress(match, Seat(1)))
    assert forged_to != to_of(prompt)
    assert forged_id != prompt.message_id
    for letter in (
        raw(ANN, forged_to, "e1"),
        raw(ANN, reply_address(GAMES, minted), "e1"),
        raw(ANN, GAMES, "e1", In_Reply_To=forged_id),
        raw(ANN, GAMES, "e1", In_Reply_To=right_shape),
        raw(ANN, GAMES, f"e1\n\n> [ref {minted}]"),
    ):
        await club.post(letter)
        assert await ply(club, match) == 0


async def test_a_replaced_address_is_dead_in_every_carrier(club: Club) -> None:
    match = await at_play(club)
    prompt = club.last(ANN)
    ann = await player(club, ANN)

    def renew(conn: Connection) -> int:
        return personal.renew(conn, ann.id, club.house.now())

    await asyncio.wrap_future(club.house.db.write(renew))
    line = next(line for line in prompt.text.splitlines() if line.startswith("[ref"))
    await club.post(raw(ANN, to_of(prompt), "e1"))
    await club.post(raw(ANN, GAMES, "e1", In_Reply_To=prompt.message_id))
    await club.post(raw(ANN, GAMES, f"e1\n\n> {line}"))
    assert await ply(club, match) == 0
    await club.answer(BOB, "say Still there?")
    await club.answer(ANN, "e1")
    assert await ply(club, match) == 1


EVIL_FROMS = (
    f"{ANN} <{THIEF}>",  # CVE-2023-27043
    f"{ANN}, {THIEF}",
    f"<@evil.example:{ANN}>",
    f"group: {ANN};",
    f'"{ANN}" {THIEF}',
    f"{THIEF} ({ANN})",
    f"{ANN} (<{THIEF}>)",
    f"({ANN}) <{THIEF}> <{ANN}>",
    "=?utf-8?q?ann=40example.org?=",
    f"{ANN}\x00",
    "ann@example.org@evil.example",
    "",
)


@pytest.mark.parametrize("sender", EVIL_FROMS)
async def test_a_from_that_could_be_read_in_two_ways_is_nobody(club: Club, sender: str) -> None:
    match = await at_play(club)
    await club.post(raw(sender, to_of(club.last(ANN)), "e1"))
    assert await ply(club, match) == 0
    assert club.mails(THIEF) == []


async def test_two_from_fields_are_nobody(club: Club) -> None:
    match = await at_play(club)
    count = len(club.postbox.mails)
    await club.post(f"From: {THIEF}\r\n".encode() + raw(ANN, to_of(club.last(ANN)), "e1"))
    assert await ply(club, match) == 0
    assert len(club.postbox.mails) == count


async def test_authentication_results_count_only_as_our_own_topmost(club: Club) -> None:
    match = await at_play(club)
    site = club.house.settings.site.model_copy(update={"authserv_id": "mx.pbem.example"})
    with_settings(club, club.house.settings.model_copy(update={"site": site}))
    passed = "mx.pbem.example; dmarc=pass header.from=example.org"
    failed = "mx.pbem.example; dmarc=fail header.from=example.org"
    top = f"Authentication-Results: {failed}\r\n".encode()
    to = to_of(club.last(ANN))
    await club.post(top + raw(ANN, to, "e1", Authentication_Results=passed))
    assert await ply(club, match) == 0
    assert "Was this you?" in club.last(ANN).text
    theirs = b"Authentication-Results: mx.evil.example; dmarc=pass header.from=example.org\r\n"
    for forged in (
        theirs + raw(ANN, GAMES, f"{match} e1", Authentication_Results=passed),
        raw(ANN, GAMES, f"{match} e1", Authentication_Results="mx.pbem.example; dkim=pass "
            "header.d=evil.example"),
        raw(ANN, GAMES, f"{match} e1", Authentication_Results="mx.pbem.example; spf=pass "
            "smtp.mailfrom=thief@evil.example"),
        raw(ANN, GAMES, f"{match} e1", Authentication_Results="mx.pbem.example; spf=pass "
            "smtp.mailfrom=evil.example; dmarc=none header.from=example.org"),
        raw(ANN, GAMES, f"{match} e1", Authentication_Results="mx.pbem.example; x=none "
            '(dmarc=pass header.from=example.org) "; dmarc=pass header.from=example.org"'),
    ):  # fmt: skip
        await club.post(forged)
        assert await ply(club, match) == 0
    await club.post(raw(ANN, GAMES, f"{match} e1", Authentication_Results=passed))
    assert await ply(club, match) == 1


# --- other people's addresses ---------------------------------------------------------------------


async def test_nobody_takes_an_address_by_naming_it(club: Club) -> None:
    """Ann names Cleo's address as hers; forged mails, and Cleo's own, do not make it so."""
    await at_play(club)
    await club.insist(ANN, f"address add {CLEO}")
    mine = to_of(club.last(ANN))
    asked = club.last(CLEO)
    ann = await player(club, ANN)
    assert ann.id not in asked.raw.decode()
    assert tags_of(asked).isdisjoint({tag for mail in club.mails(ANN) for tag in tags_of(mail)})
    await club.post(raw(CLEO, mine, "yes"))  # Ann forges From, and has only her own token
    rows = await club.read(lambda conn: roster.addresses_of(conn, ann.id))
    assert [row.confirmed for row in rows] == [True, False]  # type: ignore[attr-defined]
    await club.wait(days=1)  # who has not answered gets one mail a day
    before = len(club.mails(ANN))
    await club.write(CLEO, f"new logger with {BOB}\n\nDear club, a secret of mine")
    assert len(club.mails(ANN)) == before
    assert "Somebody asked Club for a match" in club.last(CLEO).text
    assert (await player(club, CLEO)).id != ann.id
    await club.post(raw(CLEO, to_of(asked), "yes"))  # too late: the address has its own player
    assert (await player(club, CLEO)).id != ann.id


async def test_no_to_our_question_or_unsubscribing_confirms_no_address(club: Club) -> None:
    await at_play(club)
    await club.insist(ANN, f"address add {CLEO}")
    await club.post(raw(CLEO, to_of(club.last(CLEO)), "invitations off"))
    ann = await player(club, ANN)
    rows = await club.read(lambda conn: roster.addresses_of(conn, ann.id))
    assert len(rows) == 1  # type: ignore[arg-type]


async def test_mail_that_bounces_at_a_named_address_suspends_nobody(club: Club) -> None:
    await at_play(club)
    nowhere = [f"nowhere{number}@example.org" for number in range(4)]
    for address in nowhere:
        await club.insist(ANN, f"address add {address}")
    for address in nowhere:
        await bounce(club, address)
    ann = await player(club, ANN)
    assert not ann.suspended


async def test_bounces_count_only_at_a_bounce_address_with_the_right_mac(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    sent = [envelope.mail_from for envelope in club.envelopes if BOB in envelope.rcpt_to]
    forged = re.sub(r"\.[a-z2-7]+@", ".aaaaaaaaaaa@", sent[0])
    for number in range(4):
        for to in (forged, GAMES, to_of(club.last(BOB))):
            await club.post(bounce_of(to, BOB, number))
    assert not (await player(club, BOB)).suspended
    for number, mail_from in enumerate(sent[:3]):
        await club.post(bounce_of(mail_from, BOB, 100 + number))
    assert (await player(club, BOB)).suspended
