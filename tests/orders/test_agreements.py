"""Draw offers and decisions in advance, through the mail."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log
from pbem.transaction.installation import find_match, match_stream, verified
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept

ORDER = "doubles reroll 4"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str) -> None:
    """An answer without a quote: what is in it is what is looked for."""
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def begun(club: Club, game: str) -> MatchId:
    await club.write(ANN, f"new {game} with {BOB}")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
    return MatchId(rows[0].id)


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def test_an_offer_reaches_the_other_and_the_answer_ends_the_match(club: Club) -> None:
    name = await begun(club, "logan_stones")
    await reply(club, ANN, "offer draw")
    assert "Ann offers a draw" in club.last(BOB).text
    assert 'End the match as a draw: "accept"' in club.last(BOB).text
    await reply(club, BOB, "accept")
    match = await match_of(club, name)
    assert match.status is Status.ENDED
    assert match.course.outcome is not None
    assert match.course.outcome.termination == "agreement"
    for reader in (ANN, BOB):
        said = club.last(reader).text
        assert "have drawn" in " ".join(said.split())
        assert "What was drawn in secret" in said


async def test_declining_is_told_to_who_offered(club: Club) -> None:
    name = await begun(club, "logan_stones")
    await reply(club, BOB, "offer draw")
    await reply(club, ANN, "decline")
    assert "declines the draw" in club.last(BOB).text
    assert (await match_of(club, name)).status is Status.RUNNING
    await reply(club, BOB, "offer draw")
    assert "offered already" in club.last(BOB).text


async def test_a_standing_order_is_seen_by_its_giver_alone(club: Club) -> None:
    name = await begun(club, "looney_ludo")
    await reply(club, BOB, ORDER)
    assert ORDER in club.last(BOB).text
    match = await match_of(club, name)
    seat = match.seat_of(match.table.entrants[1])
    assert seat is not None
    assert match.secrets[match.pending.standing[seat]] == ORDER
    for asked in ("board", "history", "record", "verify"):
        await reply(club, ANN, asked)
    for mail in club.mails(ANN):
        assert ORDER not in " ".join(mail.text.split())
        assert b"reroll 4" not in mail.raw
    events: Any = await club.read(
        lambda conn: [one.data for one in event_log.load(conn, match_stream(name))]
    )
    assert not [data for data in events if "reroll" in data]


async def test_an_accepting_letter_with_a_move_draws_as_the_start_does(club: Club) -> None:
    """What the last accepting letter brings about is bound to the words of the acceptances."""
    both = 0
    for player in (ANN, BOB):
        await club.write(player, "hello")
        await reply(club, player, "yes")
    for number in range(4):  # Bob begins in some of them
        await reply(club, ANN, f"new looney_ludo with {BOB}")
        await reply(club, BOB, f"accept with words {number}\npass")
        rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=9))
        name = MatchId(rows[0].id)
        found: Any = await club.read(lambda conn, name=name: verified(conn, name))
        assert found[0].findings == ()
        both += found[0].plies
    assert both
