"""A letter that is one move, as the game writes it, is read without a search, and no other way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from pbem.bots.levels import lively_move
from pbem.intake import read_letter
from pbem.runners.receive import received
from pbem.store.mails import inbox
from pbem.transport import Fetched
from tests.clubs.club import Club, open_club
from tests.correspondence.places import ANN, PLACES, mailbox, match_of, newest

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.intake.intent import Intent
    from pbem.matches.match import Match

HERE: Final = (
    "logger",
    "ludo",
    "stones",
    "landrush",
    "held",
    "draw-offered",
    "takeback-asked",
    "two",
)
MOST: Final = 12
"""Moves of a place that are looked at."""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, window=5)
    yield one
    one.house.db.close()


class _Undone(Exception):  # noqa: N818 - nothing went wrong
    """So that nothing of it stays."""


async def read(club: Club, name: str, typed: str) -> Intent:
    """What Ann's answer to the newest mail of a match is understood to say."""
    mail = newest(club, ANN, name)
    quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    body = f"{typed}\n\nOn Sat, 21 Nov 2026 at 14:05, {mail.sender} wrote:\n{quote}\n"
    letter = club.letter(
        ANN,
        parseaddr(mail.reply_to)[1],
        body,
        Subject=f"Re: {mail.subject}",
        Message_ID=f"<{len(typed)}.k7q@example.org>",
    )
    letter["In-Reply-To"] = mail.message_id
    fetched = Fetched("test", "INBOX", 1, 0, letter.as_bytes(), None)
    intents: list[Intent] = []

    def unit(conn: Connection) -> None:
        inbox.receive(conn, [received(fetched)], None, club.clock())
        [row] = inbox.claim(conn, 1)
        intents.append(read_letter.read_row(conn, club.house, row, club.clock()))
        raise _Undone

    with suppress(_Undone):
        await asyncio.wrap_future(club.house.db.write(unit))
    return intents[0]


def moves_in(match: Match) -> Iterator[str]:
    """Some moves that Ann may make, and one in capital letters."""
    every = match.game.legal(match.course.position)
    yield from map(match.game.notation, every[:: max(1, len(every) // MOST)])
    chosen = match.game.notation(lively_move(match.game, match.course.position, lambda _: 0))
    yield from (chosen, chosen.upper())


@pytest.mark.parametrize("place", HERE)
async def test_a_plain_move_is_read_as_all_prose_is(
    club: Club, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    name = await PLACES[place].prepare(club)
    assert mailbox(PLACES[place].writer) == mailbox(ANN)
    texts = list(dict.fromkeys(moves_in(await match_of(club, name))))
    short = [await read(club, name, text) for text in texts]
    monkeypatch.setattr(read_letter, "plain_move", lambda *_: None)
    assert short == [await read(club, name, text) for text in texts]
    assert all(one.orders.todo[0].read is not None for one in short)


async def test_a_plain_move_is_searched_for_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await PLACES["logger"].prepare(club)
    match = await match_of(club, name)
    chosen = match.game.notation(lively_move(match.game, match.course.position, lambda _: 0))
    monkeypatch.setattr(read_letter, "one_move", None)
    assert [one.typed for one in (await read(club, name, chosen)).orders.todo] == [chosen]
