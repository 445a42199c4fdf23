"""The table as an SVG picture: boards with their arrows, stacks, dice, and what the last turns did.

A board is one symbol, turned as it lies. Arrows that lead to no board are pale; a ring marks the
centre, where the colour of the board builds its nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.games.drawing.document import document
from pbem.games.drawing.glyphs import write, write_all
from pbem.games.drawing.marks import badge, trail
from pbem.games.drawing.palette import COLOURS as FILLS
from pbem.games.drawing.palette import FRESH, GREY, INK, LINE, PAPER, TINTS, WHITE
from pbem.games.drawing.panel import ROW, Row, panel
from pbem.games.drawing.svg import at, element, group, use
from pbem.games.game import Drawn, Marks, Over, Played, Viewpoint
from pbem.games.looney_ludo.boards import (
    COLUMNS,
    EXITS,
    PLACE,
    QUARTERS,
    SQUARES,
    on_table,
    reached,
    slot_name,
)
from pbem.games.looney_ludo.notation import clauses
from pbem.games.looney_ludo.picture_symbols import (
    BOARD,
    BOARD_SYMBOL,
    CELL,
    SIDES,
    arrow,
    die,
    inside,
    piece_id,
    piece_symbol,
)
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
    LETTERS,
    PIECES,
    Aim,
    Climb,
    Hop,
    Move,
    Position,
    Stack,
    Swap,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.rules import turn
from pbem.games.looney_ludo.steps import Course, actual, square_of, take

_STEP: Final = BOARD + 8
"""From one slot to the next."""

_EDGE: Final = 24
"""The room for letters and numbers around the table."""

_NARROW: Final = 400
"""A small table stands in the middle of so much."""

_DICE: Final = 58
"""The height of the dice."""

_LIFT: Final = 13
"""How much of a piece is seen below the one that lies on it."""

_TALL: Final = 30
"""How high the foot of the topmost piece of a stack may be above that of the lowest."""


class _Way(NamedTuple):
    """Squares that a piece came through."""

    squares: tuple[int, ...]
    colour: str


class _Change(NamedTuple):
    """What a seat did to a board."""

    board: int
    sign: str
    colour: str


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """The picture; every viewpoint sees the same (LL-6.1), but for its own pieces."""
    lying = on_table(position.slots)
    middles = _middles(position)
    wide = max([_NARROW, *(x + BOARD / 2 + _EDGE for x, _ in middles.values())])
    shift = (wide - max((x + BOARD / 2 + _EDGE for x, _ in middles.values()), default=wide)) / 2
    middles = {board: (x + shift, y) for board, (x, y) in middles.items()}
    high = max((y + BOARD / 2 + _EDGE for _, y in middles.values()), default=0)
    own = position.setting.colours[viewpoint - 1] if viewpoint else None
    told = [one for played in marks.since for one in _told(played)]
    ways = [one for one in told if isinstance(one, _Way)]
    table = _Table(position, middles)
    body = [
        *_coordinates(position, middles),
        *(part for board in lying for part in _board(table, board)),
        *_fresh(table, ways),
        *(part for board in lying for part in _signs(table, board)),
        *_trails(table, ways),
        *_stacks(table, own),
        *_badges(table, [one for one in told if isinstance(one, _Change)]),
        group(_dice(position, wide), transform=at(0, high + 4)),
        panel(list(_rows(position, viewpoint, marks)), 0, high + _DICE, wide, 16),
    ]
    return document(wide, high + _DICE + ROW * position.seats, _defs(position, own), body)


def _defs(position: Position, own: int | None) -> str:
    pieces = "".join(
        piece_symbol(colour, size, own=colour == own)
        for colour in position.setting.colours
        for size in range(PIECES)
    )
    plain = (
        "".join(piece_symbol(own, size, own=False) for size in range(PIECES))
        if own is not None
        else ""
    )
    return BOARD_SYMBOL + pieces + plain


class _Table(NamedTuple):
    """A position, and where the middles of its boards are."""

    position: Position
    middles: Mapping[int, tuple[float, float]]

    def middle(self, square: int) -> tuple[float, float]:
        """The middle of a square, as it lies now."""
        board, printed = divmod(square, SQUARES)
        x, y = self.middles[board]
        dx, dy = inside(PLACE[self.position.turned[board]][printed])
        return x + dx, y + dy


def _middles(position: Position) -> dict[int, tuple[float, float]]:
    lying = {board: position.slots[board] for board in on_table(position.slots)}
    if not lying:
        return {}
    top = min(slot // COLUMNS for slot in lying.values())
    west = min(slot % COLUMNS for slot in lying.values())
    return {
        board: (
            _EDGE + BOARD / 2 + _STEP * (slot % COLUMNS - west),
            _EDGE + BOARD / 2 + _STEP * (slot // COLUMNS - top),
        )
        for board, slot in lying.items()
    }


# --- the boards ----------------------------------------------------------------------------------


def _coordinates(position: Position, middles: Mapping[int, tuple[float, float]]) -> Iterator[str]:
    """LL-7.5: the letters of columns above, the numbers of rows to the west."""
    if not middles:
        return
    west = min(x for x, _ in middles.values()) - BOARD / 2 - _EDGE / 2
    names: dict[str, tuple[float, float]] = {}
    for board, (x, y) in middles.items():
        name = slot_name(position.slots[board])
        names[name[0]] = (x, _EDGE / 2 - 2)
        names[name[1:]] = (west, y)
    yield write_all([(name, x, y) for name, (x, y) in sorted(names.items())], 13, GREY)


def _board(table: _Table, board: int) -> Iterator[str]:
    """The ground of a board in its colour, and the ring of its nest."""
    x, y = table.middles[board]
    name, half = COLOURS[board], BOARD / 2
    yield element(
        "rect", x=x - half, y=y - half, width=BOARD, height=BOARD, rx=7,
        fill=TINTS[name], stroke=FILLS[name], stroke_width=5,
    )  # fmt: skip
    ring = element("circle", r=19, fill=PAPER, stroke=FILLS[name], stroke_width=5)
    letter = "" if table.position.stacks[CENTRES[board]] else write(LETTERS[board], 0, 0, 15, INK)
    yield group([ring, letter], transform=at(x, y))


def _signs(table: _Table, board: int) -> Iterator[str]:
    """The arrows and the dot; arrows that lead nowhere are pale."""
    x, y = table.middles[board]
    turns = table.position.turned[board]
    turned = f"rotate({90 * turns})" if turns else ""
    yield element("use", href="#llb", transform=at(x, y) + turned)
    slots, turned_all = table.position.slots, table.position.turned
    nowhere = [
        arrow(*table.middle(square), direction)
        for square in range(SQUARES * board, SQUARES * (board + 1))
        for direction in range(QUARTERS)
        if EXITS[turns][square % SQUARES][direction]
        and reached(square, direction, slots, turned_all) < 0
    ]
    if nowhere:
        yield element(
            "path", d="".join(nowhere), fill=TINTS[COLOURS[board]], stroke=LINE, stroke_width=1.5
        )


# --- pieces --------------------------------------------------------------------------------------


def _stacks(table: _Table, own: int | None) -> Iterator[str]:
    """From bottom to top, each piece a little higher than the one that it lies on."""
    for square, stack in enumerate(table.position.stacks):
        if stack:
            x, y = table.middle(square)
            yield from _stack(stack, x, y, own)


def _stack(stack: Stack, x: float, y: float, own: int | None) -> Iterator[str]:
    lift = min(_LIFT, _TALL / max(len(stack) - 1, 1))
    foot = y + 8 + lift * (len(stack) - 1) / 2
    for level, piece in enumerate(stack):
        colour, size = divmod(piece, PIECES)
        _, high = SIDES[size]
        name = piece_id(colour, size, own=colour == own)
        yield use(name, x, foot + 6 - lift * level - high)


# --- what happened -------------------------------------------------------------------------------


def _told(played: Played[Position, Move]) -> Iterator[_Way | _Change]:
    if isinstance(played.move, Drawn) or not isinstance(played.move, WholeTurn):
        return
    colour = FILLS[COLOURS[played.before.colour]]
    course = Course(played.before)
    for _, run in clauses(played.move.steps):
        match run[0]:
            case Walk(piece) | Climb(piece):
                mover = actual(course, piece)
                squares = [square_of(course.stacks, mover) or 0]
                for step in run:
                    take(course, step)
                    squares.append(square_of(course.stacks, mover) or 0)
                yield _Way(tuple(squares), colour)
                continue
            case Swap(one, other):
                yield from (_Change(board, "swap", colour) for board in (one, other))
            case Hop(board):
                yield _Change(board, "hop", colour)
            case Aim(pairs):
                yield from (_Change(board, "turn", colour) for board, _ in pairs)
            case _:
                pass
        for step in run:
            take(course, step)


def _fresh(table: _Table, ways: Sequence[_Way]) -> Iterator[str]:
    for square in sorted({way.squares[-1] for way in ways}):
        x, y = table.middle(square)
        half = CELL / 2 - 1
        yield element("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, fill=FRESH)


def _trails(table: _Table, ways: Sequence[_Way]) -> Iterator[str]:
    for way in ways:
        through = [table.middle(square) for square in dict.fromkeys(way.squares)]
        if len(through) > 1:
            yield trail(through, way.colour, wide=3.5, short=14)


def _badges(table: _Table, changes: Sequence[_Change]) -> Iterator[str]:
    """At the north-western corner of a board, one beside the other."""
    told: dict[int, int] = {}
    for board, sign, colour in dict.fromkeys(changes):
        x, y = table.middles[board]
        before = told.get(board, 0)
        told[board] = before + 1
        yield badge(sign, x - CELL / 2 + 22 * before, y - BOARD / 2, colour, 1.3)


# --- dice and seats ------------------------------------------------------------------------------


def _dice(position: Position, wide: float) -> Iterator[str]:
    """The dice of the turn with its points; then what a space costs each size (LL-1.3)."""
    roll, middle = position.roll, _DICE / 2 - 4
    x = 30.0
    if roll is not None and not position.cause:
        for thrown in (roll.first, roll.second):
            yield group(die(thrown), transform=at(x, middle))
            x += 40
        face = element("rect", x=-30, y=-16, width=60, height=32, rx=7, fill=INK)
        yield group([face, write(roll.face.name, 0, 0, 12, WHITE)], transform=at(x + 14, middle))
        equals = f"M{x + 56:g} {middle - 3:g}h12m0 6h-12"
        yield element("path", d=equals, stroke=INK, stroke_width=2.5)
        yield write(str(roll.points), x + 78, middle, 16, INK, anchor=0)
    costs = []
    for size in range(PIECES):
        east = wide - 130 + 44 * size
        base, high = (0.75 * side for side in SIDES[size])
        path = f"M{east - base:g} {middle + high:g}l{base:g} {-2 * high:g}l{base:g} {2 * high:g}Z"
        yield element("path", d=path, stroke=GREY, stroke_width=1.8)
        costs.append((str(size + 1), east + 19, middle))
    yield write_all(costs, 11, GREY)


def _rows(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> Iterator[Row]:
    now = turn(position)
    places = now.outcome.placings if isinstance(now, Over) else (0,) * position.seats
    for seat, colour in enumerate(position.setting.colours, 1):
        own = viewpoint is not None and viewpoint == seat
        yield Row(
            sign=group([use(piece_id(colour, 1, own=own), 0, 0)], transform=at(0, 0, 0.85)),
            name=marks.name(seat),
            has=_nest(position, colour),
            acts=seat == position.to_act and not marks.idle,
            you=seat == viewpoint,
            left=seat in position.left,
            place=places[seat - 1],
        )


def _nest(position: Position, colour: int) -> str:
    """The three pieces; those that are not on the centre at home are faint."""
    home = position.stacks[CENTRES[colour]]
    drawn = []
    for size in range(PIECES):
        there = PIECES * colour + size in home
        drawn.append(
            group(
                [use(piece_id(colour, size, own=False), 0, 0)],
                transform=at(-96 + 36 * size, 0, 0.8),
                opacity=None if there else 0.3,
            )
        )
    return "".join(drawn)
