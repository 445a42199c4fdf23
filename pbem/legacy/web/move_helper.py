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
from pbem.games.game import Half, Place, Seat, Viewpoint

MOST: Final = 400
"""Choices that are listed at most: more than follow a text in any game, or somebody asks much."""

_BEHIND: Final = 9
"""Words behind a whole move that may be the beginning of one more step."""

_TRIED, _FITTING = 6, 2
"""Whole moves with which a text begins that are asked for longer ones, and those that have some."""

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

    `begun` is what `choices` go on from: less than `text` where that was completed. `half` is what
    is asked then, `done` the board after the whole text. `places` has the texts that tapping one of
    `spots` may mean, most often one; `back` is the text one step before, None at the first one.
    """

    text: str
    begun: str
    half: Half[Any, Any]
    done: Half[Any, Any]
    whole: bool = False
    choices: tuple[Choice, ...] = ()
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spots: tuple[Place, ...] = ()
    back: str | None = None


def help_on(
    game: AnyGame, position: Any, seat: Seat, typed: str, viewpoint: Viewpoint = None
) -> Help:
    """What may follow a text; what only one thing may follow is followed by it.

    `viewpoint` is whose eyes see the places, where they are not those of the seat.
    """
    legal = [game.notation(move) for move in game.legal(position)]
    begun = " ".join(typed.split())
    legal += [text for move in legal for text in game.orders(move, begun)]
    found = _canonical(game, position, seat, begun)
    text, moves = found or begun, [*legal, *_longer(game, position, found or begun)]
    if not text.startswith(begun):
        begun = text  # it was written otherwise than the game writes it
    begun = _followed(moves, begun, found)
    if begun.startswith(text) and begun != text:
        text, moves = begun, [*legal, *_longer(game, position, begun)]
    whole = found is not None or text in moves
    further = [move for move in moves if _goes_on(move, begun, legal)]
    choices = tuple(_choices(further, begun))
    half: Half[Any, Any] = Half(position, None, {"kind": "next"})
    done = half
    if whole or further:
        half = game.half(position, begun, [choice.label for choice in choices])
        done = half if begun == text else game.half(position, text, ())
    spots = (*game.places(done.position, viewpoint or seat), *done.places)
    return Help(
        text=text,
        begun=begun,
        half=half,
        done=done,
        whole=whole,
        choices=choices,
        places=_places(further, begun, frozenset(place.name for place in spots)),
        spots=spots,
        back=_back(game, position, seat, begun, legal),
    )


def _followed(moves: Collection[str], text: str, whole: str | None) -> str:
    """A text with what only one thing may follow, as far as a whole move."""
    while text not in moves and text != whole and (piece := _only(moves, text)):
        text += piece
    return text


def _back(
    game: AnyGame, position: Any, seat: Seat, text: str, legal: Collection[str]
) -> str | None:
    """The longest beginning of a text at which something could be chosen, None if nothing could."""
    pieces = list(_PIECE.finditer(text))
    for end in range(len(text) - 1, pieces[-1].start() if pieces else 0, -1):
        # The last word may be several steps, each a letter of it.
        if text[end - 1 : end + 1].isalpha():
            begun = text[:end]
            if _canonical(game, position, seat, begun) == begun:
                return begun
    ends = [piece.end() for piece in pieces if piece.end() < len(text)]
    for end in (*reversed(ends), *([0] if text else [])):
        begun = text[:end]
        moves = (*legal, *_longer(game, position, begun))
        following = {_next(move, begun) for move in moves if _goes_on(move, begun, (begun,))}
        if len(following) > 1 or (following and _canonical(game, position, seat, begun) == begun):
            return begun
    return None


def named_in(text: str, start: int) -> tuple[str, ...]:
    """What a text names from somewhere on, as places are called."""
    return tuple(word[0] for word in _WORD.finditer(text, start))


def _canonical(game: AnyGame, position: Any, seat: Seat, text: str) -> str | None:
    """A whole move as the game writes it, None if the text is none."""
    if not text:
        return None
    try:
        return game.notation(game.parse(text, position, seat))
    except Rejection:
        return None


def _longer(game: AnyGame, position: Any, text: str) -> list[str]:
    """The moves that go on from the whole ones with which a text begins, the longest first.

    Two of those have moves that go on from all of the text at most: the text itself, if it is
    whole, and what stands before its last step, which may have been the beginning of another one.
    """
    found: list[str] = []
    ends = [piece.end() for piece in _PIECE.finditer(text)]
    tried = fitting = 0
    for end in reversed(ends[-_BEHIND:]):
        try:
            move = game.read(text[:end], position)
            more = [game.notation(one) for one in game.longer(position, move)]
        except Rejection:
            continue
        more += [other for one in more for other in game.orders(one, text)]
        found += more
        tried += 1
        fitting += any(_goes_on(one, text, (text,)) for one in more)
        if fitting == _FITTING or tried == _TRIED:
            break
    return list(dict.fromkeys(found))


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
    """The first place that each move goes on with, and the texts that lead there.

    Only with the fewest words before a place that any has: what is asked now, and nothing later.
    """
    found: dict[str, dict[str, int]] = {}
    for move in moves:
        for skipped, word in enumerate(_WORD.finditer(move, len(text))):
            if word[0] in names:
                found.setdefault(word[0], {})[move[: word.end()]] = skipped
                break
    least = min((skipped for texts in found.values() for skipped in texts.values()), default=0)
    return {
        name: tuple(text for text, skipped in texts.items() if skipped == least)
        for name, texts in found.items()
        if least in texts.values()
    }
