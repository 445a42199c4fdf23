"""An answer to an invitation in friendly words: `decline, sorry, no time`, `Accept! See you`.

Elsewhere `accept` and `decline` stand alone: they answer draws and takebacks too, and what is said
with them may mean anything. Our questions may be agreed to in words that say nothing but yes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.mail.free_text.courtesies import END, is_courtesy, is_doubtful, is_small_talk
from pbem.mail.free_text.message_text import without_office
from pbem.mail.free_text.retractions import keeps, takes_back
from pbem.mail.phrases.lists import Listed, Phrases, Said, patterns, spoken, words_in
from pbem.mail.verbs.arguments import COLOURS
from pbem.mail.verbs.orders import Accept, Decline
from pbem.mail.verbs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pbem.mail.verbs.verb_table import Verb

_AROUND: Final = " .,;:!()\"'"
_APART: Final = re.compile(r"\s*[,.!;:)-]")
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

_CLAUSE: Final = re.compile(r"[,.!;:()]+|\s-\s")

_LOOKS, _LONGEST = 20, 200
"""Lines of a letter in which one is looked for, and their characters."""

_WORDS_OF_VERB: Final = 3

_CONSENT: Final = 10
"""Words of a friendly yes at most."""

_TOLD: Final = 8
"""Words of a sentence that tells something, at least."""

_SO: Final = frozenset(["so"])
"""Words that make another sentence of a no: `Nein, so was!`"""

_ASSENT: Final = "\N{CHECK MARK}"
"""Stands for a phrase that agrees."""


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
        answer = replace(answer, colour=_colour_in(line, words))
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


def plain_answer(
    lines: Sequence[str],
    words: Vocabulary,
    names: Collection[str],
    *,
    beside: bool = False,
    granting: bool = False,
) -> Accept | Decline | None:
    """What friendly words without any verb of ours say to an invitation (MAIL 3), or None.

    Sentences of small talk count for nothing. A yes is at most ten words, one of them of assent,
    and all others of thanks, greeting, politeness, or of the `names` that are known there; a no is
    a clause of its own. `beside`: other sentences may stand behind such a yes, if they neither
    deny nor doubt (`Ja, gerne! Dann zeig ich dir mal, wie man pflanzt.`). `granting`: it may say
    what somebody may take back (`Klar, nimm ihn zurück.`).
    """
    said = spoken()
    asks = any("?" in line for line in lines)
    lines = without_office([line for line in lines if line.strip()])
    told = [one for line in lines for one in END.split(line) if not _is_chat(one, names)]
    phrases = _granting(said) if granting else _accepting(said)
    if not asks and _agrees(told, words, names, phrases):
        return Accept("")
    if not asks and beside and _agrees(told[:1], words, names, phrases):
        return None if any(map(_is_against, told[1:])) else Accept("")
    clauses = [words_in(clause) for one in told for clause in _CLAUSE.split(one) if "?" not in one]
    declines = _declining(said).are if asks else _declining(said).stand_in
    no = any(declines(one) or _says_no(one, said, names) for one in clauses)
    depends = any(not said.conditional.isdisjoint(one) for one in clauses)
    return Decline() if no and not depends and not agrees_in(told) else None


def _agrees(
    told: Iterable[str], words: Vocabulary, names: Collection[str], phrases: Listed
) -> bool:
    """Whether sentences are a friendly yes, and nothing else."""
    said = spoken()
    clauses = [words_in(clause) for one in told for clause in _CLAUSE.split(one)]
    if sum(map(len, clauses)) > _CONSENT:
        return False
    left = [word for clause in clauses for word in _without(clause, phrases)]
    yes = next(word for word, verb in words.verbs.items() if verb.name == "yes")
    kind = _polite(said) | {yes, _ASSENT}
    agrees = _ASSENT in left or any(word in said.assent for word in left)
    return agrees and all(word in kind or word in names for word in left)


def _is_against(sentence: str) -> bool:
    """Whether a sentence behind a yes may mean another thing; what has been counts for nothing.

    A long one that denies tells of something else (`I haven't held a pencil for years`).
    """
    said = spoken()
    found = words_in(patterns().partings.sub(" ", sentence))
    denied = said.doubts | said.unsure | said.denying | said.no_at_start
    denies = not denied.isdisjoint(found) or any(word.endswith("n't") for word in found)
    depends = not said.conditional.isdisjoint(found)
    supposes = not (said.doubts - said.denying).isdisjoint(found)
    if denies and (depends or supposes or len(found) < _TOLD):
        return True
    choice = patterns().alternatives.search(sentence) or patterns().refusing.search(sentence)
    declines = any(_declining(said).stand_in(words_in(one)) for one in _CLAUSE.split(sentence))
    return choice is not None or declines or takes_back([sentence])


def agreed_to(
    lines: Sequence[str], words: Vocabulary, names: Collection[str], *, draw: bool
) -> Accept | Decline | None:
    """What friendly words say to a draw, or to a takeback: a draw is agreed to by name only.

    A no is one where nothing else denies or doubts.
    """
    answer = plain_answer(lines, words, {*names, *spoken().drawing}, granting=not draw)
    said = {word for line in lines for word in words_in(line)}
    if isinstance(answer, Accept):
        return answer if not draw or not spoken().drawing.isdisjoint(said) else None
    if any(_declining(spoken()).stand_in(words_in(line)) for line in lines):
        return answer
    # `No, I have nothing against it` is none.
    denied = (spoken().unsure | spoken().denying) & (said - spoken().no_at_start)
    return answer if not denied else None


def _is_chat(sentence: str, names: Collection[str]) -> bool:
    found = words_in(patterns().partings.sub(" ", sentence))
    answers = spoken().assent | spoken().no_at_start | spoken().sorry
    plain = answers.isdisjoint(found) and patterns().alternatives.search(sentence) is None
    courteous = not found or is_courtesy(sentence, names)
    return plain and (courteous or is_small_talk(sentence, names))


def says_no(line: str, names: Collection[str]) -> bool:
    """Whether a sentence of a line is nothing but a no, and none of its others agrees."""
    said = spoken()
    sentences = [words_in(one) for one in END.split(line) if one.strip()]
    agrees = any(not said.assent.isdisjoint(one) for one in sentences)
    return not agrees and any(_says_no(one, said, names) for one in sentences)


def agrees_in(lines: Iterable[str]) -> bool:
    """Whether lines have words of assent, whatever else they say."""
    said = spoken()
    clauses = [words_in(clause) for line in lines for clause in _CLAUSE.split(line)]
    return any(not said.assent.isdisjoint(one) or _accepting(said).stand_in(one) for one in clauses)


def _without(clause: Said, phrases: Listed) -> Said:
    """The words of a clause, one sign of assent for those that are such a phrase."""
    if len(clause) > _CONSENT:
        return clause  # it is no consent, and every part of it would be looked at
    for size in range(len(clause), 0, -1):
        for at in range(len(clause) - size + 1):
            if phrases.are(clause[at : at + size]):
                return (*clause[:at], _ASSENT, *_without(clause[at + size :], phrases))
    return clause


def _says_no(clause: Said, said: Phrases, names: Collection[str]) -> bool:
    """Whether a clause is nothing but a no, with what is polite around it."""
    polite = (said.only_greeting | said.closing | said.courtesies | said.lead | said.sorry) - _SO
    rest = [word for word in clause if word not in names]
    left = [word for word in rest if word not in said.no_at_start]
    return len(left) < len(rest) and polite.issuperset(left)


@lru_cache(maxsize=2)
def _polite(said: Phrases) -> frozenset[str]:
    known = said.assent | said.glad | said.only_greeting | said.closing | said.courtesies
    return (known | said.salutations | said.agreeing | said.lead) - said.doubts


@lru_cache(maxsize=2)
def _accepting(said: Phrases) -> Listed:
    return Listed.of(said.accepting)


@lru_cache(maxsize=2)
def _granting(said: Phrases) -> Listed:
    return Listed.of((*said.accepting, *said.granting))


@lru_cache(maxsize=2)
def _declining(said: Phrases) -> Listed:
    return Listed.of(said.declining)


def _colour_in(line: str, words: Vocabulary) -> str:
    """The only colour that a line names, "" if it names none or several."""
    said = words.phrases.english(line).casefold()
    named = {word for word in _WORD.findall(said) if word in COLOURS}
    return named.pop() if len(named) == 1 else ""


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
    for clause in _CLAUSE.split(line.casefold().replace("’", "'")):
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
    clauses = [words_in(clause) for one in told for clause in _CLAUSE.split(one)]
    agrees = any(map(_granting(said).are, clauses))
    denies = any(map(_declining(said).stand_in, clauses))
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
    apart = glad or _APART.match(rest) is not None
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
