"""Notation of random draws: the setup, dice rolls and re-rolls (LL-6.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.errors import Rejection
from pbem.games.chance import is_possible
from pbem.games.game import Chance, ChanceResult
from pbem.games.looney_ludo.boards import START_LAYOUTS, make_slot, slot_name
from pbem.games.looney_ludo.deals import Cups, deal, deal_number
from pbem.games.looney_ludo.position import COLOURS, LETTERS, PIECES, SIZES, Face, Phase, Position
from pbem.games.looney_ludo.rules import boards, turn
from pbem.games.looney_ludo.steps import piece_code

_COLOUR: Final = "|".join(COLOURS)
_NUMBERS: Final = re.compile(rf"({_COLOUR}) ([1-6])", re.IGNORECASE)
_SLOTS: Final = re.compile(rf"({_COLOUR}) ([A-H][1-8])", re.IGNORECASE)
_STACKS: Final = re.compile(
    rf"({_COLOUR}) ([{LETTERS}][sml](?: ?< ?[{LETTERS}][sml])*)", re.IGNORECASE
)
_ROLL: Final = re.compile(r"([1-6])[\s,]+([1-6])[\s,]+([a-z]+)", re.IGNORECASE)
_NEW_ROLL: Final = re.compile(r"([1-6])[\s,]+([1-6])")


def chance_notation(position: Position, result: ChanceResult) -> str:
    """Return the result of the random draw as text, in a form that depends on the phase.

    Examples: dice as `5 3 swap`, a roll for the start as `Red 5, Blue 3`, and a layout of
    boards as `Red B2, ...`.
    """
    values = result.values
    match position.phase:
        case Phase.ROLL:
            return f"{values[0]} {values[1]} {Face(values[2]).name.lower()}"
        case Phase.ROLL_OFF:
            colours = [COLOURS[position.setting.colours[seat - 1]] for seat in position.tied]
            return ", ".join(f"{c} {number}" for c, number in zip(colours, values, strict=True))
        case Phase.LAYOUT:
            lying = boards(position.setting)
            names = zip(values, _slot_names(len(lying)), strict=True)
            return ", ".join(f"{COLOURS[lying[value]]} {slot}" for value, slot in names)
        case Phase.DEAL:
            return ", ".join(
                f"{COLOURS[board]} {'<'.join(piece_code(piece) for piece in stack)}"
                for board, stack in list_dealt(position, values[0])
            )
        case _:
            return " ".join(map(str, values))


def list_dealt(position: Position, number: int) -> list[tuple[int, list[int]]]:
    """Return each board with the pieces that deal `number` puts on it, from bottom to top."""
    colours = position.setting.colours
    cups = deal(number, position.seats, position.to_act - 1)
    return [
        (board, [PIECES * colours[player] + size for player, size in stack])
        for board, stack in zip(boards(position.setting), cups, strict=True)
    ]


def _slot_names(count: int) -> list[str]:
    return [slot_name(make_slot(x, y)) for x, y, _ in START_LAYOUTS[count]]


def read_chance(text: str, position: Position) -> ChanceResult:
    """Return the result of the random draw that `chance_notation` writes as this text.

    The items of a list such as `Red 5, Blue 3` may come in any order.

    Raises:
        Rejection: `unreadable` for any other text, or if no such draw is due.
    """
    try:
        result = ChanceResult(tuple(_values(text.strip(), position)))
    except (ValueError, KeyError):
        raise Rejection("unreadable", word=text, clause=None, text=text, dice=None) from None
    due = turn(position)
    if not isinstance(due, Chance) or not is_possible(due.draw, result.values):
        raise Rejection("unreadable", word=text, clause=None, text=text, dice=None)
    return result


def _values(text: str, position: Position) -> Sequence[int]:
    match position.phase:
        case Phase.ROLL if match := _ROLL.fullmatch(text):
            return int(match[1]), int(match[2]), Face[match[3].upper()]
        case Phase.REROLL if match := _NEW_ROLL.fullmatch(text):
            return int(match[1]), int(match[2])
        case Phase.ROLL_OFF:
            rolled = _by_colour(text, _NUMBERS)
            rolling = [position.setting.colours[seat - 1] for seat in position.tied]
            if {*rolled} == {*rolling}:
                return [int(rolled[colour]) for colour in rolling]
            raise ValueError("not those who roll")
        case Phase.LAYOUT:
            lying = boards(position.setting)
            board_of = {slot.upper(): board for board, slot in _by_colour(text, _SLOTS).items()}
            if {*board_of.values()} == {*lying}:
                return [lying.index(board_of[slot]) for slot in _slot_names(len(lying))]
            raise ValueError("not the boards of the game")
        case Phase.DEAL:
            return (_deal_number(_by_colour(text, _STACKS), position),)
        case _:
            raise ValueError("nothing of this kind is due")


def _by_colour(text: str, pattern: re.Pattern[str]) -> dict[int, str]:
    """Return a list such as `Red 5, Blue 3` as a dict from the number of a colour to its value.

    `pattern` matches one item of the list, such as `Red 5`. Its two groups are the colour (`Red`)
    and the value (`5`).

    Raises:
        ValueError: The text is not such a list.
    """
    matches = [pattern.fullmatch(part.strip()) for part in text.split(",")]
    parts = {COLOURS.index(part[1].capitalize()): part[2] for part in matches if part is not None}
    if len(parts) != len(matches):
        raise ValueError("a part that does not belong here")
    return parts


def _deal_number(stacks: dict[int, str], position: Position) -> int:
    colours = position.setting.colours
    sizes = [size[0] for size in SIZES]
    cups: Cups = tuple(
        tuple(
            (colours.index(LETTERS.index(piece[0])), sizes.index(piece[1]))
            for piece in stacks[board].upper().replace(" ", "").split("<")
        )
        for board in boards(position.setting)
    )
    return deal_number(cups, position.seats, position.to_act - 1)
