"""The deal (LS-1.7), which is the only random draw within the game, and its notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Final

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw, Permutation, is_possible
from pbem.games.game import ChanceResult
from pbem.games.logan_stones.position import HandStone, Position
from pbem.games.logan_stones.spaces import HOME_NUMBER, HOME_ROW, find_space
from pbem.games.logan_stones.stones import NO_SEAT, Stone, Symbol, list_faces, pair

STONES: Final = 18
HAND: Final = 8
# The stone in each place (hand of seat 1, hand of seat 2, M20, M22), and the upper face of each.
DEAL: Final = Draw("deal", (Permutation(STONES), Dice(STONES, 2)), is_sealed=True)

MIDDLE: Final = tuple(  # spaces of the first two stones, M20 and M22 (LS-1.7)
    at
    for number in (HOME_NUMBER, HOME_NUMBER + 2)
    if (at := find_space(HOME_ROW, number)) is not None
)

_TWO: Final = r"[RPS]{2}"
_HAND: Final = rf"{_TWO}(?: {_TWO}){{{HAND - 1}}}"
_NAMES: Final = ascii_lowercase[:STONES]
_TEXT: Final = re.compile(
    rf"M20=(?P<M20>{_TWO}) M22=(?P<M22>{_TWO}); 1: (?P<one>{_HAND}); 2: (?P<two>{_HAND})"
    rf"(?:; drawn (?P<drawn>[{_NAMES}]{{{STONES}}}))?",
    re.IGNORECASE,
)


def deal(position: Position, result: ChanceResult) -> Position:
    """Return the position after the deal: eight stones in each hand, two in the middle.

    Each stone has its drawn face up. The stones of a hand are numbered in the order of the deal.

    Rules: LS-1.7 to LS-1.9, LS-3.4, LS-6.12.

    Raises:
        ValueError: The stones are already dealt, or the result is impossible.
    """
    if position.is_dealt or not is_possible(DEAL, result.values):
        raise ValueError(f"no deal: {result.values}")
    dealt = _deal_faces(position, result)
    hands = [
        tuple(
            HandStone(number, Stone(*faces, seat))  # LS-1.8, LS-3.3: the owner knows both faces
            for number, faces in enumerate(dealt[first : first + HAND], 1)
        )
        for seat, first in ((1, 0), (2, HAND))
    ]
    return replace(
        position,
        spaces=MIDDLE,
        stones=tuple(Stone(*faces, NO_SEAT) for faces in dealt[2 * HAND :]),
        hands=(hands[0], hands[1]),
    )


def _deal_faces(position: Position, result: ChanceResult) -> list[tuple[Symbol, Symbol]]:
    """Return the two faces of each dealt stone, upper face first.

    The stones are in the order of their places: hand 1, hand 2, space M20, space M22.
    """
    faces = list_faces(position.rules.stone_set)
    dealt = []
    for index, face in zip(result.values[:STONES], result.values[STONES:], strict=True):
        first, second = faces[index]
        dealt.append((first, second) if face == 1 else (second, first))
    return dealt


def chance_notation(position: Position, result: ChanceResult) -> str:
    """Return the deal as text, as in `M20=RS M22=PP; 1: RR SP ...; 2: ...; drawn aM...`.

    Each stone is written as two faces, the upper face first. The stones of each hand are in the
    order of their numbers.

    Several stones can have the same faces. So the last word says which stone of the set is in each
    place, in the order of `_deal_faces`. The letter `a` is the first stone of the set (see
    `list_faces`), `b` the second. A capital letter means that the stone's second face is up.
    """
    texts = [top + under for top, under in _deal_faces(position, result)]
    hand1, hand2 = " ".join(texts[:HAND]), " ".join(texts[HAND : 2 * HAND])
    names = "".join(
        _NAMES[index] if face == 1 else _NAMES[index].upper()
        for index, face in zip(result.values[:STONES], result.values[STONES:], strict=True)
    )
    return f"M20={texts[-2]} M22={texts[-1]}; 1: {hand1}; 2: {hand2}; drawn {names}"


def read_chance(text: str, position: Position) -> ChanceResult:
    """Return the result of the deal that `chance_notation` writes as this text.

    If the part `drawn` is missing, assume that stones with equal faces were drawn in the order of
    the set.

    Raises:
        Rejection: `unreadable` if the text is not a possible deal.
    """
    match = _TEXT.fullmatch(" ".join(text.split()))
    if match is None:
        raise Rejection("unreadable", word=text)
    middle = (match["M20"], match["M22"])
    dealt = [pair(word.upper()) for word in (*match["one"].split(), *match["two"].split(), *middle)]
    result = _read_names(match["drawn"]) if match["drawn"] else _guess_result(dealt, position)
    if not is_possible(DEAL, result.values) or _deal_faces(position, result) != dealt:
        raise Rejection("unreadable", word=text)
    return result


def _read_names(names: str) -> ChanceResult:
    order = [_NAMES.index(name.lower()) for name in names]
    return ChanceResult((*order, *(1 if name.islower() else 2 for name in names)))


def _guess_result(dealt: Sequence[tuple[Symbol, Symbol]], position: Position) -> ChanceResult:
    """Return a result of the deal in which the stones have these faces.

    `dealt` has the upper and the lower face of each stone, in the same order as `_deal_faces`. If
    the set lacks some of these stones, the result is too short, and `is_possible` rejects it.
    """
    pool = dict(enumerate(list_faces(position.rules.stone_set)))
    order, ups = [], []
    for top, under in dealt:
        fitting = [stone for stone, faces in pool.items() if faces in ((top, under), (under, top))]
        if fitting:
            order.append(fitting[0])
            ups.append(1 if pool.pop(fitting[0]) == (top, under) else 2)
    return ChanceResult((*order, *ups))
