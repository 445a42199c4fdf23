"""The options of a match: what is no game's own has the same name and values in every game."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection

from pbem.games import GAMES, AnyGame
from pbem.matches.match import Match, Status
from pbem.store import views
from pbem.transaction.installation import load_match
from tests.clubs.club import ANN, BOB, Club, open_club

EACH = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)


async def invited(folder: Path, game: AnyGame, options: str) -> tuple[Club, Match]:
    """A club in which Ann has asked for a match, and the match."""
    club = open_club(folder)
    await club.write(ANN, f"new {game.title} with {BOB} {options}")
    await club.answer(ANN, "yes")

    def only(conn: Connection) -> Match:
        (row,) = views.matches(conn)
        return load_match(conn, row.id).match

    return club, cast("Match", await club.read(only))


@EACH
@pytest.mark.parametrize("name", ["starter", "seat_order", "STARTER"])
async def test_who_begins_has_one_name_in_every_game(
    tmp_path: Path, game: AnyGame, name: str
) -> None:
    (option,) = (option for option in game.options if option.begins)
    assert "given" in option.values
    club, match = await invited(tmp_path, game, f"{name}=given")
    assert match.terms.options[option.name] == "given"
    assert "starter=given" in " ".join(club.last(BOB).text.split())
    await club.answer(BOB, "accept")
    board = club.last(ANN)
    assert "move" in board.text or "turn" in board.text
    club.house.db.close()


@EACH
async def test_chance_is_called_so_in_every_game(tmp_path: Path, game: AnyGame) -> None:
    club, match = await invited(tmp_path, game, "starter=random")
    assert dict(match.terms.options) == game.normal_options({})
    club.house.db.close()


@EACH
async def test_seats_time_and_private_are_the_same_in_every_game(
    tmp_path: Path, game: AnyGame
) -> None:
    seats = max(game.seats)
    club, match = await invited(tmp_path, game, f"seats={seats} time=fast private=yes")
    assert len(match.table.players) + match.table.open_seats == seats
    assert (match.terms.time, match.table.private, match.status) == (
        "24/8/48",
        True,
        Status.CHALLENGE,
    )
    club.house.db.close()


@EACH
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("starter=me", 'starter has no value "me". It may be: random, given'),
        ("seats=9", 'seats has no value "9". It may be: '),
        ("private=maybe", "It may be: yes, no"),
        ("begins=me", 'There is no option "begins". A match has: seats, starter, time, private'),
    ],
)
async def test_a_refusal_names_what_there_is(
    tmp_path: Path, game: AnyGame, typed: str, words: str
) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, "help")
    await club.answer(ANN, "yes")
    await club.answer(ANN, f"new {game.title} with {BOB} {typed}")
    assert words in " ".join(club.last(ANN).text.split())
    assert "seat_order" not in club.last(ANN).text
    club.house.db.close()
