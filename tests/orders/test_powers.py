"""MAIL 3: what a letter may do by what proves that it is its player's; one letter a row and power.

The letters go the whole way: they are what somebody could send, and their outcome is what players
are told and what the matches are then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeGuard

import pytest

from pbem.mail.authentication import Proof
from pbem.mail.verbs import agreeing, own, playing, seats, showing, talking
from pbem.mail.verbs import club as of_the_club
from pbem.mail.verbs.verb import Order
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.steps import OPEN
from pbem.names import MatchId
from pbem.notices.codec import load
from pbem.orders.order_table import TABLE
from pbem.orders.powers import GRANTS, Power
from pbem.store import views
from pbem.store.mails import outbox
from pbem.store.people import roster
from pbem.transaction.installation import find_match
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.clubs.hostile import (
    THIEF,
    at_play,
    became,
    player,
    ply,
    raw,
    status,
    to_of,
    with_settings,
)
from tests.clubs.kept import kept

OURS = "mx.pbem.example"


# --- the table -----------------------------------------------------------------------------------


FAMILIES = (agreeing, of_the_club, own, playing, seats, showing, talking)


def is_order(one: object) -> TypeGuard[type[Order]]:
    return isinstance(one, type) and issubclass(one, Order) and one is not Order


def test_every_order_has_one_power() -> None:
    orders = {one for family in FAMILIES for one in vars(family).values() if is_order(one)}
    lacking = [order.__name__ for order in orders if order not in TABLE]
    assert not lacking, f"no handler carries out {', '.join(sorted(lacking))}"
    assert set(TABLE) == orders


def test_every_verb_makes_orders_that_have_a_power() -> None:
    for verb in VERBS:
        for example in verb.examples:
            named = example.partition(verb.name)[2].strip().format(move="e1", answer="e1")
            order = verb.order(named)
            assert order is not None, example
            assert type(order) in TABLE, example


def test_no_proof_but_a_one_time_question_grants_what_cannot_be_taken_back() -> None:
    able = {proof for proof, powers in GRANTS.items() if Power.IRREVOCABLE in powers}
    assert able == {Proof.QUESTION}


def test_more_proof_grants_no_less() -> None:
    rows = [GRANTS[proof] for proof in (Proof.NAME, Proof.MAIL, Proof.TOKEN, Proof.QUESTION)]
    assert all(less < more for less, more in pairwise(rows))


# --- one letter a row and power ------------------------------------------------------------------


async def notices(club: Club, mail: ReceivedMail) -> list[str]:
    """The notices of a mail of ours, by class."""
    row = await club.read(lambda conn: outbox.find_by_message_id(conn, mail.message_id))
    assert isinstance(row, outbox.OutboxRow)
    return [type(notice).__name__ for notice in load(row.notices)]


@dataclass
class Scene:
    """Ann and Bob play, Ann is to move; `prompt` is her newest mail of the match."""

    club: Club
    match: MatchId
    prompt: ReceivedMail

    async def tried(self, power: Power) -> bool:
        """Whether an order of that power has been carried out."""
        found = await player(self.club, ANN)
        match power:
            case Power.READ:
                return "HistoryShown" in await self.told()
            case Power.WISHES:
                return found.wishes.get("width") == "60"
            case Power.TALK:
                return any("Hello there" in mail.text for mail in self.club.mails(BOB))
            case Power.MOVE:
                return await ply(self.club, self.match) == 1
            case Power.BIND:
                rows = await self.club.read(lambda conn: views.matches_of(conn, found.id, OPEN))
                return len(rows) == 2  # type: ignore[arg-type]
            case Power.IRREVOCABLE:
                return found.generation > 0

    async def told(self) -> list[str]:
        """The notices that Ann has got since."""
        at = self.club.mails(ANN).index(self.prompt)
        mails = self.club.mails(ANN)[at + 1 :]
        return [name for mail in mails for name in await notices(self.club, mail)]


WRITES = {
    Power.READ: "history",
    Power.WISHES: "width 60",
    Power.TALK: "say Hello there, Bob",
    Power.MOVE: "e1",
    Power.BIND: "new logger with bot",
    Power.IRREVOCABLE: "new address yes",
}
"""An order of each power."""

FAIL = f"{OURS}; dmarc=fail header.from=example.org"
PASS = f"{OURS}; dmarc=pass header.from=example.org"


def quoted_line(mail: ReceivedMail) -> str:
    line = next(line for line in mail.text.splitlines() if line.startswith("[ref"))
    return f"\n\n> {line}"


def named(scene: Scene, text: str) -> str:
    """An order that says which match it is about, if it is about one."""
    return text if text.startswith(("new", "width")) else f"{scene.match} {text}"


def by_name(scene: Scene, text: str) -> bytes:
    return raw(ANN, GAMES, named(scene, text))


def by_name_failed(scene: Scene, text: str) -> bytes:
    return raw(ANN, GAMES, named(scene, text), Authentication_Results=FAIL)


def by_pass(scene: Scene, text: str) -> bytes:
    return raw(ANN, GAMES, named(scene, text), Authentication_Results=PASS)


def by_token_of_another(scene: Scene, text: str) -> bytes:
    return raw(THIEF, to_of(scene.prompt), text)


def by_token_failed(scene: Scene, text: str) -> bytes:
    return raw(ANN, to_of(scene.prompt), text, Authentication_Results=FAIL)


def by_mail(scene: Scene, text: str) -> bytes:
    return raw(ANN, GAMES, text, In_Reply_To=scene.prompt.message_id)


def by_mail_passed(scene: Scene, text: str) -> bytes:
    ident = scene.prompt.message_id
    return raw(ANN, GAMES, text, In_Reply_To=ident, Authentication_Results=PASS)


def by_token(scene: Scene, text: str) -> bytes:
    return raw(ANN, to_of(scene.prompt), text)


def by_line(scene: Scene, text: str) -> bytes:
    ident = scene.prompt.message_id
    return raw(ANN, GAMES, f"{text}{quoted_line(scene.prompt)}", In_Reply_To=ident)


ROWS: dict[str, tuple[Callable[[Scene, str], bytes], Proof]] = {
    "From of a player alone": (by_name, Proof.NAME),
    "From of a player alone, verdict fail": (by_name_failed, Proof.NAME),
    "verdict pass to the public address": (by_pass, Proof.TOKEN),
    "token and another From": (by_token_of_another, Proof.DOUBT),
    "token and From, verdict fail": (by_token_failed, Proof.DOUBT),
    "Message-ID and From": (by_mail, Proof.MAIL),
    "Message-ID and From, verdict pass": (by_mail_passed, Proof.TOKEN),
    "token and From": (by_token, Proof.TOKEN),
    "token line and From": (by_line, Proof.TOKEN),
}


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    site = one.house.settings.site.model_copy(update={"authserv_id": OURS})
    with_settings(one, one.house.settings.model_copy(update={"site": site}))
    yield one
    one.house.db.close()


@pytest.fixture
async def scene(club: Club) -> Scene:
    match = await at_play(club)
    return Scene(club, match, club.last(ANN))


@pytest.mark.parametrize("power", WRITES)
@pytest.mark.parametrize("row", ROWS)
async def test_each_row_of_the_table_does_what_it_grants(
    scene: Scene, row: str, power: Power
) -> None:
    letter, proof = ROWS[row]
    await scene.club.post(letter(scene, WRITES[power]))
    if proof is Proof.MAIL and power is Power.MOVE:
        assert not await scene.tried(power)  # it is held, though the window is 0
        await scene.club.wait(minutes=6)
    assert await scene.tried(power) == (power in GRANTS[proof])


@pytest.mark.parametrize("row", [row for row, (_, proof) in ROWS.items() if not GRANTS[proof]])
async def test_who_proves_nothing_is_asked_once_a_day_at_the_registered_address(
    scene: Scene, row: str
) -> None:
    club, (letter, _) = scene.club, ROWS[row]
    sent = len(club.postbox.mails)
    for _ in range(3):
        await club.post(letter(scene, "e1"))
    assert [reader for reader, _ in club.postbox.mails[sent:]] == [ANN]
    assert "Was this you?" in club.last(ANN).text
    await club.answer(ANN, "yes")
    assert await ply(club, scene.match) == 1
    await club.wait(days=1)
    sent = len(club.postbox.mails)
    await club.post(letter(scene, "history"))
    assert [reader for reader, _ in club.postbox.mails[sent:]] == [ANN]


async def test_the_doubt_comes_with_the_board(scene: Scene) -> None:
    await scene.club.post(by_token_of_another(scene, "history"))
    kinds = await notices(scene.club, scene.club.last(ANN))
    assert kinds == ["SenderDoubted", "BoardShown"]


async def test_an_old_message_id_gets_the_board_and_one_question(scene: Scene) -> None:
    club = scene.club
    await club.wait(days=61)
    sent = len(club.postbox.mails)
    for text in ("history", "e1", "width 60"):
        await club.post(by_mail(scene, text))
    assert (await became(club)).code == "old_mail"
    mails = [mail for reader, mail in club.postbox.mails[sent:] if reader == ANN]
    assert len(mails) == 1
    assert (await notices(club, mails[0]))[0] == "SenderDoubted"
    assert not await scene.tried(Power.WISHES)


async def test_what_is_beyond_a_message_id_waits_for_the_players_yes(scene: Scene) -> None:
    club = scene.club
    await club.post(by_mail(scene, "width 60\nnew logger with bot"))
    assert await scene.tried(Power.WISHES)
    assert not await scene.tried(Power.BIND)
    asked = club.last(ANN)
    assert "Was this you?" in asked.text
    assert "| new logger with bot" in asked.text
    await club.post(raw(ANN, to_of(asked), "yes"))
    assert await scene.tried(Power.BIND)


@pytest.mark.parametrize(
    "text", ["window 0\n\ne1", "e1\n\nnow", "receipts off\n\ne1", "stop\n\ne1"]
)
async def test_nothing_shortens_the_hold_of_a_message_id(scene: Scene, text: str) -> None:
    # A thief with an old Message-ID must not get a move through before its player hears of it.
    club = scene.club
    await club.post(by_mail(scene, text))
    assert await ply(club, scene.match) == 0
    assert "MoveKept" in await scene.told()
    await club.wait(minutes=4)
    assert await ply(club, scene.match) == 0
    await club.post(raw(ANN, to_of(scene.prompt), "undo"))
    await club.wait(minutes=10)
    assert await ply(club, scene.match) == 0


async def test_a_message_id_holds_the_move_of_who_is_late_too(scene: Scene) -> None:
    # Who is late moves at once with a token, since the others may claim the match.
    club = scene.club
    await club.wait(days=25)  # her time and her leave are over
    match = await club.read(lambda conn: find_match(conn, scene.match))
    assert match.match.clocks.flagged  # type: ignore[attr-defined]
    await club.post(by_mail(scene, "e1"))
    assert await ply(club, scene.match) == 0
    await club.wait(minutes=6)
    assert await ply(club, scene.match) == 1


async def test_a_message_id_counts_for_sixty_days(scene: Scene) -> None:
    await scene.club.wait(days=59)
    await scene.club.post(by_mail(scene, "width 60"))
    assert await scene.tried(Power.WISHES)


async def test_no_condition_is_laid_with_a_message_id(scene: Scene) -> None:
    # It would be played at once, without the five minutes.
    club = scene.club
    await club.post(raw(BOB, GAMES, "if any then resign yes",
                        In_Reply_To=club.last(BOB).message_id))  # fmt: skip
    await club.post(by_token(scene, "e1"))
    assert await status(club, scene.match) == "running"
    assert await ply(club, scene.match) == 1


@pytest.mark.parametrize("text", ["resign", "resign yes", "I resign"])
async def test_no_message_id_resigns(scene: Scene, text: str) -> None:
    club = scene.club
    await club.post(by_mail(scene, text))
    await club.post(by_mail(scene, "yes"))
    await club.post(raw(ANN, GAMES, "yes", In_Reply_To=club.last(ANN).message_id))
    assert await status(club, scene.match) == "running"


async def test_the_unsubscribe_button_needs_a_proof(scene: Scene) -> None:
    def wants(found: object) -> bool:
        assert isinstance(found, roster.PlayerRow)
        return found.wishes.get("everything") != "off"

    club = scene.club
    button = {"Subject": "unsubscribe", "Auto_Submitted": "auto-generated"}
    for letter in (
        raw(ANN, GAMES, "unsubscribe", **button),
        raw(THIEF, to_of(scene.prompt), "unsubscribe", **button),
    ):
        await club.post(letter)
        assert wants(await player(club, ANN))
    await club.post(raw(ANN, to_of(scene.prompt), "unsubscribe", **button))
    assert not wants(await player(club, ANN))


async def test_a_move_in_a_sentence_or_a_subject_needs_its_power_too(scene: Scene) -> None:
    club, prompt = scene.club, scene.prompt
    await club.post(raw(THIEF, to_of(prompt), "I'll play e1 this time."))
    await club.post(raw(ANN, GAMES, "", Subject=f"Re: {prompt.subject} e1"))
    letter = raw(THIEF, to_of(prompt), "", Subject=f"Re: {prompt.subject} e1",
                 In_Reply_To=prompt.message_id)  # fmt: skip
    await club.post(letter)
    assert await ply(club, scene.match) == 0
    await club.post(raw(ANN, GAMES, "I'll play e1 this time.", In_Reply_To=prompt.message_id))
    assert await ply(club, scene.match) == 0
    await club.wait(minutes=6)
    assert await ply(club, scene.match) == 1


# --- strangers -----------------------------------------------------------------------------------


async def test_a_stranger_whose_letter_is_forged_hears_nothing(club: Club) -> None:
    failed = f"{OURS}; dmarc=fail header.from=example.com"
    await club.write("zoe@example.com", "new logger with bot", Authentication_Results=failed)
    assert club.postbox.mails == []
    assert (await became(club)).code == "authentication"


# --- what cannot be taken back -------------------------------------------------------------------

GRAVE = ["delete me", "delete me yes", "new address", "new address yes", "address add x@y.example",
         "address remove ann@work.example", "address remove ann@work.example yes"]  # fmt: skip


@kept
async def with_work(club: Club) -> None:
    """Ann may write from her work, too."""
    await club.insist(ANN, "address add ann@work.example")
    await club.answer("ann@work.example", "yes")


async def people(club: Club) -> list[object]:
    """Ann's row and addresses, and whom we have written to."""
    found = await club.read(lambda conn: roster.player_by_address(conn, ANN))
    assert isinstance(found, roster.PlayerRow | None)
    own = await club.read(lambda conn: roster.addresses_of(conn, found.id)) if found else None
    return [found, own, sorted({reader for reader, _ in club.postbox.mails})]


@pytest.mark.parametrize("order", GRAVE)
async def test_only_the_one_time_question_lets_a_grave_order_pass(scene: Scene, order: str) -> None:
    club = scene.club
    await with_work(club)
    before = await people(club)
    await club.post(raw(ANN, to_of(scene.prompt), order))
    asked = club.last(ANN)
    own = to_of(asked)
    assert own not in {to_of(mail) for mail in club.mails(ANN)[:-1]}
    for letter in (
        raw(ANN, to_of(scene.prompt), "yes"),
        raw(ANN, to_of(scene.prompt), "yes", In_Reply_To=asked.message_id),
        raw(ANN, GAMES, "yes", In_Reply_To=asked.message_id),
        raw(ANN, GAMES, f"yes{quoted_line(scene.prompt)}", In_Reply_To=asked.message_id),
        raw(THIEF, own, "yes"),
        raw(BOB, own, "yes"),
        raw(ANN, own, "yes but not now"),
        raw(ANN, own, "ok"),
        raw(ANN, own, "Yes, it is me."),
        raw(ANN, own, "yes", Authentication_Results=FAIL),
    ):
        await club.post(letter)
        assert await people(club) == before
    again = next(mail for mail in reversed(club.mails(ANN)) if "your answer said more" in mail.text)
    await club.post(raw(ANN, to_of(again), "yes"))
    assert await people(club) != before


async def test_the_answer_to_one_question_answers_no_other(scene: Scene) -> None:
    club = scene.club
    await club.post(raw(ANN, to_of(scene.prompt), "new address"))
    first = club.last(ANN)
    await club.post(raw(ANN, to_of(scene.prompt), "delete me"))
    second = club.last(ANN)
    await club.post(raw(BOB, to_of(club.last(BOB)), "delete me"))
    bobs = club.last(BOB)
    # With the address of one, another quoted; and Bob's with Ann's name.
    for letter in (
        raw(ANN, to_of(first), f"yes{quoted_line(second)}", In_Reply_To=second.message_id),
        raw(ANN, to_of(bobs), "yes", In_Reply_To=second.message_id),
    ):
        await club.post(letter)
    found = await player(club, ANN)
    assert found.generation == 1
    assert (await player(club, BOB)).id


async def test_a_question_is_answered_once_and_not_for_ever(scene: Scene) -> None:
    club = scene.club
    await club.post(raw(ANN, to_of(scene.prompt), "new address"))
    asked = club.last(ANN)
    await club.wait(days=4)
    await club.post(raw(ANN, to_of(asked), "yes"))
    assert (await player(club, ANN)).generation == 0
    await club.post(raw(ANN, to_of(scene.prompt), "new address"))
    asked = club.last(ANN)
    await club.post(raw(ANN, to_of(asked), "yes"))
    assert (await player(club, ANN)).generation == 1
    await club.post(raw(ANN, to_of(asked), "yes", In_Reply_To=asked.message_id))
    assert (await player(club, ANN)).generation == 1


async def test_a_refusal_closes_the_question_in_silence(scene: Scene) -> None:
    club = scene.club
    await club.post(raw(ANN, to_of(scene.prompt), "delete me"))
    asked = club.last(ANN)
    count = len(club.mails(ANN))
    await club.post(raw(ANN, to_of(asked), "That was not me!"))
    assert len(club.mails(ANN)) == count
    await club.post(raw(ANN, to_of(asked), "yes"))
    assert (await player(club, ANN)).id


async def test_a_held_letter_is_asked_about_again_where_it_is_grave(scene: Scene) -> None:
    # A forged letter is let pass by a careless yes; what cannot be taken back is asked by name.
    club = scene.club
    await club.post(raw(THIEF, to_of(scene.prompt), "delete me yes"))
    await club.answer(ANN, "yes")
    assert (await player(club, ANN)).id
    assert "Shall everything that we hold on you be deleted?" in " ".join(
        club.last(ANN).text.split()
    )


async def test_nobody_is_asked_without_end(scene: Scene) -> None:
    club = scene.club
    for _ in range(15):
        await club.post(raw(ANN, to_of(scene.prompt), "delete me"))
    asked = [mail for mail in club.mails(ANN) if "we hold on you be deleted" in mail.text]
    assert len(asked) <= 10


# --- where a doubt goes --------------------------------------------------------------------------


async def test_a_letter_in_the_name_of_a_further_address_is_asked_about_there(
    scene: Scene,
) -> None:
    club, work = scene.club, "ann@work.example"
    await with_work(club)
    sent = len(club.postbox.mails)
    await club.post(raw(work, GAMES, f"{scene.match} e1"))
    assert [reader for reader, _ in club.postbox.mails[sent:]] == [work]
    asked = club.last(work)
    await club.post(raw(ANN, to_of(asked), "yes"))  # who forged it may know the main address
    assert await ply(club, scene.match) == 0
    await club.post(raw(work, to_of(asked), "yes"))
    assert await ply(club, scene.match) == 1


async def test_a_claim_that_has_not_answered_proves_nothing(scene: Scene) -> None:
    club = scene.club
    await club.insist(ANN, "address add victim@example.com")
    await club.post(raw("victim@example.com", to_of(scene.prompt), "e1"))
    assert await ply(club, scene.match) == 0
    await club.post(
        raw("victim@example.com", GAMES, f"{scene.match} e1",
            Authentication_Results=f"{OURS}; dmarc=pass header.from=example.com")
    )  # fmt: skip
    assert await ply(club, scene.match) == 0
