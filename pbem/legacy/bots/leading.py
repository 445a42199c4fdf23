"""Who leads a match, and by how much, when all is taken that is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod
from typing import Any, Final, NamedTuple

from pbem.bots.luck import seeded, stream
from pbem.bots.search import Effort, search
from pbem.games import AnyGame
from pbem.games.chance import Dice, Draw, OneOf, answer
from pbem.games.game import Chance, Drawn, Seats

TRIES: Final = 24
"""Answers of chance that are looked at: all where there are no more."""

ALL: Final = 1_000
"""In so many of a thousand cases a match is won whatever chance answers."""

_LEAST: Final = 8
"""Answers of chance that are looked at however many plays that takes."""

_SIGHT: Final = 300
_FEW: Final = 20
"""Plays of a turn at first sight: in long matches fewer, but so many."""


class Led(NamedTuple):
    """By how much each seat leads, or is behind whoever leads, and how far it has won.

    `sure` is in how many of a thousand cases it alone has won by then, less those in which it has
    lost; empty where the match goes on in all of them. `leads` is made of the others.
    """

    leads: tuple[int, ...]
    sure: tuple[int, ...] = ()


class _Round(NamedTuple):
    """A round of turns: where it has led, what the positions were worth, plays that it took."""

    position: Any
    values: tuple[tuple[int, ...], ...] = ()
    plays: int = 0


def leads_of(game: AnyGame, position: Any, plays: int, seed: str) -> Led:
    """By how much each seat leads once everybody has had a turn.

    So it is not the one whose turn it is who seems to lead. About so many plays are looked at.
    """
    seats = len(game.value(position))
    rounds = tuple(_rounds(game, position, plays, seed))
    going = [_worth(game, one) for one in rounds if game.outcome(one.position) is None]
    values = [sum(column) // len(going) for column in zip(*going, strict=True)]
    leads = [own - max(_others(values, seat)) for seat, own in enumerate(values)] or [0] * seats
    sure = [sum(_won(game, one.position, seat) for one in rounds) for seat in range(seats)]
    return Led(
        tuple(lead * len(going) // len(rounds) for lead in leads),
        tuple(ALL * one // len(rounds) for one in sure) if len(going) < len(rounds) else (),
    )


def _others(values: Sequence[int], seat: int) -> list[int]:
    return [value for at, value in enumerate(values) if at != seat]


def _worth(game: AnyGame, one: _Round) -> tuple[int, ...]:
    """What a position is worth to each seat, the average over the round behind it."""
    values = one.values or (game.value(one.position),)
    return tuple(sum(column) // len(values) for column in zip(*values, strict=True))


def _won(game: AnyGame, position: Any, seat: int) -> int:
    """1 where a seat alone has won, -1 where it has lost, and 0 where it shares or all goes on."""
    outcome = game.outcome(position)
    if outcome is None:
        return 0
    if outcome.placings[seat] != 1:
        return -1
    return int(outcome.placings.count(1) == 1)


# --- rounds --------------------------------------------------------------------------------------


def _rounds(game: AnyGame, position: Any, plays: int, seed: str) -> Iterator[_Round]:
    """The round behind a position, with several answers of chance where it is asked."""
    sight = max(_FEW, min(_SIGHT, plays // (_LEAST * len(game.value(position)))))
    begun = _on(game, _Round(position), sight, seed)
    due = game.turn(begun.position)
    if not isinstance(due, Chance) or _is_whole(game, begun):
        yield begun
        return
    spent = 0
    for number, drawn in enumerate(answers(due.draw, TRIES, seed)):
        if number >= _LEAST and spent >= plays:
            return  # those that were looked at lie evenly among all
        one = _behind(game, begun, drawn, sight, f"{seed} {number}")
        spent += one.plays
        yield one


def _behind(game: AnyGame, begun: _Round, drawn: tuple[int, ...], sight: int, seed: str) -> _Round:
    """The rest of a round behind one answer; what is asked later in it is drawn."""
    source = stream(seed.encode())
    after = game.play(begun.position, Drawn(drawn))
    one = _on(game, begun._replace(position=after), sight, seed)
    while isinstance(due := game.turn(one.position), Chance) and not _is_whole(game, one):
        after = game.play(one.position, Drawn(answer(due.draw, source)))
        one = _on(game, one._replace(position=after), sight, seed)
    return one


def _is_whole(game: AnyGame, one: _Round) -> bool:
    """Whether everybody has had a turn in it."""
    return len(one.values) >= len(game.value(one.position))


def _on(game: AnyGame, one: _Round, sight: int, seed: str) -> _Round:
    """Go on until everybody has had a turn, or chance is asked, or the match is over."""
    effort, choose = Effort(plays=sight, ahead=1, wide=1), seeded(seed)
    while isinstance(turn := game.turn(one.position), Seats) and not _is_whole(game, one):
        move, plays = game.forced(one.position), 1
        if move is None:
            best = search(game, one.position, turn.seats[0], choose, effort)[0]
            move, plays = best.move, best.plays
        after = game.play(one.position, move)
        one = _Round(after, (*one.values, game.value(after)), one.plays + plays)
    return one


# --- answers of chance ---------------------------------------------------------------------------


def answers(draw: Draw, most: int, seed: str) -> list[tuple[int, ...]]:
    """All answers to a request, or so many that lie as evenly among them as they can.

    Orders of things are too many for that: those are drawn.
    """
    sizes = [size for part in draw.parts for size in _sizes(part)]
    if not all(sizes):
        return [answer(draw, stream(f"{seed} {number}".encode())) for number in range(most)]
    least = [1 if isinstance(part, Dice) else 0 for part in draw.parts for _ in _sizes(part)]
    every = prod(sizes)
    golden = every * 618 // 1000 + 1
    step = next(one for one in range(golden, golden + every) if gcd(one, every) == 1)
    return [_numbered(number * step % every, sizes, least) for number in range(min(most, every))]


def _sizes(part: object) -> tuple[int, ...]:
    match part:
        case Dice(count, sides):
            return (sides,) * count
        case OneOf(size):
            return (size,)
        case _:
            return (0,)


def _numbered(number: int, sizes: Sequence[int], least: Sequence[int]) -> tuple[int, ...]:
    """One answer by its number."""
    found = []
    for size, low in zip(reversed(sizes), reversed(least), strict=True):
        number, one = divmod(number, size)
        found.append(one + low)
    return tuple(reversed(found))
