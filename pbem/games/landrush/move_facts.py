"""The public effects of moves and random draws, as facts for the templates."""

from __future__ import annotations

from pbem.errors import Fact, Facts
from pbem.games.game import ChanceResult
from pbem.games.landrush.move_checks import coin_facts, playable_names
from pbem.games.landrush.position import (
    BIT,
    SIZES,
    SQUARES,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    stash_text,
)
from pbem.games.landrush.scoring import points
from pbem.games.landrush.tracts import tract


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """Return the effects of a move or random draw as facts for the templates.

    Squares and colours are given by name. The fact `over` describes how the game has ended; it is
    None while the game goes on.
    """
    return {**_facts(move, before, after), "over": _ending(after)}


def _ending(after: Position) -> Fact:
    """Return why the game has ended and the points of all seats; None if the game goes on."""
    if not after.cause:
        return None
    scores: list[Fact] = [
        {"colour": after.colour(seat), "points": points(after, seat)}
        for seat in range(1, after.seats + 1)
    ]
    return {"cause": after.cause, "points": scores}


def _facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    if isinstance(move, ChanceResult):
        return _draw_facts(before, after)
    seat = before.to_act
    own: Facts = {"seat": seat, "colour": before.colour(seat)}
    match move:
        case Placement(square):
            return {"kind": "place", **own, "square": SQUARES[square]}
        case Pass():
            return {"kind": "pass", **own, "coin": coin_facts(before)}
        case Play():
            return {"kind": "play", **own, **_play_facts(move, before, after)}


def _draw_facts(before: Position, after: Position) -> Facts:
    seat = after.to_act
    own: Facts = {"seat": seat, "colour": after.colour(seat)}
    if before.phase is Phase.START:
        return {"kind": "starter", **own}
    return {
        "kind": "coin",
        **own,
        "coin": coin_facts(after),
        "playable": playable_names(after),
    }


def _play_facts(move: Play, before: Position, after: Position) -> Facts:
    seat = before.to_act
    squares = tract(BIT[move.square], after.own[seat - 1], eight=after.setting.eight)
    return {
        "square": SQUARES[move.square],
        "size": SIZES[move.size],
        "coin": coin_facts(before),
        "taken": [
            {
                "square": SQUARES[square],
                "colour": before.colour(before.find_owner(square)),
                "old": SIZES[before.find_size(square)],
                "new": SIZES[size],
            }
            for square, size in move.taken
        ],
        "length": squares.bit_count(),
        "stash": stash_text(after.stash(seat)),
    }
