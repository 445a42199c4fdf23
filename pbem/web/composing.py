"""A move that is put together tap by tap: what may come next, as words and as places on the board.

    ""           -> tap the logger, or a cell to which it can go
    "b1"         -> plant, chop, protest or pass
    "b1; plant"  -> tap a cell
    "b1; plant a1" is whole: play it, or tap another cell

Nothing here knows a game. Legal moves are texts in canonical notation, and what was chosen so far
is how some of them begin. A game that has too many whole turns to list them gives its single steps,
and `longer` goes on from a step. Nothing is stored: the text so far is in the address of the page.
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

MARKS: Final = " ;,>="  # signs of notations between words
MAX_CHOICES: Final = 400  # more than follow a text in any game
MAX_TYPED: Final = 400  # characters of a move, more than any has
MAX_STEP_WORDS: Final = 9  # words behind a whole move that may begin another step
MAX_EXTENDED: Final = 6  # whole moves with which a text begins that are asked for longer ones
MAX_FITTING: Final = 2  # of these, those that go on as the text does

_PIECE: Final = re.compile(r"[^A-Za-z0-9]{0,4}(?:[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40})")
"""A word of a notation, with the signs before it, as in `; plant` and `>c4`."""

_WORD: Final = re.compile(r"[A-Za-z]{1,9}-?[0-9]{1,4}|[A-Za-z0-9]{1,40}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that may come next, and the text of the move with it."""

    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Target:
    """A place on the board that can be tapped.

    `texts` are what a tap may mean, mostly one; `begun` is the text of the move before the tap.
    """

    place: Hotspot
    texts: tuple[str, ...]
    begun: str


@dataclass(frozen=True, slots=True)
class Composition:
    """A move so far.

    `text` is what was chosen, with all that could only follow. `half` has the board after it, and
    what is asked next; a whole move that may still get longer has both `is_whole` and `choices`.
    `back` is the text at which something else could be chosen, None at the beginning. `chosen` is
    the place on the board that was named last, and `others` can be tapped in its place. `rejection`
    says why the text is no beginning of a move.
    """

    text: str
    half: PartialMove[Any, Any]
    is_whole: bool
    choices: tuple[Choice, ...]
    targets: tuple[Target, ...]
    back: str | None
    chosen: Hotspot | None = None
    others: tuple[Target, ...] = ()
    rejection: Rejection | None = None


def compose(game: AnyGame, position: Any, seat: Seat, typed: str, tapped: str = "") -> Composition:
    """Return a move as far as it was typed, and what may follow.

    Args:
        game: The game.
        position: The position as far as the seat knows it; the seat is to act.
        seat: Who moves.
        typed: The beginning of a move or a whole one, as players write it.
        tapped: The place that was tapped then, if a tap there can mean several moves.
    """
    composer = _Composer(game, position, seat)
    made = composer.compose(" ".join(typed[:MAX_TYPED].split()))
    target = next((one for one in made.targets if one.place.name == tapped), None)
    if target is not None:
        begun = len(made.text)
        return replace(
            made,
            choices=tuple(Choice(text[begun:].strip(MARKS), text) for text in target.texts),
            targets=(),
            back=made.text,
            chosen=target.place,
            others=tuple(one for one in made.targets if one is not target),
        )
    if made.back is None:
        return made
    places = game.hotspots(made.half.position, seat)
    named = {place.name: place for place in places}
    words = [word for word in _WORD.findall(made.text.rpartition(";")[2]) if word in named]
    chosen = named[words[-1]] if words else None
    taken = {chosen, *(target.place for target in made.targets)}
    earlier = composer.compose(made.back).targets
    others = (one for one in earlier if one.place in places and one.place not in taken)
    return replace(made, chosen=chosen, others=tuple(others))


class _Composer:
    """What can be asked about moves in one position."""

    def __init__(self, game: AnyGame, position: Any, seat: Seat) -> None:
        self.game, self.position, self.seat = game, position, seat
        self.legal = [game.notation(move) for move in game.legal_moves(position)]

    def compose(self, typed: str) -> Composition:
        whole, rejection = self._parse(typed) if typed else (None, None)
        text = whole or typed
        if not text.startswith(typed):
            typed = text  # it was written otherwise than the game writes it
        moves = self._list_moves(typed, text)
        begun = _follow_only_ways(moves, typed, whole)
        if begun.startswith(text) and begun != text:
            text = begun
            moves = self._list_moves(typed, text)
        is_whole = whole is not None or text in moves
        further = [move for move in moves if _goes_on(move, begun, self.legal)]
        choices = tuple(_list_choices(further, begun))
        if not is_whole and not further:
            return self._refuse(rejection)
        half = self.game.partial_move(self.position, begun, [choice.word for choice in choices])
        shown = half if begun == text else self.game.partial_move(self.position, text, ())
        is_start = begun == _follow_only_ways(self.legal, "", None)
        return Composition(
            text=text,
            half=PartialMove(shown.position, shown.move, half.facts, shown.hotspots),
            is_whole=is_whole,
            choices=choices,
            targets=tuple(self._list_targets(further, begun, choices, shown)),
            back=None if is_start else self._find_back(begun),
        )

    def _refuse(self, rejection: Rejection | None) -> Composition:
        """Begin again, and say why."""
        start = self.compose("")
        return Composition(
            text="",
            half=start.half,
            is_whole=False,
            choices=start.choices,
            targets=start.targets,
            back=None,
            rejection=rejection or Rejection("unreadable", word=""),
        )

    def _parse(self, text: str) -> tuple[str | None, Rejection | None]:
        """Return a whole move in canonical notation, or why the text is none."""
        try:
            move = self.game.parse(text, self.position, self.seat)
            self.game.try_move(self.position, move, self.seat)
        except Rejection as rejection:
            return None, rejection
        return self.game.notation(move), None

    def _list_moves(self, typed: str, text: str) -> list[str]:
        """Return legal moves, with parts in other orders, and those that go on from a text."""
        others = [other for move in self.legal for other in self.game.permutations(move, typed)]
        return [*self.legal, *others, *self._list_longer(text)]

    def _list_longer(self, text: str) -> list[str]:
        """Return the moves that go on from whole moves with which a text begins, longest first.

        The text itself may be whole, and so may be what stands before its last step.
        """
        found: list[str] = []
        ends = [piece.end() for piece in _PIECE.finditer(text)]
        tried = fitting = 0
        for end in reversed(ends[-MAX_STEP_WORDS:]):
            try:
                move = self.game.read_notation(text[:end], self.position)
                longer = list(map(self.game.notation, self.game.extensions(self.position, move)))
            except Rejection:
                continue
            longer += [other for one in longer for other in self.game.permutations(one, text)]
            found += longer
            tried += 1
            fitting += any(_goes_on(one, text, (text,)) for one in longer)
            if fitting == MAX_FITTING or tried == MAX_EXTENDED:
                break
        return list(dict.fromkeys(found))

    def _list_targets(
        self,
        moves: Sequence[str],
        begun: str,
        choices: Sequence[Choice],
        shown: PartialMove[Any, Any],
    ) -> Iterator[Target]:
        places = (*self.game.hotspots(shown.position, self.seat), *shown.hotspots)
        texts = dict(_find_texts(moves, begun, frozenset(place.name for place in places)))
        first_steps = {choice.word: choice.text for choice in choices}
        for place in places:
            # A far place is named by the letters of all steps: the first one is a choice.
            first = first_steps.get(place.name[:1]) if place.name not in texts else None
            far = first + place.name[1:] if first is not None else ""
            if place.name in texts:
                yield Target(place, texts[place.name], begun)
            elif place in shown.hotspots and far and self._parse(far)[0] == far:
                yield Target(place, (far,), begun)

    def _find_back(self, text: str) -> str | None:
        """Return the longest beginning of a text at which there was a choice."""
        pieces = list(_PIECE.finditer(text))
        for end in range(len(text) - 1, pieces[-1].start() if pieces else 0, -1):
            # The last word may be several steps, each a letter of it.
            is_inside = text[end - 1 : end + 1].isalpha()
            if is_inside and self._parse(text[:end])[0] == text[:end]:
                return text[:end]
        ends = [piece.end() for piece in pieces if piece.end() < len(text)]
        for end in (*reversed(ends), *([0] if text else [])):
            begun = text[:end]
            moves = (*self.legal, *self._list_longer(begun))
            nexts = {_next_piece(move, begun) for move in moves if _goes_on(move, begun, (begun,))}
            if len(nexts) > 1 or (nexts and begun and self._parse(begun)[0] == begun):
                return begun
        return "" if text else None


def _follow_only_ways(moves: Collection[str], text: str, whole: str | None) -> str:
    """Return a text with all that could only follow, up to a whole move."""
    while text not in moves and text != whole:
        nexts = {_next_piece(move, text) for move in moves if _goes_on(move, text, (move,))}
        if len(nexts) != 1:
            return text
        text += nexts.pop()
    return text


def _goes_on(move: str, text: str, whole: Collection[str]) -> bool:
    """Return whether a move begins with a text and has more; words of `whole` ones are whole."""
    if move == text or not move.startswith(text):
        return False
    is_broken = text[-1:].isalnum() and move[len(text)].isalnum()
    return not is_broken or move not in whole


def _next_piece(move: str, text: str) -> str:
    found = _PIECE.match(move, len(text))
    return found[0] if found is not None else move[len(text) :]


def _list_choices(moves: Iterable[str], text: str) -> Iterator[Choice]:
    pieces = dict.fromkeys(_next_piece(move, text) for move in moves)
    for piece in islice(pieces, MAX_CHOICES):
        yield Choice(piece.strip(MARKS) or piece, text + piece)


def _find_texts(
    moves: Iterable[str], text: str, names: frozenset[str]
) -> Mapping[str, tuple[str, ...]]:
    """Return the place that each move names next, and the texts that lead there.

    Only places with the fewest words before them count: those are asked now, others later.
    """
    found: dict[str, dict[str, int]] = {}
    for move in moves:
        for skipped, word in enumerate(_WORD.finditer(move, len(text))):
            if word[0] in names:
                found.setdefault(word[0], {})[move[: word.end()]] = skipped
                break
    least = min((count for texts in found.values() for count in texts.values()), default=0)
    return {
        name: tuple(one for one, skipped in texts.items() if skipped == least)
        for name, texts in found.items()
        if least in texts.values()
    }
