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
    lines = [*["undo"] * (moves + 1), "quit"]
    terminal = TableTerminal(table, RENDERER, read=lambda _prompt: lines.pop(0), write=shown.append)
    terminal.converse()
    assert "undo takes back the last move" in shown[1]
    assert "There is no move to take back" in shown[-1]
    assert table.match.position == beginning.position


def test_bots_begin_if_they_are_first() -> None:
    game = next(game for game in OUR_GAMES if game.key == "logger")
    tables = (Table(game, 2, {"starter": "random"}, "easy") for _ in range(100))
    table = next(table for table in tables if table.match.players[0] != table.player)
    table.let_bots_move()
    assert len(table.match.plies) == 1
    assert table.match.to_move == (2,)
