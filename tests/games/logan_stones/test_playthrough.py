"""One whole game, to be read: every order and position, and some boards."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.games.chance import answer
from pbem.games.game import Drawn, Over, Style
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.draws import DEAL
from tests.games.logan_stones.situations import options, picture, shown, told

GOLDEN = Path(__file__).parent / "golden"
SEED = 13
BOARDS = {0, 8, 16, 24}
"""The plies after which the boards of all viewpoints are kept."""


def boards(position: Position) -> Iterator[str]:
    for viewpoint in (1, 2, None):
        for style in Style:
            yield f"# {viewpoint or 'spectator'}, {style}"
            yield picture(position, viewpoint, style)
            yield shown(position, viewpoint, "legend", style)


def playthrough(seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    position = GAME.initial(2, options())
    drawn = Drawn(answer(DEAL, iter(lambda: rng.randrange(256), -1)))
    yield f"* {GAME.chance_notation(position, drawn)}"
    position = GAME.play(position, drawn)
    while True:
        yield f"  {GAME.dump(position)}"
        if position.ply in BOARDS or position.cause:
            yield from boards(position)
        if position.cause:
            return
        move = rng.choice(GAME.legal(position))
        text = GAME.notation(move)
        yield f"{position.ply + 1}. {told(position, text)}"
        position = GAME.play(position, move)


def test_a_game_is_played_as_it_was(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "2-seats.txt", "\n".join(playthrough(SEED)) + "\n")


def test_the_record_of_the_game_replays_to_its_end() -> None:
    # LS-6.6
    lines = (GOLDEN / "2-seats.txt").read_text(encoding="utf-8").split("\n")
    position = GAME.initial(2, options())
    dumps = [line.strip() for line in lines if line.startswith("  island ")]
    position = GAME.play(position, GAME.read_chance(lines[0].removeprefix("* "), position))
    assert GAME.dump(position) == dumps[0]
    turns = re.findall(r"^\d+\.[^(]*\(([^;)]+)", "\n".join(lines), re.MULTILINE)
    for text, dump in zip(turns, dumps[1:], strict=True):
        position = GAME.play(position, GAME.read(" ".join(text.split()), position))
        assert GAME.dump(position) == dump
    assert isinstance(GAME.turn(position), Over)
    assert position.ply > 24
