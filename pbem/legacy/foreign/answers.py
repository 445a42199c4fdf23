"""What the functions of a game may give: its values are looked at and made anew, or refused.

Only values of ours and of Python leave the process of a package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain
from time import process_time
from typing import Any, Final

from pbem.errors import Fact, Facts
from pbem.legacy.foreign.shapes import fields_of, fits, given_by
from pbem.games import cells as of_cells
from pbem.games import chance, game, options, worth
from pbem.games.cells import Cells
from pbem.games.drawing.allowed import fault_of_picture
from pbem.games.game import Board, Chance, Outcome, Over, Seat, Seats, Turn

WIDEST: Final = 72
"""Columns of a board, as a mail has them."""

TALLEST: Final = 100
"""Lines of a board."""

LONGEST: Final = 20_000
"""Signs of a position, a move or a fact as text."""

LONGEST_DOCUMENT: Final = 500_000
"""Signs of a whole record."""

LARGEST: Final = 60_000
"""Bytes of a picture."""

_EATEN: Final = re.compile(r"^(?:>|From |\.)|\s$")
"""What a mail program eats of a line, or makes a quote of."""


_SHOWN: Final = 40
"""Signs of a text that is wrong."""


class Wrong(Exception):  # noqa: N818 - what it is
    """What a function gave is not what it has to give; the message says what to mend."""


def text(found: object, what: str, longest: int = LONGEST) -> str:
    """A text of one line."""
    if not isinstance(found, str):
        raise Wrong(f"{what} gave {type(found).__name__}, and not a text")
    if "\n" in found or "\r" in found or len(found) > longest:
        shown = f"a text of {len(found)} signs, {found[:_SHOWN]!r}"
        raise Wrong(f"{what} gave {shown}; one line of {longest} is allowed")
    return str(found)


def document(found: object, what: str) -> str:
    """A text of many lines, which a mail or a terminal may show."""
    if not isinstance(found, str) or len(found) > LONGEST_DOCUMENT:
        raise Wrong(f"{what} gave no text of at most {LONGEST_DOCUMENT} signs")
    unseen = next((one for one in found if not one.isprintable() and one != "\n"), None)
    if unseen is not None:
        raise Wrong(f"{what} gave a text with {unseen!r}, which nothing prints")
    return str(found)


def number(found: object, what: str) -> int:
    """A whole number."""
    if not isinstance(found, int):
        raise Wrong(f"{what} gave {type(found).__name__}, and not a whole number")
    return int(found)


def facts(found: object, what: str, depth: int = 0) -> Facts:
    """Facts, as templates get them."""
    if not isinstance(found, Mapping):
        raise Wrong(f"{what} gave {type(found).__name__}, and no facts")
    return {
        text(key, what): _fact(value, f"{what}: {key}", depth + 1) for key, value in found.items()
    }


_DEEPEST: Final = 12


def _fact(found: object, what: str, depth: int) -> Fact:
    if depth > _DEEPEST:
        raise Wrong(f"{what} is nested too deeply")
    if found is None or isinstance(found, bool):
        return found
    if isinstance(found, int):
        return int(found)
    if isinstance(found, str):
        if len(found) > LONGEST:
            raise Wrong(f"{what} has {len(found)} signs; {LONGEST} are allowed")
        return str(found.value) if isinstance(found, Enum) else str(found)
    if isinstance(found, Mapping):
        return facts(found, what, depth)
    if isinstance(found, Sequence):
        return tuple(_fact(one, what, depth + 1) for one in found)
    raise Wrong(f"{what} is {type(found).__name__}; facts are texts, whole numbers, lists of them")


SLOW: Final = 0.25
"""Seconds that an expression may take with a line of `PUMPED` signs."""

PUMPED: Final = 2_000

_PIECES: Final = (*map(chr, range(32, 127)), "a1", "1a", "a ", "1 ", "a-", "1.", ", ", "a>b")


def quick(pattern: re.Pattern[str], what: str) -> None:
    """An expression that no line keeps busy: it is asked where others wait. Else raises Wrong."""
    for piece in _PIECES:
        line = (piece * PUMPED)[:PUMPED] + "\N{BULLET}"
        begun = process_time()
        pattern.search(line)
        pattern.fullmatch(line)
        if (took := process_time() - begun) > SLOW:
            raise Wrong(f"{what}: {PUMPED} signs of {piece!r} take {took:.1f} s")


def turn(found: object, seats: int) -> Turn:
    """Whose turn it is, what is to be drawn, or how it ended."""
    match found:
        case Seats(acting) if acting and all(1 <= number(one, "turn") <= seats for one in acting):
            return Seats(tuple(Seat(int(one)) for one in acting))
        case Chance(draw):
            return Chance(plain(draw, "turn"))
        case Over(Outcome(placings, termination)):
            places = tuple(number(one, "turn") for one in placings)
            if len(places) > seats or min(places, default=0) != 1:
                raise Wrong(f"turn() gave placings {places}; the best is 1, and a seat has one")
            return Over(Outcome(places, text(termination, "turn", 60)))
        case _:
            pass
    raise Wrong(f"turn() gave {found!r:.80}, and neither Seats, Chance nor Over")


def board(found: object) -> Board:
    """A board that any mail can carry."""
    if not isinstance(found, Board):
        raise Wrong(f"board() gave {type(found).__name__}, and no Board")
    lines = tuple(text(line, "board") for line in found.lines)
    for at, line in enumerate(lines, 1):
        if len(line) > WIDEST:
            raise Wrong(f"board(): line {at} has {len(line)} columns; mails have {WIDEST}")
        if eaten := _EATEN.search(line):
            where = "begins" if line.startswith(eaten[0]) else "ends"
            raise Wrong(f"board(): line {at} {where} with {eaten[0]!r}, which mail programs change")
    if len(lines) > TALLEST:
        raise Wrong(f"board() has {len(lines)} lines; {TALLEST} are allowed")
    return Board(lines, facts(found.facts, "board"))


def picture(found: object) -> str:
    """A picture with nothing but drawing in it (games/drawing/allowed.py)."""
    if not isinstance(found, str):
        raise Wrong(f"picture() gave {type(found).__name__}, and not a text")
    if len(found) > LARGEST:
        raise Wrong(f"picture() has {len(found)} bytes; {LARGEST} are allowed")
    if found and (fault := fault_of_picture(found)):
        raise Wrong(f"picture(): {fault}")
    return str(found)


_OURS: Final = frozenset(
    found
    for module in (of_cells, chance, game, options, worth)
    for found in vars(module).values()
    if isinstance(found, type) and found.__module__ == module.__name__
)
"""The classes whose values may be given as they are: they have no code of others."""


def plain(found: Any, what: str) -> Any:
    """A value that is made of ours and of Python's own, made anew."""
    if found is None or type(found) in (bool, int, str, range):
        return found
    if isinstance(found, Enum) and type(found) in _OURS:
        return found
    if is_dataclass(found) and not isinstance(found, type) and type(found) in _OURS:
        return _made_anew(found, what)
    if isinstance(found, worth.Term):
        return shaped(worth.Term(*(plain(one, what) for one in found)), tuple[str, int, int], what)
    if isinstance(found, Mapping):
        return {plain(key, what): plain(value, what) for key, value in found.items()}
    if isinstance(found, tuple | list):
        return tuple(plain(one, what) for one in found)
    if isinstance(found, int | str):
        return int(found) if isinstance(found, int) else str(found)
    if isinstance(found, float):
        return float(found)
    if isinstance(found, Iterable):
        return tuple(plain(one, what) for one in found)
    raise Wrong(f"{what} gave a {type(found).__name__}, which is none of pbem's values")


def _made_anew(found: Any, what: str) -> Any:
    kind: Any = type(found)
    hints = fields_of(kind)
    given = {one.name: plain(getattr(found, one.name), what) for one in fields(found)}
    return kind(
        **{
            name: shaped(value, hints[name], f"{what}, {name} of {kind.__name__}")
            for name, value in given.items()
        }
    )


_MODULES: Final = re.compile(r"\b(?:\w+\.)+(?=\w)")
"""What stands before a name in a type hint; who wrote a game imports it by the name."""


def given(hook: str, found: Any) -> Any:
    """What a function of the record gives, where all that may be asked of it is its shape."""
    return shaped(plain(found, f"{hook}()"), given_by(hook), f"{hook}()")


_COLOUR: Final = re.compile("#[0-9a-f]{6}")


def cells(found: object) -> Cells | None:
    """A board as cells whose colours are nothing else: they stand in the markup of mails."""
    made: Cells | None = given("cells", found)
    every = [*chain(*made.rows), *(cell for _, cell in made.signs)] if made is not None else []
    for cell in every:
        for colour in (cell.ground, cell.ink, cell.fill, cell.outline, cell.rim):
            if colour and not _COLOUR.fullmatch(colour):
                raise Wrong(f"cells() gave the colour {colour!r:.80}; #rrggbb is one")
    return made


def shaped(found: Any, hint: Any, what: str) -> Any:
    """A plain value, where it has the shape that a type hint says."""
    if not fits(found, hint):
        wanted = hint.__name__ if isinstance(hint, type) else _MODULES.sub("", str(hint))
        raise Wrong(f"{what} gave {found!r:.80}, and no {wanted}")
    return found
