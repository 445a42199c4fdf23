"""A move typed inside the quote, directly above the marker, is played in every game."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from email.message import EmailMessage
from email.utils import parseaddr
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from pbem.legacy.mail.lines import MARKER
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.offers import outcome_of_letter

TAPS: Final = re.compile(r'href="mailto:[^"]*body=%23\d+%20([^"]*)"')
PLIES: Final = 4


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def acting(club: Club) -> tuple[str, ReceivedMail]:
    return next(
        (who, mail)
        for who, mail in reversed(club.postbox.mails)
        if "reply with your move" in " ".join(mail.text.split())
    )


def inside(
    club: Club, who: str, mail: ReceivedMail, move: str, *, blank: bool, named: bool
) -> EmailMessage:
    """A reply whose quote is whole, with a move above the marker and an attribution or none."""
    lines = [f"On Saturday, {mail.sender} wrote:"] if named else []
    for line in mail.text.splitlines():
        if line == MARKER:
            lines += ["", move, ""] if blank else [move]
        lines.append(f"> {line}".rstrip())
    to, subject = parseaddr(mail.reply_to)[1], f"Re: {mail.subject}"
    letter = club.letter(who, to, "\n".join(lines), Subject=subject)
    letter["In-Reply-To"] = mail.message_id
    return letter


@pytest.mark.parametrize("game", ["logger", "landrush", "logan stones", "looney ludo"])
async def test_a_move_above_the_marker_is_played(club: Club, game: str) -> None:
    await club.write(ANN, f"new {game} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    for _ in range(PLIES):
        who, mail = acting(club)
        moves = [unquote(unescape(found)) for found in TAPS.findall(mail.html)]
        # A turn may stand on several lines, which together are a line that we sent.
        for text in {*moves, *(move.replace("; ", "\n") for move in moves)}:
            for blank, named in ((False, True), (True, True), (False, False)):
                letter = inside(club, who, mail, text, blank=blank, named=named)
                became = await outcome_of_letter(club, letter)
                assert became.outcomes == ("played",), (text, became)
        await club.post(inside(club, who, mail, moves[-1], blank=False, named=True).as_bytes())
