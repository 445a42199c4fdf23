"""Positions as one line of text, worded like the rulebook's examples.

The section "Position text" of docs/games/logger.md describes the format. The rulebook's examples
may omit the seat to move, the scores or the hands. An omitted part has the value that the rulebook
assumes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.errors import Rejection
from pbem.games.logger.position import (
    BIT,
    CELLS,
    CENTRE,
    HANDS,
    NO_LIMIT,
    NOWHERE,
    NUMBERS,
    Position,
    Trees,
    cells,
)

_KEYS: Final = (
    "loggers",
    "trees",
    "scores",
    "hands",
    "to move",
    "left",
    "quiet",
    "still",
    "tree_limit",
    "forced_pass",
    "over",
)
_TREE: Final = re.compile(r"([a-e][1-5])=([123])(\*?)")
_DIGIT_LIMIT: Final = 5  # numbers with so many digits are refused, because real ones are shorter
_CAUSES: Final = ("points", "deadlock", "last_seat")


def dump(position: Position) -> str:
    """Return a position as one line of text, without the parts that have their default value."""
    parts = [
        "loggers " + ", ".join("-" if c == NOWHERE else CELLS[c] for c in position.loggers),
        " ".join(["trees", *_tree_texts(position.trees)]),
        "scores " + ", ".join(map(str, position.scores)),
        "hands " + ", ".join(map(str, position.hands)),
    ]
    if position.cause:
        parts.append(f"over {position.cause}")
    else:
        parts.append(f"to move {position.to_act}")
    if position.left:
        parts.append("left " + ", ".join(map(str, position.left)))
    if position.quiet:
        parts.append(f"quiet {position.quiet}")
    if position.still:
        parts.append(f"still {position.still}")
    if position.limit != NO_LIMIT:
        parts.append(f"tree_limit {position.limit}")
    if not position.auto_pass:
        parts.append("forced_pass ask")
    return "; ".join(parts)


def _tree_texts(trees: Trees) -> list[str]:
    texts = []
    for cell in cells(trees.seedlings | trees.saplings | trees.mature):
        bit = BIT[cell]
        stage = 1 if trees.seedlings & bit else 2 if trees.saplings & bit else 3
        texts.append(f"{CELLS[cell]}={stage}{'*' if trees.protested & bit else ''}")
    return texts


def load(text: str) -> Position:
    """Return the position that the text describes.

    Raises:
        Rejection: `bad_position`, with the part that is wrong.
    """
    parts = _parts(text)
    loggers = _loggers(parts)
    seats = len(loggers)
    trees = _trees(parts)
    fallback = 0 if trees.protested else HANDS[seats]
    leavers = _numbers(parts, "left", ())
    position = Position(
        trees=trees,
        loggers=loggers,
        scores=_numbers(parts, "scores", (0,) * seats),
        hands=_numbers(parts, "hands", (fallback,) * seats),
        to_act=0 if "over" in parts else _number(parts, "to move", _first(loggers, leavers)),
        left=leavers,
        quiet=_number(parts, "quiet", 0),
        still=_number(parts, "still", 0),
        limit=_limit(parts),
        auto_pass=_choice(parts, "forced_pass", ("auto", "ask"), "auto") == "auto",
        cause=_choice(parts, "over", _CAUSES, ""),
    )
    _check_seats(position)
    _check_board(position)
    _check_counters(position)
    return position


def _bad(part: str, value: str, rule: str) -> Rejection:
    return Rejection("bad_position", part=part, found=value, wanted=rule)


def _parts(text: str) -> dict[str, str]:
    """Return the parts of the text of a position, by key.

    A part that begins with a tree, such as `c3=1`, needs no key, as in the rulebook.
    """
    parts: dict[str, str] = {}
    for piece in text.casefold().strip().strip(".;").split(";"):
        part = " ".join(piece.split())
        key = next((key for key in _KEYS if part == key or part.startswith(f"{key} ")), "")
        if not key and _TREE.match(part):
            key, part = "trees", f"trees {part}"
        if not key:
            raise _bad("parts", part, ", ".join(_KEYS))
        if key in parts:
            raise _bad(key, part, "once")
        parts[key] = part[len(key) :].strip()
    return parts


def _loggers(parts: Mapping[str, str]) -> tuple[int, ...]:
    text = parts.get("loggers", "")
    names = [name.strip() for name in text.split(",")]
    if len(names) not in HANDS or not all(name in NUMBERS or name == "-" for name in names):
        raise _bad("loggers", text, "a cell or - for each of 2 to 4 seats")
    return tuple(NUMBERS.get(name, NOWHERE) for name in names)


def _trees(parts: Mapping[str, str]) -> Trees:
    stages = {"1": 0, "2": 0, "3": 0, "*": 0}
    seen = 0
    for word in parts.get("trees", "").replace(",", " ").split():
        match = _TREE.fullmatch(word)
        if match is None or (match[3] and match[2] != "3"):
            raise _bad("trees", word, "cell=1, cell=2, cell=3 or cell=3*")
        bit = BIT[NUMBERS[match[1]]]
        if seen & bit:
            raise _bad("trees", word, "one tree a cell")
        seen |= bit
        stages[match[2]] |= bit
        if match[3]:
            stages["*"] |= bit
    return Trees(*stages.values())


def _numbers(parts: Mapping[str, str], key: str, usual: tuple[int, ...]) -> tuple[int, ...]:
    if key not in parts:
        return usual
    words = [word.strip() for word in parts[key].split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < _DIGIT_LIMIT for word in words):
        raise _bad(key, parts[key], "whole numbers, joined by commas")
    return tuple(map(int, words))


def _number(parts: Mapping[str, str], key: str, usual: int) -> int:
    values = _numbers(parts, key, (usual,))
    if len(values) != 1:
        raise _bad(key, parts[key], "one whole number")
    return values[0]


def _choice(parts: Mapping[str, str], key: str, values: tuple[str, ...], usual: str) -> str:
    value = parts.get(key, usual)
    if key in parts and value not in values:
        raise _bad(key, value, " or ".join(values))
    return value


def _limit(parts: Mapping[str, str]) -> int:
    if parts.get("tree_limit", "none") == "none":
        return NO_LIMIT
    limit = _number(parts, "tree_limit", NO_LIMIT)
    if limit == NO_LIMIT:
        raise _bad("tree_limit", parts["tree_limit"], "none or a number from 1")
    return limit


def _first(loggers: tuple[int, ...], leavers: tuple[int, ...]) -> int:
    """Return the default seat to move.

    That is the first seat with a logger to place, or else the first seat that has not left.
    """
    playing = [seat for seat in range(1, len(loggers) + 1) if seat not in leavers]
    placing = [seat for seat in playing if loggers[seat - 1] == NOWHERE]
    return (placing or playing or [1])[0]


def _check_seats(position: Position) -> None:
    seats = position.seats
    for key, values in (("scores", position.scores), ("hands", position.hands)):
        if len(values) != seats:
            raise _bad(key, ", ".join(map(str, values)), f"{seats} numbers")
    leavers = ", ".join(map(str, position.left))
    if len(set(position.left)) != len(position.left) or not {*position.left} <= {
        *range(1, seats + 1)
    }:
        raise _bad("left", leavers, f"different seats from 1 to {seats}")
    if position.cause:
        return
    if len(position.playing) <= 1:
        raise _bad("left", leavers, "two seats that play on, or over")
    if position.to_act not in position.playing:
        raise _bad("to move", str(position.to_act), "a seat that plays")


def _check_board(position: Position) -> None:
    trees = position.trees
    standing = trees.seedlings | trees.saplings | trees.mature
    placed = [cell for cell in position.loggers if cell != NOWHERE]
    taken = standing
    for cell in placed:
        if taken & BIT[cell]:
            raise _bad("loggers", CELLS[cell], "a cell for each logger alone")
        taken |= BIT[cell]
    in_game = HANDS[position.seats] * position.seats
    if sum(position.hands) + trees.protested.bit_count() != in_game:  # LG-1.5
        hands = ", ".join(map(str, position.hands))
        raise _bad("hands", hands, f"{in_game} with the protesters on trees")
    if position.limit and standing.bit_count() > position.limit:
        raise _bad("tree_limit", str(position.limit), "no more trees than that")
    placing = [seat for seat in position.playing if position.loggers[seat - 1] == NOWHERE]
    if placing and not position.cause:
        if trees != Trees(CENTRE, 0, 0, 0):  # LG-1.8
            raise _bad("trees", " ".join(_tree_texts(trees)), "c3=1 while loggers are placed")
        if position.to_act != placing[0]:
            raise _bad("to move", str(position.to_act), f"{placing[0]}, who must place")


def _check_counters(position: Position) -> None:
    if position.quiet > position.still:
        raise _bad("quiet", str(position.quiet), "at most still")
    if not position.cause and position.quiet >= len(position.playing):
        raise _bad("quiet", str(position.quiet), "fewer than the seats that play, or over")
