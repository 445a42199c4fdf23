"""What turns may name, and where it is on the picture: spaces, and the stones of one's own hand."""

from __future__ import annotations

from pbem.games.drawing.document import MARGIN
from pbem.games.game import Place, Viewpoint
from pbem.games.logan_stones.picture import hand_spots, laid_out
from pbem.games.logan_stones.position import Position
from pbem.games.logan_stones.spaces import label

_SPACE, _STONE = 28.0, 22.0


def places(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:
    """The stones of the island, the spaces around it, the viewpoint's hand by its numbers."""
    wide, high, middles = laid_out(position)
    spaces = [Place(label(one), x + MARGIN, y + MARGIN, _SPACE) for one, (x, y) in middles.items()]
    held = [
        Place(str(number), x + MARGIN, y + high + MARGIN, _STONE)
        for seat, number, (x, y) in hand_spots(position, wide)
        if seat == viewpoint
    ]
    return (*spaces, *held)
