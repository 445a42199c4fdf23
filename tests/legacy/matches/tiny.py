"""A game without a board, small enough that every way of a match can be told in a line.

A turn is `go`, `crowd` (the same, while three play), `roll` (the next seat begins with a die) or
`run N` (N forced passes follow, a die before each). An even die asks its seat to `keep` it or to
throw it `again`; `die again 4` decides that in advance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import pytest

from pbem.errors import Facts, Rejection
from pbem.games import GAMES
from pbem.games.chance import Dice, Draw
from pbem.games.game import (
    Board,
    Chance,
    Drawn,
    Game,
    Options,
    Outcome,
    Over,
    Seat,
    Seats,
    Signs,
    Style,
    Turn,
    Viewpoint,
)
from pbem.games.options import Option

FIRST: Final = Seat(1)
CROWD: Final = 2
DIE: Final = Draw("die", (Dice(1, 6),))


@dataclass(frozen=True, slots=True)
class Tiny:
    """Whose turn it is in which phase (`move`, `roll`, `choose`), and what forced plies remain."""

    seats: int
    to_move: Seat = FIRST
    phase: str = "move"
    die: int = 0
    run: int = 0
    left: tuple[Seat, ...] = ()
    agreed: bool = False


def _playing(position: Tiny) -> list[Seat]:
    return [Seat(n) for n in range(1, position.seats + 1) if n not in position.left]


def _turn(position: Tiny) -> Turn:
    if position.agreed:
        return Over(Outcome((1,) * position.seats, "agreement"))
    if len(_playing(position)) == 1:
        placings = (2 if Seat(n) in position.left else 1 for n in range(1, position.seats + 1))
        return Over(Outcome(tuple(placings), "last_seat"))
    return Chance(DIE) if position.phase == "roll" else Seats((position.to_move,))


def _next(position: Tiny, phase: str) -> Tiny:
    playing = _playing(position)
    later = [seat for seat in playing if seat > position.to_move]
    return replace(position, to_move=(later or playing)[0], phase=phase)


def _play(position: Tiny, move: str | Drawn) -> Tiny:
    match move:
        case Drawn((die,)):
            asks = die % 2 == 0 and not position.run
            return replace(position, die=die, phase="choose" if asks else "move")
        case "keep" if position.phase == "choose":
            return replace(position, phase="move")
        case "again" if position.phase == "choose":
            return replace(position, phase="roll")
        case "pass" if position.run:
            run = position.run - 1
            return _next(replace(position, run=run), "roll" if run else "move")
        case "go" | "roll" if position.phase == "move" and not position.run:
            return _next(position, "roll" if move == "roll" else "move")
        case "crowd" if len(_playing(position)) > CROWD and not position.run:
            return _next(position, "move")
        case str() if move.startswith("run ") and position.phase == "move" and not position.run:
            return _next(replace(position, run=int(move[4:])), "roll")
        case _:
            raise Rejection("unreadable", word=str(move))


def _leave(position: Tiny, seat: Seat) -> Tiny:
    gone = replace(position, left=(*position.left, seat))
    return _next(replace(gone, run=0), "move") if seat == position.to_move else gone


def _read(text: str, position: Tiny) -> str:
    _play(position, text)
    return text


def _standing(text: str) -> str | None:
    return text if re.fullmatch(r"die (keep|again [1-6])", text) else None


def _obey(position: Tiny, order: str) -> str | None:
    if position.phase != "choose":
        return None
    words = order.split()
    return "again" if words[1] == "again" and position.die <= int(words[2]) else "keep"


def _legal(position: Tiny) -> list[str]:
    moves = ("keep", "again", "go", "roll", "pass")
    phases = {"choose": moves[:2], "move": moves[4:] if position.run else moves[2:4]}
    return list(phases[position.phase])


def _facts(move: str | Drawn, before: Tiny, after: Tiny) -> Facts:
    del before, after
    return {"move": str(move)}


def _board(position: Tiny, viewpoint: Viewpoint, style: Style, signs: Signs = ()) -> Board:
    del viewpoint, style, signs
    return Board((repr(position),), {})


def _load(text: str) -> Tiny:
    return Tiny(int(text))


def _given(_options: Options) -> bool:
    return False


def _offers(options: Options) -> bool:
    return options["draw_offers"] == "on"


def _forced(position: Tiny) -> str | None:
    return "pass" if position.run and position.phase == "move" else None


TINY: Final[Game[Tiny, str]] = Game(
    key="tiny",
    edition=1,
    title="Tiny",
    seats=(2, 3, 4),
    options=(Option("draw_offers", ("on", "off"), "on"),),
    words=re.compile("go|roll|run|keep|again"),
    initial=lambda seats, _: Tiny(seats),
    turn=_turn,
    legal=_legal,
    parse=lambda text, position, _: _read(text, position),
    read=_read,
    notation=str,
    play=_play,
    leave=_leave,
    facts=_facts,
    board=_board,
    dump=lambda position: str(position.seats),
    load=_load,
    draws_seats=_given,
    forced=_forced,
    draw_offers=_offers,
    agree=lambda position: replace(position, agreed=True),
    offer_outlives_answerer=True,
    standing=_standing,
    obey=_obey,
)


@contextmanager
def registered() -> Iterator[None]:
    """Tiny is among the games while this is open."""
    with pytest.MonkeyPatch.context() as patch:
        games = MappingProxyType({**GAMES, TINY.ruleset: TINY})
        for module in ("match", "course", "challenges", "verify"):
            patch.setattr(f"pbem.legacy.matches.{module}.GAMES", games)
        yield
