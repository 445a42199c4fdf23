"""One whole game of greedy players for each number of seats, draw by draw and turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.games.game import Drawn, Style
from pbem.games.looney_ludo import GAME, Move, Position
from tests.games.looney_ludo.situations import greedy_game, new

GOLDEN = Path(__file__).with_name("golden")
OPTIONS = {2: {"colours": "rb"}, 3: {"nest_timing": "own_turn"}, 4: {"turn_cap": "60"}}


def playthrough(seats: int) -> str:
    lines = []
    steps = greedy_game(seats, 20 + seats, **OPTIONS.get(seats, {}))
    for position, move in steps:
        if isinstance(move, Drawn):
            lines.append(f"* {GAME.chance_notation(position, move)}")
            continue
        lines.append(f"  {GAME.dump(position)}")
        lines.append(f"{position.to_act}: {GAME.notation(move)}")
    last = GAME.play(*steps[-1])
    lines += [f"  {GAME.dump(last)}", "", *GAME.board(last, None, Style.ASCII).lines]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_playthrough_stays_what_it_was(seats: int, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{seats}-seats.txt", playthrough(seats))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_playthrough_is_replayed_from_its_lines(seats: int) -> None:
    lines = (GOLDEN / f"{seats}-seats.txt").read_text(encoding="utf-8").split("\n\n")[0].split("\n")
    position: Position = new(seats, **OPTIONS.get(seats, {}))
    move: Move | Drawn
    for written in lines:
        if written.startswith("  "):
            assert GAME.dump(position) == written.strip()
            assert GAME.load(written) == position
            continue
        if written.startswith("* "):
            move = GAME.read_chance(written[2:], position)
        else:
            seat, _, text = written.partition(": ")
            assert int(seat) == position.to_act
            move = GAME.read(text, position)
        position = GAME.play(position, move)
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.termination in ("nest", "cap")
