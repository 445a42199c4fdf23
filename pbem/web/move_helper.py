"""A move put together piece by piece: what may come next, by words or by places on the board.

It knows no game: legal moves are texts, and what has been chosen is how they begin.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat

MOST: Final = 400
"""Choices that are listed at most: more than follow a text in any game, or somebody asks much."""

_BEHIND: Final = 9
"""Words behind a whole move that may be the beginning of one more step."""

_PIECE: Final = re.compile(r"[^A-Za-z0-9]{0,4}(?:[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40})")
_WORD: Final = re.compile(r"[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40}")


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen: what is written on it, and the text that comes of it."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """A text so far, what may follow, and whether it is a whole move by itself.

    `places` has the texts that tapping a place may mean, most often one.
    """

    text: str
    whole: bool = False
    choices: tuple[Choice, ...] = ()
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def help_on(game: AnyGame, position: Any, seat: Seat, typed: str) -> Help:
    """What may follow a text; what only one thing may follow is followed by it."""
    legal = [game.notation(move) for move in game.legal(position)]
    text = " ".join(typed.split())
    whole = _canonical(game, position, seat, text)
    text = whole or text
    moves = [*legal, *_longer(game, position, text)]
    while text not in moves and whole is None and (piece := _only(moves, text)):
        text += piece
    names = frozenset(place.name for place in game.places(position, seat))
    further = [move for move in moves if _goes_on(move, text, legal)]
    return Help(
        text=text,
        whole=whole is not None or text in moves,
        choices=tuple(_choices(further, text)),
        places=_places(further, text, names),
    )


def words_of(text: str) -> frozenset[str]:
    """What a text names, as places are called."""
    return frozenset(word[0] for word in _WORD.finditer(text))


def _canonical(game: AnyGame, position: Any, seat: Seat, text: str) -> str | None:
    """A whole move as the game writes it, None if the text is none."""
    if not text:
        return None
    try:
        return game.notation(game.parse(text, position, seat))
    except Rejection:
        return None


def _longer(game: AnyGame, position: Any, text: str) -> list[str]:
    """The moves that go on from the longest whole one with which a text begins."""
    ends = [found.end() for found in _PIECE.finditer(text)]
    for end in reversed(ends[-_BEHIND:]):
        try:
            move = game.read(text[:end], position)
            return [game.notation(one) for one in game.longer(position, move)]
        except Rejection:
            continue
    return []


def _goes_on(move: str, text: str, legal: Collection[str]) -> bool:
    """Whether a move begins with a text and has more; words of `legal` ones are whole."""
    if move == text or not move.startswith(text):
        return False
    broken = text[-1:].isalnum() and move[len(text)].isalnum()
    return not broken or move not in legal


def _only(moves: Iterable[str], text: str) -> str:
    """The piece that follows a text in all moves, empty where they differ."""
    found = {_next(move, text) for move in moves if _goes_on(move, text, (move,))}
    return found.pop() if len(found) == 1 else ""


def _next(move: str, text: str) -> str:
    found = _PIECE.match(move, len(text))
    return found[0] if found else move[len(text) :]


def _choices(moves: Iterable[str], text: str) -> Iterator[Choice]:
    pieces = dict.fromkeys(_next(move, text) for move in moves)
    for piece in islice(pieces, MOST):
        yield Choice(piece.strip(" ;,>") or piece, text + piece)


def _places(moves: Iterable[str], text: str, names: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The first place that each move goes on with, and the texts that lead there."""
    found: dict[str, dict[str, None]] = {}
    for move in moves:
        for word in _WORD.finditer(move, len(text)):
            if word[0] in names:
                found.setdefault(word[0], {})[move[: word.end()]] = None
                break
    return {name: tuple(texts) for name, texts in found.items()}
