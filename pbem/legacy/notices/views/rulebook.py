"""The rulebooks by the numbers of their rules, and boards that nobody plays on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

from pbem.errors import Rejection
from pbem.games import GAMES, newest
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Marks, Seats, Style
from pbem.games.packages import folder_of
from pbem.legacy.notices.views.match_parts import Sight
from pbem.legacy.notices.views.matches import shown_in_html
from pbem.legacy.notices.views.scene import Wishes
from pbem.legacy.players.wishes import NARROWEST, WIDEST

# --- rulebook ------------------------------------------------------------------------------------
# The rulebooks by the numbers of their rules, as a refusal names them: docs/games/, in English.

NUMBER: Final = re.compile(r"\[?([a-z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z]?)\]?", re.IGNORECASE)
"""The number of a rule as it is cited, with or without its brackets."""

_BEGINS: Final = re.compile(r"\*\*([A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2})\*\*[ ]?")
_PART: Final = re.compile(r"\*\*([A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z])\*\*")
_ROW: Final = re.compile(r"\| (?:\*\*)?([A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2})(?:\*\*)? \|(.*)")
"""A row of a table that is a rule of its own: its number, the code of a refusal, and when."""

_ITEM: Final = re.compile(r"(?:[0-9]{1,2}\.|-) ")
_MARKS: Final = re.compile(r"\*\*|`|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])")
_RULED: Final = re.compile(r"[|\s-]+")
"""The line below the head of a table."""


class Rule(NamedTuple):
    """A rule of a game: the number under which it stands, and its paragraphs and lines."""

    game: str
    number: str
    lines: tuple[str, ...]


def rule(number: str) -> Rule | None:
    """The rule with a number as somebody typed it; a part of a rule is shown with all of it."""
    found = NUMBER.fullmatch(number)
    return _rules().get(found[1].casefold()) if found is not None else None


@cache
def _rules() -> Mapping[str, Rule]:
    found: dict[str, Rule] = {}
    for key in {game.key for game in GAMES.values()}:
        for number, lines in _split(book_of(key)):
            one = Rule(key, number, tuple(_plain(lines)))
            found[number.casefold()] = one
            for part in _PART.findall("\n".join(lines)):
                found.setdefault(part.casefold(), one)
    return found


def book_of(key: str) -> str:
    """The rulebook of a game as it is written; empty where a game of others brings none."""
    folder = folder_of(key)
    ours = rulebook_folder() / f"{key}.md"
    book = Path(folder, "rules.md") if folder is not None and not ours.is_file() else ours
    try:
        return book.read_text(encoding="utf-8")
    except OSError:
        return ""


def rulebook_folder() -> Path:
    """Inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parents[3]
    inside = package / "rulebooks"
    return inside if inside.is_dir() else package.parent / "docs" / "games"


def numbers_of(book: str) -> list[str]:
    """The numbers of all rules of a rulebook, and those of their parts."""
    return [
        number
        for whole, lines in _split(book)
        for number in (whole, *_PART.findall("\n".join(lines)))
    ]


def _split(text: str) -> Iterator[tuple[str, list[str]]]:
    """Every rule of a book with its lines, up to the next rule or heading."""
    number, lines = "", list[str]()
    for line in [*text.split("\n"), "#"]:
        row = _ROW.fullmatch(line)
        if row is not None:
            code, *told = (cell.strip() for cell in row[2].strip("| ").split("|"))
            yield row[1], [f"{code}: {'; '.join(told)}"]
        begins = _BEGINS.match(line)
        if begins is None and not line.startswith("#"):
            lines.append(line)
            continue
        if number:
            yield number, lines
        number = begins[1] if begins is not None else ""
        lines = [line[begins.end() :]] if begins is not None else []


def _plain(lines: list[str]) -> Iterator[str]:
    """The lines without marks: a paragraph as one, tables and drawings as they stand."""
    paragraph: list[str] = []
    drawn = False
    for line in [*lines, ""]:
        kept = drawn or line.startswith("|")
        if paragraph and (kept or _ITEM.match(line) or not line.strip() or line.startswith("```")):
            yield _MARKS.sub("", " ".join(paragraph))
            paragraph = []
        if line.startswith("```"):
            drawn = not drawn
        elif kept:
            if drawn or not _RULED.fullmatch(line):
                yield line if drawn else _MARKS.sub("", line).strip("| ")
        elif line.strip():
            paragraph.append(line.strip())


# --- sample boards -------------------------------------------------------------------------------
# Boards that nobody plays on: in a test mail, in an invitation, beside the rules.

WIDTHS: Final = (NARROWEST, 50, 60, WIDEST)
MOVES: Final = 6
"""So many moves fill the board a little."""


@cache
def boards(key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A position of a game as everybody may see it, in plain signs and in Unicode ones."""
    game = newest(key)
    if game is None:
        return (), ()
    position = game.initial(game.seats[0], game.normal_options({}))
    moves = 0
    with suppress(Rejection):
        while moves < MOVES:
            match game.turn(position):
                case Chance(draw=draw):
                    position = game.play(position, Drawn(answer(draw, cycle(range(256)))))
                case Seats():
                    legal = game.legal(position)
                    position = game.play(position, legal[len(legal) // 2])
                    moves += 1
                case _:
                    break
    plain, signs = (game.board(position, None, style) for style in (Style.ASCII, Style.UNICODE))
    return plain.lines, signs.lines


@cache
def example(key: str, wishes: Wishes) -> Sight | None:
    """A board that shows what a game looks like: as text a part of it, in HTML the whole."""
    game = newest(key)
    if game is None or game.example is None:
        return None
    shown = game.example
    position = game.load(shown.position)
    board = game.board(position, shown.viewpoint, wishes.style)
    lines = (line[: shown.columns].rstrip() for line in board.lines[: shown.lines])
    cells, picture = shown_in_html(game, position, shown.viewpoint, Marks(), wishes)
    return Sight(0, tuple(lines), board.facts, cells, picture)


def ruler() -> tuple[str, ...]:
    """Lines of known widths: each begins with its number and ends with a bar."""
    return tuple(f"{width}{'-' * (width - 3)}|" for width in WIDTHS)


def pictures(key: str) -> tuple[tuple[str, ...], ...]:
    """PLAY 2: what the reader sees of these says which wishes fit."""
    return (*boards(key), ruler())
