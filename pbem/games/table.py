"""A game at one table: orders are read, refused and played, and every ply is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.chance import Draw, possible
from pbem.games.game import Chance, Drawn, Options, Over, Seat, Seats
from pbem.games.record_text import AGREED, Record, RecordError

_RESIGN: Final = "resign"
_RESIGN_SEAT: Final = re.compile(r"resign ([1-9][0-9]?)")

_MOST_FORCED: Final = 200
"""DESIGN 4: forced plies in a row; a game that forces more does not end."""


@dataclass(frozen=True, slots=True)
class Played:
    """One ply: `typed` is None where the server played, `seat` where chance did or all agreed.

    `move` is a move of the game, what was drawn, or None where a seat left or all agreed.
    """

    ply: int
    seat: Seat | None
    typed: str | None
    canonical: str
    move: object
    before: Any
    after: Any


class Table:
    """One game in progress: takes orders, refuses them, and plays what is forced."""

    def __init__(
        self, game: AnyGame, seats: int, options: Mapping[str, str], position_text: str | None
    ) -> None:
        """Start at the beginning, or at a position; may raise Rejection."""
        self.game = game
        self.seats = seats
        self.left: set[Seat] = set()
        self.ply = 0
        self.options: Options = {}
        if position_text is None:
            self.options = game.normal_options(options, offered=False)
            self.position = game.initial(seats, self.options)
        else:
            self.position = game.load(position_text)

    def order(self, typed: str) -> Played:
        """Play what a line says; raises Rejection, and then nothing has changed."""
        turn = self.game.turn(self.position)
        text = " ".join(typed.split()).casefold()
        match turn:
            case Over(outcome):
                raise Rejection(
                    "game_over", termination=outcome.termination, placings=outcome.placings
                )
            case _ if text == AGREED:
                return self._played(None, typed, AGREED, None, self.game.agree(self.position))
            case _ if leaving := _RESIGN_SEAT.fullmatch(text):
                return self.leave(Seat(int(leaving[1])), text)
            case Chance(draw):
                return self.draw(self._read_draw(draw, typed), typed)
            case Seats((seat, *_)) if text == _RESIGN:
                return self.leave(seat, text)
            case Seats((seat, *_)):
                return self.move(seat, typed, self.game.parse(typed, self.position, seat))
            case _:
                raise AssertionError(turn)

    def move(self, seat: Seat, typed: str | None, move: object) -> Played:
        """Play a move that has been read or chosen."""
        after = self.game.play(self.position, move)
        return self._played(seat, typed, self.game.notation(move), move, after)

    def draw(self, drawn: Drawn, typed: str | None = None) -> Played:
        """Play what chance answered."""
        text = f"* {self.game.chance_notation(self.position, drawn)}"
        return self._played(None, typed, text, drawn, self.game.play(self.position, drawn))

    def leave(self, seat: Seat, typed: str) -> Played:
        """Let a seat leave its game, whose turn it need not be; raises Rejection."""
        if not 1 <= seat <= self.seats or seat in self.left:
            raise Rejection("no_such_seat", seat=seat)
        self.left.add(seat)
        return self._played(seat, typed, typed, None, self.game.leave(self.position, seat))

    def _read_draw(self, draw: Draw, typed: str) -> Drawn:
        if not typed.startswith("*"):
            raise Rejection("draw_due", draw=str(draw))
        drawn = self.game.read_chance(typed[1:].strip(), self.position)
        if not possible(draw, drawn.values):
            raise Rejection("draw_impossible", draw=str(draw), values=drawn.values)
        return drawn

    def forced(self) -> Iterator[Played]:
        """Play what the rules leave no choice about."""
        for _ in range(_MOST_FORCED):
            turn = self.game.turn(self.position)
            move = self.game.forced(self.position) if isinstance(turn, Seats) else None
            if move is None or not isinstance(turn, Seats):
                return
            yield self.move(turn.seats[0], None, move)

    def _played(
        self, seat: Seat | None, typed: str | None, canonical: str, move: object, after: object
    ) -> Played:
        before, self.position = self.position, after
        self.ply += 1
        return Played(self.ply, seat, typed, canonical, move, before, after)


def tells(typed: str, forced: Sequence[Played]) -> bool:
    """Whether a line only records what was just played by itself."""
    return bool(forced) and typed.casefold().split() == forced[0].canonical.casefold().split()


def plies_of(record: Record) -> Iterator[Played]:
    """What a record tells, played by the rules. Raises RecordError with the line at fault."""
    try:
        table = Table(record.game, record.seats, record.options, None)
    except Rejection as refusal:
        raise RecordError(f"the rules refuse its options: {refusal}") from refusal
    forced = [*table.forced()]
    yield from forced
    for line, order in record.orders:
        try:
            yield table.order(order)
        except Rejection as refusal:
            if not tells(order, forced):
                raise RecordError(f"line {line}: the rules refuse it: {refusal}") from refusal
            del forced[0]
            continue
        forced = [*table.forced()]
        yield from forced
