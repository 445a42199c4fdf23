"""What draws are bound to, on the whole way: the letters as players have them, and bots' none."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from pbem.bots.levels import random_move
from pbem.fairness import letter_digest
from pbem.games.game import Seat
from pbem.mail.addresses import SeatAddress, mint, reply_address
from pbem.matches.events import Event, MovePlayed
from pbem.matches.match import Match
from pbem.matches.seats import SeatTaken
from pbem.matches.verify import Verification
from pbem.matches.window import MoveHeld
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log, exchange
from pbem.store.people import roster
from pbem.transaction.installation import find_match, match_stream, verified
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.fairness_page import check_draws

ADDRESS = {"Ann": ANN, "Bob": BOB}
DATE = "Sat, 21 Nov 2026 12:00:00 +0000"


class Sent:
    """A club, and each mail that somebody wrote, as the writer's mail program keeps it."""

    def __init__(self, folder: Path, club: Club) -> None:
        self.folder, self.club = folder, club
        self.files: list[Path] = []

    async def write(self, person: str, text: str, **headers: str) -> str:
        """Answer the newest mail; the digest of the answer."""
        mail = self.club.last(person)
        to = parseaddr(mail.reply_to)[1]
        return await self.send(person, to, text, mail.message_id, **headers)

    async def send(self, person: str, to: str, text: str, about: str = "", **headers: str) -> str:
        letter = self.club.letter(person, to, text, Subject="Re: play", **headers)
        if about:
            letter["In-Reply-To"] = about
        file = self.folder / f"{len(self.files)}.eml"
        file.write_bytes(letter.as_bytes())
        self.files.append(file)
        await self.club.post(letter.as_bytes())
        return letter_digest(str(letter["Message-ID"] or ""), str(letter["Date"] or ""))

    async def begun(self, game: str = "looney ludo", options: str = "", **of: str) -> MatchId:
        """A match that Bob has accepted without a word of his own."""
        await self.write(ANN, f"new {game} with {BOB} {options}")
        await self.write(BOB, "accept", **of)
        return await self.newest()

    async def newest(self) -> MatchId:
        rows: Any = await self.club.read(lambda conn: views.matches(conn, None, limit=1))
        return MatchId(rows[0].id)

    async def match(self, name: MatchId) -> Match:
        found: Any = await self.club.read(lambda conn: find_match(conn, name))
        match: Match = found.match
        return match

    async def verified(self, name: MatchId) -> Verification:
        found: Any = await self.club.read(lambda conn: verified(conn, name))
        checked: Verification = found[0]
        return checked

    async def events(self, name: MatchId) -> list[Event]:
        found: Any = await self.club.read(
            lambda conn: event_log.match_events_of(event_log.load(conn, match_stream(name)))
        )
        return list(found)

    async def move(self, name: MatchId, text: str = "", **headers: str) -> str:
        """A move of whoever is to act; the digest of its letter."""
        match = await self.match(name)
        chosen = random_move(
            match.game, match.course.position, random.Random(match.course.ply).randrange
        )
        seat = match.to_act[0]
        found: Any = await self.club.read(lambda conn: roster.players(conn, match.table.players))
        person = ADDRESS[found[match.player_at(seat)].name]
        entrant = Seat(match.table.entrants.index(match.player_at(seat)) + 1)
        tag = mint(self.club.house.keys, SeatAddress(match.id, entrant, 0))
        to = reply_address(GAMES, tag)
        return await self.send(person, to, text or match.game.notation(chosen), **headers)


@pytest.fixture
async def sent(tmp_path: Path) -> AsyncIterator[Sent]:
    async for one in playing(tmp_path):
        yield one


async def playing(folder: Path, window: int = 0) -> AsyncIterator[Sent]:
    club = open_club(folder, window=window)
    for person in (ANN, BOB):
        await club.write(person, "help")
        await club.answer(person, "yes")
    yield Sent(folder, club)
    club.house.db.close()


async def lines_of(sent: Sent, name: MatchId) -> list[str]:
    found: Any = await sent.club.read(lambda conn: list(exchange.export(conn, match_stream(name))))
    return list(found)


async def test_every_draw_is_bound_to_the_letters_as_their_writers_have_them(
    sent: Sent, tmp_path: Path
) -> None:
    name = await sent.begun()
    accepted = sent.files[-1]
    digests = [await sent.move(name) for _ in range(8)]
    match, events = await sent.match(name), await sent.events(name)
    assert len(match.chance.draws) > 6
    played = [event for event in events if isinstance(event, MovePlayed)]
    assert [event.letter for event in played if not event.forced] == digests
    assert not any(event.letter for event in played if event.forced)
    found = await sent.verified(name)
    assert found.findings == ()
    lines, moves = await lines_of(sent, name), sent.files[-len(digests) :]
    code, said = check_draws(tmp_path, lines, accepted, *moves)
    assert code == 0, said
    assert said.count("MovePlayed") == len(digests)
    assert f"{accepted}: SeatTaken" in said
    # The invitation came before the commitment, and a mail of another match is of none here.
    code, said = check_draws(tmp_path, lines, sent.files[0])
    assert code == 1
    assert "the record does not know it" in said


async def test_the_start_follows_from_the_letter_that_accepts_and_from_nothing_else(
    tmp_path: Path,
) -> None:
    """The same seeds, and so the same commitment: the server has chosen before Bob has written."""
    begun: dict[str, tuple[str, list[tuple[int, ...]]]] = {}
    for number, headers in enumerate(
        [{}, {"Message_ID": "<other@x>"}, {"Date": "Sun, 22 Nov 2026 12:00:00 +0000"}, {}]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        async for sent in playing(folder):
            match = await sent.match(await sent.begun(**headers))
            begun[str(number)] = (
                match.chance.commitment,
                [draw.values for draw in match.chance.draws],
            )
    first, other_id, other_date, again = (begun[str(number)] for number in range(4))
    assert first == again, "the same letter draws the same"
    assert len({one[0] for one in begun.values()}) == 1
    assert first[1] != other_id[1] != other_date[1] != first[1]


async def test_later_draws_follow_from_the_letters_that_brought_the_moves(tmp_path: Path) -> None:
    drawn = []
    for number, date in enumerate([DATE, "Sun, 22 Nov 2026 12:00:00 +0000"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        async for sent in playing(folder):
            name = await sent.begun()
            before = (await sent.match(name)).chance.draws
            await sent.move(name, Date=date)
            for _ in range(4):
                await sent.move(name)
            draws = (await sent.match(name)).chance.draws
            drawn.append((before, [draw.digest for draw in draws[len(before) :]]))
    (start, one), (other_start, other) = drawn
    assert start == other_start
    # What the first letter itself draws is fixed before it is written.
    assert one[0] == other[0]
    assert not set(one[1:]) & (set(other[1:]) - {one[0]})


async def test_a_held_move_is_of_the_letter_that_it_came_with(tmp_path: Path) -> None:
    async for sent in playing(tmp_path, window=5):
        name = await sent.begun("logger")
        first = await sent.move(name)
        await sent.club.wait(minutes=5)
        second = await sent.move(name)
        match = await sent.match(name)
        (held,) = match.pending.held.values()
        assert held.letter == second
        await sent.move(name, "say Well met!")  # it goes out with nothing, and changes no letter
        now = await sent.move(name, "now")
        events = await sent.events(name)
        played = [event.letter for event in events if isinstance(event, MovePlayed)]
        assert played == [first, second]
        assert now not in [event.letter for event in events if isinstance(event, MoveHeld)]
        found = await sent.verified(name)
        assert found.findings == ()


async def test_an_offer_that_goes_with_a_held_move_leaves_it_its_letter(tmp_path: Path) -> None:
    async for sent in playing(tmp_path, window=5):
        name = await sent.begun("logan stones")
        first = await sent.move(name)
        await sent.move(name, "offer draw")
        assert [held.letter for held in (await sent.match(name)).pending.held.values()] == [first]
        held = [event for event in await sent.events(name) if isinstance(event, MoveHeld)]
        assert [event.letter for event in held] == [first, first]


async def test_a_question_that_is_answered_binds_the_answer(sent: Sent) -> None:
    await sent.write(ANN, f"new looney ludo with {BOB}")
    asked = await sent.write(BOB, "yes please, why not")
    if not any(isinstance(one, SeatTaken) for one in await sent.events(await sent.newest())):
        asked = await sent.write(BOB, "yes")
    taken = [one for one in await sent.events(await sent.newest()) if isinstance(one, SeatTaken)]
    assert [event.letter for event in taken] == [asked]


async def test_who_joins_is_bound_as_who_accepts(sent: Sent) -> None:
    await sent.write(ANN, "new looney ludo open 2")
    name = await sent.newest()
    joined = await sent.write(BOB, f"join {name}")
    taken = [one for one in await sent.events(name) if isinstance(one, SeatTaken)]
    assert [event.letter for event in taken] == [joined]
    assert (await sent.verified(name)).findings == ()


# --- what is not bound ---------------------------------------------------------------------------


def told(sent: Sent, person: str) -> str:
    return " ".join(sent.club.last(person).text.split())


async def test_where_only_bots_answer_the_mail_says_that_nothing_binds_the_start(
    sent: Sent,
) -> None:
    await sent.write(ANN, "new looney ludo with bot starter=given")
    assert "Only bots accepted" in told(sent, ANN)
    name = await sent.newest()
    taken = [one for one in await sent.events(name) if isinstance(one, SeatTaken)]
    assert [event.letter for event in taken] == [""]
    letter = await sent.move(name)
    await sent.club.work()
    played = [event for event in await sent.events(name) if isinstance(event, MovePlayed)]
    assert played[0].letter == letter
    assert not any(event.letter for event in played[1:])
    found = await sent.verified(name)
    assert found.findings == ()


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Date": "", "Message_ID": ""}, "Your mail came without Message-ID and date"),
        ({"Date": ""}, "Your mail came without a date"),
        ({"Message_ID": ""}, "Your mail came without a Message-ID"),
        (
            {"X_Microsoft_Original_Message_ID": "<mine@x>"},
            "Your mail got another Message-ID",
        ),
    ],
)
async def test_who_accepts_is_told_what_their_letter_lacks_once(
    sent: Sent, headers: dict[str, str], words: str
) -> None:
    name = await sent.begun(**headers)
    mails = [" ".join(mail.text.split()) for mail in sent.club.mails(BOB)]
    assert [words.lower() in mail.lower() for mail in mails].count(True) == 1
    nothing = headers.keys() == {"Date", "Message_ID"}
    assert ("Nothing in the answers binds the first draws" in told(sent, ANN)) == nothing
    taken = [one for one in await sent.events(name) if isinstance(one, SeatTaken)]
    assert bool(taken[0].letter) != nothing
    before = len(sent.club.mails(BOB))
    for _ in range(4):
        await sent.move(name, **headers)
    later = " ".join(" ".join(mail.text.split()) for mail in sent.club.mails(BOB)[before:])
    assert words.lower() not in later.lower()
    # The challenger's first letter of moves is told of, since the one before bound nothing.
    anns = [" ".join(mail.text.split()).lower() for mail in sent.club.mails(ANN)]
    assert [words.lower() in mail for mail in anns].count(True) == 1
    found = await sent.verified(name)
    assert found.findings == ()


async def test_where_nothing_is_drawn_nobody_is_told_of_letters(sent: Sent) -> None:
    name = await sent.begun("logger", options="seat_order=given", Date="", Message_ID="")
    await sent.move(name, Date="", Message_ID="")
    texts = " ".join(mail.text for person in (ANN, BOB) for mail in sent.club.mails(person))
    assert "came without" not in " ".join(texts.split())
    assert "binds the first draws" not in " ".join(texts.split())


# --- what mails show -----------------------------------------------------------------------------


async def test_a_mail_and_verify_show_the_last_link_and_record_shows_all(sent: Sent) -> None:
    name = await sent.begun()
    match = await sent.match(name)
    assert len(match.chance.draws) > 1
    text = sent.club.last(ANN).text
    assert f"Draw {match.chance.draws[-1].index}: {match.chance.draws[-1].link[:20]}." in text
    assert not any(draw.link in text for draw in match.chance.draws[:-1])
    for _ in range(4):
        await sent.move(name)
    match = await sent.match(name)
    await sent.move(name, f"{name} verify")
    mails = [mail.text for person in (ANN, BOB) for mail in sent.club.mails(person)]
    (checked,) = [text for text in mails if "passes the check" in text]
    assert f"{match.chance.draws[-1].index}:{match.chance.draws[-1].link}" in checked
    assert not any(draw.link in checked for draw in match.chance.draws[:-1])
    await sent.move(name, f"{name} record")
    ((_, record),) = (
        file for person in (ANN, BOB) for file in sent.club.last(person).files.items()
    )
    drawn = [
        line for line in map(json.loads, record.splitlines()) if line.get("type") == "ChanceDrawn"
    ]
    assert [line["data"]["link"] for line in drawn] == [draw.link for draw in match.chance.draws]
    links = [
        line["data"]["link"]
        for line in map(json.loads, await lines_of(sent, name))
        if line.get("type") == "ChanceDrawn"
    ]
    assert links == [draw.link for draw in match.chance.draws]
