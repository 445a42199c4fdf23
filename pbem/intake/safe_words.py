"""What may be shown of a letter that anybody may have written: words of ours, and nothing else.

Whoever forges a letter must not write to its supposed writer through us: no address, name, number
to dial or sentence of theirs stands in a mail of ours, only what could stand in a help mail, names
of matches, squares, times and the like. All else is shown as `HIDDEN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.mail.verbs import orders, wish_orders
from pbem.mail.verbs.verb_table import VERBS
from pbem.players.wishes import BY_NAME, STOPPABLE

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.mail.verbs.vocabulary import Vocabulary

HIDDEN: Final = "\u2026"
"""Stands for what is not repeated."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_VALUE: Final = re.compile(
    r"[a-z]{1,2}-?\d{1,3}|\d{1,4}[hd%]?|\d{1,2}:\d\d|\d{1,2}-\d{1,2}|\d{4}-\d\d-\d\d|\d{1,3}x\d"
    r"|\d{1,3}(?:/[+]?\d{1,3}){2}|(?:(?=[a-z]*\d)[2-9a-hj-km-np-tv-z]{5})?#?\d{0,4}",
    re.IGNORECASE,
)
"""Squares, numbers, times of day, days, time controls, names of matches with a ply."""

_SIGNS: Final = re.compile(r"[=+>,;]")
_INSIDE: Final = re.compile(r"[-_]")
_AROUND: Final = ",;:.!?\"'()"
_DIGITS: Final = 6
"""Digits of the numbers of a line that are shown: more might be dialled."""


def shown_order(typed: TypedOrder, words: Vocabulary) -> str | None:
    """An order in words of ours, or None where one of another's would be carried out unseen.

    A match that is to begin may be with anybody: how they are called is not shown, and whoever
    wrote the letter knows it.
    """
    line = " ".join(typed.typed.split())
    if isinstance(typed.order, orders.NewGame):
        return _masked(line, words, numbers=False)
    shown = _masked(line, words)
    if shown == line:
        return line
    return _wish(typed.order) if isinstance(typed.order, wish_orders.ChooseWish) else None


def is_plain(text: str, words: Vocabulary) -> bool:
    """Whether a text is nothing but words of ours, and may be quoted as it is."""
    line = " ".join(text.split())
    return _masked(line, words) == line


def _wish(order: wish_orders.ChooseWish) -> str | None:
    """A wish as we would write it, if there is such a value."""
    wish = BY_NAME.get(order.name)
    try:
        return wish.written(wish.read(order.value)) if wish is not None else None
    except Rejection:
        return None


def _masked(line: str, words: Vocabulary, *, numbers: bool = True) -> str:
    known = _known(frozenset(_typed(words)))
    shown: list[str] = []
    for word in line.split():
        plain = all(_is_plain(part, known, numbers=numbers) for part in _parts(word))
        shown.append(word if plain else HIDDEN)
    # However many words are not shown: it is one sign, which says nothing of them.
    kept = [one for at, one in enumerate(shown) if one != HIDDEN or shown[at - 1 : at] != [HIDDEN]]
    digits = sum(len(part) for word in kept for part in _parts(word) if part.isdigit())
    return " ".join(kept) if digits <= _DIGITS else HIDDEN


def _parts(word: str) -> Iterator[str]:
    for part in _SIGNS.split(word.strip(_AROUND).casefold()):
        yield part.strip(_AROUND)


def _is_plain(part: str, known: frozenset[str], *, numbers: bool) -> bool:
    if known.issuperset(_INSIDE.split(part)) or not part:
        return True
    return (numbers or not part.isdigit()) and _VALUE.fullmatch(part) is not None


def _typed(words: Vocabulary) -> Iterator[str]:
    """What people may type in any language."""
    yield from (*words.verbs, *words.languages)
    for known in (words.phrases, words.calendar, words.conditions, *words.games.values()):
        yield from known.meanings


@lru_cache(maxsize=4)
def _known(typed: frozenset[str]) -> frozenset[str]:
    return frozenset(word for text in (*typed, *_ours()) for word in _WORD.findall(text.casefold()))


def _ours() -> Iterator[str]:
    """What people may type beside verbs, without the names of anybody in examples."""
    for verb in VERBS:
        if verb.behind is None and not verb.moves:
            for example in verb.examples:
                yield " ".join(
                    word for word in example.split() if word.isalpha() and word.islower()
                )
    yield from (
        "if then any and or none bot bots easy medium hard open private seats with without",
    )
    yield from STOPPABLE
    for wish in BY_NAME.values():
        yield from wish.choices
    for game in GAMES.values():
        yield from (game.title, game.key.replace("_", " "), *game.keywords)
        for option in game.options:
            yield from (option.name.replace("_", " "), *option.values)
