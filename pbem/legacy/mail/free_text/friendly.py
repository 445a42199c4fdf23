"""An answer to an invitation in friendly words: `decline, sorry, no time`, `Accept! See you`.

Elsewhere `accept` and `decline` stand alone: they answer draws and takebacks too, and what is said
with them may mean anything. Our questions may be agreed to in words that say nothing but yes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.courtesies import END, is_doubtful
from pbem.legacy.mail.free_text.message_text import without_office
from pbem.legacy.mail.free_text.plain_answers import CLAUSES, colour_in, declined, granted
from pbem.legacy.mail.free_text.retractions import keeps, takes_back
from pbem.legacy.mail.phrases.lists import spoken, words_in
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.verbs.agreeing import Accept, Decline
from pbem.legacy.mail.verbs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pbem.legacy.mail.verbs.verb import Verb

_AROUND: Final = " .,;:!()\"'"
_APART: Final = re.compile(r"\s*[,.!;:)-]")
_CONSENT: Final = 10
"""Words of a letter that confirms a move at most."""

_YES: Final = 4
"""Words behind `yes`, which begins other sentences as well."""

_WORD: Final = re.compile(r"\w+")

_PARTS: Final = re.compile(r"[\w']+")
_MEANT: Final = ("accept", "decline", "join", "yes", "undo", "rematch", "offer draw")
"""Verbs that may be meant at the end of a sentence; the others are only spoken of."""

_AT_ONCE: Final = ("undo", "decline")
"""Verbs that only take back or decline."""

_OF_A_MOVE: Final = re.compile(r"\d|\b[A-HJ-Z]\b")
"""What stands in nearly every move: a number, or the sign of a piece."""

_PARTED: Final = (",", ".", "!", ";")
"""What parts such a verb from what is said behind it."""

_LOOKS, _LONGEST = 20, 200
"""Lines of a letter in which one is looked for, and their characters."""

_WORDS_OF_VERB: Final = 3


def agreement(lines: Sequence[str], words: Vocabulary, kind: str = "") -> str | None:
    """The line that says yes to a question of a kind and nothing more, as `Yes, it was me.`.

    None where another line takes it back.
    """
    said = spoken()
    known = said.agreeing | {"resign": said.resigning, "delete_me": said.deleting}.get(kind, set())
    for line in lines:
        found = words.verb.match(line)
        if found is None or words.verb_of(found[1]).name != "yes":
            continue
        if "?" in line or words.ok_thanks.fullmatch(line):
            continue
        rest = patterns().partings.sub(" ", line[found.end() :])
        if known.issuperset(_PARTS.findall(rest.casefold())):
            others = [other for other in lines if other != line]
            return None if takes_back(others) else line
    return None


def confirmation(lines: Sequence[str], names: Collection[str] = ()) -> str | None:
    """The line that says that the one move which was asked about is meant: `Genau, stimmt!`.

    It and all others say nothing else; None where one asks, denies or names anything.
    """
    said = spoken()
    plainly = said.agreeing | said.assent | said.confirming | said.lead | said.glad
    known = (plainly | said.courtesies | said.only_greeting | said.closing) - said.doubts
    typed = without_office([one for one in lines if one.strip()])
    found = [(words_in(patterns().partings.sub(" ", line)), line) for line in typed]
    others = (one for clause, _ in found for one in clause if one not in known and one not in names)
    if any("?" in line for line in typed) or any(others) or takes_back(typed):
        return None
    if sum(len(clause) for clause, _ in found) > _CONSENT:
        return None
    agrees = said.assent | said.confirming
    return next((line for clause, line in found if not agrees.isdisjoint(clause)), None)


def friendly_answer(
    lines: Sequence[str], words: Vocabulary, *, colours: bool = False
) -> tuple[Accept | Decline, str] | None:
    """What a letter without an order says to an invitation, and its line; None if that is open.

    `colours`: it may name the colour that its writer wants.
    """
    found = [(answer, line) for line in lines if (answer := _answer(line, words)) is not None]
    if len(found) != 1 or any("?" in line for line in lines):
        return None
    [(answer, line)] = found
    others = " ".join(other for other in lines if other is not line)
    against = _against(answer, f"{_rest(line, words)} {others}", words)
    if against:
        return None
    if colours and isinstance(answer, Accept):
        answer = replace(answer, colour=colour_in([line], words))
    return answer, line


def begins_plainly(verb: Verb, line: str, words: Vocabulary) -> bool:
    """Whether a line takes back or declines at once, whatever it says behind (MAIL 1).

    `undo please, I planted on the wrong side`, no `undo? no` and no `undo if you can`.
    """
    found = words.verb.match(line)
    usual = found is not None and found[1].casefold() in words.usual
    if found is None or not usual or verb.name not in _AT_ONCE or "?" in line:
        return False
    rest = line[found.end() :]
    asked = _WORD.match(rest.lstrip())
    if asked is not None and asked[0].casefold() in spoken().please:
        rest = rest.lstrip()[asked.end() :]
    said = set(words_in(rest))
    if _OF_A_MOVE.search(rest) is not None:
        return False
    depends = spoken().conditional | spoken().unsure | spoken().alternatives | spoken().assent
    again = takes_back([rest]) or keeps(rest)
    return rest.lstrip()[:1] in _PARTED and depends.isdisjoint(said) and not again


def order_meant(lines: Iterable[str], words: Vocabulary) -> str | None:
    """The verb that a letter without an order ends or begins a line with: `sounds good, accept`.

    Or what its clauses say of an invitation (`Klar, bin dabei!`). It is to be asked about. None
    where there are several, or where a line speaks of doubts.
    """
    said = [line for line in lines if len(line) <= _LONGEST][:_LOOKS]
    found: set[str] = set()
    if not any("?" in line for line in said):
        found = {verb for line in said for verb in _meant_in(words.please.sub("", line), words)}
        found = found or {verb for line in said for verb in _answers_in(line)}
    if found == {"decline"} or (len(found) == 1 and not any(map(_is_unsure, said))):
        return found.pop()
    return next(_leanings(said), None)


def _answers_in(line: str) -> Iterator[str]:
    """What the clauses of a line answer an invitation with, without any verb of ours."""
    said = spoken()
    for clause in CLAUSES.split(line.casefold().replace("’", "'")):
        answer = " ".join(_PARTS.findall(clause))
        if answer in said.accepting:
            yield "accept"
        elif answer in said.declining:
            yield "decline"


def _leanings(lines: Sequence[str]) -> Iterator[str]:
    """What the sentences of lines begin with: a yes, or a no, whatever else they say."""
    said = spoken()
    choice = patterns().alternatives
    told = [one for line in lines for one in END.split(line) if "?" not in one]
    told = [one for one in told if choice.search(one) is None]
    firsts = {word for one in told for word in words_in(one)[:1]}
    clauses = [words_in(clause) for one in told for clause in CLAUSES.split(one)]
    agrees = any(map(granted(said).are, clauses))
    denies = any(map(declined(said).stand_in, clauses))
    if not (agrees or denies):
        agrees = not said.assent.isdisjoint(firsts)
        denies = not said.no_at_start.isdisjoint(firsts)
    if agrees is not denies:
        yield "accept" if agrees else "decline"


def _is_unsure(line: str) -> bool:
    typed = _PARTS.findall(line.casefold().replace("’", "'"))
    return any(word in spoken().unsure or word.endswith("n't") for word in typed)


def _meant_in(line: str, words: Vocabulary) -> Iterator[str]:
    parts = line.split()
    first = words.verb.match(line)
    if first is not None and _APART.match(line, first.end()) is not None:
        yield from _asked_about(first[1], words)
    for size in range(min(_WORDS_OF_VERB, len(parts) - 1), 0, -1):
        typed = " ".join(parts[-size:]).strip(_AROUND)
        if typed.casefold() in words.verbs:
            yield from _asked_about(typed, words)
            return


def _asked_about(typed: str, words: Vocabulary) -> Iterator[str]:
    """The verb, if what was typed is its usual name: `no` and `leave` are also said."""
    said = " ".join(typed.casefold().split())
    verb = words.verbs[said]
    if verb.name in _MEANT and (said in words.usual or " " in said):
        yield verb.name


def _against(answer: Accept | Decline, text: str, words: Vocabulary) -> bool:
    """Whether other words of the letter may mean the opposite."""
    if isinstance(answer, Accept) and is_doubtful(text):
        return True
    opposite = ("accept", "yes") if isinstance(answer, Decline) else ("decline", "stop", "block")
    said = {
        words.verbs[word].name for word in _WORD.findall(text.casefold()) if word in words.verbs
    }
    return not said.isdisjoint(opposite)


def _answer(line: str, words: Vocabulary) -> Accept | Decline | None:
    found = words.verb.match(line)
    if found is None:
        return None
    verb, said, rest = words.verb_of(found[1]).name, found[1].casefold(), line[found.end() :]
    plain = said in words.usual or " " in said
    glad = bool(rest.strip()) and spoken().glad.issuperset(_WORD.findall(rest.casefold()))
    coloured = verb == "accept" and colour_in(_WORD.findall(rest)[:1], words) != ""
    apart = glad or coloured or _APART.match(rest) is not None
    if verb == "decline" and plain:
        return Decline()
    if verb == "accept" and plain and apart:
        return Accept("")
    if verb == "yes" and apart and len(rest.split()) <= _YES:
        return Accept("")
    return None


def _rest(line: str, words: Vocabulary) -> str:
    found = words.verb.match(line)
    return line[found.end() :] if found is not None else line
