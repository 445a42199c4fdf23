"""What moves may name, and where it is on the picture."""

from __future__ import annotations

from pbem.games.drawing.document import MARGIN
from pbem.games.game import Place, Viewpoint
from pbem.games.landrush.picture import CELL, middle_of
from pbem.games.landrush.position import SQUARES, Position


def places(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:  # noqa: ARG001 - the shape of the hook
    """Every square of the land."""
    spots = (middle_of(number) for number in range(len(SQUARES)))
    return tuple(
        Place(name, x + MARGIN, y + MARGIN, CELL / 2)
        for name, (x, y) in zip(SQUARES, spots, strict=True)
    )
