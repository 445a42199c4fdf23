"""Standing orders about doubles (LL-7.14): their canonical text, and their decisions."""

from __future__ import annotations

import re
from typing import Final

from pbem.errors import Rejection
from pbem.games.looney_ludo.position import Keep, Move, Phase, Position, Reroll
from pbem.games.looney_ludo.vocabulary import VOCABULARY

_DOUBLES: Final = re.compile(r"\W*doubles\b(?P<rest>.*)")
_CHOICE: Final = re.compile(
    r"(?P<plain>ask|keep)|re-?\s?roll\s*+(?:(?:<\s*+=|≤|up\s++to\b)\s*+)?(?P<most>[1-6])"
)


def parse_standing_order(text: str) -> str | None:
    """Return the standing order in canonical form; None if a text does not begin with `doubles`.

    Raises:
        Rejection: `bad_order` for other words after `doubles` (LL-8.6, LL-7.14).
    """
    line = VOCABULARY.normalise(text).casefold().strip()
    match = _DOUBLES.fullmatch(line)
    if match is None:
        return None
    choice = _CHOICE.fullmatch(match["rest"].strip(" \t,:;.()[]->="))
    if choice is None:
        raise Rejection("bad_order", text=text.strip())
    return f"doubles {choice['plain'] or 'reroll ' + choice['most']}"


def apply_standing_order(position: Position, order: str) -> Move | None:
    """Return the decision that the standing order makes on rolled doubles (LL-7.16).

    The result is None if the player is to be asked, or if there are no doubles to decide.
    """
    roll = position.roll
    if position.phase is not Phase.DOUBLES or roll is None:
        return None
    match order.split():
        case ["doubles", "keep"]:
            return Keep()
        case ["doubles", "reroll", most]:
            return Reroll() if roll.first <= int(most) else Keep()
        case _:
            return None
