"""A match in memory ends, and can be taken back to its beginning."""

from __future__ import annotations

import pytest

from pbem.bots.levels import choose_notation
from pbem.demo.table import Table, TableTerminal
from pbem.games import AnyGame
from pbem.match.state import Status
from pbem.notifications.renderer import Renderer
from tests.games.playing import OUR_GAMES

RENDERER = Renderer()


@pytest.mark.parametrize("game", OUR_GAMES, ids=lambda game: game.key)
def test_a_match_is_played_to_its_end_and_taken_back(game: AnyGame) -> None:
    table = Table(game, 2, {})
    beginning, moves = table.match, 0
    while table.match.status is Status.RUNNING:
        match = table.match
        [seat, *_] = match.to_move
        table.move(choose_notation("easy", game.ruleset, match.position, seat, str(match.version)))
        moves += 1
    shown: list[str] = []
    lines = iter(["undo"] * (moves + 1))

    def read(_prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    TableTerminal(table, RENDERER, read=read, write=shown.append).converse()
    assert "undo takes back the last move" in shown[1]
    assert "There is no move to take back" in shown[-1]
    assert table.match.position == beginning.position


def test_bots_begin_if_they_are_first() -> None:
    game = next(game for game in OUR_GAMES if game.key == "logger")
    table = Table(game, 2, {"starter": "random"}, "easy")
    while table.match.players[0] == table.player:
        table = Table(game, 2, {"starter": "random"}, "easy")
    table.let_bots_move()
    assert len(table.match.plies) == 1
    assert table.match.to_move == (2,)
