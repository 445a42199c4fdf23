"""Conversion of a parsed turn (`Draft`) into a legal turn.

The functions fill in omitted parts, and check the turn by section 8 of the rulebook.
"""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.logan_stones.grammar import Draft, Reader
from pbem.games.logan_stones.lexicon import Kind, Word
from pbem.games.logan_stones.move_checks import (
    check_adding,
    check_contacts,
    check_free,
    check_moving,
    check_not_over,
    check_number,
    check_shift,
    check_stone,
    open_spaces,
)
from pbem.games.logan_stones.notation import samples
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.rules import legal_moves
from pbem.games.logan_stones.spaces import find_space, label, labels, place
from pbem.games.logan_stones.stones import Stone

_SAMPLE_COUNT: Final = 2  # sample turns in the answer to an empty email (LS-8.4)


def parse(text: str, position: Position, seat: Seat) -> Move:
    """Return the legal turn that a player typed for the seat to act.

    The caller must have checked that it is the player's turn.

    Raises:
        Rejection: The text cannot be read, or the turn is illegal.
    """
    del seat
    check_not_over(position)
    draft = Reader(text, holding=bool(position.hand)).read()
    if draft is None:
        raise Rejection("order_empty", samples=samples(legal_moves(position), _SAMPLE_COUNT))
    for typed in draft.places:
        _check_parity(typed)
    kind = draft.kind(holding=bool(position.hand))
    if kind is Kind.ADD:
        check_adding(position)
    else:
        check_moving(position)
    spaces = _spaces(draft, kind, position)
    match kind:
        case Kind.ADD:
            return _add(draft, spaces, position)
        case Kind.FLIP:
            return _flip(draft, spaces, position)
        case _:
            return _shift(draft, spaces, position)


# --- spaces --------------------------------------------------------------------------------------


def _check_parity(typed: Word) -> None:
    """Raise a Rejection if the number in a label has the wrong parity for its row (LS-8.12).

    The Rejection lists the two nearest spaces of the row.
    """
    if typed.row is None or typed.number is None or typed.space is not None:
        return
    near = [find_space(typed.row, typed.number + step) for step in (-1, 1)]
    raise Rejection(
        "not_a_space", space=typed.text, spaces=labels(space for space in near if space is not None)
    )


def _spaces(draft: Draft, kind: Kind, position: Position) -> list[int]:
    """Return the spaces of the typed turn, in the order of typing (LS-8.15 to LS-8.17).

    Raises:
        Rejection: A space is incomplete or missing.
    """
    spaces: list[int] = []
    for typed in draft.places:
        if typed.space is None:
            raise _incomplete(typed, kind, position, spaces)
        spaces.append(typed.space)
    if kind is Kind.MOVE:
        if len(spaces) < 2:  # noqa: PLR2004 - from and to
            raise Rejection("target_missing", space=labels(spaces)[0] if spaces else None)
    elif not spaces:
        candidates = open_spaces(position) if kind is Kind.ADD else position.spaces
        order = "add" if kind is Kind.ADD else "flip"
        raise Rejection("space_missing", order=order, spaces=labels(candidates))
    return spaces


def _incomplete(typed: Word, kind: Kind, position: Position, earlier: list[int]) -> Rejection:
    """Return the Rejection for a typed space that lacks its row or its number (LS-7.8).

    The Rejection lists the spaces that the player may have meant. `earlier` has the spaces that
    were typed before this one.
    """
    if kind is Kind.ADD:
        candidates = open_spaces(position)
    elif earlier:
        lifted = earlier[0] if earlier[0] in position.spaces else None
        candidates = open_spaces(position, lifted)
    else:
        candidates = position.spaces
    fitting = []
    for space in candidates:
        row, number = place(space)
        if row == typed.row or (typed.row is None and number == typed.number):
            fitting.append(label(space))
    return Rejection(
        "space_incomplete",
        typed=typed.text.upper(),
        letter=typed.row is not None,
        free=kind is Kind.ADD or bool(earlier),
        spaces=fitting,
    )


# --- the three turns -----------------------------------------------------------------------------


def _add(draft: Draft, spaces: list[int], position: Position) -> Add:
    number = _number(draft, position)
    check_number(position, number)
    stone = next(hand_stone.stone for hand_stone in position.hand if hand_stone.number == number)
    is_turned = _is_turned(draft, number, stone)
    check_free(position, spaces[0])
    check_contacts(position, spaces[0])
    return Add(number, spaces[0], turned=is_turned)


def _number(draft: Draft, position: Position) -> int:
    """Return the number of the stone to add (LS-7.7).

    If the player typed no number, return the number of the only stone that fits. With a typed
    symbol, a stone fits if either face has this symbol. Otherwise, every stone in hand fits.

    Raises:
        Rejection: No stone fits, or several do.
    """
    if draft.number is not None:
        return draft.number
    fitting = [
        stone.number
        for stone in position.hand
        if draft.symbol is None or draft.symbol in (stone.stone.top, stone.stone.bottom)
    ]
    if not fitting:  # LS-8.28
        raise Rejection("symbol_not_on_stone", symbol=draft.symbol, number=None, faces=None)
    if len(fitting) > 1:
        raise Rejection("stone_missing", numbers=fitting, symbol=draft.symbol)
    return fitting[0]


def _is_turned(draft: Draft, number: int, stone: Stone) -> bool:
    """Return whether the stone is to be added with its other face up.

    The word `turned` or the typed symbol decides this (LS-7.4, LS-7.6, LS-3.2).

    Raises:
        Rejection: The symbol is not on the stone, or contradicts `turned`.
    """
    symbol = draft.symbol
    if symbol is None:
        return draft.turned
    faces = [stone.top, stone.bottom]
    if symbol not in faces:
        raise Rejection("symbol_not_on_stone", symbol=symbol, number=number, faces=faces)
    if draft.turned:
        if symbol != stone.bottom:  # LS-8.29: this includes stones with two equal faces
            raise Rejection("face_conflict", symbol=symbol, number=number, faces=faces)
        return True
    return symbol != stone.top


def _flip(draft: Draft, spaces: list[int], position: Position) -> Flip:
    _check_no_symbol(draft)
    check_stone(position, spaces[0])
    return Flip(spaces[0])  # LS-7.5: a flip ignores `turned`


def _shift(draft: Draft, spaces: list[int], position: Position) -> Shift:
    _check_no_symbol(draft)
    start, end = spaces
    check_stone(position, start)
    check_shift(position, start, end)
    return Shift(start, end, turned=draft.turned)


def _check_no_symbol(draft: Draft) -> None:
    """Raise a Rejection if a move or flip names a symbol, as in `flip M22 rock` (LS-8.22).

    An answer that depends on the symbol could reveal a hidden face.
    """
    if draft.symbol is not None:
        raise Rejection("symbol_not_allowed", symbol=draft.symbol)
