"""A whole match of Logger, played by a newcomer who writes German on phones and in offices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from email.utils import parseaddr
from itertools import cycle
from pathlib import Path
from typing import Final

import pytest

from pbem.matches.match import Match, Status, StepKind
from pbem.names import MatchId
from pbem.notices import codec
from pbem.notices.notice import Notice
from pbem.notices.replies import NoOrderFound, OrderRefused, QuestionAsked
from pbem.store.mails import outbox
from pbem.transaction.installation import load_match
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, Club, open_club

BERTA: Final = "berta@example.net"


# --- how German mail programs answer -------------------------------------------------------------


def quoted(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def iphone(typed: str, mail: ReceivedMail) -> str:
    wrote = f"Am 12.11.2026 um 20:15 schrieb {mail.sender}:\n\n"
    return f"{typed}\n\nVon meinem iPhone gesendet\n\n{quoted(wrote + mail.text)}"


def gmail(typed: str, mail: ReceivedMail) -> str:
    wrote = f"Am Do., 12. Nov. 2026 um 20:15 Uhr schrieb {mail.sender}:\n\n"
    return f"{typed}\n\n{wrote}{quoted(mail.text)}"


def gmx(typed: str, mail: ReceivedMail) -> str:
    return (
        f"{typed}\n\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail "
        f"gesendet.\nAm 12.11.26, 20:15 schrieb {mail.sender}:\n\n{quoted(mail.text)}"
    )


def header(mail: ReceivedMail) -> str:
    return (
        f"Von: {mail.sender}\nGesendet: Donnerstag, 12. November 2026 20:15:00\n"
        f"An: Berta Groß <{BERTA}>\nBetreff: {mail.subject}\n\n{mail.text}"
    )


def outlook(typed: str, mail: ReceivedMail) -> str:
    link = "Holen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>"
    return f"{typed}\n\n{link}\n{'_' * 32}\n{header(mail)}"


def samsung(typed: str, mail: ReceivedMail) -> str:
    line = "-------- Ursprüngliche Nachricht --------"
    return f"{typed}\n\n\nVon meinem Galaxy gesendet\n\n\n{line}\n{header(mail)}"


def thunderbird(typed: str, mail: ReceivedMail) -> str:
    return f"Am 12.11.26 um 20:15 schrieb {mail.sender}:\n{quoted(mail.text)}\n{typed}\n"


def web(typed: str, mail: ReceivedMail) -> str:
    return f"{typed}\n\n{header(mail)}"


PROGRAMS: Final = (iphone, gmail, gmx, outlook, samsung, thunderbird, web)


class Table:
    """Ann, who writes plainly, and Berta, whose letters go through each program in turn."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.programs: Callable[[], Callable[[str, ReceivedMail], str]] = cycle(PROGRAMS).__next__
        self.name = MatchId("")

    async def berta(self, typed: str) -> list[Notice]:
        """Berta answers the last mail that she got; what she is told."""
        mail, before = self.club.last(BERTA), len(self.club.mails(BERTA))
        text = self.programs()(typed, mail)
        letter = self.club.letter(
            f"Berta Groß <{BERTA}>",
            parseaddr(mail.reply_to)[1],
            text,
            Subject=f"AW: {mail.subject}",
        )
        letter["In-Reply-To"] = mail.message_id
        await self.club.post(letter.as_bytes())
        return [one for mail in self.club.mails(BERTA)[before:] for one in await self.told(mail)]

    async def told(self, mail: ReceivedMail) -> tuple[Notice, ...]:
        row = await self.club.read(lambda conn: outbox.find_by_message_id(conn, mail.message_id))
        assert isinstance(row, outbox.OutboxRow)
        return codec.load(row.notices)

    async def match(self) -> Match:
        found = await self.club.read(lambda conn: load_match(conn, self.name).match)
        assert isinstance(found, Match)
        return found

    async def became(self, typed: str) -> str:
        """What became of a letter of Berta's: her move, what is asked or refused, or nothing."""
        before = await self.moves()
        told = await self.berta(typed)
        if (moves := await self.moves()) != before:
            return moves[-1]
        for one in told:
            match one:
                case QuestionAsked(facts=facts):
                    return f"asked {facts['notation']}"
                case OrderRefused(code=code):
                    return f"refused {code}"
                case NoOrderFound(mentioned=mentioned):
                    return f"no order: {', '.join(mentioned)}"
                case _:
                    continue
        return type(told[0]).__name__ if told else "silence"

    async def moves(self) -> list[str]:
        match = await self.match()
        return [step.text for step in match.course.steps if step.kind is StepKind.MOVE]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    club = open_club(tmp_path)
    one = Table(club)
    await club.write(ANN, f"new logger with {BERTA} seat_order=given")
    await club.answer(ANN, "yes")
    one.name = MatchId(club.last(BERTA).subject.rpartition(" ")[2])
    await one.berta("Sprache Deutsch bitte")
    await one.berta("Ja!\n\nLiebe Grüße\nBerta")
    yield one
    club.house.db.close()


WHOLE: Final = (
    ("", "A1."),
    ("Also ich setz auf c4.", "refused must_place"),
    ("Oh, na dann halt e5", "asked place e5"),
    ("ja bitte :)", "place e5"),
    ("", "a2 plant a3"),
    ("ich geh nach e4 und pflanz e5, viel Spaß noch!", "e4; plant e5"),
    ("", "b1 plant c1"),
    ("nach e2 gehen und dann d2 bepflanzen", "e2; plant d2"),
    ("", "stay plant b2"),
    ("Hm, was darf ich denn jetzt?", "no order: "),
    ("Kann ich irgendwo die Regeln sehen?", "no order: rules"),
    ("Ich lauf mal auf e1 und pflanze dort d1 bitte\n\nsag Schöner Zug!\nLG", "e1; plant d1"),
    ("", "a1 protest e5 c1>b1"),
    ("Ich bleib stehen und fäll d1", "refused spawn_missing"),
    ("Bleibe, c1>c2, e5>e4, fälle d1 - bis später!", "stay; c1>c2, e5>e4; chop d1"),
    ("", "a2 plant a1"),
    ("Nee, doch lieber e1 e5>d5 pflanze d1", "asked stay; e5>d5; plant d1"),
    ("e2 e5>d5 und d2 fällen\n\nLiebe Grüße\nBerta", "e2; e5>d5; chop d2"),
    ("", "b2 plant b3"),
    ("e3 a3>a2 fälle e4\n\nnee warte, hab mich vertan", "asked e3; a3>a2; chop e4"),
    ("ja, passt doch", "e3; a3>a2; chop e4"),
    ("", "c1 b1>b2 chop b1"),
    ("d3 a3>a4 c3>c4 und dann fäll ich c3, Grüßle!", "d3; a3>a4, c3>c4; chop c3"),
)


async def test_a_whole_match(table: Table) -> None:
    said = []
    for typed, expected in WHOLE:
        if typed:
            said.append((typed, await table.became(typed)))
        else:
            await table.club.answer(ANN, expected)
    assert said == [(typed, expected) for typed, expected in WHOLE if typed]
    assert (await table.match()).status is Status.ENDED


async def test_who_speaks_of_an_order_is_told_of_it(table: Table) -> None:
    await table.club.answer(ANN, "a1")
    assert await table.became("Hm, und nun?") == "no order: "
    assert await table.became("Ich möchte aufgeben.") == "no order: resign"
    assert await table.became("Ich will wirklich aufgeben!") == "no order: resign"
    await table.club.wait(hours=1)
    assert await table.became("Zeig mir mal das Brett bitte") == "BoardShown"
