"""A move for whoever asks, and why: from the best level of a game, by what a seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pbem.legacy.bots.levels import best_move
from pbem.bots.luck import Choose
from pbem.legacy.bots.reasons import Reason, after_reply, differences
from pbem.games import AnyGame
from pbem.games.game import Outcome, Seat, Seats

Why: TypeAlias = Literal["wins", "over", "saves", "gains", "best"]

_SAID: Final = 2
"""Changes that one sentence has."""

_OTHERS: Final = 24
"""Other moves that are looked at for what they would let the next player do."""

_MOST: Final = 4
"""So many of five of them are most of them: a few were looked at, and it must be true of all."""

_WORLDS: Final = 3
"""Ways in which what is hidden may be."""


class Hint(NamedTuple):
    """A move and why it is good, as `HintGiven` has it: a sentence's name, and its facts.

    `now` are changes that the move brings about, `later` those that are there after `replies`.
    """

    move: Any
    why: Why
    whom: Seat | None = None
    now: tuple[Reason, ...] = ()
    later: tuple[Reason, ...] = ()
    replies: tuple[Any, ...] = ()


def hint(game: AnyGame, position: Any, seat: Seat, choose: Choose, *, quick: bool = False) -> Hint:
    """A move for a seat that is to act, by nothing but what it can know.

    `quick`: at first sight, where there is no time.
    """
    known = game.known(position, seat)
    move = best_move(game, known, seat, choose, quick=quick)
    after = game.play(known, move)
    outcome = game.outcome(after)
    if outcome is not None:
        return Hint(move, "wins" if _won_by(outcome) == seat else "over")
    whom = _saved_from(game, known, seat, move, choose)
    if whom is not None:
        return Hint(move, "saves", whom)
    now = [one for one in differences(game, known, after, seat) if _is_good(one)]
    later, replies = _later(game, known, after, seat, choose)
    if later and (not now or later[0].worth > now[0].worth):
        return Hint(move, "gains", None, tuple(now[:1]), later[:1] if now else later, replies)
    return Hint(move, "gains" if now else "best", None, _of_both(now, seat))


def _is_good(reason: Reason) -> bool:
    """Whether words can say of it that there is more of it, or less, and that this is good."""
    return reason.worth > 0 and reason.had != reason.has


def _of_both(reasons: Sequence[Reason], seat: Seat) -> tuple[Reason, ...]:
    """The weightiest: one that is the seat's own and one that is another's, if there are both."""
    own = [one for one in reasons if one.seat == seat]
    others = [one for one in reasons if one.seat != seat]
    best = [*own[:1], *others[:1]] if own and others else list(reasons[:_SAID])
    return tuple(sorted(best, key=lambda one: -one.worth))


def _later(
    game: AnyGame, before: Any, after: Any, seat: Seat, choose: Choose
) -> tuple[tuple[Reason, ...], tuple[Any, ...]]:
    """What is better once the others have answered, and how they do; nothing where they hide.

    Nor where chance comes between: then nothing that can be said is sure.
    """
    if game.secrets or not isinstance(game.turn(after), Seats):
        return (), ()
    answered = after_reply(game, after, seat, choose)
    turn = game.turn(answered.position)
    if not answered.moves or not isinstance(turn, Seats) or seat not in turn.seats:
        return (), ()
    better = differences(game, before, answered.position, seat)
    good = tuple(one for one in better if _is_good(one))[:_SAID]
    return good, tuple(move for _, move in answered.moves)


# --- dangers -------------------------------------------------------------------------------------


def _won_by(outcome: Outcome | None) -> Seat | None:
    """Who has won alone."""
    if outcome is None or outcome.placings.count(1) != 1:
        return None
    return Seat(outcome.placings.index(1) + 1)


def _saved_from(game: AnyGame, known: Any, seat: Seat, move: Any, choose: Choose) -> Seat | None:
    """Who could win at once after most other moves, and cannot after this one."""
    worlds = [known]
    if game.secrets:
        worlds = [game.worlds(known, seat, choose) for _ in range(_WORLDS)]
    if any(_winner(game, game.play(world, move), seat) for world in worlds):
        return None
    legal = [one for one in game.legal(known) if one != move]
    others = legal[:: max(1, len(legal) // _OTHERS)]
    if not others or _winner(game, game.play(worlds[0], others[0]), seat) is None:
        return None  # so it is nearly always, and then nothing more need be looked at
    won = [_lost_to(game, worlds, seat, one) for one in others]
    sure = [one for one in won if one is not None]
    return sure[0] if len(set(sure)) == 1 and 5 * len(sure) >= _MOST * len(won) else None


def _lost_to(game: AnyGame, worlds: Sequence[Any], seat: Seat, move: Any) -> Seat | None:
    """Who can win at once after a move, whatever is hidden."""
    found = {_winner(game, game.play(world, move), seat) for world in worlds}
    return found.pop() if len(found) == 1 else None


def _winner(game: AnyGame, position: Any, seat: Seat) -> Seat | None:
    """Who else is to act in a position and can win it by one move, if anybody."""
    turn = game.turn(position)
    if not isinstance(turn, Seats) or seat in turn.seats:
        return None
    replies = (game.play(position, reply) for reply in game.legal(position))
    winners = (_won_by(game.outcome(after)) for after in replies)
    return next((one for one in winners if one == turn.seats[0]), None)
