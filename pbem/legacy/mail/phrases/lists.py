"""The lists of what people say around their orders, in all languages, and the search for them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from pbem.errors import PbemError

# --- listed --------------------------------------------------------------------------------------
# Phrases that are looked for in the words of a text. Between and behind the words of one `…` stands
# for a few others (`take … back`); a word that ends in `*` is the beginning of one.

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PART: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\*?|…")

_BETWEEN: Final = 4
"""Words for which `…` stands at most."""

_LETTERS: Final = 3
"""Letters of the beginning of a word that tell most others apart; each has as many."""

Said: TypeAlias = tuple[str, ...]
"""A clause or a phrase in its words, in small letters."""


def words_in(text: str) -> Said:
    """The words of a text as phrases are compared with them."""
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))


@dataclass(frozen=True, slots=True)
class Listed:
    """Phrases in their words, by the first of each.

    `beginnings` are those whose first word is a beginning, by its first letters.
    """

    by_first: dict[str, tuple[Said, ...]]
    beginnings: dict[str, tuple[Said, ...]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Listed:
        """The phrases, each as it is written."""
        by_first: dict[str, tuple[Said, ...]] = {}
        beginnings: dict[str, tuple[Said, ...]] = {}
        for text in texts:
            phrase = tuple(_PART.findall(text.casefold()))
            if phrase and phrase[0].endswith("*"):
                key = phrase[0].rstrip("*")[:_LETTERS]
                beginnings[key] = (*beginnings.get(key, ()), phrase)
            elif phrase:
                by_first[phrase[0]] = (*by_first.get(phrase[0], ()), phrase)
        return cls(by_first, beginnings)

    def stand_in(self, said: Said) -> bool:
        """Whether one of the phrases stands somewhere in the words."""
        return any(
            _end(phrase, said, at) is not None
            for at, word in enumerate(said)
            for phrase in self._at(word)
        )

    def beside(self, said: Said) -> Iterator[Said]:
        """The words beside each place at which one of the phrases stands."""
        for at, word in enumerate(said):
            for phrase in self._at(word):
                if (end := _end(phrase, said, at)) is not None:
                    yield said[:at] + said[end:]

    def are(self, said: Said) -> bool:
        """Whether the words are one of the phrases, and no other."""
        phrases = self._at(said[0]) if said else ()
        return any(_end(phrase, said, 0) == len(said) for phrase in phrases)

    def _at(self, word: str) -> tuple[Said, ...]:
        """The phrases that may begin with a word."""
        return self.by_first.get(word, ()) + self.beginnings.get(word[:_LETTERS], ())


def _end(phrase: Said, said: Said, at: int) -> int | None:
    """Where a phrase ends that begins at a word; None where it does not stand there."""
    skips = 0
    for part in phrase:
        if part == "…":
            skips = _BETWEEN
            continue
        most = min(len(said), at + skips + 1)
        found = next((n for n in range(at, most) if _is(part, said[n])), None)
        if found is None:
            return None
        at, skips = found + 1, 0
    return max(at, min(len(said), at + skips))


def _is(part: str, word: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else word == part


# --- lists ---------------------------------------------------------------------------------------
# The lists of all languages together, read from their files once and checked.

Words: TypeAlias = frozenset[str]
"""Single words in small letters; a file has them in one text, parted by blanks."""

Texts: TypeAlias = tuple[str, ...]
"""Phrases of one or more words, as they are written; a file has them as a list of texts."""


class BadPhrases(PbemError):  # noqa: N818 - said of the file, as it is told
    """A file of phrases cannot be used; the message names it and the list."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Phrases:
    """Every list, with what all languages have in it.

    Around moves. `small_words` may stand between the words of a move, `announcing` before one of
    one's own, and `leading` right before it (`asking` are those that begin a question), `wishing`
    too; `greetings` begin a greeting, `courtesies` say thanks and good wishes behind a move,
    `partings` too, though `later` and the like alone put a move off; `doubts` make a move doubtful
    wherever they stand, `alternatives` leave a choice; `replacing` puts a turn in the place of
    another, `reasons` begin why it is made, `ending` what stands at the end of a letter and may
    have no sign before it; `clause_words` part the clauses of a line, `joints` the steps of a turn.

    Taken back, or put off. `takes_back_alone` as a clause of its own, `takes_back` inside a
    sentence, `takes_back_anywhere` inside a text of a language that puts no blanks, `no_alone` as a
    sentence of one word, `wait` as the first word of a short clause, unless it is one of
    `waited_for` that follows; `lead` stands before such a clause and says nothing. `later` and
    `later_anywhere` put a move off, and `keeping` has it stay as it is, as `keeping_alone` does as
    the last clause.

    Answers. `no_before_answer` says no before the answer itself; `agreeing` are the words of which
    no sequence behind a yes says anything else, and `confirming` those that say that a move was
    meant; `resigning` and `deleting` repeat such questions, `glad` says no more than the yes before
    it, `unsure` no such thing; `accepting` and `declining` answer an invitation as a clause of
    their own, `drawing` agrees to a draw. `refusing`, `no_at_start` and `never` refuse mails for
    good, `closing` says nothing behind a consent.

    Greetings. `only_greeting` are the words of a letter that does no more; `salutations` and
    `salutations_of_day` (and a word behind) begin a line before something else, to `everybody` or
    somebody, `titles` stand before a name. `sentence_starts` are nearly verbs of ours and are none,
    `noted` stands behind `note` in a sentence to somebody else.

    Beside a move: `reports` say that it is somebody else's, or only spoken of, `modifiers` are ways
    to do something with a piece, which a game may have or not, `describing` stand before a piece by
    which a place is told that was named (`c6 L, right above my medium`), `judging` are the verbs of
    a sentence about a move that stands before them, `pointing` words that may mean it in a
    question, `turns` what it is called.

    `everyday` are words of weather, family, work and the like: a sentence of its own that has no
    others changes nothing, if it has none of `telling`, which speak of moves, of waiting or of
    changing one's mind, and few of `denying`; `mild` are those that only do in short sentences
    (`already`, `over`), and `whence` stands before the name of a place.

    `asked_for` is what people want in words and the order for it, as in `undo: take … back`; where
    that only shows something, `showing` has more, and `requesting` words that change no request;
    `assent` are the words of a friendly yes, `sorry` those that regret a no; `granting`
    agrees to a takeback, `please` asks kindly, and `conditional` makes an answer depend on
    something. `passing` stands behind a `pass` that is none (`Pass the salt`), and `parted` are
    verbs that are another one with the word at the end of their clause (`pass auf die Kinder auf`).

    Moves in prose: `own` are words of who moves, `playing` of moving, `numbers` like `2: two`,
    `there` is the place named last, `of_others` those of what somebody else does, or has done.
    `labelling` stand beside what a line is labelled with, `other` call a match the other one.

    Of mail programs. `sent_from` begins a line that no person wrote (`sent_by_person` begins one
    all the same); `sign_offs` are the words of a line that ends a letter, `weak_sign_offs` not
    without a stronger one, `sign_offs_alone` whole lines; `original_message` stands above a quote,
    `picture_endings` end the line that stands for a picture of ours, `subject_marks` before the
    subject of an answer. `automatic_subjects` begin those that a program wrote, `failure_subjects`
    those of bounces, without accents and what a person may write.
    """

    small_words: Words
    announcing: Words
    leading: Words
    asking: Words
    wishing: Texts
    greetings: Words
    courtesies: Words
    partings: Texts
    replacing: Texts
    reasons: Texts
    ending: Texts
    doubts: Words
    alternatives: Words
    no_before_answer: Words
    no_alone: Words
    no_at_start: Words
    takes_back_alone: Texts
    takes_back: Texts
    takes_back_anywhere: Texts
    keeping: Texts
    keeping_alone: Texts
    wait: Words
    waited_for: Words
    lead: Words
    later: Texts
    later_anywhere: Texts
    agreeing: Words
    confirming: Words
    accepting: Texts
    declining: Texts
    drawing: Words
    glad: Words
    unsure: Words
    resigning: Words
    deleting: Words
    refusing: Texts
    never: Words
    closing: Words
    only_greeting: Words
    salutations: Words
    salutations_of_day: Words
    titles: Words
    everybody: Words
    sentence_starts: Words
    noted: Words
    clause_words: Texts
    joints: Texts
    reports: Words
    modifiers: Words
    describing: Texts
    judging: Words
    pointing: Words
    turns: Words
    everyday: Words
    mild: Words
    telling: Words
    denying: Words
    whence: Words
    asked_for: Texts
    showing: Texts
    requesting: Words
    assent: Words
    granting: Texts
    please: Words
    conditional: Words
    passing: Words
    parted: Texts
    sorry: Words
    own: Words
    there: Words
    playing: Words
    numbers: Texts
    of_others: Words
    labelling: Words
    other: Words
    sent_from: Texts
    sent_by_person: Texts
    sign_offs: Words
    weak_sign_offs: Words
    sign_offs_alone: Texts
    original_message: Texts
    picture_endings: Texts
    subject_marks: Texts
    automatic_subjects: Texts
    failure_subjects: Texts


_KINDS: Final = {one.name: one.type for one in fields(Phrases)}
"""How each list is written: `Words` or `Texts`."""


@cache
def spoken() -> Phrases:
    """The phrases of every language that has a file."""
    return together(texts())


@cache
def languages() -> tuple[Phrases, ...]:
    """The phrases of each language that has words of everyday talk."""
    return tuple(one for named in texts().items() if (one := together(dict([named]))).everyday)


def texts() -> dict[str, str]:
    """The files as they stand in the package, by their names."""
    found = (one for one in files(__package__).iterdir() if one.name.endswith(".toml"))
    return {one.name: one.read_text(encoding="utf-8") for one in found}


def together(written: Mapping[str, str]) -> Phrases:
    """The phrases of several files, which are given by name and text. Raises BadPhrases."""
    read = [_lists_of(name, text) for name, text in sorted(written.items())]

    def joined(key: str) -> Iterable[str]:
        return dict.fromkeys(one for lists in read for one in lists.get(key, ()))

    lists: dict[str, Any] = {
        key: frozenset(joined(key)) if kind == "Words" else tuple(joined(key))
        for key, kind in _KINDS.items()
    }
    return Phrases(**lists)


def _lists_of(name: str, text: str) -> dict[str, Texts]:
    """What one file has in each list; words in the form in which they are compared."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPhrases(f"{name}: {error}") from error
    lists: dict[str, Texts] = {}
    for key, value in found.items():
        match _KINDS.get(key), value:
            case "Words", str():
                lists[key] = tuple(value.casefold().split())
            case "Texts", list() if all(isinstance(one, str) and one.strip() for one in value):
                lists[key] = tuple(value)
            case "Words", _:
                raise BadPhrases(f"{name}: {key} is a text of words between blanks")
            case "Texts", _:
                raise BadPhrases(f"{name}: {key} is a list of texts, none of them empty")
            case _:
                raise BadPhrases(f"{name}: there is no list {key}")
        if not lists[key] or len(set(lists[key])) < len(lists[key]):
            raise BadPhrases(f"{name}: {key} is empty or says something twice")
    return lists
