"""The grammar of typed turns (LL-7.1 to LL-7.6), which parses text into clauses.

A missing part of a clause is None. If a clause cannot be read, its meaning is None. `resolve`
rejects such clauses (LL-8.11 to LL-8.21), and checks whether the steps are legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from pbem.games.looney_ludo.boards import COLUMNS, DOTS
from pbem.games.looney_ludo.lexicon import (
    AFTER,
    AIM_WORDS,
    CLIMBED,
    COLOUR_WORDS,
    CORNER_WORDS,
    COUNT,
    COUNTED,
    COUNTED_BEHIND,
    COUNTED_WAY,
    COUNTS,
    END_WORDS,
    IGNORED,
    JOINED,
    PATH,
    SIDE_WORDS,
    SIZE_WORDS,
    SLOT,
    STAY_WORDS,
    TOP_WORDS,
    TURN_WORDS,
    WAY,
    WAY_WORDS,
)
from pbem.games.looney_ludo.position import Face

_SEPARATOR: Final = re.compile(r"[;\n\r]+")
_BLANK: Final = re.compile(r"[\s,:.()\[\]{}\-=>/\u00b0‐‑‒–—−→＞]+")
_TOKEN: Final = re.compile(r"\^|[^\s^]+")
_JOINTS: Final = re.compile(  # words between two clauses: `M n and swap blue yellow`
    r"[,.!]? (?:&|\+|and then|and dann|and|then|dann|danach) |[.!] "
    r"|, (?=(?:(?:the|my|der|die|das|den) )?(?:small|little|medium|large|big|[rygbpo]?[sml]) )"
    r"|, (?=(?:tip|dig|swap|hop|aim)\b)",
    re.IGNORECASE,
)

# Greatest number of joints of a sentence that is split into clauses. Joints are the positions where
# a clause can end, and the start of the sentence.
_MAX_JOINTS: Final = 12

_MAX_SENTENCE_LENGTH: Final = 300  # characters of a text that is split into clauses

_SIGNS: Final = re.compile(r"([&+])")
_VERBS: Final = frozenset(("swap", "hop", "aim"))
_PATH_WORDS: Final = WAY_WORDS | SIDE_WORDS
_ORANGE_OR_EAST: Final = "o"

TOP: Final = -1  # item of a path: a climb


class Keyword(StrEnum):
    """The clauses that consist of a single word."""

    KEEP = "keep"
    REROLL = "reroll"
    END = "end"
    TIP = "tip"
    DIG = "dig"


@dataclass(frozen=True, slots=True)
class Path:
    """A movement as typed: a piece and its path.

    `colour` is None if no colour is named; the piece is then the mover's own. `size` is None if no
    size is named (LL-8.16). Each of the `items` is the index of a direction, or TOP for a climb.
    """

    colour: int | None
    size: int | None
    items: tuple[int, ...]


class Rotation(NamedTuple):
    """A rotation as typed: a number of quarter turns clockwise, or an orientation.

    If `is_orientation` is True, `number` is the orientation after the turn (LL-7.3h).
    """

    number: int
    is_orientation: bool = False

    def turns(self, orientation: int) -> int:
        """Return the number of quarter turns clockwise for a board that has this orientation."""
        return (self.number - orientation) % len(DOTS) if self.is_orientation else self.number


@dataclass(frozen=True, slots=True)
class SwapOrder:
    """The action SWAP as typed, with the boards that it names."""

    boards: tuple[int, ...]


class AdjacentSlot(NamedTuple):
    """The slot next to a board in a direction, as typed: `west of green`.

    `board` is None if the word `of` is missing (LL-7.6).
    """

    direction: int
    board: int | None


@dataclass(frozen=True, slots=True)
class HopOrder:
    """The action HOP as typed.

    Attributes:
        board: The board that hops, or None if none is named.
        target: The slot as (column, row), both counted from 0, or as an `AdjacentSlot`; None if no
            slot is named.
        stay: Whether the text asks the board to stay in its slot.
        rotation: The rotation, or None if none is named.
    """

    board: int | None
    target: tuple[int, int] | AdjacentSlot | None = None
    stay: bool = False
    rotation: Rotation | None = None


@dataclass(frozen=True, slots=True)
class AimOrder:
    """The action AIM as typed: pairs of a board and its rotation (None if no rotation is named)."""

    turns: tuple[tuple[int, Rotation | None], ...]


Meaning: TypeAlias = Keyword | Path | SwapOrder | HopOrder | AimOrder


class Clause(NamedTuple):
    """A clause as typed. `number` counts from 1. `meaning` is None for unreadable text."""

    number: int
    text: str
    meaning: Meaning | None


_SOME_WAYS: Final = r"[1-9]?(?:(?:north|east|south|west|left|right|down|[nesow])[1-9]?)+"
_NEXT_PIECE: Final = re.compile(  # letter of a piece between two paths
    rf"(?<![^\W_])(?P<before>{_SOME_WAYS}|top|up|\^)(?P<sign>[.,!]?)[ \t]+"
    rf"(?P<piece>[rygbpo]?[sml])(?=[ \t]+(?:{_SOME_WAYS}|top|up|\^)(?![^\W_]))",
    re.IGNORECASE,
)


def separate_pieces(text: str) -> tuple[str, tuple[str, ...]]:
    """Separate the pieces in a typed turn by `;`, or return what an unclear turn may mean (LL-7.4).

    If it is clear where the movement of the next piece begins, a `;` is put there: `S e, M n`
    becomes `S e; M n`. A turn is unclear if no sign separates two pieces, as in `S e M n`. It is
    also unclear if `S` may be a direction: `M n S e` is `M n; S e` or `M n s e`.

    Returns:
        The turn with the added `;`, and an empty tuple. For an unclear turn: the turn as typed, and
        its possible readings. The caller refuses the turn and offers the legal readings.
    """
    apart = along = text
    is_unclear = False
    for match in reversed(list(_NEXT_PIECE.finditer(text))):
        piece, ends_sentence = match["piece"], match["sign"] in {".", "!"}
        may_be_way = piece.lower() == "s"
        if may_be_way and not ends_sentence and (piece == "s" or match["before"][-1].isupper()):
            continue  # a direction among others
        start, end = match.end("before"), match.start("piece")
        is_clear = (ends_sentence and piece != "s") or (match["sign"] == "," and not may_be_way)
        apart = f"{apart[:start]}; {apart[end:]}"
        if may_be_way and not is_clear:
            along = f"{along[:start]} s{along[end + 1 :]}"
        else:
            along = f"{along[:start]}; {along[end:]}"
        is_unclear = is_unclear or not is_clear
    return (text, tuple(dict.fromkeys((apart, along)))) if is_unclear else (apart, ())


def read_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a typed turn, except those that have only filler words (LL-7.1)."""
    text = AFTER.sub("then", CLIMBED.sub("top", text))
    text = COUNTED.sub(lambda parsed: f"{parsed[2]}{COUNTS[parsed[1].lower()]}", text)
    text = COUNTED_BEHIND.sub(lambda parsed: f"{parsed[1]}{COUNTS[parsed[2].lower()]}", text)
    number = 0
    for piece in _SEPARATOR.split(text):
        for phrase, meaning in _read(piece):
            number += 1
            yield Clause(number, phrase.strip(), meaning)


def _read(piece: str) -> list[tuple[str, Meaning | None]]:
    """Return the text and meaning of each clause in the text between two semicolons.

    The text is one clause, or several that are joined in a sentence, as in `M n and swap blue
    yellow`.
    """
    words = _words(piece)
    if not words:
        return []
    meaning = _Words(words).clause()
    if meaning is not None:
        return [(piece, meaning)]
    if len(piece) > _MAX_SENTENCE_LENGTH:
        return [(piece, None)]
    piece = _SIGNS.sub(r" \1 ", " ".join(piece.split()))
    joints = [0, *(match.end() for match in _JOINTS.finditer(piece)), len(piece)]
    parts = list(_parts(piece, joints)) if len(joints) <= _MAX_JOINTS else []
    understood = any(meaning is not None for _, meaning in parts)
    return parts if understood and len(parts) > 1 else [(piece, None)]


def _parts(piece: str, joints: list[int]) -> Iterator[tuple[str, Meaning | None]]:
    """Yield the text and meaning of each clause of a sentence, each clause as long as possible.

    `joints` has the positions in the text where a clause can end. An unreadable clause ends at
    the next of these positions.
    """
    first = 0
    while first < len(joints) - 1:
        ends = range(len(joints) - 1, first, -1)
        texts = (_JOINTS.sub(" ", piece[joints[first] : joints[end]]) for end in ends)
        tries = list(zip(ends, map(_read_clause, texts), strict=True))
        last, (text, meaning) = next((part for part in tries if part[1][1] is not None), tries[-1])
        if _words(text):
            yield text, meaning
        first = last


def _read_clause(text: str) -> tuple[str, Meaning | None]:
    words = _words(text)
    return text, _Words(words).clause() if words else None


def _words(text: str) -> list[str]:
    """Return the words of a clause without filler words.

    In some languages the verb is the last word. In that case, it is moved to the front.
    """
    words = _TOKEN.findall(_BLANK.sub(" ", text.casefold()))
    words = [word for word in words if word not in IGNORED]
    return [words[-1], *words[:-1]] if len(words) > 1 and words[-1] in _VERBS else words


def has_unclear_o(text: str) -> bool:
    """Return whether an `o` after a size may mean Orange or east, as in `L o, s` (LL-7.4)."""
    words = _words(text)
    return any(
        word in SIZE_WORDS and following == _ORANGE_OR_EAST
        for word, following, _ in zip(words, words[1:], words[2:], strict=False)
    )


class _FormError(Exception):
    """Error for words that do not form a clause."""


class _Words:
    """A parser that reads the words of a clause from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.index = 0

    def clause(self) -> Meaning | None:
        try:
            meaning = self._meaning()
        except _FormError:
            return None
        return meaning if self.index == len(self.words) else None

    def _peek(self) -> str:
        return self.words[self.index] if self.index < len(self.words) else ""

    def _skip(self, word: str) -> bool:
        """Skip the next word if it equals `word`, and return whether it was skipped."""
        if self._peek() != word:
            return False
        self.index += 1
        return True

    def _colour(self) -> int | None:
        colour = COLOUR_WORDS.get(self._peek())
        if colour is not None:
            self.index += 1
        return colour

    def _size(self) -> int | None:
        size = SIZE_WORDS.get(self._peek())
        if size is not None:
            self.index += 1
        return size

    def _meaning(self) -> Meaning:
        if len(self.words) == 1 and self.words[0] in END_WORDS:
            self.index = 1
            return Keyword.END
        if self._skip("keep"):
            return Keyword.KEEP
        if self._skip("reroll") or (self._skip("re") and self._skip("roll")):
            return Keyword.REROLL
        is_wild = self._skip("wild")  # LL-7.7f
        match self._peek().upper():
            case Face.TIP.name | Face.DIG.name as name:
                self.index += 1
                return Keyword(name.lower())
            case Face.SWAP.name:
                return self._swap()
            case Face.HOP.name:
                self.index += 1
                return self._hop()
            case word if word.lower() in COLOUR_WORDS and self._goes_to_a_slot():
                return self._hop()
            case word if word.lower() in AIM_WORDS:
                return self._aim()
            case _ if is_wild:
                raise _FormError
            case _:
                return self._path()

    def _path(self) -> Path:
        colour, size = self._piece()
        items: list[int] = []
        while word := self._peek():
            self.index += 1
            if word in TOP_WORDS:
                items.append(TOP)
            elif (parsed := COUNTED_WAY.fullmatch(word)) is not None:  # `2w`
                items += [_PATH_WORDS[parsed[2]]] * int(parsed[1])
            elif PATH.fullmatch(word):
                items += self._ways(word)
            else:
                raise _FormError
        return Path(colour, size, tuple(items))

    def _piece(self) -> tuple[int | None, int | None]:
        """Read the colour and size of a piece, which come before its path (LL-7.4).

        In `s n s`, the first word is the Small, and the others are north and south.
        """
        if self._peek() in JOINED:
            self.index += 1
            return JOINED[self.words[self.index - 1]]
        colour = self._colour()
        size = self._size()
        if colour is None and size is None:
            raise _FormError
        return self._colour_behind() if colour is None else colour, size

    def _colour_behind(self) -> int | None:
        """Read the colour after a size, or return None if no colour is there.

        `s orange n` names Orange, but in `s o` the Small goes east.

        Raises:
            _FormError: `o` may be either, as in `s o n`.
        """
        if self._peek() != _ORANGE_OR_EAST:
            return self._colour()
        if self.index + 1 < len(self.words):
            raise _FormError
        return None

    def _ways(self, word: str) -> list[int]:
        """Return the directions in a word such as `n2e`, each as many times as its count says.

        If the last direction has no count, and the next word is a number, that number is the count,
        as in `n 2`.
        """
        pairs = [(_PATH_WORDS[way], count) for way, count in WAY.findall(word)]
        last, count = pairs[-1]
        if not count and COUNT.fullmatch(self._peek()):
            pairs[-1] = last, self._peek()
            self.index += 1
        return [way for way, count in pairs for _ in range(int(count or 1))]

    def _swap(self) -> SwapOrder:
        self.index += 1
        boards = []
        while (board := self._colour()) is not None:
            boards.append(board)
        return SwapOrder(tuple(boards))

    def _aim(self) -> AimOrder:
        self.index += 1
        turns = []
        while (board := self._colour()) is not None:
            turns.append((board, self._rotation()))
            if self._peek() in AIM_WORDS and self.index + 1 < len(self.words):
                self.index += 1  # `turn blue left and turn yellow right`
        return AimOrder(tuple(turns))

    def _rotation(self) -> Rotation | None:
        word = self._peek()
        if word in TURN_WORDS:
            self.index += 1
            return Rotation(TURN_WORDS[word])
        if not self._skip("dot"):
            return None
        corner = CORNER_WORDS.get(self._peek())
        if corner is None:
            raise _FormError
        self.index += 1
        return Rotation(DOTS.index(corner), is_orientation=True)

    def _goes_to_a_slot(self) -> bool:
        """Return whether the next word, a colour, is followed by a slot, as in `Yellow B1`.

        A word such as `e2` does not count as a slot, because it may be two steps east.
        """
        slot = self.words[self.index + 1] if self.index + 1 < len(self.words) else ""
        return SLOT.fullmatch(slot) is not None and slot[0] not in WAY_WORDS

    def _hop(self) -> HopOrder:
        board = self._colour()
        target: tuple[int, int] | AdjacentSlot | None = None
        stay = False
        slot = SLOT.fullmatch(self._peek())
        if slot is not None:  # LL-7.6: a letter with a number is always a slot
            self.index += 1
            target = ord(slot[1]) - ord("a"), int(slot[2]) - 1
        elif self._peek() in STAY_WORDS:
            self.index += 1
            stay = True
        elif self._peek() in WAY_WORDS:
            self.index += 1
            target = AdjacentSlot(WAY_WORDS[self.words[self.index - 1]], self._neighbour())
        if self._peek() in AIM_WORDS:
            self.index += 1  # `hop yellow to D3 and turn it right`
        return HopOrder(board, target, stay, self._rotation())

    def _neighbour(self) -> int | None:
        if not self._skip("of"):
            return None
        board = self._colour()
        if board is None:
            raise _FormError
        return board


def slot_number(target: tuple[int, int]) -> int | None:
    """Return the number of the slot at (column, row), or None if it is off the table."""
    column, row = target
    return COLUMNS * row + column if column < COLUMNS and 0 <= row < COLUMNS else None
