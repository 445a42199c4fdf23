"""Canonical notation of turns (LL-7.10). `grammar` reads what players type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.errors import Rejection
from pbem.games.looney_ludo.boards import COLUMNS, DIRECTIONS, slot_name
from pbem.games.looney_ludo.position import (
    COLOURS,
    LETTERS,
    OWN,
    PIECES,
    SIZES,
    Aim,
    Climb,
    Dig,
    Hop,
    Keep,
    Move,
    Phase,
    Position,
    Reroll,
    Step,
    Swap,
    Tip,
    Walk,
    WholeTurn,
)

TURNS: Final = ("", "cw", "180", "ccw")  # of 0, 1, 2 and 3 quarter turns clockwise (LL-7.10)

_COLOUR: Final = "|".join(COLOURS)
_TURN: Final = "cw|180|ccw"
_MOVE: Final = re.compile(rf"(?P<colour>[{LETTERS}]?)(?P<size>[SML])(?P<path>(?: top| [nesw]+)+)")
_SWAP: Final = re.compile(rf"swap ({_COLOUR}) ({_COLOUR})")
_HOP: Final = re.compile(rf"hop ({_COLOUR}) to ([A-H])([1-8])(?: ({_TURN}))?")
_AIM: Final = re.compile(rf"aim ((?:{_COLOUR}) (?:{_TURN})(?:, (?:{_COLOUR}) (?:{_TURN}))*)")


def notation(move: Move) -> str:
    """Return the canonical text of a move."""
    match move:
        case Keep():
            return "keep"
        case Reroll():
            return "reroll"
        case WholeTurn(steps):
            return "; ".join(text for text, _ in clauses(steps)) or "pass"


def clauses(steps: Sequence[Step]) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield the text and the steps of each clause of a turn.

    `steps` are the steps of the whole turn. Successive steps of one piece form one clause
    (LL-7.10).
    """
    run: list[Walk | Climb] = []
    for step in steps:
        if not isinstance(step, Walk | Climb):
            if run:
                yield _path_text(run), tuple(run)
            run = []
            yield _action_text(step), (step,)
            continue
        if run and step.piece != run[0].piece:
            yield _path_text(run), tuple(run)
            run = []
        run.append(step)
    if run:
        yield _path_text(run), tuple(run)


def piece_name(piece: int) -> str:
    """Return the piece in notation: a colour letter unless its colour is OWN, and a size letter.

    Rules: LL-7.10.
    """
    colour, size = divmod(piece, PIECES)
    return (LETTERS[colour] if colour != OWN else "") + SIZES[size][0]


def _path_text(steps: Sequence[Walk | Climb]) -> str:
    words = [piece_name(steps[0].piece), ""]
    for step in steps:
        if isinstance(step, Climb):
            words += ["top", ""]
        else:
            words[-1] += DIRECTIONS[step.direction].lower()
    return " ".join(word for word in words if word)


def _action_text(step: Tip | Dig | Swap | Hop | Aim) -> str:
    match step:
        case Tip():
            return "tip"
        case Dig():
            return "dig"
        case Swap(first, second):
            return f"swap {COLOURS[first]} {COLOURS[second]}"
        case Hop(board, slot, turns):
            return f"hop {COLOURS[board]} to {slot_name(slot)} {TURNS[turns]}".rstrip()
        case Aim(turns):
            return "aim " + ", ".join(f"{COLOURS[board]} {TURNS[turn]}" for board, turn in turns)


def read_notation(canonical: str, position: Position) -> Move:
    """Return the move with this canonical text; its legality is not checked.

    Raises:
        Rejection: `unreadable` if the text is not canonical notation.
    """
    if canonical == "keep":
        return Keep()
    if canonical == "reroll":
        return Reroll()
    move = WholeTurn()
    if canonical != "pass":
        texts = canonical.split("; ")
        move = WholeTurn(tuple(step for text in texts for step in _read_clause(text)))
    acting = position.phase in (Phase.ACT, Phase.DOUBLES)
    own = range(PIECES * position.colour, PIECES * (position.colour + 1)) if acting else ()
    pieces = [step.piece for step in move.steps if isinstance(step, Walk | Climb)]
    # LL-7.10: only foreign pieces have a colour letter.
    if notation(move) != canonical or any(piece in own for piece in pieces):
        raise Rejection("unreadable", word=canonical, clause=None, text=canonical, dice=None)
    return move


def _read_clause(text: str) -> list[Step]:
    """Return the steps that a clause in canonical notation has; empty if it is no such clause."""
    if text == "tip":
        return [Tip()]
    if text == "dig":
        return [Dig()]
    if match := _MOVE.fullmatch(text):
        return _read_path(match)
    if match := _SWAP.fullmatch(text):
        return [Swap(COLOURS.index(match[1]), COLOURS.index(match[2]))]
    if match := _HOP.fullmatch(text):
        slot = COLUMNS * (int(match[3]) - 1) + ord(match[2]) - ord("A")
        return [Hop(COLOURS.index(match[1]), slot, TURNS.index(match[4] or ""))]
    if match := _AIM.fullmatch(text):
        pairs = [pair.split(" ") for pair in match[1].split(", ")]
        return [Aim(tuple((COLOURS.index(board), TURNS.index(turn)) for board, turn in pairs))]
    return []


def _read_path(parsed: re.Match[str]) -> list[Step]:
    colour = LETTERS.index(parsed["colour"]) if parsed["colour"] else OWN
    piece = PIECES * colour + "SML".index(parsed["size"])
    steps: list[Step] = []
    for word in parsed["path"].split():
        if word == "top":
            steps.append(Climb(piece))
        else:
            steps += [Walk(piece, DIRECTIONS.index(way.upper())) for way in word]
    return steps
