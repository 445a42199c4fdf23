"""What one pbem, compiled or not, makes of a recorded match and of bots' turns, as JSON.

`python -P bench/_thoughts.py RULESET SAMPLE`, with PYTHONPATH where the pbem in question lies.
"""

import json
import pickle
import sys
import time
from pathlib import Path
from typing import Any

from pbem.bots.levels import choice_of, levels
from pbem.bots.luck import seeded, stream
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over
from pbem.matches.replay import evolve, initial
from pbem.matches.verify import opened
from pbem.names import MatchId
from pbem.store.codec import canonical, decode

TURNS = 40


def recorded(game: AnyGame, sample: str) -> list[str]:
    """The position behind each event of a recorded match, what was legal there, and its worth."""
    lines = map(json.loads, Path(sample).read_text("utf-8").splitlines())
    frames = [line for line in lines if "event_id" in line]
    events: list[Any] = [
        decode(line["type"], line["schema"], canonical(line["data"])) for line in frames
    ]
    match = initial(MatchId(frames[0]["stream"].partition("-")[2]), opened(events))
    told: list[str] = []
    for event in events:
        match = evolve(match, event)
        position = match.course.position
        if position is not None:
            told.append(game.dump(position))
            told += [game.notation(move) for move in game.legal(position)]
            told.append(repr(game.value(position)))
    return told


def thought(game: AnyGame, seats: int) -> tuple[list[str], int, float]:
    """What the best level plays at a table of its own, with all it weighed: words, plays, seconds.

    Seconds are those of the search alone, on its core.
    """
    position = game.initial(seats, game.normal_options({}))
    chance, luck = stream(b"thoughts"), seeded("thoughts")
    told, plays, seconds = [], 0, 0.0
    for _ in range(TURNS):
        turn = game.turn(position)
        if isinstance(turn, Over):
            break
        if isinstance(turn, Chance):
            position = game.play(position, Drawn(answer(turn.draw, chance)))
            continue
        move = game.forced(position)
        if move is None:
            began = time.process_time()
            choice = choice_of(levels(game)[-1], game, position, luck)
            seconds += time.process_time() - began
            # As it comes out of the processes in which bots think.
            position, choice = pickle.loads(pickle.dumps((position, choice)))  # noqa: S301
            plays += choice.plays
            move = choice.move
            told += [f"{game.notation(one.move)} {one.worth}" for one in choice.looked]
        told += [game.notation(move), str(plays)]
        position = game.play(position, move)
        told.append(game.dump(position))
    return told, plays, seconds


def main(ruleset: str, sample: str) -> None:
    """Print it."""
    game = GAMES[ruleset]
    found = [thought(game, seats) for seats in dict.fromkeys((game.seats[0], game.seats[-1]))]
    compiled = [
        name
        for name, module in sys.modules.items()
        if name.startswith("pbem.") and str(module.__file__).endswith((".so", ".pyd"))
    ]
    told = [recorded(game, sample), *(told for told, _, _ in found)]
    plays, seconds = found[0][1:]
    json.dump({"compiled": compiled, "told": told, "each": plays / seconds}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
