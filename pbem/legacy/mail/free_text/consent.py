"""What is a yes to something grave, and what refuses it (MAIL 3): `yes` alone, or it is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.message_text import without_office
from pbem.legacy.mail.free_text.order_lines import read_orders
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.verbs.agreeing import Accept
from pbem.legacy.mail.verbs.own import ChooseWish
from pbem.legacy.mail.verbs.verb_table import BY_WORD
from pbem.legacy.mail.verbs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.typed_orders import Reading

_AROUND: Final = " .!\"'"
"""What may stand around a `yes`: a full stop, or the quotes in which it was shown."""

_SIGNED: Final = 5
"""Words of a line that is no more than a signature."""

_WORD: Final = re.compile(r"\w+")

_LINES, _LONGEST = 40, 300
"""What is looked at for words that refuse."""

_SIGNATURE: Final = (25, 2_000)
"""Lines and characters of a signature, with what an office puts below it: more is a letter."""


class Answer(StrEnum):
    """What a letter is to somebody who asked something grave.

    yes: a yes alone on the first line, and behind it a signature. accept: the same, in the word
    that an invitation asks for. agreed: a yes in friendly words, which counts with a token of ours.
    never: no mail any more, now or later. refusal: words after which nobody is asked again. other:
    no answer.
    """

    YES = "yes"
    ACCEPT = "accept"
    AGREED = "agreed"
    NEVER = "never"
    REFUSAL = "refusal"
    OTHER = "other"


def answer_of(
    lines: Sequence[str], words: Vocabulary, signed: str = "", behind: Sequence[str] = ()
) -> Answer:
    """What typed lines answer; `signed` is what the writer's mail program calls them.

    `behind` are the lines behind a signature's mark. They make no consent, and undo one: whoever
    refuses there has not agreed. They are asked again, since it may be no more than a motto.
    """
    filled = [line.strip() for line in lines if line.strip()]
    if not filled:
        return Answer.OTHER
    first = filled[0]
    said = first.strip(_AROUND).casefold()
    known = spoken().closing | {word.casefold() for word in _WORD.findall(signed)}
    few = _is_signature(filled[1:]) and _is_signature(behind)
    alone = few and (not filled[1:] or _closed(without_office(filled)[1:], known))
    if alone and said in _yes(words):
        return Answer.YES
    if alone and _accepts(first, words):
        return Answer.ACCEPT
    if said in spoken().never or said in words.never_again:
        return Answer.NEVER
    refusing = patterns().refusing
    refuses = any(refusing.search(line[:_LONGEST]) for line in filled[:_LINES])
    return Answer.REFUSAL if refuses else Answer.OTHER


def without_language(lines: Sequence[str], reading: Reading) -> list[str]:
    """The lines but for those that only choose a language: a yes beside them is alone."""
    chosen = [
        one.typed
        for one in reading.orders
        if isinstance(one.order, ChooseWish) and one.order.name == "lang"
    ]
    return [line for line in lines if line.strip() not in chosen]


def _is_signature(lines: Sequence[str]) -> bool:
    """Whether lines behind a `yes` say nothing to it: a few, and none with words that refuse."""
    most, longest = _SIGNATURE
    refusing = patterns().refusing
    few = len(lines) <= most and sum(map(len, lines)) <= longest
    return few and not any(refusing.search(line[:_LONGEST]) for line in lines)


def _yes(words: Vocabulary) -> frozenset[str]:
    """`yes` and its words in the catalogues; `ok` is said of many things."""
    verb = BY_WORD["yes"]
    known = (word for word, other in words.verbs.items() if other is verb)
    return frozenset(known) - frozenset(verb.also)


def _accepts(line: str, words: Vocabulary) -> bool:
    reading = read_orders([line], None, words=words)
    [typed] = reading.orders if len(reading.orders) == 1 else [None]
    return typed is not None and isinstance(typed.order, Accept) and not reading.comments


def _closed(lines: Sequence[str], known: frozenset[str]) -> bool:
    return all(_closes(line, known) for line in lines)


def _closes(line: str, known: frozenset[str]) -> bool:
    found = _WORD.findall(line.casefold())
    return "?" not in line and len(found) <= _SIGNED and known.issuperset(found)
