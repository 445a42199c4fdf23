"""How far the levels of bots stand apart: `./run bench bots [--games logger] [--pairs 40]`.

At two seats levels play pairs of games with the same chance, seats swapped; a draw is half a point,
and the interval is Wilson's at 95 % over the games of a pairing. At more seats all levels sit at
one table, and their strengths are those by which places are most likely (Plackett and Luce;
Bradley and Terry for two): where the strengths are 2, 1 and 1, the first comes first in half of all
games. The intervals are those of tables drawn again with replacement.

`--decide` plays pairs only until a sequential test says whether levels stand 3:1 apart (2:1 or
4:1), in a game of two levels 2:1 (4:3 or 3:1), `--tune strong wide=8 ahead=2` until one says
whether a level that looks so is better than it is (0 or 50 Elo), both with errors of 5 % each way,
and at most `--pairs`. Their points are no measure of strength: who stops when it is clear has
stopped at a good moment. `--rule` has the best level play who takes a win on sight, hands over none
that it can see, and knows nothing else.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log, sqrt
from typing import Any

from pbem.bots.luck import Choose, seeded, stream
from pbem.bots.search import at_table
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seats
from pbem.legacy.bots.levels import choice_of, levels, skill_of

TWO = 2

LONGEST = 1_500
"""Plies after which a game counts as drawn."""

Z = 1.96

APART = (2 / 3, 4 / 5)
"""Shares of the points of who wins 2:1, and 4:1: one in between stands 3:1 above the other."""

LESS_APART = (4 / 7, 3 / 4)
"""The same for 4:3 and 3:1, where a game has but two levels, which are to stand 2:1 apart."""

BETTER = (0.5, 1 / (1 + 10 ** (-50 / 400)))
"""Shares of who is no better, and of who is better by 50 Elo."""

RULE = "rule"
"""Who takes a win on sight and hands over none that it can see, and knows nothing else."""

LUCKY = 10**6

ROUNDS = 60
"""Steps after which strengths hardly change."""

AGAIN = 400
"""Times that tables are drawn again."""


@dataclass(frozen=True, slots=True)
class Game:
    """How a game between levels ended: places by seat, and how long each move took, by level."""

    places: tuple[int, ...]
    seconds: dict[str, list[float]]


def played(ruleset: str, seated: tuple[str, ...], number: int) -> Game:
    """One game; its chance, and that of each seat, depend on its number alone."""
    game = GAMES[ruleset]
    position = game.initial(len(seated), game.normal_options({}))
    chance = stream(b"bench %d" % number)
    luck = [seeded(f"{number} {seat}") for seat in range(len(seated))]
    seconds: dict[str, list[float]] = {level: [] for level in seated}
    for _ in range(LONGEST):
        turn = game.turn(position)
        if isinstance(turn, Over):
            return Game(turn.outcome.placings, seconds)
        if isinstance(turn, Chance):
            position = game.play(position, Drawn(answer(turn.draw, chance)))
            continue
        move = game.forced(position)
        if move is None:
            at = turn.seats[0] - 1
            began = time.process_time()
            move = chosen(seated[at], game, position, luck[at])
            seconds[seated[at]].append(time.process_time() - began)
        position = game.play(position, move)
    return Game((1,) * len(seated), seconds)


def chosen(player: str, game: AnyGame, position: Any, luck: Choose) -> Any:
    """The move of a level, or of one that looks otherwise, as in "strong wide=8"; or by RULE."""
    if player == RULE:
        return by_rule(game, position, luck)
    level, *changes = player.split()
    skill = skill_of(level, game, at_table(game, position))
    for name, number in (change.split("=") for change in changes):
        if name == "errs":
            skill = replace(skill, errs=int(number))
        else:
            changed: dict[str, Any] = {name: int(number)}
            skill = replace(skill, effort=replace(skill.effort, **changed))
    return choice_of(level, game, position, luck, skill).move


def by_rule(game: AnyGame, position: Any, luck: Choose) -> Any:
    """A win on sight, else any move that hands over none, by what the seat knows."""
    turn: Any = game.turn(position)
    seat, known = turn.seats[0], game.known(position, turn.seats[0])
    moves = list(game.legal(known))
    for move in moves:
        if won_by(game, known, move, seat):
            return move
    for move in sorted(moves, key=lambda _: luck(LUCKY)):
        after = game.play(known, move)
        reply = game.turn(after)
        if isinstance(reply, Seats) and not any(
            won_by(game, after, other, reply.seats[0]) for other in game.legal(after)
        ):
            return move
    return moves[luck(len(moves))]


def won_by(game: AnyGame, position: Any, move: Any, seat: int) -> bool:
    """Whether a move wins at once."""
    turn = game.turn(game.play(position, move))
    return isinstance(turn, Over) and turn.outcome.placings[seat - 1] == 1 < max(
        turn.outcome.placings
    )


def tables(game: AnyGame, better: str, worse: str, seats: int, pairs: int) -> Iterator[Any]:
    """What is played: each number with the better level in each seat, the worse in all others."""
    for number in range(pairs):
        for seat in range(seats):
            seated = tuple(better if at == seat else worse for at in range(seats))
            yield game.ruleset, seated, number


def points(found: Sequence[Game], asked: Sequence[Any], better: str) -> float:
    """What the better level won: a whole point for a first place alone, a share of a shared one."""
    won = 0.0
    for one, (_, seated, _) in zip(found, asked, strict=True):
        first = [at for at, place in enumerate(one.places) if place == 1]
        won += sum(seated[at] == better for at in first) / len(first)
    return won


def mixed(ruleset: str, there: Sequence[str], seats: int, count: int) -> Iterator[Any]:
    """Tables at which the levels sit mixed, no table with one level alone."""
    choose = seeded(f"tables {ruleset} {seats}")
    for number in range(count):
        seated = [there[choose(len(there))] for _ in range(seats)]
        if len({*seated}) == 1:
            others = [level for level in there if level != seated[0]]
            seated[choose(seats)] = others[choose(len(others))]
        yield ruleset, tuple(seated), number


Stage = tuple[tuple[str, ...], tuple[str, ...]]
"""Levels that came next, and all those that could."""


def stages(places: Sequence[int], seated: Sequence[str]) -> list[Stage]:
    """Who came first, who of the others came next, and so on."""
    found = []
    left = list(zip(places, seated, strict=True))
    while left:
        first = min(place for place, _ in left)
        best = tuple(level for place, level in left if place == first)
        if len(best) == len(left):
            break  # nobody is before anybody
        found.append((best, tuple(level for _, level in left)))
        left = [one for one in left if one[0] != first]
    return found


def strengths(asked: Sequence[Stage], there: Sequence[str]) -> dict[str, float]:
    """How strong each level is, the weakest 1, by Hunter's way; each has won a half."""
    chosen = dict.fromkeys(there, 0.5)
    for best, _ in asked:
        for level in best:
            chosen[level] += 1 / len(best)
    strong = dict.fromkeys(there, 1.0)
    for _ in range(ROUNDS):
        met = dict.fromkeys(there, 0.5 * len(there) / sum(strong.values()))
        for _, could in asked:
            share = 1 / sum(strong[level] for level in could)
            for level in could:
                met[level] += share
        strong = {level: chosen[level] / met[level] for level in there}
    return {level: strong[level] / strong[there[0]] for level in there}


def ratios(
    tables: Sequence[Sequence[Stage]], there: Sequence[str], better: str, worse: str
) -> tuple[float, float, float]:
    """How many times as strong a level is as another, and the interval of that at 95 %."""
    choose = seeded("again")
    found = []
    for turn in range(AGAIN + 1):
        drawn = [tables[choose(len(tables))] for _ in tables] if turn else tables
        strong = strengths([stage for table in drawn for stage in table], there)
        found.append(strong[better] / strong[worse])
    drawn_again = sorted(found[1:])
    return found[0], drawn_again[AGAIN // 40], drawn_again[-AGAIN // 40]


def decision(pairs: Sequence[float], low: float, high: float) -> str:
    """Whether pairs of games (0 to 2 points) are won with a share of `low` or `high` of the points.

    "yes" for high, "no" for low, or "open". Asked after each pair it is Wald's test with errors of
    5 % each way, by the likelihood of a normal law with the spread that was found so far.
    """
    shares = [pair / 2 for pair in pairs]
    mean = sum(shares) / len(shares)
    # With a pair that was lost and one that was won, so that few pairs decide nothing.
    spread = sum((share - mean) ** 2 for share in (*shares, 0, 1)) / (len(shares) + 2)
    likely = len(shares) * (high - low) * (2 * mean - low - high) / (2 * spread)
    return "yes" if likely >= log(19) else "no" if likely <= -log(19) else "open"


def sequential(pairs: Iterable[float], low: float, high: float) -> tuple[str, list[float]]:
    """Take pairs until the test decides or there are no more: what it says, and what was taken."""
    taken: list[float] = []
    said = "open"
    for pair in pairs:
        taken.append(pair)
        said = decision(taken, low, high)
        if said != "open":
            break
    return said, taken


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    share = won / games
    middle = share + Z * Z / (2 * games)
    half = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    whole = 1 + Z * Z / games
    return (middle - half) / whole, (middle + half) / whole


def at_quantile(found: Sequence[Game], level: str, quantile: float) -> float:
    """Seconds of a move of a level that so many of its moves do not take longer than."""
    times = sorted(second for one in found for second in one.seconds.get(level, ()))
    return times[int(len(times) * quantile)] if times else 0.0


def main() -> None:
    """Play, and print a line a pairing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=[game.key for game in GAMES.values()])
    parser.add_argument("--pairs", type=int, help="10; 400 for --decide and --tune")
    parser.add_argument("--decide", action="store_true")
    parser.add_argument("--tune", nargs="+", metavar=("LEVEL", "NAME=NUMBER"))
    parser.add_argument("--rule", action="store_true", help="the best level over the one-line rule")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seats", type=int, nargs="*", default=[2])
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_known_args()[0]
    stops = wanted.decide or wanted.tune
    wanted.pairs = wanted.pairs or (400 if stops else 10)
    with ProcessPoolExecutor(wanted.processes) as pool:
        for game in GAMES.values():
            if game.key not in wanted.games:
                continue
            for seats in (seats for seats in game.seats if seats in wanted.seats):
                told = of_tables if seats != TWO else until_decided if stops else of_pairs
                for line in told(game, seats, wanted, pool):
                    sys.stdout.write(f"{game.title}, {seats} seats: {line}\n")
                    sys.stdout.flush()


def of_pairs(
    game: AnyGame, seats: int, wanted: argparse.Namespace, pool: ProcessPoolExecutor
) -> Iterator[str]:
    """Each level against the one below it."""
    there = (RULE, levels(game)[-1]) if wanted.rule else levels(game)
    for worse, better in pairwise(there):
        asked = list(tables(game, better, worse, seats, wanted.pairs))
        found = list(pool.map(_unpacked, asked))
        won = points(found, asked, better)
        low, high = interval(won, len(asked))
        yield (
            f"{better} over {worse}: {won:g} of {len(asked)}, {won / len(asked):.0%}"
            f" ({low:.0%} to {high:.0%});"
            f" a move of {better}: {at_quantile(found, better, 0.5):.3f} s,"
            f" 95 % below {at_quantile(found, better, 0.95):.3f} s"
        )


def until_decided(
    game: AnyGame, seats: int, wanted: argparse.Namespace, pool: ProcessPoolExecutor
) -> Iterator[str]:
    """Each level against the one below it, or one that looks otherwise against itself."""
    question, shares = "3:1 apart (2:1 or 4:1)", APART
    if len(levels(game)) == TWO:
        question, shares = "2:1 apart (4:3 or 3:1)", LESS_APART
    asked = [(better, worse) for worse, better in pairwise(levels(game))]
    if wanted.tune:
        question, shares = "better (by 0 or 50 Elo)", BETTER
        asked = [(" ".join(wanted.tune), wanted.tune[0])]
    for better, worse in asked:
        pairs = one_by_one(game, (better, worse), seats, wanted, pool)
        said, taken = sequential(pairs, *shares)
        yield (
            f"{better} over {worse}: {question}: {said}, after {len(taken)} pairs"
            f" with {sum(taken):g} of {TWO * len(taken)} points"
        )


def one_by_one(
    game: AnyGame,
    levels: tuple[str, str],
    seats: int,
    wanted: argparse.Namespace,
    pool: ProcessPoolExecutor,
) -> Iterator[float]:
    """What the better of two won in each pair, in order: as many are played at once as may be."""
    asked = list(tables(game, *levels, seats, wanted.pairs))
    step = seats * wanted.processes
    for start in range(0, len(asked), step):
        some = asked[start : start + step]
        found = list(pool.map(_unpacked, some))
        for at in range(0, len(some), seats):
            yield points(found[at : at + seats], some[at : at + seats], levels[0])


def of_tables(
    game: AnyGame, seats: int, wanted: argparse.Namespace, pool: ProcessPoolExecutor
) -> Iterator[str]:
    """All levels at one table."""
    there = levels(game)
    asked = list(mixed(game.ruleset, there, seats, wanted.tables))
    found = list(pool.map(_unpacked, asked))
    places = [stages(one.places, seated) for one, (_, seated, _) in zip(found, asked, strict=True)]
    for worse, better in pairwise(there):
        ratio, low, high = ratios(places, there, better, worse)
        yield (
            f"{better} {ratio:.1f} times as strong as {worse} ({low:.1f} to {high:.1f}),"
            f" {len(asked)} tables; a move of {better}: {at_quantile(found, better, 0.5):.3f} s,"
            f" 95 % below {at_quantile(found, better, 0.95):.3f} s"
        )


def _unpacked(asked: Any) -> Game:
    return played(*asked)


if __name__ == "__main__":
    main()
