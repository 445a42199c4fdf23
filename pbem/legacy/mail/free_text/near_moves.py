"""Words of a game that were mistyped: what a text would be without the slip, never to be played.

And what to say of a text that is no move: of the one move in it, or of the word that was mistyped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.usual import UNREAD
from pbem.legacy.mail.free_text.composed import names_numbers
from pbem.legacy.mail.free_text.courtesies import is_doubtful, is_filler, is_usual
from pbem.legacy.mail.free_text.move_spans import Span, find_move, narrowest
from pbem.legacy.mail.free_text.readings import Readings
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.verbs.vocabulary import Vocabulary, near_words

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.legacy.mail.free_text.typed_orders import TypedOrder
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_LETTERS: Final = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_APART: Final = re.compile(r"(?<!\w)([a-z])(?:[ \t]+|-)([0-9]{1,2})(?!\w)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s+)?[/|]\s*")
_NEAR: Final = 0.75
_MOST: Final = 5
_ALONE: Final = 3
"""Slips that are looked at together, and each for itself; a text with more is prose."""

_SHORT: Final = 3
"""Letters of a word that may be part of a move, as in `medim nws`."""

_FEW: Final = 8
"""Words of a line that may be an order with a slip."""

_TWO: Final = 2

LONGEST: Final = 300
"""Characters of a text in which slips are looked for."""


class Mended(NamedTuple):
    """A text without its slips, and the words that stand there instead of them."""

    text: str
    words: tuple[str, ...]


def mended(text: str, game: AnyGame, words: Vocabulary) -> Iterator[Mended]:
    """The text with every word that is nearly one of the game's as that one; then each alone.

    Before them, what stands apart or together by a slip (`e 3/plant d 3`) as it should.
    """
    if len(text) > LONGEST:
        return
    together = apart(_BETWEEN.sub("; ", text.replace("&", " and ")))
    if together != text:
        yield Mended(together, ("",))  # every part of it may be meant
    known = words.words_of(game)
    slips = [
        (found, known[near])
        for found in _WORD.finditer(text)
        if (word := found[0].casefold()) not in known
        and not is_usual(word)
        and (near := _near(word, known))
    ]
    if not 0 < len(slips) <= _MOST:
        return
    yield _with(text, slips)
    if 1 < len(slips) <= _ALONE:
        for slip in slips:
            yield _with(text, [slip])


def apart(text: str) -> str:
    """A text whose places are written together: phones put a blank into `n 21`."""
    return _APART.sub(r"\1\2", text) if len(text) <= LONGEST else text


def is_slip(line: str, game: AnyGame, words: Vocabulary) -> bool:
    """Whether a line is nearly an order of the game: `swpa red blue`, `Large wst, I win!`.

    The line, or a clause of it, has no other word.
    """
    typed = line.split()
    if len(typed) == 1 and line[0].isupper():  # a name, as it may be signed
        return False
    whole = mended(line, game, words) if len(typed) <= _FEW else ()
    if any(_is_order(one.text, game, words) for one in whole):
        return True
    if len(line) > LONGEST:
        return False
    clauses = [clause.strip() for clause in patterns().clauses.split(line)]
    several = (clause for clause in clauses if _TWO <= len(clause.split()) <= _FEW)
    return any(
        any(
            _is_order(one.text, game, words) and not strangers(one.text, game, words)
            for one in mended(clause, game, words)
        )
        for clause in several
    )


def _is_order(text: str, game: AnyGame, words: Vocabulary) -> bool:
    others = strangers(text, game, words)
    if len(others) > 1 or any(len(word) > _SHORT for word in others):
        return False
    return game.words.search(words.game_text(game, text).casefold()) is not None


def strangers(text: str, game: AnyGame, words: Vocabulary) -> list[str]:
    """The words of a text that no order of the game has; an order has one or none, if mistyped."""
    known = words.words_of(game)
    return [
        word
        for word in _LETTERS.findall(text.casefold())
        if word not in known and (len(word) >= _SHORT or is_usual(word))
    ]


def asks(line: str, text: str, game: AnyGame | None, words: Vocabulary) -> bool:
    """Whether a line that begins like `why MOVE` asks somebody something else: `Why not?`."""
    if game is None or not line.rstrip().endswith("?") or not text:
        return False
    return len(strangers(text, game, words)) > _ALONE or not words.speaks(game, text)


def unknown_word(text: str, named: str, game: AnyGame, words: Vocabulary) -> str:
    """Which word of a text keeps it from being an order: one mistyped, or else what a game names.

    Where that is a word that people put around any order, it is the first that is none.
    """
    if len(text) > LONGEST:
        return named
    known = words.words_of(game)
    others = [
        found[0]
        for found in _WORD.finditer(text)
        if (word := found[0].casefold()) not in known and not is_usual(word)
    ]
    slips = (word for word in others if _near(word.casefold(), known) is not None)
    return next(slips, others[0] if others and is_filler(named) else named)


def game_words(text: str, game: AnyGame, words: Vocabulary) -> set[str]:
    """The words of a game in a text that people do not say anyway, mistyped ones too."""
    known = words.words_of(game)
    typed = {word for word in _WORD.findall(text.casefold()[:LONGEST]) if not is_usual(word)}
    return {word for word in typed if word in known or _near(word, known) is not None}


def speaks_of(line: str, game: AnyGame, words: Vocabulary) -> bool:
    """Whether a line, or a clause of it, has more words of a game, or nearly, than others."""
    line = line[:LONGEST]
    for part in (line, *patterns().clauses.split(line)):
        own = game_words(part, game, words)
        others = {word for word in strangers(part, game, words) if not is_usual(word)}
        if len(own) >= _TWO and len(own) > len(others - own):
            return True
    return False


def listed(text: str, joint: str = "; ") -> str:
    """A text whose commas and words for `and` are all written in one way, as between clauses."""
    return patterns().joints.sub(joint, text) if len(text) <= LONGEST else text


def _near(word: str, known: Collection[str]) -> str | None:
    """The known word that somebody who typed this may have meant."""
    # Of three letters two in the wrong order are already much.
    letters = sorted(word)
    turned = [one for one in known if len(one) == len(word) and sorted(one) == letters]
    return next(iter(turned or near_words(word, tuple(known), 1, _NEAR)), None)


def _with(text: str, slips: list[tuple[re.Match[str], str]]) -> Mended:
    for found, word in reversed(slips):
        text = f"{text[: found.start()]}{word}{text[found.end() :]}"
    return Mended(text, tuple(word for _, word in slips))


_A_SENTENCE: Final = 2
"""Words that are no game's, from which on a piece of text is a sentence."""

SENTENCES: Final = re.compile(r"[\n.!?;]+")
"""The ends of sentences and lines."""

_A_PART: Final = 2
"""Words of the game that say something of it together."""

_WORDS_ALONE: Final = 2
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


def _with_word(rejection: Rejection, text: str, tried: Readings, words: Vocabulary) -> Rejection:
    """A refusal of one word, which is rather the mistyped or unknown one than `and` or `the`."""
    word = rejection.facts.get("word")
    if rejection.code != "unreadable" or not isinstance(word, str) or len(word.split()) > 1:
        return rejection
    better = unknown_word(text, word, tried.game, words)
    return Rejection(rejection.code, **{**rejection.facts, "word": better})


def _has_slip(one: Mended, span: Span) -> bool:
    """Whether a mistyped word is in a move; a word alone in a sentence is no move (`protester`)."""
    alone = len(span.text.split()) == 1 and len(one.text.split()) > _WORDS_ALONE
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
