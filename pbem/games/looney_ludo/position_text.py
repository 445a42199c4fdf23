"""Positions as one line of text, similar to the rulebook's examples.

The section "Position text" of docs/games/looney_ludo.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.games.looney_ludo.boards import (
    COLUMNS,
    DOTS,
    OFF_TABLE,
    PLACE,
    PLACE_NAMES,
    PRINTED,
    SQUARES,
    connected_groups,
    list_boards,
    normalise_slots,
    slot_name,
)
from pbem.games.looney_ludo.position import (
    COLOURS,
    LETTERS,
    NO_STACKS,
    PIECES,
    Face,
    Phase,
    Position,
    Roll,
    Setting,
    Stack,
)
from pbem.games.looney_ludo.position_checks import bad_position, check_sound
from pbem.games.looney_ludo.steps import piece_code

_KEYS: Final = (
    "seats",
    "boards",
    "pieces",
    "to move",
    "dice",
    "phase",
    "played",
    "left",
    "tied",
    "nest_timing",
    "turn_cap",
    "over",
)
_PLACE_CODES: Final = tuple("c" if place == "centre" else place.lower() for place in PLACE_NAMES)
_BOARD: Final = re.compile(
    rf"({'|'.join(COLOURS).lower()})\s+([b-g])([2-7])\s+({'|'.join(DOTS).lower()})"
)
_STACK: Final = re.compile(
    rf"([{LETTERS.lower()}])\.([a-z]{{1,2}})=([{LETTERS.lower()}][sml](?:<[{LETTERS.lower()}][sml])*)"
)
_DICE: Final = re.compile(r"([1-6]) ([1-6]) (tip|dig|swap|hop|aim|wild)")
_OVER: Final = re.compile(r"nest ([1-6])|last_seat|cap")
_DIGIT_LIMIT: Final = 6  # numbers with this many digits are refused, because real ones are shorter


def dump(position: Position) -> str:
    """Return a position as one line of text, without the parts that have their default value."""
    setting, phase = position.setting, position.phase
    lying = sorted(list_boards(position.slots), key=position.slots.__getitem__)
    usual = phase in (_usual_phase(position.roll), Phase.OVER)
    fields = {
        "seats": ", ".join(COLOURS[colour] for colour in setting.colours),
        "boards": ", ".join(_board_text(position, board) for board in lying),
        "pieces": " ".join(_stack_texts(position)),
        "to move": str(position.to_act or ""),
        "dice": _dice_text(position.roll),
        "phase": "" if usual else str(phase),
        "played": str(position.played or ""),
        "left": ", ".join(map(str, position.left)),
        "tied": ", ".join(map(str, position.tied)),
        "nest_timing": "own_turn" if setting.own_turn else "",
        "turn_cap": str(setting.cap or ""),
        "over": f"nest {position.winner}" if position.cause == "nest" else position.cause,
    }
    return "; ".join(f"{key} {value}" for key, value in fields.items() if value)


def _dice_text(roll: Roll | None) -> str:
    return "" if roll is None else f"{roll.first} {roll.second} {roll.face.name.lower()}"


def _board_text(position: Position, board: int) -> str:
    dot = DOTS[position.turned[board]]
    return f"{COLOURS[board]} {slot_name(position.slots[board])} {dot}"


def _stack_texts(position: Position) -> list[str]:
    texts = []
    for square, stack in enumerate(position.stacks):
        if stack:
            board, printed = divmod(square, SQUARES)
            place = _PLACE_CODES[PLACE[position.turned[board]][printed]]
            pieces = "<".join(piece_code(piece) for piece in stack)
            texts.append(f"{LETTERS[board]}.{place}={pieces}")
    return texts


def _usual_phase(roll: Roll | None) -> Phase:
    """Return the default phase: ROLL if no dice are rolled, DOUBLES after doubles, else ACT."""
    if roll is None:
        return Phase.ROLL
    return Phase.DOUBLES if roll.doubles else Phase.ACT


def load(text: str) -> Position:
    """Return the position that the text describes.

    Raises:
        Rejection: `bad_position`, with the part that is wrong.
    """
    fields = _parts(text)
    setting = _setting(fields)
    slots, turned = _boards(fields)
    roll = _roll(fields)
    winner, cause = _ending(fields)
    leavers = _numbers(fields, "left", ())
    phase = Phase(_choice(fields, "phase", tuple(Phase), _usual_phase(roll)))
    first = next((seat for seat in range(1, len(setting.colours) + 1) if seat not in leavers), 1)
    early = phase is Phase.ROLL_OFF or bool(cause)
    position = Position(
        setting=setting,
        slots=slots,
        turned=turned,
        stacks=_stacks(fields, turned),
        phase=Phase.OVER if cause else phase,
        to_act=_number(fields, "to move", 0 if early else first),
        roll=roll,
        played=_number(fields, "played", 0),
        left=leavers,
        tied=_numbers(fields, "tied", ()),
        winner=winner,
        cause=cause,
    )
    check_sound(position)
    if cause == "last_seat":
        return _award_last(position)
    return position


def _award_last(position: Position) -> Position:
    return Position(
        setting=position.setting,
        slots=position.slots,
        turned=position.turned,
        stacks=position.stacks,
        phase=Phase.OVER,
        to_act=0,
        played=position.played,
        left=position.left,
        winner=position.playing[0],
        cause=position.cause,
    )


# --- the parts ---------------------------------------------------------------------------------


def _parts(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for piece in text.casefold().strip().strip(".;").split(";"):
        part = " ".join(piece.split())
        key = next((key for key in _KEYS if part == key or part.startswith(f"{key} ")), "")
        if not key:
            raise bad_position("parts", part, ", ".join(_KEYS))
        if key in fields:
            raise bad_position(key, part, "once")
        fields[key] = part[len(key) :].strip()
    return fields


def _setting(fields: Mapping[str, str]) -> Setting:
    text = fields.get("seats", "")
    colours = [name.strip().capitalize() for name in text.split(",")]
    known = all(colour in COLOURS for colour in colours)
    if not known or len({*colours}) != len(colours) or len(colours) == 1:
        raise bad_position("seats", text, "2 to 6 different colours")
    own_turn = _choice(fields, "nest_timing", ("any_turn", "own_turn"), "any_turn") == "own_turn"
    cap = 0 if fields.get("turn_cap", "none") == "none" else _number(fields, "turn_cap", 0)
    return Setting(tuple(COLOURS.index(colour) for colour in colours), cap, own_turn)


def _boards(fields: Mapping[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    slots, turned = [OFF_TABLE] * len(COLOURS), [0] * len(COLOURS)
    if "boards" not in fields:
        return tuple(slots), tuple(turned)
    for piece in fields["boards"].split(","):
        match = _BOARD.fullmatch(piece.strip())
        if match is None:
            raise bad_position("boards", piece.strip(), "colour, slot and dot, as in Red B2 SE")
        board = COLOURS.index(match[1].capitalize())
        slot = COLUMNS * (int(match[3]) - 1) + ord(match[2]) - ord("a")
        if slots[board] != OFF_TABLE or slot in slots:
            raise bad_position("boards", piece.strip(), "a slot of its own for each board")
        slots[board], turned[board] = slot, DOTS.index(match[4].upper())
    if len(connected_groups(tuple(slots))) != 1:
        raise bad_position("boards", fields["boards"], "boards that are connected")
    return normalise_slots(tuple(slots)), tuple(turned)


def _stacks(fields: Mapping[str, str], turned: tuple[int, ...]) -> tuple[Stack, ...]:
    stacks = list(NO_STACKS)
    for word in (
        re.sub(r"(?:(?<!\s)\s+)?([<=])\s*", r"\1", fields.get("pieces", ""))
        .replace(",", " ")
        .split()
    ):
        match = _STACK.fullmatch(word)
        if match is None or match[2] not in _PLACE_CODES:
            raise bad_position("pieces", word, "board.place=stack, as in R.c=Bm<Rs")
        board = LETTERS.index(match[1].upper())
        square = SQUARES * board + PRINTED[turned[board]][_PLACE_CODES.index(match[2])]
        if stacks[square]:
            raise bad_position("pieces", word, "one stack a square")
        stacks[square] = tuple(
            PIECES * LETTERS.index(piece[0].upper()) + "sml".index(piece[1])
            for piece in match[3].split("<")
        )
    return tuple(stacks)


def _roll(fields: Mapping[str, str]) -> Roll | None:
    if "dice" not in fields:
        return None
    match = _DICE.fullmatch(fields["dice"].replace(",", " ").replace("  ", " "))
    if match is None:
        raise bad_position("dice", fields["dice"], "two numbers and a face, as in 5 3 swap")
    return Roll(int(match[1]), int(match[2]), Face[match[3].upper()])


def _ending(fields: Mapping[str, str]) -> tuple[int, str]:
    if "over" not in fields:
        return 0, ""
    match = _OVER.fullmatch(fields["over"])
    if match is None:
        raise bad_position("over", fields["over"], "nest and a seat, last_seat or cap")
    return int(match[1] or 0), fields["over"].split()[0]


def _numbers(fields: Mapping[str, str], key: str, usual: tuple[int, ...]) -> tuple[int, ...]:
    if key not in fields:
        return usual
    words = [word.strip() for word in fields[key].split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < _DIGIT_LIMIT for word in words):
        raise bad_position(key, fields[key], "whole numbers, joined by commas")
    return tuple(map(int, words))


def _number(fields: Mapping[str, str], key: str, usual: int) -> int:
    values = _numbers(fields, key, (usual,))
    if len(values) != 1:
        raise bad_position(key, fields[key], "one whole number")
    return values[0]


def _choice(fields: Mapping[str, str], key: str, values: tuple[str, ...], usual: str) -> str:
    value = fields.get(key, usual)
    if value not in values:
        raise bad_position(key, value, " or ".join(values))
    return value
