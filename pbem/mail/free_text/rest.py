"""The lines of a letter that are no order, and what may be meant by them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.mail.free_text.asked_for import mentioned, wanted
from pbem.mail.free_text.courtesies import is_greeting, is_meant, unaccounted, words_of
from pbem.mail.free_text.friendly import order_meant
from pbem.mail.free_text.near_moves import speaks_of
from pbem.mail.free_text.retractions import takes_back
from pbem.mail.phrases.lists import spoken

if TYPE_CHECKING:
    from pbem.errors import Rejection
    from pbem.games import AnyGame
    from pbem.mail.free_text.near_verbs import NearMiss
    from pbem.mail.free_text.typed_orders import Reading
    from pbem.mail.verbs.vocabulary import Vocabulary

_LINES: Final = 5
"""Lines that are looked at for words of the game."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rest:
    """The lines that are no order.

    `lines` are all that was typed, `doubts` the sentences beside orders that may take them back;
    `near_misses` are nearly orders, `meant` those of them that are likely meant as one; `mentioned`
    are the orders that they speak of, `wanted` those for what all that was typed asks for; `order`
    is a verb that a line ends with; `unnamed` says which matches a move may be meant for.
    `of_game`: whoever is to move wrote words of the game, which may be meant as a move.
    """

    lines: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    meant: tuple[NearMiss, ...] = ()
    mentioned: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    order: str | None = None
    unnamed: Rejection | None = None
    greeting: bool = False
    of_game: bool = False


def rest_of(
    reading: Reading,
    words: Vocabulary,
    *,
    unnamed: Rejection | None = None,
    to_move: AnyGame | None = None,
    names: Callable[[], Collection[str]] = tuple,
) -> Rest:
    """What is no order in a letter; `to_move` is the game in which its writer is to move.

    `names` tells the words of the names of those who play.
    """
    comments, alone = reading.comments, not reading.orders
    near = reading.near_misses
    return Rest(
        lines=reading.lines,
        comments=comments,
        near_misses=near,
        meant=tuple(one for one in near if is_meant(one.word, one.near, one.line, words)),
        mentioned=mentioned(comments, words),
        doubts=tuple(_doubtful(_beside(reading), names)),
        wanted=wanted(reading.lines),
        order=order_meant(comments, words) if alone else None,
        unnamed=unnamed if alone else None,
        greeting=is_greeting(comments, words),
        of_game=alone
        and to_move is not None
        and any(speaks_of(line, to_move, words) for line in comments[:_LINES]),
    )


def _doubtful(lines: Sequence[str], names: Callable[[], Collection[str]]) -> Iterator[str]:
    known = names() if lines else ()
    said = dict.fromkeys(unaccounted(dict.fromkeys(lines), known))
    return (one for one in said if _doubts(one))


def _doubts(sentence: str) -> bool:
    """Whether a sentence takes back what stands beside it, or leaves a choice."""
    [first, *_] = [*words_of(sentence), ""]
    return first in spoken().alternatives or takes_back([sentence])


def _beside(reading: Reading) -> list[str]:
    """The comments of a letter, but for what was read as an order after all."""
    typed = {line for order in reading.orders for line in order.typed.split("\n")}
    return [line for line in reading.comments if line not in typed]
