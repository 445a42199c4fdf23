"""Where a text for others, or for oneself, ends (MAIL 1): what is below was not meant to be said.

It ends at its paragraph's end at the latest. Lines of a mail program's are known by their form, a
signature that nothing marks by what stands in such: names, numbers, addresses, legal words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.reply_text import begins_notice, is_sign_off

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.labels import Labels
    from pbem.legacy.mail.verbs.verb import Verb
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_ACTS: Final = ("now", "undo", "resign", "claim", "rematch", "offer draw", "accept", "decline")
"""Verbs that are orders alone on a line below a text."""

_ALSO_SAID: Final = ("draw", "no", "leave")
"""Other names of theirs that people also say."""

_PRIVATE: Final = ("if", "queue", "note")
_ABOUT_MOVES: Final = ("try", "why")
_TOPICS: Final = ("help", "rules")
_SEPARATOR: Final = re.compile(r"[-_=*~+#•·\u2013\u2014]{2,}")
_FIELD: Final = re.compile(r"[*_]{0,2}(\w[\w -]{0,24}?)[*_]{0,2}\s?[:：]\s?[*_]{0,2}(.*)")
_WHEN: Final = re.compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{4}年|@")
_NUMBER: Final = re.compile(r"(?<![\w#])\+?\(?\d(?:[ ()/.-]{0,2}\d){6,}(?!\w)")
_ADDRESS: Final = re.compile(r"[^\s@]@[^\s@]|://|\bwww\.", re.IGNORECASE)
_SENTENCE_END: Final = (".", "!", "?", "…", ",", ";", ")", "。", "！", "？")
_ASKED: Final = re.compile(
    r"(?:say|sag|sagt|sagen sie)(?:,| mal\b)"
    r"|say\b i\b[^?]{1,300}, *(?:could|can|would|will|do|does|is)\b.*\?\s*$"
    r"|say nothing(?=\W*$| (?:to|about|of|till|until|yet|more)\b)"
    r"|sage? (?:nichts|(?:doch )?(?:bitte )?(?:dem|der|ihm|ihr)\b"
    r"|(?:(?:doch|bitte) ){0,2}(?-i:[^\W\d_a-z][^\W\d_]*),? "
    r"(?:dass (?:er|sie|ich|wir|es)|ob|(?:er|sie) soll)\b)",
    re.IGNORECASE,
)
"""What is said to us and begins like words to the others: `Say, when is it my turn?`."""

_OFFICE: Final = (2, 6)
"""Lines of a signature that nothing marks, at least and at most."""

_NAME_WORDS: Final = 5
"""Words of a line of a signature at most."""


def is_contact(line: str) -> bool:
    """Whether a line has an address, a page's name or a telephone number."""
    return _ADDRESS.search(line) is not None or _NUMBER.search(line) is not None


def is_machine_made(lines: Sequence[str], at: int, words: Vocabulary) -> bool:
    """Whether a line is a separator, an attribution, or one of a header block."""
    line = lines[at]
    if _SEPARATOR.fullmatch(line.replace(" ", "")):
        return True
    if line.endswith((":", "：")) and _WHEN.search(line) and len(line.split()) > 2:  # noqa: PLR2004 - more than a label
        return True
    if not _is_field(line, words):
        return False
    beside = [*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]]
    return _ADDRESS.search(line) is not None or any(_is_field(one, words) for one in beside)


def _is_field(line: str, words: Vocabulary) -> bool:
    found = _FIELD.fullmatch(line)
    return found is not None and found[1].casefold() in words.headers


def end_of_said(
    lines: Sequence[str], begin: int, end: int, words: Vocabulary, labels: Labels = tuple
) -> int:
    """Where the text of a paragraph ends that begins in one line and runs to another at most."""
    signed = False
    for at in range(begin + 1, end):
        line = lines[at]
        signed = is_contact(line) or begins_notice(line)
        if signed or is_sign_off(line) or is_machine_made(lines, at, words):
            end = at
            break
    names = 0
    while names < end - begin - 1 and _is_of_signature(lines[end - 1 - names]):
        names += 1
    # A single line of names may be words all the same: nouns are written large in German.
    alone = names == 1 and not signed and not _is_mine(lines[end - 1], labels)
    return end if alone else end - names


def _is_mine(line: str, labels: Labels) -> bool:
    """Whether a line is the name of who writes, as their matches have it."""
    said = set(re.findall(r"\w+", line.casefold()))
    return any(said <= one.mine for one in labels())


def without_office(lines: Sequence[str]) -> Sequence[str]:
    """Lines down to a sign-off, below which nothing but names and numbers stands."""
    at = next((at for at, line in enumerate(lines) if at and is_sign_off(line)), len(lines))
    return lines[:at] if all(map(is_named, lines[at + 1 :])) else lines


def office_of(text: str) -> str:
    """The lines at the end of a text that no sign-off marks as a signature; "" if there are none.

    They are a paragraph of their own: a name, and an office or an address below it.
    """
    body, apart, block = text.rstrip().rpartition("\n\n")
    lines = block.split("\n") if apart else []
    if not _OFFICE[0] <= len(lines) <= _OFFICE[1] or any(map(_is_told, lines)):
        return ""
    first, last = lines[0], lines[-1]
    named = _is_of_signature(first) and "," not in first and not re.search(r"\d", first)
    return text[len(body) + 2 :] if named and is_named(last) else ""


def _is_told(line: str) -> bool:
    return not line.strip() or line.rstrip().endswith(_SENTENCE_END)


def is_to_us(line: str) -> bool:
    """Whether a line that begins like words to the others is said to us (`Say, when ...?`)."""
    return _ASKED.match(line) is not None


def is_farewell(line: str) -> bool:
    """Whether a line only ends a letter: a sign-off, or names."""
    return is_sign_off(line) or (_is_of_signature(line) and not is_contact(line))


def begins_signature(line: str) -> bool:
    """Whether what stands below a line is no sentence of its writer's any more."""
    return is_sign_off(line) or begins_notice(line) or _SEPARATOR.fullmatch(line) is not None


def _is_of_signature(line: str) -> bool:
    """Whether a line is no sentence but names: `Ann Smith`, `Head of Sales`, `ACME Inc`."""
    return len(line.split()) <= _NAME_WORDS and is_named(line)


def is_named(line: str) -> bool:
    """Whether a line has mostly names and numbers, as offices write below a signature."""
    found = line.split()
    if not found or line.endswith(_SENTENCE_END):
        return False
    large = [word for word in found if word[:1].isupper() or not word[:1].isalpha()]
    return found[0][:1].isupper() and len(large) * 2 > len(found)


def acts(word: str, verb: Verb, arguments: str, *, moves: bool) -> bool:
    """Whether a line is exactly one order that acts, and nothing that people also say.

    `word` is the verb as typed; `moves` says whether the arguments are words of the game alone.
    """
    if not arguments:
        return verb.name in _ACTS and word.casefold() not in _ALSO_SAID
    if verb.name == "note":
        return arguments.partition(" ")[0].casefold() not in spoken().noted
    if verb.name in _ABOUT_MOVES:
        return moves
    if verb.behind == "name":
        return len(arguments.split()) == 1
    if verb.behind == "somebody":
        return "@" in arguments
    if verb.name == "say":
        return True
    if verb.name == "comment":  # with the number of a move; else it may be a word of a sentence
        return re.match(r"#?\d|[:,]", arguments) is not None
    return verb.takes and verb.name not in (*_TOPICS, *_PRIVATE)
