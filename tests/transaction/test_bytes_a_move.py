"""What a move costs on disk: the log is small, and mails are kept as small as they can be."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.bots.levels import random_move
from pbem.games.game import Seats
from pbem.names import MatchId
from pbem.store.mails import outbox
from pbem.transaction.installation import Loaded, find_match
from tests.clubs.club import ANN, BOB, Club, open_club

AT_MOST = 14 * 1024
WITH_PICTURES = 40 * 1024
"""The same where mails bring a picture of the board, in pixels, which nothing compresses."""

MOVES = 30


def on_disk(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "pbem.db")) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    return (folder / "pbem.db").stat().st_size


async def play(club: Club) -> int:
    """The moves of a random match, each as an answer that quotes the mail; how many."""
    found = re.search(r"\[.* (\w{5})\]", club.last(ANN).subject)
    assert found is not None
    name, rng = MatchId(found[1]), random.Random(3)
    for number in range(MOVES):
        loaded = await club.read(lambda conn: find_match(conn, name))
        assert isinstance(loaded, Loaded)
        match = loaded.match
        turn = match.game.turn(match.course.position)
        if match.course.outcome is not None or not isinstance(turn, Seats):
            return number
        move = match.game.notation(random_move(match.game, match.course.position, rng.randrange))
        await club.answer((ANN, BOB)[turn.seats[0] - 1], move)
    return MOVES


@pytest.mark.parametrize(
    ("game", "pictures", "most"),
    [
        ("logger", "off", AT_MOST),
        ("looney ludo", "off", AT_MOST),
        ("looney ludo", "on", WITH_PICTURES),
    ],
)
async def test_a_move_costs_no_more_than_its_words(
    tmp_path: Path, game: str, pictures: str, most: int
) -> None:
    club = open_club(tmp_path)
    seats = " seat_order=given" if game == "logger" else ""
    with closing(club.house.db):
        await club.write(ANN, f"new {game} with {BOB}{seats}")
        await club.answer(ANN, "yes")
        await club.answer(BOB, "accept")
        for reader in (ANN, BOB):
            await club.answer(reader, f"pictures {pictures}")
        before = on_disk(tmp_path)
        moves = await play(club)
        assert moves > MOVES / 2
        assert (on_disk(tmp_path) - before) / moves <= most
        # And what went out can go out again, byte for byte.
        rows = club.house.db.read(lambda conn: outbox.listed(conn, limit=1000)).result()
        kept = {row.data for row in rows if row.state == "sent"}
        assert kept == {envelope.data for envelope in club.envelopes}
