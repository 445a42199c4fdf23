"""The one legal move that a text in prose can mean: it names all places of the text, and no other.

"My lumberjack strolls down to e4 and pops a seedling in the ground on e3" is no notation, and there
is one move that goes to e4 and does something on e3. Whether it is meant at all, other words say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.mail.free_text.courtesies import is_usual
from pbem.legacy.mail.phrases.lists import Phrases, spoken
from pbem.legacy.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PLACE: Final = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
_ALONE: Final = re.compile(r"(?<!\w)[a-z]{1,2}[0-9]{1,3}(?!\w)")
_END: Final = re.compile(r"[.!?\n]")
_LONGEST, _MOVES = 600, 2_000
"""Characters of a text, and legal moves, that are compared."""

_DENIED: Final = 2
"""Words behind a denial of which it speaks."""

_IMPLIED: Final = 1
"""Words of a move that need not be said: who names two cells in Logger walks, and plants."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A move in canonical form, with the places and numbers by which it is known."""

    notation: str
    places: tuple[str, ...]
    numbers: frozenset[str]


class _Named(NamedTuple):
    """What a text names: places in their order, numbers, and words of the game."""

    places: tuple[str, ...]
    numbers: frozenset[str]
    words: frozenset[str]


def composed(text: str, tried: Readings, words: Vocabulary) -> Composed | None:
    """The only legal move with all places, numbers and words of a text; None where it is open."""
    if len(text) > _LONGEST or patterns().alternatives.search(text) is not None:
        return None
    legal = tried.legal()
    if not 0 < len(legal) <= _MOVES or _goes_on(text):
        return None
    moves = {notation: _named(notation) for notation in legal}
    if _names_more(text, tried, words, moves) or _denies(text, tried, words):
        return None
    readings = (_said(text, tried, words, moves, counts) for counts in ({}, _numbers(spoken())))
    return next(filter(None, (_composed(said, tried, moves) for said in readings)), None)


def _goes_on(text: str) -> bool:
    """Whether something is done at the last place that a text names: `to d4, to c4, fell there`."""
    *_, behind = _ALONE.split(text.casefold())
    [behind, *_] = _END.split(behind)
    return not spoken().there.isdisjoint(_TOKEN.findall(behind))


def _composed(said: _Named, tried: Readings, moves: Mapping[str, _Named]) -> Composed | None:
    if not said.places:
        return None
    found = _only(moves, said)
    if found is None:
        # `my logger goes from e5 to e4`: where a piece stands everybody knows.
        new = tuple(place for place in said.places if not tried.was_just_played(place))
        found = _only(moves, said._replace(places=new)) if new and new != said.places else None
    return Composed(found, said.places, said.numbers) if found is not None else None


def _only(moves: Mapping[str, _Named], said: _Named) -> str | None:
    """The one move with all that is said, and with the fewest words that are not."""
    missing = {
        one: len(named.words - said.words) for one, named in moves.items() if _fits(named, said)
    }
    least = [one for one, count in missing.items() if count == min(missing.values())]
    return least[0] if len(least) == 1 and missing[least[0]] <= _IMPLIED else None


def _named(notation: str) -> _Named:
    tokens = _TOKEN.findall(notation.casefold())
    return _Named(
        tuple(one for one in tokens if _PLACE.fullmatch(one)),
        frozenset(one for one in tokens if one.isdigit()),
        frozenset(one for one in tokens if one.isalpha()),
    )


def _said(
    text: str,
    tried: Readings,
    words: Vocabulary,
    moves: Mapping[str, _Named],
    counts: Mapping[str, str],
) -> _Named:
    """What a text names of all that the moves name; other numbers are of other things.

    `counts` are the numbers that may be written in words.
    """
    rare = " ".join(one for one in text.split() if not _is_usual(one))
    found = _TOKEN.findall(words.game_text(tried.game, rare).casefold())
    tokens = [counts.get(one, one) for one in found]
    numbers = {number for named in moves.values() for number in named.numbers}
    known = {word for named in moves.values() for word in named.words}
    places = [one for one in tokens if _PLACE.fullmatch(one) and tried.is_on_board(one)]
    return _Named(
        tuple(dict.fromkeys(places)),
        frozenset(one for one in tokens if one in numbers),
        frozenset(one for word in tokens if (one := _written(word, known, tried)) in known),
    )


def names_numbers(text: str) -> bool:
    """Whether a text has a number in words."""
    return not _numbers(spoken()).keys().isdisjoint(_TOKEN.findall(text.casefold()))


@lru_cache(maxsize=2)
def _numbers(said: Phrases) -> dict[str, str]:
    """The numbers by their words."""
    parted = (one.partition(": ") for one in said.numbers)
    return {word: number for number, _, word in parted}


def _names_more(text: str, tried: Readings, words: Vocabulary, moves: Mapping[str, _Named]) -> bool:
    """Whether a text has a word of the game that no move has: `yellow` where one is red."""
    known = {word for named in moves.values() for word in named.words}
    tokens = _TOKEN.findall(words.game_text(tried.game, text).casefold())
    own = (one for one in tokens if one in tried.game.keywords and not is_usual(one))
    return any(_written(one, known, tried) not in known for one in own)


def _denies(text: str, tried: Readings, words: Vocabulary) -> bool:
    """Whether a text says of a place, or of a word of the game, what is not: `not d4`."""
    tokens = _TOKEN.findall(words.game_text(tried.game, text).casefold())
    named = [
        one in tried.game.keywords or _PLACE.fullmatch(one) is not None for one in (*tokens, "", "")
    ]
    return any(
        one in spoken().denying and any(named[at + 1 : at + 1 + _DENIED])
        for at, one in enumerate(tokens)
    )


def _is_usual(word: str) -> bool:
    found: Sequence[str] = _TOKEN.findall(word.casefold())
    return bool(found) and all(is_usual(one) and not one.isdigit() for one in found)


def _written(word: str, known: Collection[str], tried: Readings) -> str:
    """A word as the notation of its game has it, which may be its first letter."""
    short = word not in known and word in tried.game.keywords and word[0] in known
    return word[0] if short else word


def _fits(named: _Named, said: _Named) -> bool:
    """Whether a move has all that is said, and asks for no place or number that is not."""
    return (
        tuple(dict.fromkeys(named.places)) == said.places
        and named.numbers == said.numbers
        and said.words <= named.words
    )
