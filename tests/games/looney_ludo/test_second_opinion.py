"""The rules against a slow and naive writing of them (LL-1.6 to LL-1.11, LL-2.6 to LL-2.20)."""

from __future__ import annotations

import random

import pytest

from pbem.errors import Rejection
from pbem.games.game import GameOver, Seat
from pbem.games.looney_ludo import GAME, Position
from tests.games.looney_ludo import naive
from tests.games.looney_ludo.situations import new, random_step, rolled


def positions(seats: int, seed: int, count: int, every: int) -> list[Position]:
    """Positions of a random game in which a turn is due."""
    rng = random.Random(seed)
    options = {"nest_timing": rng.choice(["any_turn", "own_turn"])}
    position = rolled(new(seats, **options), rng)
    found: list[Position] = []
    while len(found) < count:
        if rng.randrange(every) == 0:
            found.append(position)
        if seats > 3 and rng.randrange(60) == 0 and len(position.playing) > 2:
            position = GAME.leave(position, rng.choice(position.playing))
        else:
            position = GAME.play(position, random_step(position, rng))
        position = rolled(position, rng)
        if isinstance(GAME.turn(position), GameOver):
            position = rolled(new(seats, **options), rng)
    return found


def legal_steps(position: Position) -> dict[str, Position]:
    played = {}
    for move in GAME.legal_moves(position):
        text = GAME.notation(move)
        if text not in ("pass", "keep", "reroll"):
            played[text] = GAME.play(position, move)
    return played


def assert_same(after: Position, expected: naive.Table) -> None:
    assert naive.lying(naive.table(GAME.dump(after))) == naive.lying(expected)
    if expected.winner:
        assert "RYGBPO"[after.setting.colours[after.winner - 1]] == expected.winner


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 3), (5, 5)])
def test_legal_steps_and_what_they_do_agree(seats: int, seed: int) -> None:
    faces = set()
    for position in positions(seats, seed, 14, 40):
        assert position.roll is not None
        if seats > 4 and position.roll.face in (4, 5):  # 1023 and 4095 aims: only below
            continue
        faces.add(position.roll.face)
        expected = naive.legal(naive.table(GAME.dump(position)))
        steps = legal_steps(position)
        assert steps.keys() == expected.keys()
        for text, after in steps.items():
            assert_same(after, expected[text])
    assert len(faces) > 2


@pytest.mark.parametrize("seats", [5, 6])
def test_aims_of_many_boards_agree(seats: int) -> None:
    rng = random.Random(seats)
    for position in positions(seats, seats, 12, 20):
        of = naive.table(GAME.dump(position))
        texts = [GAME.notation(move) for move in GAME.legal_moves(position)]
        aims = [text for text in texts if text.startswith("aim")]
        assert len(aims) in (0, 4**seats - 1)
        for text in rng.sample(aims, min(20, len(aims))):
            expected = naive.after(of, text)
            assert expected is not None
            assert_same(GAME.play(position, GAME.read_notation(text, position)), expected)


@pytest.mark.parametrize("seed", [0, 3])
def test_whole_turns_are_accepted_and_refused_alike(seed: int) -> None:
    # LL-2.21: all steps or none; LL-2.20: nothing after a nest.
    rng = random.Random(seed)
    accepted = 0
    for position in positions(rng.choice([2, 3, 4]), seed, 40, 4):
        of: naive.Table | None = naive.table(GAME.dump(position))
        assert of is not None
        actions = sorted({*naive.action_steps(of)})
        pool = [*naive.move_steps(of), *rng.sample(actions, min(2, len(actions)))]
        steps: list[str] = []
        for _ in range(rng.randrange(1, 6)):
            if of is None or of.winner:
                break
            # Mostly legal steps, so that turns get long; at times any that can be written.
            open_now = [step for step in pool if naive.after(of, step) is not None]
            if not open_now:
                break
            steps.append(rng.choice(open_now if rng.random() < 0.9 else pool))
            of = naive.after(of, steps[-1])
        if not steps:
            continue
        try:
            move = GAME.parse("; ".join(steps), position, Seat(position.to_act))
        except Rejection:
            assert of is None
        else:
            assert of is not None
            accepted += 1
            assert_same(GAME.play(position, move), of)
            assert GAME.read_notation(GAME.notation(move), position) == move
    assert accepted > 10
