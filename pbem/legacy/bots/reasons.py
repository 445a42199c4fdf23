"""Why a move is good or bad, in the terms of what positions are worth: facts for words to say."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pbem.bots.luck import Choose
from pbem.bots.search import Effort, search
from pbem.games import AnyGame
from pbem.games.game import Seat, Seats
from pbem.games.worth import Term

_REPLY: Final = Effort(plays=400, ahead=1, wide=1)
"""A reply is the best at first sight."""


_NOTHING: Final = Term("", 0, 0)


class Reason(NamedTuple):
    """A term of a seat that a move has changed.

    `had` and `has` are how many there were and are; `worth` is what the change is worth to the seat
    whose reasons these are, below nothing where it is bad for it.
    """

    term: str
    seat: Seat
    had: int
    has: int
    worth: int


class Answered(NamedTuple):
    """A position behind others' replies, and these: whose, and which move."""

    position: Any
    moves: tuple[tuple[Seat, Any], ...]


def differences(game: AnyGame, before: Any, after: Any, seat: Seat) -> tuple[Reason, ...]:
    """What is otherwise in another position, the weightiest first; nothing where a game is over."""
    found = []
    pairs = zip(game.terms(before), game.terms(after), strict=False)
    for number, (old, new) in enumerate(pairs, 1):
        sign = 1 if number == seat else -1
        had, has = ({term.name: term for term in terms} for terms in (old, new))
        for name in dict.fromkeys((*had, *has)):
            was, now = had.get(name, _NOTHING), has.get(name, _NOTHING)
            if was.number != now.number:
                worth = sign * (now.worth - was.worth)
                found.append(Reason(name, Seat(number), was.number, now.number, worth))
    return tuple(sorted(found, key=lambda one: -abs(one.worth)))


def after_reply(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Answered:
    """Where a seat stands after the others' best next moves, by what each sees at first sight.

    It ends where the seat is to act again, chance is due, or the game is over.
    """
    moves = []
    for _ in range(max(game.seats)):
        turn = game.turn(position)
        if not isinstance(turn, Seats) or seat in turn.seats:
            break
        move = search(game, position, turn.seats[0], choose, _REPLY)[0].move
        moves.append((turn.seats[0], move))
        position = game.play(position, move)
    return Answered(position, tuple(moves))
