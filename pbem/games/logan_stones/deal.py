"""The deal (LS-1.7): the one draw of the game, what it makes, and how it is written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw, Permutation, possible
from pbem.games.game import Drawn
from pbem.games.logan_stones.position import Held, Position
from pbem.games.logan_stones.spaces import HOME_NUMBER, HOME_ROW, numbered
from pbem.games.logan_stones.stones import NOBODY, Stone, Symbol, faces_of, pair

STONES: Final = 18
HAND: Final = 8
DEAL: Final = Draw("deal", (Permutation(STONES), Dice(STONES, 2)), secret=True)
"""The stone of each place (hand of seat 1, hand of seat 2, M20, M22), and its face that is up."""

MIDDLE: Final = tuple(
    at
    for number in (HOME_NUMBER, HOME_NUMBER + 2)
    if (at := numbered(HOME_ROW, number)) is not None
)
"""LS-1.7: M20 and M22."""

_TWO: Final = r"[RPS]{2}"
_HAND: Final = rf"{_TWO}(?: {_TWO}){{{HAND - 1}}}"
_TEXT: Final = re.compile(
    rf"M20=(?P<M20>{_TWO}) M22=(?P<M22>{_TWO}); 1: (?P<one>{_HAND}); 2: (?P<two>{_HAND})"
)


def deal(position: Position, drawn: Drawn) -> Position:
    """LS-1.7 to LS-1.9: eight stones to each hand and two to the middle."""
    if position.dealt or not possible(DEAL, drawn.values):
        raise ValueError(f"no deal: {drawn.values}")
    dealt = _dealt(position, drawn)
    hands = [
        tuple(
            Held(number, Stone(*faces, seat))  # LS-1.8: the owner has seen the other face.
            for number, faces in enumerate(dealt[first : first + HAND], 1)
        )
        for seat, first in ((1, 0), (2, HAND))
    ]
    return replace(
        position,
        spaces=MIDDLE,
        stones=tuple(Stone(*faces, NOBODY) for faces in dealt[2 * HAND :]),
        hands=(hands[0], hands[1]),
    )


def _dealt(position: Position, drawn: Drawn) -> list[tuple[Symbol, Symbol]]:
    """The faces of the stone of each place, the upper one first."""
    faces = faces_of(position.rules.stone_set)
    dealt = []
    for which, up in zip(drawn.values[:STONES], drawn.values[STONES:], strict=True):
        first, second = faces[which]
        dealt.append((first, second) if up == 1 else (second, first))
    return dealt


def chance_notation(position: Position, drawn: Drawn) -> str:
    """The deal as text: upper face first; the hands in the order of their numbers."""
    texts = [top + under for top, under in _dealt(position, drawn)]
    one, two = " ".join(texts[:HAND]), " ".join(texts[HAND : 2 * HAND])
    return f"M20={texts[-2]} M22={texts[-1]}; 1: {one}; 2: {two}"


def read_chance(text: str, position: Position) -> Drawn:
    """A deal that has this text: of equal stones it takes the first, which makes no difference."""
    found = _TEXT.fullmatch(" ".join(text.split()))
    if found is None:
        raise Rejection("unreadable", word=text)
    rest = list(enumerate(faces_of(position.rules.stone_set)))
    order, ups = [], []
    for two in (*found["one"].split(), *found["two"].split(), found["M20"], found["M22"]):
        top, under = pair(two)
        for stone in rest:
            if stone[1] in ((top, under), (under, top)):
                order.append(stone[0])
                ups.append(1 if stone[1] == (top, under) else 2)
                rest.remove(stone)
                break
        else:
            raise Rejection("unreadable", word=text)
    return Drawn((*order, *ups))
