"""What an order is, and a verb: the words that it is typed by, and how its line is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeVar


class Order:
    """What somebody who writes to us may want: each a frozen value, in the file of its family.

    `public`: who watches a match may ask for it.
    """

    __slots__ = ()
    public: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Verb:
    """One row: the verb, its other names, and how the rest of the line becomes an order.

    `order` gets the rest as typed and returns None where the line is none after all ("yes, I think
    so"). `examples` are shown in help and tested to be read; the words that explain a verb stand in
    templates/orders.txt.j2. `takes_paragraph`: the rest runs on to the next blank line.
    `moves`: the rest are moves, or words between them. `behind` is what else the rest may be:
    a name in one word, somebody (an address, or nobody), or words of the writer's own.
    """

    name: str
    also: tuple[str, ...] = ()
    order: Callable[[str], Order | None]
    examples: tuple[str, ...]
    needs_match: bool = False
    takes_paragraph: bool = False
    over_game: bool = False
    moves: bool = False
    behind: Literal["name", "somebody", "words"] | None = None

    @property
    def takes(self) -> bool:
        """Whether it knows its arguments: text, moves and names may be anything."""
        return self.order("?") is None


# --- how the rest of a line is read ---------------------------------------------------------------

_O = TypeVar("_O", bound=Order)

FEW: Final = 3
"""Words of a name at most; more is a sentence ("mute the TV when you play")."""


def bare(order: _O) -> Callable[[str], _O | None]:
    """An order that takes nothing: with more on its line it is a sentence and no order."""

    def build(rest: str) -> _O | None:
        return None if rest else order

    return build


def name(build: Callable[[str], _O]) -> Callable[[str], _O | None]:
    """Somebody's name, or nothing; of a game as well."""

    def order(rest: str) -> _O | None:
        return build(rest) if len(rest.split()) <= FEW else None

    return order


def any_text(build: Callable[[str], _O]) -> Callable[[str], _O | None]:
    """An order that takes any text; an empty one is refused later, with a sentence."""

    def order(rest: str) -> _O | None:
        return build(rest)

    return order
