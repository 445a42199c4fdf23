"""What to say of a text that is no move: of the one move in it, or of a word that was mistyped."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.free_text.composed import composed, names_numbers
from pbem.mail.free_text.courtesies import is_doubtful
from pbem.mail.free_text.move_spans import Span, find_move, narrowest
from pbem.mail.free_text.near_moves import (
    LONGEST,
    Mended,
    game_words,
    listed,
    mended,
    strangers,
    unknown_word,
)
from pbem.mail.free_text.readings import UNREAD, Readings

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.mail.free_text.typed_orders import TypedOrder
    from pbem.mail.verbs.vocabulary import Vocabulary

_A_SENTENCE: Final = 2
"""Words that are no game's, from which on a piece of text is a sentence."""

SENTENCES: Final = re.compile(r"[\n.!?;]+")
"""The ends of sentences and lines."""

_A_PART: Final = 2
"""Words of the game that say something of it together."""

_ALONE: Final = 2
"""Words of a text in which one word may be the whole move."""

_SHOWN: Final = 80
"""Characters of an order that is shown without its slips."""


def without_slips(text: str, game: AnyGame, words: Vocabulary) -> str | None:
    """What a text would be without its slips, on whatever position; None where it has none."""
    found = next(mended(text, game, words), None)
    return found.text if found is not None else None


def is_part(tried: Readings, text: str, span: Span, words: Vocabulary) -> bool:
    """Whether words of the game stand around a move that are not those of a sentence."""
    begin, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    line = text[begin : end if end >= 0 else len(text)]
    here = Span(span.text, span.reads_as, span.start - begin, span.end - begin)
    if ";" in line and _is_left(line, here, tried, words):
        return True
    pieces = SENTENCES.split(f"{text[: span.start]}\n{text[span.end :]}")
    return any(
        _is_of_game(piece, tried, words) and len(strangers(piece, tried.game, words)) < _A_SENTENCE
        for piece in pieces
    )


def _is_of_game(piece: str, tried: Readings, words: Vocabulary) -> bool:
    if tried.game.words.search(piece.casefold()) is not None:
        return True
    return len(game_words(piece, tried.game, words)) >= _A_PART


def nearly(tried: Readings, text: str, words: Vocabulary) -> str | None:
    """The one move that a text is but for mistyped words; PLAY 2: it is asked about, not played.

    No word of the game is left over: it may say something else.
    """
    for one in mended(text, tried.game, words):
        for said in dict.fromkeys((one.text, listed(one.text))):
            span = _only(said, tried, lambda part: tried.move(part) is not None)
            slips = span is not None and _has_slip(one, span) and span.text not in text
            if span is not None and slips and not _is_left(said, span, tried, words):
                return tried.move(span.reads_as)
    return None


def together(tried: Readings, text: str, words: Vocabulary) -> str | None:
    """The one move that the parts of a list are: `S ss, swap red blue, M e`; it is asked about."""
    if is_doubtful(text):
        return None
    for joint in ("; ", " and "):
        said = listed(text, joint)
        span = _only(said, tried, lambda part: tried.move(part) is not None)
        if said == text or span is None or joint not in span.text:
            continue
        if not _is_left(said, span, tried, words):
            return tried.move(span.reads_as)
    return None


def verbs_first(tried: Readings, text: str, words: Vocabulary) -> str | None:
    """The one move that a text is with its verbs in front; it is asked about.

    In German and Dutch they come last: `to c1 move and d1 plant`.
    """
    if is_doubtful(text) or len(text) > LONGEST:
        return None
    known = words.words_of(tried.game)
    clauses = listed(text).split(";")
    parts = [_with_verb_first(clause, known) for clause in clauses]
    if parts == clauses:
        return None
    for said in ("; ".join(parts), " ".join(parts)):
        span = _only(said, tried, lambda part: tried.move(part) is not None)
        if span is not None and not _is_left(said, span, tried, words):
            return tried.move(span.reads_as)
    return None


def _with_verb_first(part: str, known: Collection[str]) -> str:
    """A clause whose last word is one of the game's, with that word before what it speaks of."""
    said = part.strip(" .!").split()
    first = next((at for at, word in enumerate(said) if _is_named(word, known)), len(said))
    if first >= len(said) - 1 or said[-1].casefold() not in known:
        return part
    return " ".join([*said[:first], said[-1], *said[first:-1]])


def _is_named(word: str, known: Collection[str]) -> bool:
    return word.casefold() in known or any(sign.isdigit() for sign in word)


def _is_left(text: str, span: Span, tried: Readings, words: Vocabulary) -> bool:
    """Whether a word of the game stands outside a span."""
    rest = f"{text[: span.start]}\n{text[span.end :]}"
    if tried.game.words.search(rest.casefold()) is not None or names_numbers(rest):
        return True
    known = words.words_of(tried.game)
    return any(word in known for word in game_words(rest, tried.game, words))


def is_list(text: str, spans: Sequence[Span]) -> bool:
    """Whether moves are whole parts of one list, as in `S ss; flurb; M e`: a turn with a fault."""
    parts = [part.strip(" \t.!") for part in text.split(";")]
    return len(parts) > len(spans) and all(span.text.strip(" \t.!") in parts for span in spans)


def is_faulty(tried: Readings, text: str, words: Vocabulary) -> bool:
    """Whether a text has exactly one whole move, which is not legal or has a slip."""
    texts = (text, *(one.text for one in mended(text, tried.game, words)))
    return any(_only(one, tried, tried.is_whole) is not None for one in texts)


def plainer(tried: Readings, text: str, rejection: Rejection, words: Vocabulary) -> Rejection:
    """Why a text is no legal move, said of the only move in it and not of the words around it.

    `unslipped` among the facts is that move without its slips, where it has some.
    """
    if rejection.code not in UNREAD:
        return rejection
    for one in mended(text, tried.game, words):
        span = _only(one.text, tried, tried.is_whole)
        if span is None or not _has_slip(one, span):
            continue
        found = tried.rejection(span.reads_as)
        if found is None:
            return Rejection("near_move", move=tried.move(span.reads_as))
        shown = {"unslipped": span.reads_as} if len(span.reads_as) <= _SHOWN else {}
        return Rejection(found.code, **{**found.facts, **shown})
    for is_order in (tried.is_whole, tried.is_begun):
        span = _only(text, tried, is_order)
        if span is not None and not is_part(tried, text, span, words):
            return tried.rejection(span.reads_as) or rejection
    part = narrowest(text, tried.game.words)
    return _with_word(tried.rejection(part) or rejection, text, tried, words)


def only_move_in(text: str, tried: Readings, words: Vocabulary) -> str | None:
    """The one legal move that a text is, or tells of, in which no word of the game is left over."""
    found = find_move(text, tried.move, tried.game.words)
    if found.whole:
        return found.spans[0].reads_as
    told = composed(text, tried, words)
    return told.notation if told is not None else None


def _with_word(rejection: Rejection, text: str, tried: Readings, words: Vocabulary) -> Rejection:
    """A refusal of one word, which is rather the mistyped or unknown one than `and` or `the`."""
    word = rejection.facts.get("word")
    if rejection.code != "unreadable" or not isinstance(word, str) or len(word.split()) > 1:
        return rejection
    better = unknown_word(text, word, tried.game, words)
    return Rejection(rejection.code, **{**rejection.facts, "word": better})


def _has_slip(one: Mended, span: Span) -> bool:
    """Whether a mistyped word is in a move; a word alone in a sentence is no move (`protester`)."""
    alone = len(span.text.split()) == 1 and len(one.text.split()) > _ALONE
    return not alone and any(word in span.text.casefold() for word in one.words)


def _only(text: str, tried: Readings, is_order: Callable[[str], bool]) -> Span | None:
    """The only part of a text that is an order, good or bad; it reads as it stands."""
    found = find_move(text, lambda part: part if is_order(part) else None, tried.game.words)
    return found.spans[0] if len(found.spans) == 1 else None


def with_misreading(order: TypedOrder, text: str, tried: Readings, words: Vocabulary) -> TypedOrder:
    """The order of a text that may be no legal move, with what to say of it then."""
    rejection = tried.rejection(text)
    if rejection is None:
        return order
    said = plainer(tried, text, rejection, words)
    return replace(order, misread=said) if said is not rejection else order


def in_another_order(tried: Readings, text: str, words: Vocabulary) -> str | None:
    """The one move that a text is as a list, or with its verbs in front.

    It may be one of its sentences, if no other has a word of the game.
    """
    whole = together(tried, text, words) or verbs_first(tried, text, words)
    marked = tried.game.words
    said = [one for one in SENTENCES.split(text) if marked.search(one.casefold())]
    alone = len(said) == 1 and said[0].strip() != text.strip()
    return whole or (together(tried, said[0], words) if alone else None)
