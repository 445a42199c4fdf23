"""The stones: symbols, which beats which, two faces, and who has seen the one below (section 6).

A stone needs no name of its own: that two equal stones have changed places makes no difference, and
what LS-6.2 keeps as sets of seen faces comes down to one of four cases for each stone. Its upper
face is seen by all; the other one by nobody, by the owner of the hand that it came from, or by all
as soon as it was turned over on the island (LS-6.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from pbem.games.game import Viewpoint

Symbol: TypeAlias = Literal["R", "P", "S", "?"]
"""Rock, paper, scissors; or a face that is not known, in what somebody knows of a position."""

HIDDEN: Final[Symbol] = "?"

BEATS: Final[Mapping[Symbol, Symbol]] = {"R": "S", "S": "P", "P": "R"}
"""LS-1.2: what each symbol beats."""

NOBODY: Final = 0
EVERYBODY: Final = -1
"""Who has seen the face below; else the number of a seat."""


class Stone(NamedTuple):
    """A stone as it lies; `seen_by` is who has seen `under`."""

    top: Symbol
    under: Symbol
    seen_by: int

    def turned(self) -> Stone:
        """The other face up; what comes up on the island is seen by all (LS-6.3)."""
        return Stone(self.under, self.top, EVERYBODY)

    def known_to(self, viewpoint: Viewpoint) -> bool:
        """LS-6.4: whether a viewpoint has seen the face below; None is the spectator."""
        return self.seen_by == EVERYBODY or (viewpoint is not None and self.seen_by == viewpoint)


SETS: Final[Mapping[str, Mapping[str, int]]] = {
    "6x3": {"RR": 3, "PP": 3, "SS": 3, "RP": 3, "PS": 3, "SR": 3},
    "9x2": {"RR": 2, "PP": 2, "SS": 2, "RP": 4, "PS": 4, "SR": 4},
    "3x6": {"RP": 6, "PS": 6, "SR": 6},
}
"""LS-5.7: how many stones of each kind a set has."""


def faces_of(stone_set: str) -> tuple[tuple[Symbol, Symbol], ...]:
    """The faces of all 18 stones of a set, in a fixed order."""
    return tuple(pair(kind) for kind, count in SETS[stone_set].items() for _ in range(count))


def pair(text: str) -> tuple[Symbol, Symbol]:
    """The two faces that a text like `RS` names; the text has been checked."""
    return cast("Symbol", text[0]), cast("Symbol", text[1])


def kinds(faces: Iterable[tuple[Symbol, Symbol]]) -> Counter[frozenset[Symbol]]:
    """How many stones there are of each kind, whichever face is up."""
    return Counter(frozenset(two) for two in faces)
