"""How many SQL statements a turn costs: from the claim of a letter to its commit, and its mails."""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Engine, event

from pbem.bots.levels import lively_move
from pbem.names import MatchId
from pbem.runners.deliver import deliver_due
from pbem.runners.receive import store_letter, take_waiting
from pbem.store import views
from pbem.store.database import Database
from pbem.store.people import roster
from pbem.transaction.installation import find_match
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, Club, open_club

LAST_OF_A_LETTER: Final = "UPDATE inbox SET lane="
LAST_OF_A_MAIL: Final = "UPDATE outbox SET state=?, attempts=(outbox.attempts - ?)"


LETTER: Final = 12
LETTER_WITH_CLOCKS: Final = 16
MAILS: Final = 6
"""The most that each may cost: never more, and fewer as soon as it goes."""


class Statements:
    """What is asked of the database, each with the function that asks."""

    def __init__(self) -> None:
        """Nothing is asked yet."""
        self.asked: list[tuple[str, str]] = []

    def note(self, _conn: object, _cursor: object, statement: str, *_: Any) -> None:
        """One statement goes out."""
        frames = traceback.extract_stack()
        callers = [f"{Path(one.filename).stem}.{one.name}" for one in frames if is_ours(one)]
        if not statement.startswith("BEGIN"):
            self.asked.append((" ".join(statement.split()), callers[-1]))

    def until(self, last: str) -> list[tuple[str, str]]:
        """Those up to the last one that begins so; what is looked for after it is not counted."""
        places = [n for n, (statement, _) in enumerate(self.asked) if statement.startswith(last)]
        return self.asked[: places[-1] + 1]


def is_ours(frame: traceback.FrameSummary) -> bool:
    return "/pbem/" in frame.filename and not frame.filename.endswith("/prepared.py")


def told(asked: list[tuple[str, str]]) -> str:
    """All of them, for who has to bring them down."""
    return "\n".join(["", *(f"{caller}: {statement[:90]}" for statement, caller in asked)])


@pytest.fixture
def statements() -> Iterator[Statements]:
    """Those of every connection."""
    counted = Statements()
    event.listen(Engine, "before_cursor_execute", counted.note)
    yield counted
    event.remove(Engine, "before_cursor_execute", counted.note)


async def begin(club: Club, time: str) -> MatchId:
    """Ann and Bob play Logger."""
    await club.write(ANN, f"new Logger with {BOB} time={time}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    rows = await club.read(lambda conn: views.match_ids(conn, ("running",)))
    return rows[0]  # type: ignore[index, no-any-return]


async def next_move(club: Club, name: MatchId, rng: random.Random) -> tuple[str, str]:
    """Who is to move, by address, and a move of theirs."""
    loaded = await club.read(lambda conn: find_match(conn, name, club.house.cache))
    match = loaded.match  # type: ignore[attr-defined]
    player = match.player_at(match.to_act[0])
    people = await club.read(lambda conn: roster.players(conn, [player]))
    move = lively_move(match.game, match.course.position, rng.randrange)
    return people[player].address, match.game.notation(move)  # type: ignore[index]


async def put_in(club: Club, reader: str, text: str) -> None:
    """A letter that answers the last mail comes, and is not taken yet."""
    mail = club.last(reader)
    quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    body = f"{text}\n\nOn Saturday, {mail.sender} wrote:\n{quote}\n"
    to = parseaddr(mail.reply_to)[1]
    letter = club.letter(reader, to, body, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    club.written += 1
    await store_letter(Fetched("test", "INBOX", 1, club.written, letter.as_bytes()), club.house)


@pytest.mark.parametrize(
    ("window", "time", "most"),
    [(0, "none", LETTER), (30, "slow", LETTER_WITH_CLOCKS)],
    ids=["plain", "window and clocks"],
)
async def test_a_turn_asks_little_of_the_database(
    tmp_path: Path, window: int, time: str, most: int, statements: Statements
) -> None:
    club, rng = open_club(tmp_path, window=window, database=Database.open), random.Random(3)
    name = await begin(club, time)
    for _ in range(2):
        await club.answer(*await next_move(club, name, rng))
        await club.wait(minutes=window + 1)
    await put_in(club, *await next_move(club, name, rng))
    statements.asked.clear()
    await take_waiting(club.house)
    taken = statements.until(LAST_OF_A_LETTER)
    assert len(taken) <= most, told(taken)
    statements.asked.clear()
    await deliver_due(club.house, club.postbox)
    sent = statements.until(LAST_OF_A_MAIL)
    assert len(sent) <= MAILS, told(sent)
    club.house.db.close()
