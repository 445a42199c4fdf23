"""What moves may name, and where it is on the picture."""

from __future__ import annotations

from pbem.games.drawing.document import MARGIN
from pbem.games.game import Place, Viewpoint
from pbem.games.logger.picture import CELL, middle_of
from pbem.games.logger.position import CELLS, Position


def places(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:  # noqa: ARG001 - the shape of the hook
    """Every cell of the board."""
    spots = (middle_of(number) for number in range(len(CELLS)))
    return tuple(
        Place(name, x + MARGIN, y + MARGIN, CELL / 2)
        for name, (x, y) in zip(CELLS, spots, strict=True)
    )
