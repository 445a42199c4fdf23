"""The lines of a letter that are no order, and what may be meant by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.courtesies import (
    courteous,
    is_greeting,
    is_meant,
    is_small_talk,
    plain,
    unaccounted,
    words_of,
)
from pbem.legacy.mail.free_text.friendly import order_meant
from pbem.legacy.mail.free_text.near_moves import speaks_of
from pbem.legacy.mail.free_text.plain_answers import CLAUSES
from pbem.legacy.mail.free_text.retractions import takes_back
from pbem.legacy.mail.phrases.lists import Listed, Phrases, Said, spoken, words_in

if TYPE_CHECKING:
    from pbem.errors import Rejection
    from pbem.games import AnyGame
    from pbem.legacy.mail.free_text.near_verbs import NearMiss
    from pbem.legacy.mail.free_text.typed_orders import Reading
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_LINES: Final = 5
"""Lines that are looked at for words of the game."""

_ASKED_FOR: Final = (
    "resign", "board", "undo", "offer draw", "stop", "help", "rules", "history", "games",
    "settings", "away", "rematch", "accept", "decline",
)  # fmt: skip
"""Verbs that people speak of in sentences when they want them."""

_SHOW: Final = (
    "rules", "help move", "help board", "board", "history", "games", "settings", "record", "replay",
    "help",
)  # fmt: skip
"""Orders that only show something."""

_SEARCHED, _LONGEST = 40, 400
"""Lines of a letter, and their characters, in which it is looked for what somebody wants."""

_SENTENCES, _WORDS = 6, 20
"""Sentences of a letter that is nothing but a request, and words of each, at most."""


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


# --- asked for -----------------------------------------------------------------------------------
# What people ask for in words: the word to send is told, and what only shows something is done.
#
# `Can I have the rules?` is an order where a letter holds nothing else than the request, in words
# that the lists know, and courtesy. What binds, changes or takes back is never done for a request.


def mentioned(lines: Sequence[str], words: Vocabulary) -> tuple[str, ...]:
    """The orders for what a text without any wants, the surest first.

    They are told, so that `can you show me the board?` is not answered with the whole help.
    """
    typed = {word for line in lines for word in re.findall(r"\w+", line.casefold())}
    said = {words.verbs[word].name for word in typed if word in words.verbs}
    return tuple(dict.fromkeys((*wanted(lines), *(one for one in _ASKED_FOR if one in said))))


def wanted(lines: Sequence[str]) -> tuple[str, ...]:
    """The orders for what lines ask for in words: `please give up my match` wants `resign`."""
    said = [words_in(line[:_LONGEST]) for line in lines[:_SEARCHED]]
    orders = _asked_for(spoken())
    return tuple(one for one, listed in orders.items() if any(map(listed.stand_in, said)))


def shown_for(lines: Sequence[str], names: Collection[str] = ()) -> tuple[str, ...]:
    """The orders to show something, where lines ask for nothing else and say nothing else.

    Sentences of courtesy and small talk count for nothing, but for a yes or a no, which may answer
    something; `names` are those of who plays.
    """
    said = [line[:_LONGEST] for line in lines[:_SEARCHED]]
    if any(_answers(words_in(clause)) for line in said for clause in CLAUSES.split(line)):
        return ()
    found = [(_orders_in(words_in(plain(one)), names), one) for one in unaccounted(said, names)]
    told = [orders for orders, one in found if orders or not is_small_talk(one, names)]
    if len(told) > _SENTENCES or not all(told):
        return ()
    return tuple(dict.fromkeys(one for orders in told for one in orders))


def _answers(clause: Said) -> bool:
    """Whether a clause says yes or no, and nothing else."""
    answers = spoken().assent | spoken().no_at_start
    known = answers | spoken().lead | spoken().please
    return not answers.isdisjoint(clause) and known.issuperset(clause)


def _orders_in(said: Said, names: Collection[str], most: int = 2) -> tuple[str, ...]:
    """The orders for what a sentence asks for in phrases that are listed, with no other word."""
    if len(said) > _WORDS:
        return ()
    frame, listed = _frame(spoken()), _shows(spoken())
    rests = [(one, rest) for one in _SHOW if one in listed for rest in listed[one].beside(said)]
    for one, rest in rests:
        if all(word in frame or word in names for word in rest):
            return (one,)
    several = ((one, *_orders_in(rest, names, most - 1)) for one, rest in rests if most > 1)
    return next((one for one in several if len(one) > 1), ())


@lru_cache(maxsize=2)
def _frame(said: Phrases) -> frozenset[str]:
    """The words of which none makes another thing of a request; those that agree or deny may."""
    against = said.assent | said.unsure | said.denying | said.no_at_start
    return ((courteous(said) | said.lead) - said.doubts - against) | said.requesting | said.please


@lru_cache(maxsize=2)
def _asked_for(said: Phrases) -> dict[str, Listed]:
    return _by_order(said.asked_for)


@lru_cache(maxsize=2)
def _shows(said: Phrases) -> dict[str, Listed]:
    return _by_order((*said.asked_for, *said.showing))


def _by_order(phrases: Iterable[str]) -> dict[str, Listed]:
    """The phrases by the order that does what they ask for."""
    found: dict[str, list[str]] = {}
    for one in phrases:
        order, _, phrase = one.partition(": ")
        found.setdefault(order, []).append(phrase)
    return {order: Listed.of(phrases) for order, phrases in found.items()}
