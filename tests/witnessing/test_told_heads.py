"""What readers compare: the last line of each one's newest mail, and the list by `verify`."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.matches.match import Match
from pbem.store import views
from pbem.store.database import Database
from pbem.transaction.installation import MatchCache, load_match
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.store.given import read

GOES_ON = ("say Hello!", "note She never guards the corner.", "offer draw", "board")


async def opened(folder: Path, window: int, game: str) -> Club:
    """A match of Ann and Bob that Cleo watches."""
    club = open_club(folder, window=window)
    await club.write(ANN, f"new {game} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    name = re.findall(r"\b([A-Z0-9]{5})\]", club.last(ANN).subject)[0]
    await club.write(CLEO, f"watch {name}")
    await club.answer(CLEO, "yes")
    return club


def running(club: Club) -> Match:
    def found(conn: Connection) -> Match:
        (name,) = views.match_ids(conn, ("running", "ended"))
        return load_match(conn, name).match

    return read(club.house.db, found)


async def move(club: Club, drawn: random.Random) -> None:
    """Whoever is to move plays something."""
    match = running(club)
    seat = match.to_act[0]
    text = match.game.notation(drawn.choice(list(match.game.legal(match.course.position))))
    await club.answer(ANN if match.player_at(seat) == match.table.challenger else BOB, text)


def line_of(club: Club, reader: str) -> str:
    """The head that stands in the last line of somebody's newest mail of the match."""
    heads = (re.findall(r"history ([0-9a-f]{16})", mail.text) for mail in club.mails(reader))
    return str([found[-1] for found in heads if found][-1])


async def listed(club: Club, reader: str) -> list[str]:
    """The heads that `verify` lists for somebody, in a letter of its own."""
    await club.write(reader, f"{running(club).id} verify")
    if "Was this you?" in club.last(reader).text:
        await club.answer(reader, "yes")
    return re.findall(r"^\d+ +([0-9a-f]{16})\b", club.last(reader).text, re.MULTILINE)


@pytest.mark.parametrize("window", [0, 10])
@pytest.mark.parametrize("game", ["logger", "logan stones"])
async def test_of_an_honest_club_each_line_is_in_everybodys_list(
    tmp_path: Path, game: str, window: int
) -> None:
    """Whatever was done last: also where something is held, said, noted or decided in advance."""
    club, drawn = await opened(tmp_path, window, game), random.Random(7)
    for step in range(6):
        lines = {line_of(club, reader) for reader in (ANN, BOB, CLEO)}
        for reader in (ANN, BOB):
            assert lines <= {*await listed(club, reader)}
        assert line_of(club, CLEO) in await listed(club, CLEO)
        for text in GOES_ON[: step % 5]:
            await club.answer((ANN, BOB)[step % 2], text)
        await move(club, drawn)
        lines = {line_of(club, reader) for reader in (ANN, BOB, CLEO)}
        assert lines <= {*await listed(club, BOB)}
        await club.wait(minutes=window + 1)


async def test_the_list_does_not_tell_what_others_do_unseen(tmp_path: Path) -> None:
    """The same with and without what is noted, asked for, or held."""
    club = await opened(tmp_path, 10, "logger")
    before = await listed(club, BOB)
    assert before
    for text in ("note She never guards the corner.", "board", "if any then resign yes"):
        await club.answer(ANN, text)
        assert await listed(club, BOB) == before
    match = running(club)
    mover = ANN if match.player_at(match.to_act[0]) == match.table.challenger else BOB
    other = BOB if mover == ANN else ANN
    await move(club, random.Random(1))
    assert "Held until" in club.last(mover).text
    assert await listed(club, other) == before


async def test_whose_turn_began_stands_beside_the_head_of_their_prompt(tmp_path: Path) -> None:
    club, drawn = await opened(tmp_path, 0, "logger"), random.Random(3)
    for _ in range(3):
        await move(club, drawn)
    match = running(club)
    mover = ANN if match.player_at(match.to_act[0]) == match.table.challenger else BOB
    line = line_of(club, mover)
    await listed(club, ANN)
    name = {ANN: "Ann", BOB: "Bob"}[mover]
    assert re.search(rf"^\d+ +{line} +{name}", club.last(ANN).text, re.MULTILINE)


@pytest.mark.sqlite
async def test_two_stories_of_one_match_are_found_by_one_line_and_one_list(tmp_path: Path) -> None:
    """The server goes on in one way for Ann and in another for Bob, each with a right history."""
    (tmp_path / "told").mkdir()
    club, drawn = await opened(tmp_path / "told", 0, "logger"), random.Random(5)
    await move(club, drawn)
    fork = forked(club, tmp_path / "fork")
    for one, seed in ((club, 11), (fork, 12)):
        assert line_of(one, ANN) in await listed(one, BOB)
        for _ in range(2):  # each of them has moved once, as far as the other is told
            await move(one, random.Random(seed))
    # Each story is right in itself.
    assert "passes the check" in club.last(BOB).text + await verified(club, ANN)
    assert "passes the check" in await verified(fork, BOB)
    # Ann has what one of them tells, Bob the other; one line is enough, whoever reads it out.
    assert line_of(club, ANN) not in await listed(fork, BOB)
    assert line_of(fork, BOB) not in await listed(club, ANN)


async def verified(club: Club, reader: str) -> str:
    await listed(club, reader)
    return club.last(reader).text


def forked(club: Club, folder: Path) -> Club:
    """Another service on a copy of the log, with the mails that were sent until now."""
    folder.mkdir()
    other = open_club(folder)
    other.house.db.close()
    for made in folder.glob("pbem.db*"):
        made.unlink()
    file = club.house.settings.store.database
    with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(folder / "pbem.db")) as new:
        old.backup(new)
    drawn = random.Random(9).randbytes
    db = Database.open(folder / "pbem.db")
    other.house = replace(club.house, db=db, cache=MatchCache(), entropy=drawn)
    other.clock = club.clock
    other.postbox.sent = list(club.postbox.sent)
    other.written, other.composed = club.written, club.composed
    return other
