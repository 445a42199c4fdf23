"""What turns may name, and where it is on the picture: boards, slots to hop to, pieces."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.drawing.document import MARGIN
from pbem.games.game import Place, Viewpoint
from pbem.games.looney_ludo.boards import on_table, slot_name
from pbem.games.looney_ludo.notation import piece_name
from pbem.games.looney_ludo.picture import Table, laid_out, landing_spots, spots_of
from pbem.games.looney_ludo.picture_symbols import BOARD
from pbem.games.looney_ludo.position import COLOURS, OWN, PIECES, Position

_SLOT, _PIECE = 22.0, 18.0


def places(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:
    """Boards, above them slots, on top pieces; the viewpoint's own ones by their size alone."""
    return tuple(
        Place(name, x + MARGIN, y + MARGIN, radius)
        for name, x, y, radius in _drawn(position, viewpoint)
    )


def _drawn(position: Position, viewpoint: Viewpoint) -> Iterator[tuple[str, float, float, float]]:
    if not on_table(position.slots):
        return
    _, middles = laid_out(position)
    for board, spot in middles.items():
        yield COLOURS[board], *spot, BOARD / 2
    for slot, spot in landing_spots(position, middles):
        yield slot_name(slot), *spot, _SLOT
    table = Table(position, middles)
    own = position.setting.colours[viewpoint - 1] if viewpoint else None
    for square, stack in enumerate(position.stacks):
        if stack:
            for piece, spot in spots_of(stack, *table.middle(square)):
                colour, size = divmod(piece, PIECES)
                named = PIECES * OWN + size if colour == own else piece
                yield piece_name(named), *spot, _PIECE
