"""Positions as one line of text, worded like the rulebook's examples.

The section "Position text" of docs/games/landrush.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.errors import Rejection
from pbem.games.landrush.draws import coin_number, coin_text
from pbem.games.landrush.position import (
    BIT,
    COLOURS,
    NO_COIN,
    NUMBERS,
    PIECES,
    SIZE_LETTERS,
    SQUARES,
    Phase,
    Position,
    Setting,
    list_squares,
)
from pbem.games.landrush.position_checks import check_sound

_COLOURS: Final = {name.casefold(): number for number, name in enumerate(COLOURS)}
_PHASES: Final = {  # phases of the game by the words for them in the text of a position
    "to move": Phase.PLAY,
    "to draw": Phase.DRAW,
    "to place": Phase.PLACE,
    "starter": Phase.START,
    "over": Phase.OVER,
}

_KEYS: Final = (*_COLOURS, *_PHASES, "coin", "left", "adj", "sizes")
_CAUSES: Final = ("stash", "blocked", "last_seat")
_PYRAMID: Final = re.compile(r"([a-h][0-9]{1,2}) ?=? ?([sml])(?:[\s,]+|$)")


def dump(position: Position) -> str:
    """Return a position as one line of text, without the parts that have their default value."""
    parts = [_seat_text(position, seat) for seat in range(1, position.seats + 1)]
    match position.phase:
        case Phase.START:
            parts.append("starter open")
        case Phase.OVER:
            parts.append(f"over {position.cause}")
        case phase:
            key = next(key for key, value in _PHASES.items() if value is phase)
            parts.append(f"{key} {position.colour(position.to_act)}")
    if position.coin != NO_COIN:
        parts.append(f"coin {coin_text(position.coin)}")
    if position.left:
        parts.append("left " + ", ".join(position.colour(seat) for seat in position.left))
    if position.setting.eight:
        parts.append("adj 8")
    if position.setting.same:
        parts.append("sizes same")
    return "; ".join(parts)


def _seat_text(position: Position, seat: int) -> str:
    pyramids = (
        f"{SQUARES[square]} {SIZE_LETTERS[position.find_size(square)]}"
        for square in list_squares(position.own[seat - 1])
    )
    return " ".join([position.colour(seat), *pyramids])


def load(text: str) -> Position:
    """Return the position that the text describes.

    Raises:
        Rejection: `bad_position`, with the part that is wrong.
    """
    parts = _parts(text)
    colours = tuple(_COLOURS[key] for key in parts if key in _COLOURS)
    if len(colours) not in PIECES:
        raise _bad("colours", ", ".join(COLOURS[c] for c in colours), "2 to 5 of them")
    own, sizes = _pyramids(parts)
    setting = Setting(
        colours,
        _choice(parts, "adj", ("4", "8"), "4") == "8",
        _choice(parts, "sizes", ("free", "same"), "free") == "same",
    )
    leavers = _seats(parts, "left", colours)
    phase = _phase(parts)
    coin = _coin(parts, phase)
    position = Position(
        setting,
        own,
        sizes,
        phase,
        _to_act(parts, phase, colours, leavers),
        coin,
        leavers,
        _choice(parts, "over", _CAUSES, ""),
    )
    check_sound(position)
    return position


def _bad(part: str, value: str, rule: str) -> Rejection:
    return Rejection("bad_position", part=part, found=value, wanted=rule)


def _parts(text: str) -> dict[str, str]:
    """Return the parts of the text of a position by key, in the order of the text.

    Semicolons separate the parts. A part begins with its key, such as `red` or `to move`; the rest
    of the part is the value. The value may be empty.
    """
    parts: dict[str, str] = {}
    for piece in text.casefold().strip().strip(".;").split(";"):
        part = " ".join(piece.replace(":", " ").split())
        key = next((key for key in _KEYS if part == key or part.startswith(f"{key} ")), "")
        if not key:
            raise _bad("parts", part, ", ".join(_KEYS))
        if key in parts:
            raise _bad(key, part, "once")
        parts[key] = part[len(key) :].strip()
    return parts


def _pyramids(parts: Mapping[str, str]) -> tuple[tuple[int, ...], tuple[int, int, int]]:
    """Return the squares with pyramids as two tuples of bit sets: one by seat, and one by size.

    The seats are in the order in which the text names their colours.
    """
    sizes = [0, 0, 0]
    own: list[int] = []
    for colour in parts:
        if colour not in _COLOURS:
            continue
        squares, start, text = 0, 0, parts[colour]
        while start < len(text):
            match = _PYRAMID.match(text, start)
            bit = BIT[NUMBERS[match[1]]] if match and match[1] in NUMBERS else 0
            if match is None or not bit:
                raise _bad(colour, text[start : start + 20], "a square and S, M or L")
            if (sum(own) | squares) & bit:
                raise _bad(colour, match[1], "one pyramid a square")
            squares |= bit
            sizes[SIZE_LETTERS.index(match[2].upper())] |= bit
            start = match.end()
        own.append(squares)
    small, medium, large = sizes
    return tuple(own), (small, medium, large)


def _choice(parts: Mapping[str, str], key: str, values: tuple[str, ...], usual: str) -> str:
    value = parts.get(key, usual)
    if key in parts and value not in values:
        raise _bad(key, value, " or ".join(values))
    return value


def _phase(parts: Mapping[str, str]) -> Phase:
    """Return the phase that the text names; by default PLAY if it has a coin, else DRAW."""
    keys = [key for key in _PHASES if key in parts]
    if len(keys) > 1:
        raise _bad(keys[1], parts[keys[1]], f"not with {keys[0]}")
    if keys == ["starter"]:
        _choice(parts, "starter", ("open",), "")
    if keys:
        return _PHASES[keys[0]]
    return Phase.PLAY if "coin" in parts else Phase.DRAW


def _coin(parts: Mapping[str, str], phase: Phase) -> int:
    coin = coin_number(parts["coin"]) if "coin" in parts else NO_COIN
    if coin is None or (coin != NO_COIN) != (phase is Phase.PLAY):
        raise _bad("coin", parts.get("coin", ""), "a suit and a value, where a seat is to move")
    return coin


def _seats(parts: Mapping[str, str], key: str, colours: tuple[int, ...]) -> tuple[int, ...]:
    if not parts.get(key):
        return ()
    seats = []
    for name in re.split(r"[\s,]+", parts[key]):
        if _COLOURS.get(name, -1) not in colours:
            raise _bad(key, parts[key], "colours of the game")
        seats.append(colours.index(_COLOURS[name]) + 1)
    return tuple(seats)


def _to_act(
    parts: Mapping[str, str], phase: Phase, colours: tuple[int, ...], leavers: tuple[int, ...]
) -> int:
    """Return the seat to act, or 0 for none. The default is the first seat that has not left."""
    if phase in {Phase.START, Phase.OVER}:
        return 0
    key = next((key for key in _PHASES if key in parts), "")
    if not key:
        playing = (seat for seat in range(1, len(colours) + 1) if seat not in leavers)
        return next(playing, 1)
    seats = _seats(parts, key, colours)
    if len(seats) != 1:
        raise _bad(key, parts[key], "one colour")
    return seats[0]
