"""Tens: add 1 to 5 in turn; who comes to ten wins. It fails as the file of TENS_FAULTS says."""

from __future__ import annotations

import os
import re
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbem.errors import Rejection
from pbem.games.drawing.document import document
from pbem.games.drawing.svg import element
from pbem.games.game import Board, Drawn, Game, Outcome, Over, Seat, Seats
from pbem.games.options import Option

TEN = 10


@dataclass(frozen=True)
class Position:
    """The sum, who is to move, and who has left."""

    seats: int
    total: int = 0
    to_move: int = 1
    left: frozenset[int] = frozenset()
    falls: int = 0
    """Who adds so much is out."""
    out: frozenset[int] = frozenset()

    @property
    def gone(self) -> frozenset[int]:
        """Who plays no more."""
        return self.left | self.out


def fails(hook: str) -> None:
    """Fail as a test wants it."""
    file = os.environ.get("TENS_FAULTS")
    how = Path(file).read_text(encoding="utf-8").split() if file and Path(file).exists() else []
    for wanted, what in zip(how[::2], how[1::2], strict=True):
        if wanted == hook and what == "hang":
            while True:
                time.sleep(1)
        if wanted == hook and what == "die":
            os._exit(3)
        if wanted == hook and what == "raise":
            raise ValueError(f"{hook} is broken")
        if wanted == hook and what == "print":
            sys.stdout.write("noise\n")
            sys.stderr.write("more noise\n")


def initial(seats: int, options: Any) -> Position:
    return Position(seats, falls=5 if options.get("bust") == "on" else 0)


def turn(position: Position) -> Seats | Over:
    fails("turn")
    there = [seat for seat in range(1, position.seats + 1) if seat not in position.gone]
    if len(there) == 1 or position.total >= TEN:
        won = there[0] if len(there) == 1 else _before(position)
        return Over(
            Outcome(tuple(1 if seat == won else 2 for seat in range(1, position.seats + 1)), "ten")
        )
    return Seats((Seat(position.to_move),))


def _before(position: Position) -> int:
    seat = position.to_move
    while True:
        seat = (seat - 2) % position.seats + 1
        if seat not in position.gone:
            return seat


def legal(position: Position) -> list[int]:
    fails("legal")
    return [1, 2, 3, 4, 5] if isinstance(turn(position), Seats) else []


def parse(text: str, position: Position, _seat: int) -> int:
    fails("parse")
    found = re.fullmatch(r"\s*(?:add\s+)?(\d)\s*", text)
    if found is None:
        raise Rejection("not_a_move", typed=text, example="2")
    if int(found[1]) not in legal(position):
        raise Rejection("illegal", typed=text, legal=("1", "2", "3", "4", "5"))
    return int(found[1])


def read(text: str, position: Position) -> int:
    return parse(text, position, position.to_move)


def play(position: Position, move: int | Drawn) -> Position:
    fails("play")
    if move not in legal(position):
        raise Rejection("illegal", typed=str(move), legal=())
    if move == position.falls:
        position = replace(position, out=position.out | {position.to_move})
    return _next(replace(position, total=position.total + int(move)))


def _next(position: Position) -> Position:
    seat = position.to_move
    for _ in range(position.seats):
        seat = seat % position.seats + 1
        if seat not in position.gone:
            break
    return replace(position, to_move=seat)


def leave(position: Position, seat: int) -> Position:
    gone = replace(position, left=position.left | {seat})
    return _next(gone) if seat == position.to_move else gone


def out(position: Position) -> Any:
    fails("out")
    return tuple(sorted(position.out)) if position.total < TEN else position.total  # no answer


def board(position: Position, _viewpoint: Any, _style: Any, _signs: Any = ()) -> Board:
    fails("board")
    return Board((f"Sum: {position.total}", "#" * position.total or "-"), {"total": position.total})


def picture(position: Position, _viewpoint: Any, marks: Any) -> str:
    fails("picture")
    said = marks.word("Red")
    rest = [
        element("rect", x=20 * at, y=0, width=18, height=18, fill="#224488")
        for at in range(position.total)
    ]
    return document(200, 20, "", [*rest, f'<g id="{said}"></g>'])


def dump(position: Position) -> str:
    gone = "".join(map(str, sorted(position.left)))
    out = "".join(map(str, sorted(position.out)))
    falls = f"/{position.falls}/{out}" if position.falls else ""
    return f"{position.seats}/{position.total}/{position.to_move}/{gone}{falls}"


def load(text: str) -> Position:
    found = re.fullmatch(r"(\d)/(\d+)/(\d)/(\d*)(?:/(\d)/(\d*))?", text)
    if found is None:
        raise Rejection("bad_position", found=text)
    left, out = (frozenset(map(int, found[at] or "")) for at in (4, 6))
    return Position(int(found[1]), int(found[2]), int(found[3]), left, int(found[5] or 0), out)


def value(position: Position) -> tuple[int, ...]:
    good = position.to_move if (TEN - position.total) % 4 else 0
    return tuple(100 if seat == good else 0 for seat in range(1, position.seats + 1))


GAME: Game[Position, int] = Game(
    key="tens",
    edition=1,
    title="Tens",
    seats=(2, 3, 4),
    options=(Option("bust", ("off", "on"), "off"),),
    words=re.compile(r"(?<!\w)(?:add\s+)?[1-5](?!\w)"),
    initial=initial,
    turn=turn,
    legal=legal,
    parse=parse,
    read=read,
    notation=str,
    play=play,
    leave=leave,
    out=out,
    facts=lambda _move, _before, after: {"total": after.total},
    board=board,
    picture=picture,
    dump=dump,
    load=load,
    draws_seats=lambda _: False,
    value=value,
)
