"""What views tell of: steps with their proofs, positions, remarks, and what may still come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.errors import Facts
from pbem.games.cells import Cells


@dataclass(frozen=True, slots=True)
class Proof:
    """A provable draw: its number, what was asked, and the link that anybody can check it with."""

    index: int
    link: str
    asked: str


@dataclass(frozen=True, slots=True)
class Told:
    """One step: a ply with the game's facts, a draw with its proof, a seat that left, or news.

    `event` is the kind of news, in snake_case, and `facts` are its own then. `undone`: it was
    taken back. `names` are those who sat there then, by seat.
    """

    kind: str
    ply: int
    seat: int
    name: str
    you: bool
    notation: str
    facts: Facts
    forced: bool
    standing: bool
    proof: Proof | None
    event: str = ""
    undone: bool = False
    condition: bool = False
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sight:
    """A position as the reader may see it: the picture (empty if told instead) and its facts.

    `cells` are what HTML shows of it, None where cells cannot say it or nobody would see them;
    `picture` is an SVG document that it shows rather, empty where the reader gets none.
    """

    ply: int
    lines: tuple[str, ...]
    facts: Facts
    cells: Cells | None = None
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the reader decided for the case that the others play so, as lines that can be typed.

    `void` says why it is void, if it became so since the reader's last move, and `answer` which
    answer could not be played.
    """

    orders: tuple[str, ...] = ()
    void: str = ""
    answer: str = ""


NO_PLAN: Final = Plan()


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A condition or an answer, told if it is known to be possible.

    `word` is what it begins with: if, and, whatever, after (that, if), whatever_after, then,
    resign.
    """

    word: str
    text: str
    name: str
    told: Told | None = None
    anything: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said or noted after a ply; `text` is empty if it is no longer kept."""

    ply: int
    name: str
    text: str
