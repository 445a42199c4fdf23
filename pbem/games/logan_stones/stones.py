"""Stones: their symbols, which symbol beats which, and who has seen the lower face.

Equal stones are interchangeable, so a stone has no identity. All players see the upper face of
a stone. The lower face is called the reverse. There are three cases (LS-6.4):

- The stone was turned over when it was put on the island, or later. All players have seen both
  faces.
- The stone was dealt to a hand and not turned over since. Only the owner of this hand has seen
  the reverse.
- The stone was dealt to the island and not turned over since. No player has seen the reverse.

`Stone.seen_by` says which case applies. It replaces the sets of seen faces in LS-6.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from pbem.games.game import Viewpoint

Symbol: TypeAlias = Literal["R", "P", "S", "?"]  # `?`: a face that a player has not seen

HIDDEN: Final[Symbol] = "?"

BEATS: Final[Mapping[Symbol, Symbol]] = {"R": "S", "S": "P", "P": "R"}  # LS-1.2

NO_SEAT: Final = 0  # value of `Stone.seen_by` if no player has seen the lower face
ALL_SEATS: Final = -1  # value of `Stone.seen_by` if all players have seen it


class Stone(NamedTuple):
    """A stone with its upper and lower face.

    Attributes:
        top: The upper face.
        bottom: The lower face, called the reverse.
        seen_by: The only seat that has seen the lower face, or NO_SEAT or ALL_SEATS.
    """

    top: Symbol
    bottom: Symbol
    seen_by: int

    def turn_over(self) -> Stone:
        """Return the stone after it was turned over, so that all have seen both faces (LS-6.3)."""
        return Stone(self.bottom, self.top, ALL_SEATS)

    def is_known(self, viewpoint: Viewpoint) -> bool:
        """Return whether a seat, or a spectator (None), has seen the lower face (LS-6.4)."""
        return self.seen_by == ALL_SEATS or (viewpoint is not None and self.seen_by == viewpoint)


SETS: Final[Mapping[str, Mapping[str, int]]] = {  # stones of each kind (LS-5.7)
    "6x3": {"RR": 3, "PP": 3, "SS": 3, "RP": 3, "PS": 3, "SR": 3},
    "9x2": {"RR": 2, "PP": 2, "SS": 2, "RP": 4, "PS": 4, "SR": 4},
    "3x6": {"RP": 6, "PS": 6, "SR": 6},
}


def list_faces(stone_set: str) -> tuple[tuple[Symbol, Symbol], ...]:
    """Return the two faces of each of the 18 stones of the set, in a fixed order."""
    return tuple(pair(kind) for kind, count in SETS[stone_set].items() for _ in range(count))


def pair(text: str) -> tuple[Symbol, Symbol]:
    """Return the two faces that a valid text such as `RS` names."""
    return cast("Symbol", text[0]), cast("Symbol", text[1])


def kinds(faces: Iterable[tuple[Symbol, Symbol]]) -> Counter[frozenset[Symbol]]:
    """Return how many stones have each pair of faces, regardless of the order of the two."""
    return Counter(frozenset(sides) for sides in faces)
