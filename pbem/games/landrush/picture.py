"""The board as an SVG picture: tiles, pyramids and their tracts, coin, stashes and points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.games.drawing.document import MARGIN, document
from pbem.games.drawing.emblems import emblem
from pbem.games.drawing.glyphs import write, write_all
from pbem.games.drawing.marks import badge, fresh_cell, open_spot
from pbem.games.drawing.palette import (
    COLOURS,
    GREY,
    INK,
    LINE,
    SHADE,
    WOOD,
)
from pbem.games.drawing.panel import Row, panel, row_height, winners
from pbem.games.drawing.svg import at, element, group, use
from pbem.games.game import GameOver, Hotspot, Marks, Translate, Viewpoint
from pbem.games.landrush.move_facts import move_facts
from pbem.games.landrush.position import (
    BIT,
    COLOUR_LETTERS,
    COLUMNS,
    NEXT,
    NO_COIN,
    NUMBERS,
    ROWS,
    SIZE_LETTERS,
    SQUARES,
    TILES,
    VALUES,
    Move,
    Position,
    list_squares,
)
from pbem.games.landrush.position import COLOURS as NAMES
from pbem.games.landrush.rules import turn
from pbem.games.landrush.scoring import points, scored_tracts
from pbem.games.landrush.tracts import open_squares

CELL: Final = 46
_WEST: Final = 64  # width of the space left of the board, for values and row numbers

_NORTH: Final = 64  # height of the space above the board, for suits and column letters

_EAST: Final = 26
_SOUTH: Final = 22
_WIDTH: Final = _WEST + COLUMNS * CELL + _EAST
_LOW: Final = _NORTH + ROWS * CELL
_COIN_ROW: Final = 40
GROUNDS: Final = WOOD  # two colours of tiles, which alternate

_SIDES: Final = ((12, 11), (16.5, 15.5), (21, 20))  # half the base and half the height, by size

_ROUND: Final = f'stroke="{INK}" stroke-width="1.8"'
_BOLD: Final = 'stroke-width="2.4"'
_SUN: Final = (
    "M5 0A5 5 0 1 1 5-.01M0-8V-11M0 8V11M-8 0H-11M8 0H11M-6-6l-2-2M6-6l2-2M6 6l2 2M-6 6l-2 2"
)
_SHIELD: Final = "M-8-9H8V0Q8 7 0 10Q-8 7-8 0Z"
_QUARTERS: Final = "M-8-9H0V0H8Q8 7 0 10V0H-8Z"
_SUITS: Final = tuple(  # symbols in the order of the columns; each use sets fill and stroke
    f'<g id="{name}" {_BOLD}>{shape}</g>'
    for name, shape in (
        ("lrsuns", f'<path d="{_SUN}"/>'),
        ("lrmoons", '<path d="M4-9A9.5 9.5 0 1 0 9 6Q-4 4 4-9Z"/>'),
        ("lrcrowns", '<path d="M-9 7V-6L-4 0L0-8L4 0L9-6V7Z"/>'),
        ("lrarms", f'<path fill="none" d="{_SHIELD}"/><path stroke="none" d="{_QUARTERS}"/>'),
    )
)

_IDS: Final = ("lrsuns", "lrmoons", "lrcrowns", "lrarms")


def _pyramid(colour: int, size: int) -> str:
    name = NAMES[colour]
    base, high = _SIDES[size]
    sign = emblem(name, 0, 0.42 * high, 0.85 + 0.2 * size)
    shape = f'<path d="M{-base} {high}L0 {-high}L{base} {high}Z" fill="{COLOURS[name]}" {_ROUND}/>'
    return f'<g id="{_id(colour, size)}">{shape}{sign}</g>'


def _id(colour: int, size: int) -> str:
    return f"lr{COLOUR_LETTERS[colour]}{SIZE_LETTERS[size]}"


_PYRAMIDS: Final = tuple(  # symbols of the pyramids, by colour
    "".join(_pyramid(colour, size) for size in range(3)) for colour in range(len(NAMES))
)

_STAR: Final = "M0-7L2 -2.2L7-2L3 1.4L4.4 6.6L0 3.7L-4.4 6.6L-3 1.4L-7-2L-2-2.2Z"


class Change(NamedTuple):
    """A badge on a square that a recent move has changed.

    `sign` is a sign of `drawing.marks.badge`, and `colour` the SVG colour of the player.
    """

    square: int
    sign: str
    colour: str


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """Return the SVG picture of the position, with marks on the squares that recent moves changed.

    All viewpoints see the same board (LR-6.1). The list of seats below the board marks the row of
    the viewpoint.
    """
    moves = [move_facts(step.move, step.before, step.after) for step in marks.transitions]
    changes = list(dict.fromkeys(change for facts in moves for change in list_changes(facts)))
    below = _LOW + _SOUTH + (_COIN_ROW if position.coin != NO_COIN else 8)
    body = [
        *_ground(position, {change.square for change in changes}),
        *_coordinates(marks.translate),
        *_tracts(position),
        *_pieces(position),
        *(() if marks.is_idle else _open(position, marks)),
        *_badges(changes),
        *_coin(position, marks.translate),
        panel(list(_rows(position, viewpoint, marks)), below, _WIDTH),
    ]
    defs = "".join((*_SUITS, *(_PYRAMIDS[colour] for colour in position.setting.colours)))
    return document(_WIDTH, below + row_height(_WIDTH) * position.seats, defs, body)


def square_middle(square: int) -> tuple[float, float]:
    """Return x and y of the middle of the square; the document adds its margin to both."""
    x, y = divmod(square, ROWS)
    return _WEST + (x + 0.5) * CELL, _NORTH + (y + 0.5) * CELL


def _corner(square: int) -> tuple[float, float]:
    x, y = square_middle(square)
    return x - CELL / 2, y - CELL / 2


# --- the board -----------------------------------------------------------------------------------


def _ground(position: Position, fresh: set[int]) -> Iterator[str]:
    width, height = COLUMNS * CELL, ROWS * CELL
    yield element("rect", x=_WEST, y=_NORTH, width=width, height=height, fill=GROUNDS[0])
    dark = ""
    for number, tile in enumerate(TILES):
        suit, value = divmod(number, len(VALUES))
        if (suit + value) % 2:
            x, y = _corner(tile[0])
            dark += f"M{x:g} {y:g}h{2 * CELL}v{2 * CELL}h-{2 * CELL}z"
    yield element("path", d=dark, fill=GROUNDS[1])
    thin = "".join(f"M{_WEST + x * CELL} {_NORTH}v{height}" for x in range(1, COLUMNS, 2))
    thin += "".join(f"M{_WEST} {_NORTH + y * CELL}h{width}" for y in range(1, ROWS, 2))
    yield element("path", d=thin, stroke=LINE, stroke_width=1)
    thick = "".join(f"M{_WEST + x * CELL} {_NORTH}v{height}" for x in range(0, COLUMNS + 1, 2))
    thick += "".join(f"M{_WEST} {_NORTH + y * CELL}h{width}" for y in range(0, ROWS + 1, 2))
    yield element("path", d=thick, stroke=GREY, stroke_width=2, stroke_linecap="square")
    yield from (fresh_cell(*square_middle(square), CELL) for square in sorted(fresh))
    if position.coin != NO_COIN:
        x, y = _corner(TILES[position.coin][0])
        yield element(
            "rect", x=x, y=y, width=2 * CELL, height=2 * CELL,
            stroke=INK, stroke_width=5,
        )  # fmt: skip


def _coordinates(word: Translate) -> Iterator[str]:
    for suit, name in enumerate(_IDS):
        placed = at(_WEST + (2 * suit + 1) * CELL, 20, 1.4)
        yield use(name, 0, 0, fill=INK, stroke=INK, transform=placed)
    names: list[tuple[str, float, float]] = []
    for x in range(COLUMNS):
        middle, _ = square_middle(x * ROWS)
        names += [(SQUARES[x * ROWS][0], middle, y) for y in (_NORTH - 13, _LOW + 12)]
    for y in range(ROWS):
        _, middle = square_middle(y)
        names += [(str(y + 1), x, middle) for x in (_WEST - 14, _WIDTH - 12)]
    yield write_all(names, 13, GREY)
    values = [(word(name), 17, _NORTH + (2 * tile + 1) * CELL) for tile, name in enumerate(VALUES)]
    yield write_all(values, 11.5, INK)


def _tracts(position: Position) -> Iterator[str]:
    """Yield SVG of broad lines between adjacent pyramids of one colour.

    Lines in tracts (connected groups) that score have the full colour; others are pale.
    """
    beside = NEXT[position.setting.eight]
    for seat in range(1, position.seats + 1):
        fill, lines = COLOURS[position.colour(seat)], {True: "", False: ""}
        for tract in scored_tracts(position, seat):
            for square in list_squares(tract.squares):
                x, y = square_middle(square)
                # each pair once, from the lower number to the higher
                for neighbour in list_squares(beside[square] & tract.squares & -(BIT[square] << 1)):
                    to_x, to_y = square_middle(neighbour)
                    lines[tract.is_scoring] += f"M{x:g} {y:g}l{to_x - x:g} {to_y - y:g}"
        for scores, path in lines.items():
            if path:
                edge, opacity = (INK, None) if scores else (LINE, 0.4)
                yield element("path", d=path, stroke=edge, stroke_width=11)
                yield element("path", d=path, stroke=GROUNDS[0], stroke_width=7)
                yield element("path", d=path, stroke=fill, stroke_width=7, stroke_opacity=opacity)


def _pieces(position: Position) -> Iterator[str]:
    for seat, own in enumerate(position.own):
        for square in list_squares(own):
            name = _id(position.setting.colours[seat], position.find_size(square))
            yield use(name, *square_middle(square))


def _open(position: Position, marks: Marks[Position, Move]) -> Iterator[str]:
    """Yield SVG marks for the empty squares of the coin's tile: rings if playable, else crosses.

    Words next to the coin explain the crosses. Without a coin, no square is marked (LR-9.2). With
    `marks.hides_choices`, there are no rings.
    """
    if position.coin == NO_COIN:
        return
    playable = {square for square, _, _ in open_squares(position)}
    empty = [square for square in TILES[position.coin] if not position.taken & BIT[square]]
    crossed = [square_middle(square) for square in empty if square not in playable]
    if crossed:
        x, y = _WEST + COLUMNS * CELL / 2 + 70, _LOW + _SOUTH + _COIN_ROW / 2
        crossed.append((x, y))
        yield write(marks.translate("not here"), x + 16, y, 11.5, INK, anchor=0)
        crosses = "".join(f"M{x - 8:g} {y - 8:g}l16 16m0-16l-16 16" for x, y in crossed)
        yield element("path", d=crosses, stroke=GREY, stroke_width=3)
    if not marks.hides_choices:
        yield from (open_spot(*square_middle(square), 12) for square in empty if square in playable)


# --- recent moves --------------------------------------------------------------------------------


def list_changes(facts: Mapping[str, Any]) -> Iterator[Change]:
    """Yield the badges for a move; `facts` is the result of `move_facts` for this move."""
    if facts["kind"] not in ("place", "play"):
        return
    colour = COLOURS[facts["colour"]]
    yield Change(NUMBERS[facts["square"]], "add", colour)
    for pyramid in facts.get("taken", ()):
        yield Change(NUMBERS[pyramid["square"]], "swap", colour)


def _badges(changes: list[Change]) -> Iterator[str]:
    """Yield SVG of the badges on changed squares. Badges on the same square are side by side."""
    counts: dict[int, int] = {}
    for square, sign, colour in changes:
        x, y = _corner(square)
        count = counts.get(square, 0)
        counts[square] = count + 1
        yield badge(sign, x + 8 + 14 * count, y + 8, colour, 0.85)


# --- below the board -----------------------------------------------------------------------------


def _coin(position: Position, word: Translate) -> Iterator[str]:
    """Yield SVG of the current coin, below the board, or nothing if there is no current coin."""
    if position.coin == NO_COIN:
        return
    suit, value = divmod(position.coin, len(VALUES))
    x, y = _WEST + COLUMNS * CELL / 2, _LOW + _SOUTH + _COIN_ROW / 2
    yield element(
        "rect", x=x - 44, y=y - 16, width=88, height=32, rx=16,
        fill="#f4d98b", stroke=INK, stroke_width=2,
    )  # fmt: skip
    yield use(_IDS[suit], x - 20, y, fill=SHADE, stroke=SHADE)
    yield write(word(VALUES[value]), x + 16, y, 13, SHADE)


def _rows(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> Iterator[Row]:
    current = turn(position)
    winning_seats = winners(current.outcome.placings if isinstance(current, GameOver) else ())
    for seat in range(1, position.seats + 1):
        yield Row(
            sign=group(
                [use(_id(position.setting.colours[seat - 1], 1), 0, 0)], transform=at(0, 0, 0.8)
            ),
            name=marks.name(seat),
            stock=_stock(position, seat),
            is_to_move=seat == position.to_act and not marks.is_idle,
            stock_width=206,
            you=marks.translate("you") if seat == viewpoint else "",
            has_left=seat in position.left,
            has_won=seat in winning_seats,
        )


def _stock(position: Position, seat: int) -> str:
    """Return SVG of the seat's stash by size, and of its points as if the game ended now."""
    stash = list(enumerate(position.stash(seat)))
    colour = position.setting.colours[seat - 1]
    pyramids = [use(_id(colour, size), -310 + 74 * size, 0) for size, _ in stash]
    counts = [(str(count), -174.0 + 46 * size, 0.0) for size, count in stash]
    scored = points(position, seat)
    ink = INK if scored else GREY
    return "".join(
        (
            group(pyramids, transform=at(0, 0, 0.62)),
            write_all(counts, 11, INK),
            element("path", d=_STAR, fill=ink, transform=at(-38, 0)),
            write(str(scored), -2, 0, 15, ink, anchor=1),
        )
    )


def hotspots(position: Position, viewpoint: Viewpoint) -> tuple[Hotspot, ...]:  # noqa: ARG001 - the shape of the hook
    """Return a hotspot (an area to tap) for every square. All viewpoints get the same hotspots."""
    spots = (square_middle(number) for number in range(len(SQUARES)))
    return tuple(
        Hotspot(name, x + MARGIN, y + MARGIN, CELL / 2, is_square=True)
        for name, (x, y) in zip(SQUARES, spots, strict=True)
    )
