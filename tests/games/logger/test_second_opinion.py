"""The rules against a slow and naive writing of them (LG-2, LG-5.4, LG-7.8 to LG-7.10)."""

from __future__ import annotations

import random
from math import prod

from pbem.errors import Rejection
from pbem.games.logger import GAME
from pbem.games.logger.growth import check_growth, ground
from pbem.games.logger.notation import notation
from pbem.games.logger.position import CELLS, NOWHERE, NUMBERS, Act, Position, WholeTurn
from tests.games.logger import naive
from tests.games.logger.situations import DRIVER

LIMITS = ["none", "none", "20", "9", "4"]


def positions(seed: int, count: int) -> list[Position]:
    """Positions of random games in which a turn is due and the naive rules do not take too long."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        options = GAME.normalise_options({}) | {"tree_limit": rng.choice(LIMITS)}
        position = GAME.initial_position(rng.choice(GAME.seats), options)
        while not position.cause:
            if position.here != NOWHERE and rng.random() < 0.2 and cheap(position):
                found.append(position)
            position = GAME.play(position, rng.choice(GAME.legal_moves(position)))
    return found[:count]


def cheap(position: Position) -> bool:
    of = naive.state(GAME.dump(position))
    tries = (
        prod(len(naive.near(tree)) + 1 for tree in naive.old_mature(naive.moved(of, to)))
        for to in naive.reach(of)
    )
    return sum(tries) < 700


def as_turn(move: WholeTurn) -> naive.Turn:
    return (
        CELLS[move.end],
        frozenset(CELLS[cell] for _, cell in move.spawns),
        str(move.action),
        frozenset(CELLS[cell] for cell in move.cells),
    )


def test_legal_turns_and_their_outcomes_agree() -> None:
    kinds = set()
    for position in positions(1, 150):
        expected = naive.legal(naive.state(GAME.dump(position)))
        moves = [move for move in GAME.legal_moves(position) if isinstance(move, WholeTurn)]
        assert {as_turn(move) for move in moves} == set(expected)
        assert len(moves) == len(expected)
        for move in moves:
            after = GAME.play(position, move)
            wanted = expected[as_turn(move)]
            got = naive.state(GAME.dump(after) + "; to move 1")
            kinds.add(move.action)
            for name in ("loggers", "stages", "protested", "scores", "hands"):
                assert getattr(got, name) == getattr(wanted, name), name
    assert kinds == set(Act)


def test_any_list_of_pairs_is_judged_alike() -> None:
    # LG-2.9: lists near the legal ones, right and wrong.
    rng = random.Random(2)
    for position in positions(100, 90):
        of = naive.state(GAME.dump(position))
        to = rng.choice(sorted(naive.reach(of)))
        there = naive.moved(of, to)
        field = ground(position, NUMBERS[to])
        for _ in range(40):
            trees = naive.old_mature(there) or ["c3"]
            pairs = [
                (rng.choice(trees), rng.choice(naive.near(rng.choice(trees))))
                for _ in range(rng.randrange(4))
            ]
            if rng.random() < 0.6:
                pairs = [(tree, rng.choice(naive.near(tree))) for tree, _ in pairs]
            numbers = tuple((NUMBERS[tree], NUMBERS[cell]) for tree, cell in pairs)
            assert judged(field, numbers) == naive.is_growth(there, tuple(pairs))


def judged(field: object, pairs: object) -> bool:
    try:
        check_growth(field, pairs)  # type: ignore[arg-type]  # both are what `ground` and cells give
    except Rejection:
        return False
    return True


def test_completion_agrees() -> None:
    rng = random.Random(3)
    for position in positions(200, 120):
        moves = [move for move in GAME.legal_moves(position) if isinstance(move, WholeTurn)]
        for move in rng.sample(moves, min(6, len(moves))):
            kept = tuple(pair for pair in move.spawns if rng.random() < 0.5)
            draft = WholeTurn(move.start, move.end, kept, move.action, move.cells)
            expected = completions(position, draft)
            assert DRIVER.read(position, notation(draft)) == expected


def completions(position: Position, draft: WholeTurn) -> str:
    """LG-7.8, LG-7.10: the canonical order, or the code of the refusal."""
    there = naive.moved(naive.state(GAME.dump(position)), CELLS[draft.end])
    given = {(CELLS[tree], CELLS[cell]) for tree, cell in draft.spawns}
    wanted = (str(draft.action), {CELLS[cell] for cell in draft.cells})
    lists = [
        tuple(sorted(pairs))
        for pairs in naive.all_growths(there)
        if given <= set(pairs)
        and any(
            (action, set(targets)) == wanted
            for action, targets in naive.actions(naive.grown(there, pairs))
        )
    ]
    outcomes = {frozenset(cell for _, cell in pairs) for pairs in lists}
    if len(outcomes) > 1:
        return "spawn_missing"
    first = min(", ".join(f"{tree}>{cell}" for tree, cell in pairs) for pairs in lists)
    start = "stay" if draft.end == draft.start else CELLS[draft.end]
    action = f"{draft.action} {', '.join(CELLS[cell] for cell in draft.cells)}".strip()
    return "; ".join(part for part in (start, first, action) if part)
