"""The facts of a position for the templates: legend, points, coin, choices (LR-9.3, LR-9.6)."""

from __future__ import annotations

from typing import Final

from pbem.errors import Fact, Facts
from pbem.games.game import GameOver, Viewpoint
from pbem.games.landrush.legal import count_plays, legal_moves
from pbem.games.landrush.move_checks import coin_facts, forbidden, placeable_squares, playable_names
from pbem.games.landrush.notation import notation
from pbem.games.landrush.position import (
    BIT,
    COLOUR_LETTERS,
    SIZES,
    SQUARES,
    TILES,
    Phase,
    Position,
    Stash,
    list_squares,
    piece_text,
    stash_text,
)
from pbem.games.landrush.rules import turn
from pbem.games.landrush.samples import samples
from pbem.games.landrush.scoring import list_score_items, scored_tracts
from pbem.games.landrush.tracts import open_squares, remove_piece

_SAMPLE_COUNT: Final = 3
_MAX_LISTED: Final = 6  # if there are more legal turns than this, only samples are shown


def board_facts(position: Position, viewpoint: Viewpoint) -> Facts:
    """Return the facts of the position for the templates. All of them are public (LR-6.1).

    The fact `you` is the viewpoint: the reader's seat, or None for a spectator. The fact `can`
    describes the possible moves if the viewpoint is the seat to act; otherwise it is None.
    """
    return {
        "seats": [_seat(position, seat, viewpoint) for seat in range(1, position.seats + 1)],
        "you": viewpoint,
        "to_move": position.to_act or None,
        "phase": str(position.phase),
        "coin": _coin(position),
        "over": _ending(position),
        "adj": 8 if position.setting.eight else 4,
        "sizes": "same" if position.setting.same else "free",
        "can": _choices(position) if viewpoint and viewpoint == position.to_act else None,
    }


def _seat(position: Position, seat: int, viewpoint: Viewpoint) -> Fact:
    stash, items = position.stash(seat), list_score_items(position, seat)
    return {
        "seat": seat,
        "colour": position.colour(seat),
        "letter": COLOUR_LETTERS[position.setting.colours[seat - 1]],
        "you": seat == viewpoint,
        "stash": stash_text(stash),
        "counts": _counts(stash),
        # LR-9.3: the game is over when a stash is empty, so LR-4.5a never applies before.
        "points": sum(item.points for item in items),
        "reckoning": [
            {"rule": f"LR-4.5{item.rule}", "count": item.times, "points": item.points}
            for item in items
        ],
        "to_move": seat == position.to_act,
        "left": seat in position.left,
        "tracts": [
            {
                "pyramids": [_pyramid(position, square) for square in list_squares(tract.squares)],
                "length": tract.squares.bit_count(),
                "scores": tract.is_scoring,
            }
            for tract in scored_tracts(position, seat)
        ],
    }


def _counts(stash: Stash) -> Facts:
    return dict(zip(SIZES, stash, strict=True))


def _pyramid(position: Position, square: int) -> Facts:
    return {
        "square": SQUARES[square],
        "size": SIZES[position.find_size(square)],
        "colour": position.colour(position.find_owner(square)),
        "piece": piece_text(position, square),
    }


def _coin(position: Position) -> Fact:
    """Return the current coin and the state of each square of the coin's tile; None without a coin.

    A state is `occupied`, `playable` or `forbidden`.
    """
    coin = coin_facts(position)
    if coin is None:
        return None
    playable = {square: captured for square, captured, _ in open_squares(position)}
    squares: list[Fact] = []
    for square in TILES[position.coin]:
        if position.taken & BIT[square]:
            squares.append({"state": "occupied", **_pyramid(position, square)})
        elif square in playable:
            pieces = [_pyramid(position, captured) for captured in list_squares(playable[square])]
            squares.append({"state": "playable", "square": SQUARES[square], "taken": pieces})
        else:
            squares.append(_forbidden(position, square))
    return {"suit": coin["suit"], "value": coin["value"], "squares": squares}


def _forbidden(position: Position, square: int) -> Fact:
    """Return facts that say why no play on the empty square is legal (LR-9.3).

    `why` is the code of the Rejection for such a play.
    """
    stash = position.stash(position.to_act)
    largest = max(size for size in range(3) if stash[size])
    refused = forbidden(position, square, remove_piece(stash, largest))
    facts = refused.facts
    if refused.code == "too_short":
        details: Facts = {"rival": facts["rival"], "yours": facts["yours"]}
    elif refused.code == "stash_too_small":
        details = {"needed": facts["needed"], "left": facts["left"]}
    else:
        details = {"needed": facts["needed"], "left": stash_text(stash)}
    return {"state": "forbidden", "square": SQUARES[square], "why": refused.code, **details}


def _ending(position: Position) -> Fact:
    match turn(position):
        case GameOver(outcome):
            return {"termination": outcome.termination, "placings": outcome.placings}
        case _:
            return None


def _choices(position: Position) -> Fact:
    """Return the choices of the seat to act as facts for the templates.

    The facts are the playable squares, the stash, the number of moves, and sample moves. If there
    are only a few moves, the samples are all of them.
    """
    turns = legal_moves(position)
    placing = position.phase is Phase.PLACE
    total = placeable_squares(position).bit_count() if placing else count_plays(position)
    short = total == len(turns) <= _MAX_LISTED
    return {
        "placing": placing,
        "squares": playable_names(position),
        "stash": stash_text(position.stash(position.to_act)),
        "turns": total,
        "all": short,
        "samples": [notation(move) for move in turns]
        if short
        else samples(position, _SAMPLE_COUNT),
    }
