"""Other moves in a letter than the one that would be played (MAIL 1: two readings are a question).

Nothing here depends on the words around them: lines are cut into runs of words that a game may
know, and into clauses, and whatever reads as a move there counts, legal or not. Only a move that
was made already, or a part of the one that is meant, says nothing new. A text may also leave the
choice: `a2 S, M or L` names three, and none is meant yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.mail.free_text.courtesies import is_filler, is_usual
from pbem.legacy.mail.free_text.move_spans import TOKEN, find_move
from pbem.legacy.mail.lines import letters
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_MOST: Final = 1_500
"""Texts of a letter that are read at most; what is left then may hold anything."""

_SHORT: Final = 3
"""Letters of a word that may belong to a move though no list has it, as `ccw`."""

_LONGEST: Final = 24
"""Words of a run of which every span is read; a longer one is cut, with as much over as half."""

_CLAUSE_WORDS: Final = 8
_TWO: Final = 2
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_CLAUSE: Final = re.compile(r"[:;,.!?…()\[\]{}\"|]+|(?<!\S)[-*~>]+(?!\S)")
_NUMBER: Final = re.compile(r"(?<!\S)(?:[0-9]{1,2}|[A-Za-z])[.)](?=\w)")
"""What counts a line of a list, glued to what it counts."""

_STEP: Final = "; "
"""What parts the steps of a move in its canonical form."""

_GONE: Final = "|"
"""What stands for a move that was found already; a clause ends there."""

_AROUND: Final = " \t.,:;!?…()[]{}<>\"'*_~`|/\\-"


class Rival(NamedTuple):
    """Another move: in its canonical form if it is legal, else as typed."""

    move: str
    legal: bool


@dataclass(frozen=True, slots=True)
class Rivals:
    """The moves that stand beside the one that is meant.

    `unclear`: a part of a move stands alone, or there is too much to look at.
    """

    moves: tuple[Rival, ...] = ()
    unclear: bool = False


def rivals(
    lines: Iterable[str], move: str, typed: str, tried: Readings, words: Vocabulary
) -> Rivals:
    """The moves in lines other than `move`, which is canonical and was read from `typed`."""
    seeker = _Seeker(move, typed, tried, words)
    for line in lines:
        seeker.seek(words.game_text(tried.game, line))
        if tried.count > _MOST:
            return Rivals(tuple(seeker.found), unclear=True)
    return Rivals(tuple(seeker.found), unclear=seeker.unclear)


class _Seeker:
    """Looks through lines for moves; `found` has every one once, in their order."""

    def __init__(self, move: str, typed: str, tried: Readings, words: Vocabulary) -> None:
        self._move = move
        self._mine = (letters(move), letters(typed))
        self._tried = tried
        self._known = words.words_of(tried.game)
        self._marked = tried.game.words
        self._line = ""
        self.found: dict[Rival, None] = {}
        self.unclear = False

    def seek(self, line: str) -> None:
        """Look through one line, in the game's own words."""
        line = _NUMBER.sub(lambda found: " " * len(found[0]), line)
        self._line = line.strip(_AROUND)
        marks = [found.span() for found in self._marked.finditer(_folded(line))]
        for start, end in self._runs(line, marks):
            for one, other in self._spans(line, start, end, marks):
                line = f"{line[:one]}{_GONE * (other - one)}{line[other:]}"
        for clause in _CLAUSE.split(line):
            self._clause(clause.strip(_AROUND))

    # --- runs ------------------------------------------------------------------------------------

    def _runs(self, line: str, marks: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Where words stand together that may all belong to moves, some of which says so."""
        run: list[tuple[int, int]] = []
        for found in TOKEN.finditer(line):
            if self._may_belong(found[0], found.span(), marks):
                run.append(found.span())
                continue
            yield from _cut(run)
            run = []
        yield from _cut(run)

    def _may_belong(self, token: str, span: tuple[int, int], marks: list[tuple[int, int]]) -> bool:
        bare = token.strip(_AROUND).casefold()
        if len(bare) <= _SHORT or bare in self._known or is_filler(bare):
            return True
        if any(sign.isdigit() for sign in bare):
            return True
        return any(start < span[1] and span[0] < end for start, end in marks)

    def _spans(
        self, line: str, start: int, end: int, marks: list[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Every span of a run that is a move and stands in no longer one; legal ones first."""
        taken: list[tuple[int, int]] = []
        tokens = [
            (start + found.start(), start + found.end())
            for found in TOKEN.finditer(line[start:end])
        ]
        if not any(self._says(line[one:other], one, other, marks) for one, other in tokens):
            return taken
        for legal in (True, False):
            for first, last in _spans(len(tokens)):
                one, other = tokens[first][0], tokens[last][1]
                if any(one < stop and begin < other for begin, stop in taken):
                    continue
                text = line[one:other].strip(_AROUND)
                plain = self._is_plain(line, text, one, other, marks)
                # A word of a game in a sentence that is no legal move is hardly meant as one.
                if not legal:
                    ends = (line[slice(*tokens[first])], line[slice(*tokens[last])])
                    small = any(is_usual(word.strip(_AROUND).casefold()) for word in ends)
                    plain = plain and not small and _is_marked(one, other, marks)
                    plain = plain and (first < last or self._tried.is_on_board(text))
                if plain and self._keep(text, legal=legal):
                    taken.append((one, other))
        return taken

    def _says(self, token: str, start: int, end: int, marks: list[tuple[int, int]]) -> bool:
        bare = token.strip(_AROUND).casefold()
        return (
            any(sign.isdigit() for sign in bare)
            or (bare in self._known and len(bare) > 1)
            or any(one < end and start < other for one, other in marks)
        )

    def _is_plain(
        self, line: str, text: str, start: int, end: int, marks: list[tuple[int, int]]
    ) -> bool:
        """Whether a text is plainly the game's; a single word of it stands in any prose."""
        found = _WORD.findall(text)
        if any(sign.isdigit() for sign in text):
            return True
        if len(found) < _TWO:
            # `pass` is a move wherever it stands; `medium` is one only by what is left out.
            return self._tried.move(text) == text.casefold() and not _is_no_turn(line, start, end)
        # What stands before a span may hide that it has a word of the game.
        if _is_marked(start, end, marks) or self._marked.search(_folded(text)) is not None:
            return True
        own = {word for one in found if (word := one.casefold()) in self._known}
        return sum(not is_usual(word) for word in own) >= _TWO

    # --- clauses ---------------------------------------------------------------------------------

    def _clause(self, clause: str) -> None:
        """A clause that is a move or a part of one, or has a single word of the game."""
        found = [word.casefold() for word in _WORD.findall(clause)]
        if not found or len(found) > _CLAUSE_WORDS:
            return
        own = [word for word in found if word in self._known]
        digits = any(sign.isdigit() for sign in clause)
        marked = self._marked.search(_folded(clause)) is not None
        if not own and not digits and not marked:
            return
        if self._keep(clause, legal=True):
            return
        if (marked or not digits) and self._keep(clause, legal=False):
            return
        if digits and marked and self._is_part(clause):
            self.unclear = True
        elif len(own) == 1 and all(is_usual(word) for word in found if word != own[0]):
            self._keep(own[0], legal=True)

    def _is_part(self, text: str) -> bool:
        news = letters(text) not in self._mine[0] and letters(text) not in self._mine[1]
        return news and self._tried.is_begun(text) and not self._tried.is_whole(text)

    # --- what is found ---------------------------------------------------------------------------

    def _keep(self, text: str, *, legal: bool) -> bool:
        """Whether a text is a move, which is kept if it is another one."""
        if not text or self._tried.count > _MOST:
            return False
        move = self._tried.move(text)
        if legal and move is not None:
            if move != self._move and not self._is_step(text, move):
                self.found.setdefault(Rival(move, legal=True))
            return True
        if legal or move is not None or not self._tried.is_whole(text):
            return False
        said = letters(text)
        known = any(said in mine for mine in self._mine) or self._tried.was_played(text)
        if not known:
            self.found.setdefault(Rival(text, legal=False))
        return True

    def _is_step(self, text: str, move: str) -> bool:
        """Whether a move among other words is only a part of the one that is meant."""
        steps = self._move.split(_STEP)
        return text != self._line and len(steps) > 1 and set(steps).issuperset(move.split(_STEP))


def _is_no_turn(line: str, start: int, end: int) -> bool:
    """Whether a word is no turn in its clause: a noun, or a verb with an object (`Pass the salt`).

    Nouns are written large inside of a clause (`Mein neuer Pass`).
    """
    inside = _WORD.search(_CLAUSE.split(line[:start])[-1]) is not None
    behind = _WORD.findall(_CLAUSE.split(line[end:])[0].casefold())[:_TWO]
    return (inside and line[start:end].istitle()) or not spoken().passing.isdisjoint(behind)


def _is_marked(start: int, end: int, marks: list[tuple[int, int]]) -> bool:
    """Whether a word that only the game is likely to have stands between two places."""
    return any(start <= one and other <= end for one, other in marks)


def _cut(run: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A run in pieces of which every span can be read."""
    step = _LONGEST // 2 if len(run) > _LONGEST else _LONGEST
    for first in range(0, len(run), step):
        piece = run[first : first + _LONGEST]
        yield piece[0][0], piece[-1][1]


def _spans(size: int) -> Iterator[tuple[int, int]]:
    """The first and last places of every span of so many words, the longest first."""
    for length in range(size, 0, -1):
        for first in range(size - length + 1):
            yield first, first + length - 1


def _folded(line: str) -> str:
    """A line in small letters, as long as before."""
    return next((one for one in (line.casefold(), line.lower()) if len(one) == len(line)), line)


_SENTENCE: Final = re.compile(r"[.!?\n]+")

_CHOICES: Final = 6
"""Choices of one sentence that are looked at."""

_LOOKED_AT: Final = 300
"""Characters of a sentence that is looked at."""

_WORDS: Final = 24
"""Words of a move in which one is exchanged."""


def choices(text: str, tried: Readings) -> list[str]:
    """The legal moves, two or more, of which a sentence says `or`; none where it leaves no choice.

    What is left to choose may be a whole move, or the one word of it that differs.
    """
    for sentence in _SENTENCE.split(text[:_LOOKED_AT]):
        parts = patterns().alternatives.split(sentence)
        if not 1 < len(parts) <= _CHOICES:
            continue
        for whole, others, backwards in _divided(parts):
            first, *rest = _moves(whole, others, tried, backwards=backwards) or [""]
            if rest:
                return [first, *rest] if backwards else [*rest, first]
    return []


def _divided(parts: Sequence[str]) -> Iterator[tuple[str, list[str], bool]]:
    """What may be a whole move, the others, and whether those stand behind it."""
    first, *behind = parts
    *before, last = parts
    listed = first.split(",")
    yield first, _listed(behind), True
    yield listed[0], _listed([*listed[1:], *behind]), True
    yield last, _listed(before), False


def _listed(parts: Sequence[str]) -> list[str]:
    return [one for part in parts for one in part.split(",") if one.strip()][:_CHOICES]


def _moves(
    whole: str, others: Sequence[str], tried: Readings, *, backwards: bool
) -> dict[str, None]:
    """The move that is whole, and what each of the others makes of it."""
    found = find_move(whole, tried.move, tried.game.words).spans
    if len(found) != 1:
        return {}
    moves = {found[0].reads_as: None}
    words = found[0].text.split()
    for other in others if len(words) <= _WORDS else ():
        said = other.split()
        short = [word for word in said if not is_usual(word.strip("!:;").casefold())]
        news = (_exchanged(words, one, tried, backwards=backwards) for one in (said, short))
        if (move := next(filter(None, news), None)) is not None:
            moves.setdefault(move)
    return moves


def _exchanged(
    words: Sequence[str], said: Sequence[str], tried: Readings, *, backwards: bool
) -> str | None:
    """The move that words are, or that they make in place of as many of another move."""
    if not said:
        return None
    if (move := tried.move(" ".join(said))) is not None:
        return move
    places = range(len(words) - len(said) + 1)
    for at in reversed(places) if backwards else places:
        text = " ".join([*words[:at], *said, *words[at + len(said) :]])
        if (move := tried.move(text)) is not None:
            return move
    return None
