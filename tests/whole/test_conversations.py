"""Whole matches of Logger as correspondence: every letter and every mail of it, to be read through.

Names and hashes that are drawn anew by every change of the entropy's order stand under one name.
The foot of a mail is shown once a person. `--accept` rewrites; read the diff as a player would.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Final

import pytest

from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, CLEO, GAMES, Clock, Club, open_club

DEE: Final = "dee@example.org"
NAMES: Final = {ANN: "Ann", BOB: "Bob", CLEO: "Cleo", DEE: "Dee"}
FOLDER: Final = Path(__file__).parent / "golden"
LATER: Final = ""
"""Whose letter means that so many hours go by."""


class ByLetters(Clock):
    """A clock that goes on by a minute with each letter.

    How often it is read hangs on which mail is noted first, and the mails tell the minute.
    """

    def __call__(self) -> datetime:
        return self.time


FOOT: Final = "\nAny time:"

TWO: Final = (
    (ANN, "new logger with bob@example.net seat_order=given"),
    (ANN, "yes"),
    (BOB, "accept"),
    (ANN, "A1."),
    (BOB, "e5"),
    (ANN, "a2 plant a3"),
    (BOB, "e4, plant e5\n\nsay Good luck!"),
    (ANN, "say Thanks, and to you.\nIs this your first match?\n\nb1 plant c1"),
    (BOB, "e2 plant d2"),
    (ANN, "stay plant b2"),
    (BOB, "e2-e1 plant d1"),
    (ANN, "a1 protest e5"),
    (ANN, "a1 protest e5 c1>b1"),
    (BOB, "stay chop d1"),
    (BOB, "stay; c1>c2, e5>e4; chop d1"),
    (ANN, "a2 plant a1"),
    (BOB, "E2 E5>D5 chop D2"),
    (ANN, "b2 plant b3"),
    (BOB, "e3 a3>a2 chop e4"),
    (ANN, "c1 b1>b2 chop b1"),
    (BOB, "d3 a3>a4 c3>c4 chop c3"),
    (ANN, "verify"),
    (ANN, "record"),
    (ANN, "rematch"),
    (BOB, "no thanks"),
)
THREE: Final = (
    (ANN, "new logger with bob@example.net and cleo@example.com seat_order=given"),
    (ANN, "yes"),
    (CLEO, "rules"),
    (CLEO, "accept"),
    (BOB, "Yes, please!"),
    (ANN, "a1"),
    (BOB, "e5"),
    (CLEO, "a5"),
    (ANN, "a3 plant b3"),
    (BOB, "resign"),
    (BOB, "yes"),
    (CLEO, "c5 plant c4"),
    (ANN, "stay plant a2"),
    (CLEO, "resign yes"),
)
FOUR: Final = (
    (ANN, "new logger with bob@example.net, cleo@example.com, dee@example.org seat_order=given"),
    (ANN, "yes"),
    (BOB, "accept"),
    (CLEO, "accept"),
    (DEE, "accept"),
    (ANN, "a1"),
    (BOB, "e1"),
    (CLEO, "e1"),
    (CLEO, "e5"),
    (DEE, "resign yes"),
    (ANN, "c1 plant c2"),
    (BOB, "resign yes"),
    (CLEO, "games"),
    (CLEO, "c5 plant c4"),
    (ANN, "resign yes"),
)
WISHES: Final = (
    (ANN, "new logger with bob@example.net seat_order=given time=slow"),
    (ANN, "yes"),
    (BOB, "accept"),
    (BOB, "settings"),
    (BOB, "tz Europe/Pari"),
    (BOB, "tz Europe/Paris\nwidth 60\ndigest 6 pm\nreceipts off"),
    (BOB, "rest sat sun\nquiet 10pm-7am"),
    (ANN, "a1\n\nsay Are you there?"),
    (LATER, "7"),
    (BOB, "e5"),
    (BOB, "test"),
    (BOB, "bad glyphs"),
    (ANN, "away until 1.1."),
    (ANN, "away 5 days"),
    (ANN, "back"),
    (ANN, "a2 plant a3"),
    (LATER, "24"),
    (BOB, "stop"),
    (ANN, "say Take your time."),
    (BOB, "start"),
)


@pytest.mark.parametrize(
    ("name", "letters"),
    [("two_people", TWO), ("three_people", THREE), ("four_people", FOUR), ("wishes", WISHES)],
)
async def test_a_match_reads_as_correspondence(
    name: str,
    letters: Iterable[tuple[str, str]],
    tmp_path: Path,
    golden: Callable[[Path, str], None],
) -> None:
    club = open_club(tmp_path, clock=ByLetters())
    pages = [page async for page in _conversation(club, letters)]
    club.house.db.close()
    golden(FOLDER / f"{name}.txt", "\n\n".join(_masked(pages)) + "\n")


async def _conversation(club: Club, letters: Iterable[tuple[str, str]]) -> AsyncIterator[str]:
    """Each letter and the mails that it brings about, in order."""
    footed: set[str] = set()
    for sender, text in letters:
        shown = len(club.postbox.mails)
        await club.wait(minutes=1)
        if sender == LATER:
            await club.wait(hours=int(text))
            yield f"... {text} hours later ...\n"
            for recipient, mail in club.postbox.mails[shown:]:
                yield _mail(recipient, mail, footed)
            continue
        if club.mails(sender):
            answered = club.last(sender)
            to, subject = _person(answered.sender), f"Re: {answered.subject}"
            await club.answer(sender, text)
        else:
            to, subject = GAMES, "Hello"
            await club.write(sender, text)
        yield f">>> From: {NAMES[sender]}\n    To: {to}\n    Subject: {subject}\n\n{text}\n"
        for recipient, mail in club.postbox.mails[shown:]:
            yield _mail(recipient, mail, footed)


def _mail(recipient: str, mail: ReceivedMail, footed: set[str]) -> str:
    text = mail.text.replace("\r", "").strip("\n")
    if recipient in footed:
        text = text.partition(FOOT)[0].rstrip("\n")
    footed.add(recipient)
    head = f"<<< From: {_person(mail.sender)}\n    To: {NAMES[recipient]}"
    return f"{head}\n    Subject: {mail.subject}\n\n{text}\n"


def _person(sender: str) -> str:
    return parseaddr(sender)[0]


def _masked(pages: Iterable[str]) -> list[str]:
    """The pages with matches named in the order of their appearance, and without hashes."""
    text = "\0".join(pages)
    matches = dict.fromkeys(re.findall(r"Logger (\w*\d\w*)\b", text))
    for name, stands in zip(matches, ("K7QX2", "M3SS4"), strict=False):
        text = re.sub(name, stands, text, flags=re.IGNORECASE)
    text = re.sub(r"\b[0-9a-f]{64}\b", "<64 hex digits>", text)
    text = re.sub(r"\b[0-9a-f]{16}\b", "<16 hex digits>", text)
    text = re.sub(r"\[ref [^]]+\]", "[ref ...]", text)
    return text.split("\0")
