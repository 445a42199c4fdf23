"""The grammar of typed moves (LG-7.1 to LG-7.7), which parses text into a `Draft`.

If there are several mistakes, the one that comes first in the rulebook's table is reported
(LG-8.1). `resolve` checks the draft against the position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pbem.errors import Rejection
from pbem.games.logger.notation import action_text
from pbem.games.logger.position import CELLS, NOWHERE, NUMBERS, Act
from pbem.games.logger.vocabulary import VOCABULARY

_TOKEN: Final = re.compile(r"[\s,;:.]+|->|[-+>*]|[^\W_]+|.")
_LIKE_CELL: Final = re.compile(r"[a-z][0-9]+|[0-9]+[a-z]")
_GLUED: Final = re.compile(r"x((?:[a-z][0-9]|[0-9][a-z]))")
_ARROWS: Final = str.maketrans("‐‑‒–—−→＞＊＋", "------>>*+")

_ACTS: Final = {
    "plant": Act.PLANT,
    "p": Act.PLANT,
    "+": Act.PLANT,
    "chop": Act.CHOP,
    "cut": Act.CHOP,
    "x": Act.CHOP,
    "protest": Act.PROTEST,
    "hug": Act.PROTEST,
    "*": Act.PROTEST,
    "pass": Act.PASS,
}
_GO: Final = frozenset({"move", "go", "to", "from"})
_GROW: Final = frozenset({"grow", "spawn"})
_ARROW: Final = frozenset({"->", ">"})
_STEP: Final = frozenset({"-", "to"})
# LG-8.7 to LG-8.11
_FAULTS: Final = ("unreadable", "bad_cell", "wrong_start", "two_moves", "two_actions")

# Stands for cells such as `f2`. Reading goes on, because LG-8.1 may put another mistake first.
OFF_BOARD: Final = NOWHERE


class Word(NamedTuple):
    """A word or sign as typed.

    `cell` is the cell that the word names, OFF_BOARD for a word such as `f2`, or None for any other
    word. `glued` is True if the word follows the previous one without a space or separator.
    """

    text: str
    cell: int | None
    glued: bool


_END: Final = Word("", None, glued=False)


@dataclass(slots=True)
class Action:
    """An action as typed, with its targets in the order of typing."""

    act: Act
    targets: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return action_text(self.act, [cell for cell in self.targets if cell != OFF_BOARD])


@dataclass(slots=True)
class Draft:
    """A move as typed: parsed, but not yet checked against the position.

    Attributes:
        is_empty: Whether the text has no words.
        end: The cell of the destination, or None if none is named.
        is_cell_first: Whether the text begins with the destination, without a verb, as in `a1`. A
            player may place a logger in this way.
        has_place: Whether the text has the word "place".
        spawns: Pairs of a tree and the cell of its new seedling.
        actions: The named actions.
    """

    is_empty: bool = True
    end: int | None = None
    is_cell_first: bool = False
    has_place: bool = False
    spawns: list[tuple[int, int]] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)


def words(text: str) -> Iterator[Word]:
    """Yield the words and signs of a text, without the separators between them (LG-7.1, LG-7.5)."""
    glued = False
    for match in _TOKEN.finditer(text.translate(_ARROWS)):
        token = match[0].casefold()
        if token[0].isspace() or token[0] in ",;:.":
            glued = False
            continue
        if sign := _GLUED.fullmatch(token):
            yield Word("x", None, glued=glued)
            token, glued = sign[1], True
        yield Word(token, _cell(token), glued=glued)
        glued = True


def _cell(token: str) -> int | None:
    for name in (token, token[::-1]):
        if name in NUMBERS:
            return NUMBERS[name]
    return OFF_BOARD if _LIKE_CELL.fullmatch(token) else None


class Reader:
    """A parser that reads the words of a typed move from left to right (LG-7.2).

    In the methods, `first` is True if no word comes before the part that is read.
    """

    def __init__(self, text: str, own: int) -> None:
        """Split a text into words; `own` is the cell of the mover's logger, or NOWHERE."""
        self.words = list(words(VOCABULARY.normalise(text)))
        self.own = own
        self.index = 0
        self.draft = Draft(is_empty=not self.words)
        self.faults: dict[str, Rejection] = {}
        self.open: Action | None = None
        """The action to which the next cells belong, or None."""

    def read(self) -> Draft:
        """Parse the text into a draft.

        Raises:
            Rejection: The mistake that comes first in the rulebook's table.
        """
        while self.index < len(self.words):
            self._part(self._take(), first=self.index == 1)
        if len(self.draft.actions) > 1:  # LG-7.7
            self._fault("two_actions", actions=[*map(str, self.draft.actions[:2])])
        for code in _FAULTS:
            if code in self.faults:
                raise self.faults[code]
        return self.draft

    def _peek(self, ahead: int = 0) -> Word:
        index = self.index + ahead
        return self.words[index] if index < len(self.words) else _END

    def _take(self) -> Word:
        word = self._peek()
        self.index += 1
        if word.cell == OFF_BOARD:
            self._fault("bad_cell", cell=word.text)
        return word

    def _take_cell(self, before: Word) -> Word | None:
        """Take the next word if it is a cell; otherwise record a mistake and return None.

        `before` is the word that was taken before. The mistake names it if the text ends there.
        """
        if self._peek().cell is None:
            self._fault("unreadable", word=self._peek().text or before.text)
            return None
        return self._take()

    def _fault(self, code: str, **facts: str | list[str] | None) -> None:
        self.faults.setdefault(code, Rejection(code, **facts))

    def _part(self, word: Word, *, first: bool) -> None:
        if word.cell is not None:
            self._cell_first(word, word.cell, first=first)
        elif self._joins(word):
            return
        elif word.text == "+" and word.glued and self.words[self.index - 2].cell is not None:
            self._fault("unreadable", word=word.text)  # LG-7.5: a third cell in a pair
        elif word.text in _ACTS:
            self._action(_ACTS[word.text])
        elif word.text == "stay":
            self._destination(word, self.own, first=first)
        elif word.text in _GO:
            self._go(word, first=first)
        elif word.text == "place":
            self._place(word, first=first)
        elif word.text in _GROW and self._peek().cell is not None and _is_spawn_sign(self._peek(1)):
            self._spawn(self._take())
        else:
            self._fault("unreadable", word=word.text)

    def _joins(self, word: Word) -> bool:
        """Return whether the word only joins two parts, as `and` does in `protest a1 and e4`."""
        if word.text == "and" and self.index > 1 and self._peek().text in _ACTS:
            return True
        if self.open is None or self._peek().cell is None:
            return False
        return word.text == "and" or (word.text == "*" and self.open.act is Act.PROTEST)

    def _cell_first(self, word: Word, cell: int, *, first: bool) -> None:
        link = self._peek()
        if link.text in _STEP or (link.text in _ARROW and cell == self.own):
            self._movement(word, first=first)
        elif _is_spawn_sign(link):
            self._spawn(word)
        elif self.open is not None:
            self.open.targets.append(cell)
        else:
            self.draft.is_cell_first = first
            self._destination(word, cell, first=first)

    def _movement(self, start: Word, *, first: bool) -> None:
        """Read the rest of a movement such as `e1-e3`, after its first cell (LG-7.3)."""
        target = self._take_cell(self._take())
        if target is None:
            return
        if start.cell != self.own or self.own == NOWHERE:
            self._fault(
                "wrong_start",
                cell=start.text,
                here=None if self.own == NOWHERE else CELLS[self.own],
            )
        self._destination(target, target.cell, first=first)

    def _go(self, word: Word, *, first: bool) -> None:
        if word.text != "to" and self._peek().text == "to":  # "go to e3" has one verb
            self._take()
        is_start = word.text == "from" or self._peek().text == "from"
        if is_start and word.text != "from":
            word = self._take()
        target = self._take_cell(word)
        if target is None:
            return
        if self._peek().text in _STEP or self._peek().text in _ARROW:
            self._movement(target, first=first)
        elif is_start:
            self._fault("unreadable", word=word.text)  # no destination
        else:
            self._destination(target, target.cell, first=first)

    def _place(self, word: Word, *, first: bool) -> None:
        self.draft.has_place = True
        if self._peek().cell is not None:
            target = self._take()
            self._destination(target, target.cell, first=first)
        elif not first:
            self._fault("unreadable", word=word.text)

    def _destination(self, word: Word, cell: int | None, *, first: bool) -> None:
        """Set the destination to `cell`, and record a mistake if there is one (LG-7.4, LG-7.7).

        A move must begin with the destination. The move may repeat it: in `stay on b2`, `stay`
        already means the cell of the mover's logger. Another destination is a mistake.

        A mistake may quote `word`. `cell` is never None, although `Word.cell` may be None.
        """
        if self.draft.end is not None and self.draft.end == cell:
            return
        if self.draft.end is not None:
            self._fault("two_moves", cells=[_name(self.draft.end), _name(cell)])
        elif not first:
            self._fault("unreadable", word=word.text)
        self.draft.end = cell
        self.open = None

    def _spawn(self, tree: Word) -> None:
        """Read the cell of a new seedling: in `c3>c4`, it is `c4`, and `tree` is the word `c3`."""
        target = self._take_cell(self._take())
        self.open = None
        if tree.cell is not None and target is not None and target.cell is not None:
            self.draft.spawns.append((tree.cell, target.cell))

    def _action(self, act: Act) -> None:
        action = Action(act)
        self.draft.actions.append(action)
        self.open = None if act is Act.PASS else action


def _is_spawn_sign(link: Word) -> bool:
    """Return whether a sign links a tree to its new seedling's cell, as in `c3>c4` (LG-7.5)."""
    return link.text in _ARROW or (link.text == "+" and link.glued)


def _name(cell: int | None) -> str:
    return "-" if cell is None or cell == NOWHERE else CELLS[cell]
