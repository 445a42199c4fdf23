"""Composing a move step by step: the next words of a move, and the next places on the board.

In this example, the text on the left is the move so far, and what the player can do next is on the
right:

    ""           -> tap the logger, or a cell to which it can go
    "b1"         -> plant, chop, protest or pass
    "b1; plant"  -> tap a cell
    "b1; plant a1" is complete: play it, or tap another cell

This module knows no particular game. Legal moves are texts in canonical notation, and the move so
far is the beginning of some of them. A game may have too many complete turns to list. Its list of
legal moves then has turns of a single step, and its function `extensions` adds a step to a move.
Nothing is stored: the URL of the page contains the move so far.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Hotspot, PartialMove, Seat

MARKS: Final = " ;,>="  # signs that separate words in notations
MAX_CHOICES: Final = 400  # choices that are listed; no game has more
MAX_TYPED: Final = 400  # characters of a typed move that are read; no move has more
MAX_STEP_WORDS: Final = 9  # words after a complete move that may begin another step

# A word in a notation, with the signs before it, as in `; plant` and `>c4`.
_PIECE: Final = re.compile(r"[^A-Za-z0-9]{0,4}(?:[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40})")

_WORD: Final = re.compile(r"[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that may come next in a move, and the text of the move including that word."""

    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Target:
    """A place on the board that can be tapped.

    `prefix` is the text of the move before a tap. `texts` are the possible texts of the move after
    the tap. There is usually one. If there are several, the player chooses between them.
    """

    place: Hotspot
    texts: tuple[str, ...]
    prefix: str


@dataclass(frozen=True, slots=True)
class Composition:
    """The state of a move that a player is composing.

    Attributes:
        text: The move so far, including words that were added because nothing else was possible.
        partial_move: The position after `text`, and what the player is to choose next.
        is_complete: Whether the move is complete. If it can still be extended, there are
            `choices`, too.
        choices: The words that may come next.
        targets: The places on the board that can be tapped next.
        back: The text to which the button `Back` returns: the move up to the last point at which
            there was a choice. None at the beginning of the move.
        chosen: The place on the board that the move so far names last; None without one.
        others: The places that can be tapped instead of `chosen`.
        rejection: The reason why the typed text does not begin a legal move, or None.
    """

    text: str
    partial_move: PartialMove[Any, Any]
    is_complete: bool
    choices: tuple[Choice, ...]
    targets: tuple[Target, ...]
    back: str | None
    chosen: Hotspot | None = None
    others: tuple[Target, ...] = ()
    rejection: Rejection | None = None


def compose(game: AnyGame, position: Any, seat: Seat, typed: str, tapped: str = "") -> Composition:
    """Return the state of a move that begins with `typed`, with what the player can choose next.

    Args:
        game: The game.
        position: The position as far as the seat knows it; the seat is to move.
        seat: The seat that moves.
        typed: The beginning of a move, or a complete one, as players write it.
        tapped: The name of the place that the player tapped after `typed`, if a tap there can mean
            several moves; otherwise empty.
    """
    composer = _Composer(game, position, seat)
    composition = composer.compose(" ".join(typed[:MAX_TYPED].split()))
    target = next((target for target in composition.targets if target.place.name == tapped), None)
    if target is not None:
        length = len(composition.text)
        return replace(
            composition,
            choices=tuple(Choice(text[length:].strip(MARKS), text) for text in target.texts),
            targets=(),
            back=composition.text,
            chosen=target.place,
            others=tuple(other for other in composition.targets if other is not target),
        )
    if not composition.text:
        return composition
    places = game.hotspots(composition.partial_move.position, seat)
    named = {place.name: place for place in places}
    words = [word for word in _WORD.findall(composition.text.rpartition(";")[2]) if word in named]
    chosen = named[words[-1]] if words else None
    taken = {chosen, *(target.place for target in composition.targets)}
    earlier = composer.compose(composition.back).targets if composition.back is not None else ()
    others = (other for other in earlier if other.place in places and other.place not in taken)
    return replace(composition, chosen=chosen, others=tuple(others))


class _Composer:
    """A helper of the function `compose` for one position, with the legal moves in it."""

    def __init__(self, game: AnyGame, position: Any, seat: Seat) -> None:
        self.game, self.position, self.seat = game, position, seat
        self.legal_moves = [game.notation(move) for move in game.legal_moves(position)]

    def compose(self, typed: str) -> Composition:
        complete, rejection = self._parse(typed) if typed else (None, None)
        text = complete or typed
        if not text.startswith(typed):
            typed = text  # the player typed it differently from canonical notation
        moves = self._list_moves(typed, text)
        prefix = _add_forced_words(moves, typed, complete)
        if prefix.startswith(text) and prefix != text:
            text = prefix
            moves = self._list_moves(typed, text)
        is_complete = complete is not None or text in moves
        further = [move for move in moves if _is_continuation(move, prefix, self.legal_moves)]
        choices = tuple(_list_choices(further, prefix))
        if not is_complete and not further:
            # The player begins again, and learns why the typed text was refused.
            empty, reason = self.compose(""), rejection or Rejection("unreadable", word="")
            return replace(empty, text="", is_complete=False, back=None, rejection=reason)
        partial_move = self.game.partial_move(
            self.position, prefix, [choice.word for choice in choices]
        )
        preview = (
            partial_move if prefix == text else self.game.partial_move(self.position, text, ())
        )
        is_start = prefix == _add_forced_words(self.legal_moves, "", None)
        return Composition(
            text=text,
            partial_move=replace(preview, facts=partial_move.facts),
            is_complete=is_complete,
            choices=choices,
            targets=tuple(self._list_targets(further, prefix, choices, preview)),
            back=None if is_start else self._find_back(prefix),
        )

    def _parse(self, text: str) -> tuple[str | None, Rejection | None]:
        """Return `(notation, None)` for a complete legal move, `(None, reason)` for other texts.

        `notation` is the canonical notation of the move that the text means.
        """
        try:
            move = self.game.parse(text, self.position, self.seat)
            self.game.try_move(self.position, move, self.seat)
        except Rejection as rejection:
            return None, rejection
        return self.game.notation(move), None

    def _list_moves(self, typed: str, text: str) -> list[str]:
        """Return all moves that a player can compose, as texts.

        These are the legal moves, the same moves with their parts in other orders, and moves that
        add one step to `text`. Orders that do not begin with `typed` may be missing.
        """
        orders = [
            order for move in self.legal_moves for order in self.game.reordered_texts(move, typed)
        ]
        return [*self.legal_moves, *orders, *self._list_extensions(text)]

    def _list_extensions(self, text: str) -> list[str]:
        """Return moves that are one step longer than a complete move with which a text begins.

        That complete move may be the whole text, or the text without its last words. If several
        beginnings of the text are complete moves, extensions of the longest one come first.
        """
        moves: list[str] = []
        ends = [piece.end() for piece in _PIECE.finditer(text)]
        for end in reversed(ends[-MAX_STEP_WORDS:]):
            try:
                move = self.game.read_notation(text[:end], self.position)
                longer = list(map(self.game.notation, self.game.extensions(self.position, move)))
            except Rejection:
                continue
            orders = [order for move in longer for order in self.game.reordered_texts(move, text)]
            moves += [*longer, *orders]
        return list(dict.fromkeys(moves))

    def _list_targets(
        self,
        moves: Sequence[str],
        prefix: str,
        choices: Sequence[Choice],
        preview: PartialMove[Any, Any],
    ) -> Iterator[Target]:
        places = (*self.game.hotspots(preview.position, self.seat), *preview.hotspots)
        texts = _group_texts_by_place(moves, prefix, frozenset(place.name for place in places))
        first_steps = {choice.word: choice.text for choice in choices}
        for place in places:
            # The name of a far place has a letter for each step. The first letter is a choice.
            first = first_steps.get(place.name[:1]) if place.name not in texts else None
            text = first + place.name[1:] if first is not None else ""
            if place.name in texts:
                yield Target(place, texts[place.name], prefix)
            elif place in preview.hotspots and text and self._parse(text)[0] == text:
                yield Target(place, (text,), prefix)

    def _find_back(self, text: str) -> str | None:
        """Return the beginning of a move's text up to the last point at which there was a choice.

        That is always shorter than the text. The result is an empty text if there was no choice,
        and None if the text itself is empty.
        """
        pieces = list(_PIECE.finditer(text))
        for end in range(len(text) - 1, pieces[-1].start() if pieces else 0, -1):
            # The last word may consist of several steps, one letter each.
            is_inside = text[end - 1 : end + 1].isalpha()
            if is_inside and self._parse(text[:end])[0] == text[:end]:
                return text[:end]
        ends = [piece.end() for piece in pieces if piece.end() < len(text)]
        for end in (*reversed(ends), *([0] if text else [])):
            prefix = text[:end]
            moves = (*self.legal_moves, *self._list_extensions(prefix))
            steps = {
                _next_piece(move, prefix)
                for move in moves
                if _is_continuation(move, prefix, (prefix,))
            }
            if len(steps) > 1 or (steps and prefix and self._parse(prefix)[0] == prefix):
                return prefix
        return "" if text else None


def _add_forced_words(moves: Collection[str], text: str, complete: str | None) -> str:
    """Return the text of a move, extended by each next word for which there is no alternative.

    A word has no alternative if it follows the text in all `moves` that begin with the text. The
    extension ends when the text is one of the moves, or is `complete`, the complete move that the
    player typed (None if the player typed no complete move).
    """
    while text not in moves and text != complete:
        steps = {_next_piece(move, text) for move in moves if _is_continuation(move, text, (move,))}
        if len(steps) != 1:
            return text
        text += steps.pop()
    return text


def _is_continuation(move: str, text: str, unsplit_moves: Collection[str]) -> bool:
    """Return whether a move begins with a text and is longer than the text.

    For a move of `unsplit_moves`, the text must also end where a word of the move ends. For
    example, `a1` does not begin the move `a12 b3`. For other moves the text may end inside a word,
    because each letter of a word can be a step.
    """
    if move == text or not move.startswith(text):
        return False
    is_broken = text[-1:].isalnum() and move[len(text)].isalnum()
    return not is_broken or move not in unsplit_moves


def _next_piece(move: str, text: str) -> str:
    piece = _PIECE.match(move, len(text))
    return piece[0] if piece is not None else move[len(text) :]


def _list_choices(moves: Iterable[str], text: str) -> Iterator[Choice]:
    pieces = dict.fromkeys(_next_piece(move, text) for move in moves)
    for piece in islice(pieces, MAX_CHOICES):
        yield Choice(piece.strip(MARKS) or piece, text + piece)


def _group_texts_by_place(
    moves: Iterable[str], text: str, names: frozenset[str]
) -> Mapping[str, tuple[str, ...]]:
    """Map each place that a player can tap next to the texts of the move after the tap.

    After `b1; plant`, for example, `a1` is mapped to `("b1; plant a1",)`. Of each move, only the
    first place after `text` counts. If there are words before it, the tap adds them, too. Of all
    these places, only those with the fewest such words are returned; the others come later.

    Args:
        moves: Moves that all begin with `text`.
        text: The move so far.
        names: The names of all places on the board.
    """
    places: dict[str, dict[str, int]] = {}
    for move in moves:
        for skipped, word in enumerate(_WORD.finditer(move, len(text))):
            if word[0] in names:
                places.setdefault(word[0], {})[move[: word.end()]] = skipped
                break
    least = min((count for texts in places.values() for count in texts.values()), default=0)
    return {
        name: tuple(text for text, skipped in texts.items() if skipped == least)
        for name, texts in places.items()
        if least in texts.values()
    }
