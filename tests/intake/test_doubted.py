"""What a letter in somebody's name may make us write to them: its orders, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.names import MatchId, PlayerId
from pbem.store import views
from pbem.store.people import rates, roster
from tests.clubs.club import ANN, Club, open_club
from tests.clubs.hostile import at_play

EVE = "eve@example.com"

PROSE = (
    "Dear customer, your account at the bank was closed today.",
    "Please open http://evil.example/login and type your password.",
    "say You have won a prize. Write to winner@evil.example today.",
    "note Call 0900 123456 to get it.",
    "rename www.evil.example",
    "why is the prize at evil.example not paid out yet",
    "e1 is the number of your prize, and evil.example pays it out",
    "new logger with a@evil.example b@evil.example c@evil.example",
    "block " + "x" * 150,
)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Ann and Bob at play, Ann to place her logger."""
    one = open_club(tmp_path)
    await at_play(one)
    yield one
    one.house.db.close()


async def forge(club: Club, text: str) -> None:
    """Eve has Ann's reply address, and writes with it."""
    to = parseaddr(club.last(ANN).reply_to)[1]
    await club.post(club.letter(EVE, to, text).as_bytes())


async def held(club: Club) -> list[str]:
    def unit(conn: Connection) -> list[str]:
        [ann] = [row for row in roster.all_players(conn) if row.address == ANN]
        found = rates.pending(conn, ann.id, now=club.clock())
        return [str(line) for one in found if one.kind == "doubted" for line in lines(one.facts)]

    result = await club.read(unit)
    assert isinstance(result, list)
    return result


def lines(facts: object) -> list[object]:
    assert isinstance(facts, dict)
    return list(facts["lines"])


@pytest.mark.parametrize("text", PROSE)
async def test_no_text_of_a_forger_is_quoted_or_held(club: Club, text: str) -> None:
    await forge(club, text)
    mail = club.last(ANN).text
    assert "Was this you?" in mail
    assert not {"evil", "prize", "0900", "bank", "xxxx"} & set(
        mail.casefold().replace(".", " ").split()
    )
    assert set(await held(club)) <= {"place e1"}  # a move that the board reads, in its own words


async def test_all_prose_at_once_leaves_nothing(club: Club) -> None:
    await forge(club, "\n\n".join(PROSE))
    assert "evil" not in club.last(ANN).text
    assert "which is not shown here" in " ".join(club.last(ANN).text.split()) or not await held(
        club
    )


async def test_orders_are_held_and_shown_and_a_yes_carries_them_out(club: Club) -> None:
    await forge(club, "Hello, it is me.\n\ne1\n\nstop chat")
    mail = club.last(ANN).text
    assert "e1" in mail
    assert "stop chat" in mail
    assert "it is me" not in mail
    assert await held(club) == ["e1", "stop chat"]
    await club.answer(ANN, "yes")
    rows = await club.read(lambda conn: views.matches_of(conn, one_id(conn), ("running",)))
    assert isinstance(rows, list)
    assert rows[0].ply == 1


async def test_of_two_moves_none_is_held(club: Club) -> None:
    await forge(club, "e1\n\nmy real move: a1\n\nstop chat")
    assert await held(club) == ["stop chat"]


def one_id(conn: Connection) -> PlayerId:
    return next(row.id for row in roster.all_players(conn) if row.address == ANN)


async def test_a_held_move_keeps_the_match_and_the_ply_that_it_names(club: Club) -> None:
    row = await club.read(lambda conn: views.matches_of(conn, one_id(conn), ("running",))[0].id)
    name = MatchId(str(row))
    await forge(club, f"{name}#1 e1")
    assert await held(club) == [f"{name}#1 e1"]


async def fresh(club: Club, text: str) -> int:
    """Ann writes a mail of her own, which answers none and proves nothing; how many it brings."""
    before = len(club.mails(ANN))
    await club.write(ANN, text)
    return len(club.mails(ANN)) - before


async def test_who_says_yes_is_asked_about_the_next_mail_too(club: Club) -> None:
    for command in ("width 60", "width 61"):
        assert await fresh(club, command) == 1
        assert f"| {command}" in club.last(ANN).text
        await club.answer(ANN, "yes")
    assert await fresh(club, "width 62") == 1
    assert await fresh(club, "width 63") == 0


async def test_a_yes_names_what_came_meanwhile_and_was_not_done(club: Club) -> None:
    assert await fresh(club, "width 60") == 1
    assert await fresh(club, "width 61\nYou have won: evil.example") == 0
    assert await fresh(club, "Hello?") == 0
    await club.answer(ANN, "yes")
    said = " ".join(club.last(ANN).text.split())
    assert '- "width 60": ' in said
    assert '- "width 61": It came in another mail while you were asked, and was not done.' in said
    assert "evil" not in said
    assert await club.read(width) == 60


def width(conn: Connection) -> int:
    [ann] = [row for row in roster.all_players(conn) if row.address == ANN]
    return int(ann.wishes["width"])
