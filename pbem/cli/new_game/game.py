"""Nim: take objects from heaps. The player who takes the last one wins.

There are four heaps, a to d, of 1, 3, 5 and 7 objects. In a turn, a player takes any number of
objects from one heap, but at least one: `take 3 from d`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import xor

from pbem.errors import Facts, Rejection
from pbem.games.default_facts import default_facts
from pbem.games.evaluation import evaluate_end
from pbem.games.game import (
    Board,
    ChanceResult,
    Game,
    GameOver,
    Outcome,
    Seat,
    SeatLetters,
    Seats,
    Style,
    Turn,
    Viewpoint,
)
from pbem.games.vocabulary import Vocabulary

START = (1, 3, 5, 7)  # objects in each heap
HEAPS = "abcd"
EXAMPLES = 3  # legal moves that a refusal shows


# --- rules ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A position of the game; `gone` is the seat that has left, or 0 while both play."""

    heaps: tuple[int, ...]
    to_act: int = 1
    gone: int = 0


@dataclass(frozen=True)
class Move:
    """A move, which is a player's whole turn: take `count` objects from a heap."""

    count: int
    heap: str


def initial_position(_seats: int, _options: Mapping[str, str]) -> Position:
    """Return the position before the first move."""
    return Position(START)


def turn(position: Position) -> Turn:
    """Return the seat to act, or the outcome of a game that is over."""
    if position.gone:
        return GameOver(Outcome((2, 1) if position.gone == 1 else (1, 2), "last_seat"))
    if not any(position.heaps):
        # The last object was taken by the other seat.
        return GameOver(Outcome((2, 1) if position.to_act == 1 else (1, 2), "all_taken"))
    return Seats((Seat(position.to_act),))


def legal_moves(position: Position) -> Sequence[Move]:
    """Return every legal move; none if the game is over."""
    if isinstance(turn(position), GameOver):
        return ()
    return [
        Move(count, heap)
        for heap, size in zip(HEAPS, position.heaps, strict=True)
        for count in range(1, size + 1)
    ]


def play(position: Position, move: Move | ChanceResult) -> Position:
    """Return the position after a move."""
    moves = _require_moves(position)
    if not isinstance(move, Move) or move not in moves:
        raise Rejection("illegal", legal=_list_examples(moves))
    heaps = [
        size - move.count if heap == move.heap else size
        for heap, size in zip(HEAPS, position.heaps, strict=True)
    ]
    return replace(position, heaps=tuple(heaps), to_act=3 - position.to_act)


def leave(position: Position, seat: Seat) -> Position:
    """Return the position after a seat has resigned, or its time has run out."""
    return position if isinstance(turn(position), GameOver) else replace(position, gone=int(seat))


def _require_moves(position: Position) -> Sequence[Move]:
    moves = legal_moves(position)
    if not moves:
        raise Rejection("game_over")
    return moves


def _list_examples(moves: Sequence[Move]) -> list[str]:
    return [notation(move) for move in moves[:: 1 + len(moves) // EXAMPLES]]


# --- notation ------------------------------------------------------------------------------------

# Words that players write in place of the words of a move. Those listed for "" are ignored.
VOCABULARY = Vocabulary(
    {"": "i|please|heap|object|objects", "take": "takes|remove", "from": "off|of"},
    {"de": {"": "ich|bitte|haufen", "take": "nimm|nehme", "from": "von|aus"}},
)
# A line that contains this is taken for a move, and refused if it is not legal.
# Other lines are remarks.
WORDS = re.compile(r"\btake \d|\b\d+ (?:from )?[a-d]\b")

_TYPED = re.compile(r"(?:take )?(?P<count>\d{1,2}) ?(?:from )?(?P<heap>[a-d])")
_CANONICAL = re.compile(r"take (?P<count>[1-9]\d?) from (?P<heap>[a-d])")


def notation(move: Move) -> str:
    """Return the text of a move in the form in which it is stored."""
    return f"take {move.count} from {move.heap}"


def read_notation(text: str, position: Position) -> Move:
    """Return the move that a stored text means.

    Raises:
        Rejection: The text is not in the form that `notation` writes.
    """
    parsed = _CANONICAL.fullmatch(text)
    if parsed is None:
        raise Rejection("illegal", typed=text, legal=_list_examples(legal_moves(position)))
    return Move(int(parsed["count"]), parsed["heap"])


def parse(text: str, position: Position, _seat: Seat) -> Move:
    """Return the legal move that a player typed, in any accepted spelling."""
    moves = _require_moves(position)
    parsed = _TYPED.fullmatch(" ".join(VOCABULARY.normalise(text).lower().split()))
    if parsed is None:
        raise Rejection("not_a_move", typed=text, example=notation(moves[-1]))
    move = Move(int(parsed["count"]), parsed["heap"])
    if move not in moves:
        raise Rejection("illegal", typed=text, legal=_list_examples(moves))
    return move


def dump(position: Position) -> str:
    """Return a position as one line of text."""
    return f"{' '.join(map(str, position.heaps))}; {position.to_act}; {position.gone}"


def load(text: str) -> Position:
    """Return the position of a line that `dump` wrote.

    Raises:
        Rejection: The line is not in that form.
    """
    parsed = re.fullmatch(r"(\d \d \d \d); ([12]); ([012])", text)
    if parsed is None:
        raise Rejection("bad_position", found=text[:100])
    return Position(tuple(map(int, parsed[1].split())), int(parsed[2]), int(parsed[3]))


# --- what is seen --------------------------------------------------------------------------------


def board(
    position: Position, viewpoint: Viewpoint, style: Style, _signs: SeatLetters = ()
) -> Board:
    """Return the heaps as lines of text, and as facts for the templates of emails."""
    sign = "o" if style is Style.ASCII else "●"
    lines = [
        f"  {heap}  {' '.join(sign * size)}".rstrip()
        for heap, size in zip(HEAPS, position.heaps, strict=True)
    ]
    facts = default_facts(turn(position), 2, viewpoint, legal_moves(position), notation)
    return Board(tuple(lines), {**facts, "heaps": position.heaps})


def move_facts(move: Move | ChanceResult, _before: Position, after: Position) -> Facts:
    """Return the effects of a move as facts for the templates of emails."""
    if isinstance(move, ChanceResult):
        return {}  # nothing is drawn in this game
    return {"count": move.count, "heap": move.heap, "left": sum(after.heaps)}


# --- bots ----------------------------------------------------------------------------------------


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of a position for each seat, from which bots choose their moves."""
    current = turn(position)
    if isinstance(current, GameOver):
        return evaluate_end(current.outcome.placings)
    # The seat to act can win if the binary digits of the heaps do not cancel each other.
    gain = 10 if reduce(xor, position.heaps) else -10
    return (gain, -gain) if position.to_act == 1 else (-gain, gain)


GAME: Game[Position, Move] = Game(
    key="nim",
    edition=1,
    title="Nim",
    seats=(2,),
    move_words=WORDS,
    vocabulary=VOCABULARY,
    initial_position=initial_position,
    turn=turn,
    legal_moves=legal_moves,
    parse=parse,
    read_notation=read_notation,
    notation=notation,
    play=play,
    leave=leave,
    move_facts=move_facts,
    board=board,
    evaluate=evaluate,
    dump=dump,
    load=load,
)
