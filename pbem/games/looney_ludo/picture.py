"""The table as an SVG picture: boards with arrows, stacks, dice, and recent moves.

One SVG `<symbol>` draws all boards, rotated as each board is. Arrows are on the borders that they
cross. If an arrow leads to another board, the frames of both boards have a gap there. An arrow that
does not lead to a board is only an outline. A ring marks the centre square, where the player of the
board's colour builds a nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, product, starmap
from math import dist
from typing import Final, NamedTuple

from pbem.games.drawing.document import MARGIN, document, legible_height
from pbem.games.drawing.glyphs import write_all
from pbem.games.drawing.marks import badge, fresh_cell, open_spot, trail
from pbem.games.drawing.palette import COLOURS as FILLS
from pbem.games.drawing.palette import GREY, INK, LETTERING, LINE, TINTS
from pbem.games.drawing.panel import Row, panel, row_height, winners
from pbem.games.drawing.svg import at, element, use
from pbem.games.game import ChanceResult, GameOver, Hotspot, Marks, Transition, Viewpoint
from pbem.games.looney_ludo.boards import (
    COLUMNS,
    NO_ARROW,
    NO_BOARD,
    PLACE,
    QUARTERS,
    SQUARES,
    find_destination,
    landings,
    list_boards,
    slot_name,
)
from pbem.games.looney_ludo.legal import open_moves
from pbem.games.looney_ludo.notation import clauses, piece_name
from pbem.games.looney_ludo.picture_symbols import (
    BOARD,
    CELL,
    LENGTH,
    SIDES,
    STEPS,
    SYMBOLS,
    arrow,
    beyond,
    crossing,
    dice,
    dice_height,
    inside,
    piece_id,
    piece_symbol,
)
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
    LETTERS,
    OWN,
    PIECES,
    Aim,
    Climb,
    Face,
    Hop,
    Move,
    Phase,
    Position,
    Stack,
    Swap,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.rules import turn
from pbem.games.looney_ludo.steps import Course, find_square, resolve_colour, take

_GAP: Final = 8
_STEP: Final = BOARD + _GAP  # distance between the middles of adjacent slots

_EDGE: Final = 24
_EXTRA_EDGE: Final = 8  # additional space around the table for each board beyond two in a row

_MIN_WIDTH: Final = 400  # least width of a picture; a smaller table is centred in it

_LETTER_HEIGHT: Final = 11
_TAG_LETTER_HEIGHT: Final = 10.5  # letter height that the tag fits; it is scaled for others

_MAX_SLOT_NAME_HEIGHT: Final = 19  # greatest height of the names of slots to which boards may hop

_LIFT: Final = 10  # height of the part of a piece that is visible below the piece on top of it

# Horizontal distances of a board's first, second and further badges from its middle, in squares.
_BADGES: Final = (-0.5, -1.5, 1.5)
_BADGE_DEPTH: Final = 9  # distance of badges from the edge, where slots to hop to have their names

_MAX_LIFT: Final = 27  # greatest height of a stack's topmost piece above its lowest


class _Trail(NamedTuple):
    """The squares through which a piece moved, and the colour of the player who moved it."""

    squares: tuple[int, ...]
    colour: str


class _Change(NamedTuple):
    """A badge on a board that a recent turn has changed.

    `sign` is a sign of `drawing.marks.badge`, and `colour` the SVG colour of the player.
    """

    board: int
    sign: str
    colour: str


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """Return the SVG picture. Nothing on the board is hidden from any player (LL-6.1).

    Pictures for different readers differ only in marks on the reader's pieces, seat and possible
    moves.
    """
    lying = list_boards(position.slots)
    width, middles = lay_out(position)
    table_height = max((y + BOARD / 2 for _, y in middles.values()), default=0) + _edge(position)
    own = position.setting.colours[viewpoint - 1] if viewpoint else None
    moves = [part for step in marks.transitions for part in _list_parts(step)]
    trails = [part for part in moves if isinstance(part, _Trail)]
    table = Table(position, middles)
    height = legible_height(width)
    below, row = table_height + dice_height(width), row_height(width)
    body = [
        *_coordinates(position, middles, height),
        *(_ground(table, board) for board in lying),
        *_fresh_cells(table, trails),
        *_arrows(table),
        *(() if marks.is_idle or marks.hides_choices else _open_squares(table, viewpoint)),
        *_trails(table, trails),
        *_stacks(table, own),
        *_letters(table, height),
        *_badges(table, [part for part in moves if isinstance(part, _Change)]),
        dice(position.roll if not position.cause else None, width, table_height, marks.translate),
        panel(list(_rows(position, viewpoint, marks)), below, width),
    ]
    return document(width, below + row * position.seats, _defs(position), body)


def _defs(position: Position) -> str:
    pieces = (
        piece_symbol(colour, size) for colour in position.setting.colours for size in range(PIECES)
    )
    return SYMBOLS + "".join(pieces)


class Table(NamedTuple):
    """A position, with the coordinates of the middle of each board in the picture."""

    position: Position
    middles: Mapping[int, tuple[float, float]]

    def middle(self, square: int) -> tuple[float, float]:
        """Return x and y of the middle of the square, without the margin of the document."""
        board, printed = divmod(square, SQUARES)
        x, y = self.middles[board]
        dx, dy = inside(PLACE[self.position.turned[board]][printed])
        return x + dx, y + dy


def lay_out(position: Position) -> tuple[float, dict[int, tuple[float, float]]]:
    """Return the width of the drawing, and the middle of each board in it."""
    middles = _middles(position)
    easts = [x + BOARD / 2 + _edge(position) for x, _ in middles.values()]
    width = max([_MIN_WIDTH, *easts])
    shift = (width - max(easts, default=width)) / 2
    return width, {board: (x + shift, y) for board, (x, y) in middles.items()}


def _edge(position: Position) -> float:
    columns = [position.slots[board] % COLUMNS for board in list_boards(position.slots)]
    across = max(columns, default=0) - min(columns, default=0) + 1
    return _EDGE + _EXTRA_EDGE * max(across - 2, 0)


def _middles(position: Position) -> dict[int, tuple[float, float]]:
    lying = {board: position.slots[board] for board in list_boards(position.slots)}
    if not lying:
        return {}
    top = min(slot // COLUMNS for slot in lying.values())
    west = min(slot % COLUMNS for slot in lying.values())
    start = _edge(position) + BOARD / 2
    return {
        board: (
            start + _STEP * (slot % COLUMNS - west),
            start + _STEP * (slot // COLUMNS - top),
        )
        for board, slot in lying.items()
    }


# --- the boards ----------------------------------------------------------------------------------


def _coordinates(
    position: Position, middles: Mapping[int, tuple[float, float]], height: float
) -> Iterator[str]:
    """Yield column letters, row numbers, and names of slots to which boards may hop (LL-7.5).

    `height` is the height of the letters.
    """
    if not middles:
        return
    wests, norths = zip(*middles.values(), strict=True)
    half = BOARD / 2 + _edge(position) / 2
    west, north = min(wests) - half, min(norths) - half
    landing = {spot: slot_name(slot) for slot, spot in landing_spots(position, middles)}
    names: dict[tuple[float, float], str] = {}
    for board, (x, y) in middles.items():
        name = slot_name(position.slots[board])
        names[west, y] = name[1:]
        if (x - CELL / 2, north) not in landing:
            names[x, north] = name[0]
    plain = [(name, *spot) for spot, name in sorted(names.items()) if spot not in landing]
    yield write_all(plain, max(13, height), GREY)
    height = min(height, _MAX_SLOT_NAME_HEIGHT)
    yield from (
        use("llt", 0, 0, transform=at(*spot, height / _TAG_LETTER_HEIGHT)) for spot in landing
    )
    yield write_all([(name, *spot) for spot, name in landing.items()], height, INK)


def landing_spots(
    position: Position, middles: Mapping[int, tuple[float, float]]
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield each slot to which a board may hop, with the point at which the slot's name is drawn.

    The name of a slot outside the table is drawn at the edge.
    """
    wests, norths = zip(*middles.values(), strict=True)
    half = BOARD / 2 + _edge(position) / 2
    west, east = min(wests) - half, max(wests) + half
    north, south = min(norths) - half, max(norths) + half
    first = min(position.slots[board] % COLUMNS for board in middles)
    top = min(position.slots[board] // COLUMNS for board in middles)
    for slot in sorted(_landings(position)):
        x = min(wests) + _STEP * (slot % COLUMNS - first)
        y = min(norths) + _STEP * (slot // COLUMNS - top)
        if y < north:
            x -= CELL / 2  # beside the letter of the board below
        yield slot, (min(max(x, west), east), min(max(y, north), south))


def _landings(position: Position) -> set[int]:
    """Return the slots to which a board may hop; no slots if the dice allow no hops (LL-2.15)."""
    roll = position.roll
    is_due = position.phase in (Phase.DOUBLES, Phase.ACT)
    if not is_due or roll is None or roll.face not in (Face.HOP, Face.WILD):
        return set()
    boards = list_boards(position.slots)
    return {slot for board in boards for slot in landings(position.slots, board)}


def _ground(table: Table, board: int) -> str:
    """Return SVG of the background of the board in its colour, with the ring of its nest."""
    name = COLOURS[board]
    return use("llf", *table.middles[board], fill=TINTS[name], stroke=FILLS[name])


def _letters(table: Table, height: float) -> Iterator[str]:
    """Yield the letter of each board, on its frame, for readers who do not see its colour."""
    scale = height / _LETTER_HEIGHT
    by_ink: dict[str, list[tuple[str, float, float]]] = {}
    for board, (middle, y) in table.middles.items():
        name, x = COLOURS[board], middle + CELL / 2
        yield use("lld", 0, 0, fill=FILLS[name], transform=at(x, y - BOARD / 2, scale))
        by_ink.setdefault(LETTERING[name], []).append((LETTERS[board], x, y - BOARD / 2))
    for ink, letters in by_ink.items():
        yield write_all(letters, height, ink, weight=4)


def _arrows(table: Table) -> Iterator[str]:
    """Yield SVG for the arrows and dots of the boards.

    Where an arrow crosses the frame of a board, the frame gets a gap: a stroke in the board's
    colour.
    """
    slots, turned = table.position.slots, table.position.turned
    full = hollow = ""
    gaps = dict.fromkeys(table.middles, "")
    for square, direction in product(range(len(table.position.stacks)), range(QUARTERS)):
        board, end = square // SQUARES, find_destination(square, direction, slots, turned)
        if board not in table.middles or end == NO_ARROW or end // SQUARES == board:
            continue
        (x, y), (dx, dy) = table.middle(square), STEPS[direction]
        edge = (x + dx * CELL / 2, y + dy * CELL / 2)
        if end == NO_BOARD:
            hollow += arrow(*beyond(edge, direction, -LENGTH - 4), direction)
            continue
        is_pair = find_destination(end, direction - 2, slots, turned) >= 0
        way = _GAP / 2 + crossing(is_pair=is_pair)
        full += arrow(*beyond(edge, direction, way), direction)
        for side, way in ((board, -4), (end // SQUARES, _GAP / 2)):
            x, y = beyond(edge, direction, way)
            gaps[side] += f"M{x:g} {y:g}l{dx * (_GAP / 2 + 4):g} {dy * (_GAP / 2 + 4):g}"
    for board, path in gaps.items():
        tint = TINTS[COLOURS[board]]
        yield element("path", d=path, stroke=tint, stroke_width=20, stroke_linecap="butt")
    for board, spot in table.middles.items():
        turns = f"rotate({90 * turned[board]})" if turned[board] else ""
        yield element("use", href="#llb", transform=at(*spot) + turns)
    yield element("path", d=hollow, stroke=GREY, stroke_width=1.5)
    yield element("path", d=full, fill=INK)


def _open_squares(table: Table, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield marks on the squares to which a piece can walk, if the viewpoint is the seat to act."""
    position = table.position
    if position.roll is None or position.cause or viewpoint != position.to_act:
        return
    course, squares = Course(position), set[int]()
    for move in open_moves(course):
        for step in move.steps:
            if isinstance(step, Walk):
                square = find_square(position.stacks, resolve_colour(course, step.piece)) or 0
                squares.add(
                    find_destination(square, step.direction, position.slots, position.turned)
                )
    yield from (open_spot(*table.middle(square), 18) for square in sorted(squares))


# --- pieces --------------------------------------------------------------------------------------


def _stacks(table: Table, own: int | None) -> Iterator[str]:
    """Yield the stacks from bottom to top, with each piece drawn a little above the piece below.

    The pieces of the colour `own`, the reader's, get a rim. `own` is None for a spectator.
    """
    for square, stack in enumerate(table.position.stacks):
        if stack:
            x, y = table.middle(square)
            yield from _stack(stack, x, y, own)


def piece_spots(stack: Stack, x: float, y: float) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield each piece of a stack with the middle of its shape, from bottom to top.

    (x, y) is the middle of the square.
    """
    lift = min(_LIFT, _MAX_LIFT / max(len(stack) - 1, 1))
    foot = y + 9 + lift * (len(stack) - 1) / 2
    for level, piece in enumerate(stack):
        _, high = SIDES[piece % PIECES]
        yield piece, (x, foot + 6 - lift * level - high)


def _stack(stack: Stack, x: float, y: float, own: int | None) -> Iterator[str]:
    for piece, spot in piece_spots(stack, x, y):
        colour, size = divmod(piece, PIECES)
        if colour == own:
            yield use(f"llh{size}", *spot)
        yield use(piece_id(colour, size), *spot)


# --- recent moves --------------------------------------------------------------------------------


def _list_parts(transition: Transition[Position, Move]) -> Iterator[_Trail | _Change]:
    if isinstance(transition.move, ChanceResult) or not isinstance(transition.move, WholeTurn):
        return
    colour = FILLS[COLOURS[transition.before.colour]]
    course = Course(transition.before)
    for _, run in clauses(transition.move.steps):
        match run[0]:
            case Walk(piece) | Climb(piece):
                mover = resolve_colour(course, piece)
                squares = [find_square(course.stacks, mover) or 0]
                for step in run:
                    take(course, step)
                    squares.append(find_square(course.stacks, mover) or 0)
                yield _Trail(tuple(squares), colour)
                continue
            case Swap(first, second):
                yield from (_Change(board, "swap", colour) for board in (first, second))
            case Hop(board):
                yield _Change(board, "hop", colour)
            case Aim(pairs):
                yield from (_Change(board, "turn", colour) for board, _ in pairs)
            case _:
                pass
        for step in run:
            take(course, step)


def _fresh_cells(table: Table, trails: Sequence[_Trail]) -> Iterator[str]:
    for square in sorted({moved.squares[-1] for moved in trails}):
        yield fresh_cell(*table.middle(square), CELL - 6)


def _trails(table: Table, trails: Sequence[_Trail]) -> Iterator[str]:
    """Yield the paths of moved pieces.

    A path is left out if boards have moved or turned since, so that its squares no longer touch.
    """
    for moved in trails:
        through = [table.middle(square) for square, _ in groupby(moved.squares)]
        if len(through) > 1 and all(starmap(_is_beside, pairwise(through))):
            yield trail(through, moved.colour, width=3.5, end_gap=14)


def _is_beside(spot: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two squares with these middles touch each other, even across two boards."""
    return dist(spot, other) <= CELL + _STEP - BOARD


def _badges(table: Table, changes: Sequence[_Change]) -> Iterator[str]:
    """Yield SVG of the badges on changed boards, along the northern side of each board."""
    counts: dict[int, int] = {}
    for board, sign, colour in dict.fromkeys(changes):
        x, y = table.middles[board]
        spot = _BADGES[min(counts.get(board, 0), len(_BADGES) - 1)]
        counts[board] = counts.get(board, 0) + 1
        yield badge(sign, x + spot * CELL, y - BOARD / 2 + _BADGE_DEPTH, colour, 1.3)


# --- seats ----------------------------------------------------------------------------------------


def _rows(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> Iterator[Row]:
    current = turn(position)
    winning_seats = winners(current.outcome.placings if isinstance(current, GameOver) else ())
    for seat, colour in enumerate(position.setting.colours, 1):
        yield Row(
            sign=use(piece_id(colour, 1), 0, 0, transform=at(0, 0, 0.72)),
            name=marks.name(seat),
            stock=_nest(position, colour),
            is_to_move=seat == position.to_act and not marks.is_idle,
            stock_width=140,
            you=marks.translate("you") if seat == viewpoint else "",
            has_left=seat in position.left,
            has_won=seat in winning_seats,
        )


def _nest(position: Position, colour: int) -> str:
    """Return SVG of a colour's nest (LL-2.19): outlines, filled for pieces that are in place."""
    home = position.stacks[CENTRES[colour]]
    nest = tuple(PIECES * colour + size for size in range(PIECES))
    built = max(count for count in range(PIECES + 1) if home[len(home) - count :] == nest[:count])
    parts = [use("lln", -122, 0, stroke=FILLS[COLOURS[colour]])]
    for size in range(PIECES):
        placed = at(-90 + 34 * size, 0, 0.62)
        if size < built:
            parts.append(use(piece_id(colour, size), 0, 0, transform=placed))
        else:
            tint = TINTS[COLOURS[colour]]
            parts.append(use(f"lls{size}", 0, 0, transform=placed, fill=tint, stroke=LINE))
    return "".join(parts)


_SLOT: Final = 22.0


def hotspots(position: Position, viewpoint: Viewpoint) -> tuple[Hotspot, ...]:
    """Return the areas to tap: boards first, slots over the boards, and pieces over both.

    The area of a piece is its square. In a stack, the area of the topmost piece lies over the areas
    of the other pieces. The reader's own pieces are named by their size letter alone, as in
    notation.
    """
    return tuple(
        Hotspot(name, x + MARGIN, y + MARGIN, radius, radius != _SLOT)
        for name, x, y, radius in _areas(position, viewpoint)
    )


def _areas(position: Position, viewpoint: Viewpoint) -> Iterator[tuple[str, float, float, float]]:
    if not list_boards(position.slots):
        return
    _, middles = lay_out(position)
    for board, spot in middles.items():
        yield COLOURS[board], *spot, BOARD / 2
    for slot, spot in landing_spots(position, middles):
        yield slot_name(slot), *spot, _SLOT
    table = Table(position, middles)
    own = position.setting.colours[viewpoint - 1] if viewpoint else None
    for square, stack in enumerate(position.stacks):
        if stack:
            for piece in stack:
                colour, size = divmod(piece, PIECES)
                key = PIECES * OWN + size if colour == own else piece
                yield piece_name(key), *table.middle(square), CELL / 2
