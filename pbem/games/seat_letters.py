"""The letters by which seats are told apart, where no colours do it: fixed as a match begins."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from string import ascii_uppercase


def choose_seat_letters(names: Sequence[str], reserved: str | None) -> tuple[str, ...]:
    """A letter a seat: the first of its name, where these differ and none is `reserved`.

    Else they are A, B, C in the order of seats, but never one that begins another player's name.
    None are needed where `reserved` is None; a name that is not known is empty.
    """
    if reserved is None:
        return ()
    # Without what is above or below a letter, and none that is not Latin.
    firsts = [unicodedata.normalize("NFKD", name.strip())[:1].upper() for name in names]
    firsts = [letter if letter in ascii_uppercase else "" for letter in firsts]
    if all(firsts) and len({*firsts}) == len(firsts) and not {*firsts} & {*reserved}:
        return tuple(firsts)
    signs: list[str] = []
    for seat in range(len(firsts)):
        taken = {*reserved, *signs, *firsts[:seat], *firsts[seat + 1 :]}
        signs.append(next(letter for letter in ascii_uppercase if letter not in taken))
    return tuple(signs)
