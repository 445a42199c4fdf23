"""Letters that identify the seats on boards without colours."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from string import ascii_uppercase


def choose_seat_letters(names: Sequence[str], reserved: str | None) -> tuple[str, ...]:
    """Return a letter for each seat, in seat order; empty if `reserved` is None.

    The letters are the initials of the players if these are all different and none is in
    `reserved`. Otherwise they are A, B, C and so on; reserved letters and initials of other players
    are skipped.

    Args:
        names: The names of the players; empty for a player who is not known.
        reserved: The letters that no seat may have, or None if seats need no letters.
    """
    if reserved is None:
        return ()
    # Remove accents. A first letter that is then not in A to Z is not used.
    firsts = [unicodedata.normalize("NFKD", name.strip())[:1].upper() for name in names]
    firsts = [letter if letter in ascii_uppercase else "" for letter in firsts]
    if all(firsts) and len({*firsts}) == len(firsts) and not {*firsts} & {*reserved}:
        return tuple(firsts)
    signs: list[str] = []
    for seat in range(len(firsts)):
        taken = {*reserved, *signs, *firsts[:seat], *firsts[seat + 1 :]}
        signs.append(next(letter for letter in ascii_uppercase if letter not in taken))
    return tuple(signs)
