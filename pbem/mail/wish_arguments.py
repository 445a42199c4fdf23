"""How the rest of a line becomes a wish, or none after all (a sentence)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.mail.orders import ChooseWish, Order
from pbem.players.wishes import BY_NAME, WISHES


def wish(name: str) -> Callable[[str], Order | None]:
    """A value of this wish, right or wrong; what does not look like one is a sentence."""
    shape = BY_NAME[name].shape

    def order(rest: str) -> Order | None:
        return ChooseWish(name, rest) if shape.fullmatch(rest) else None

    return order


def set_wish(rest: str) -> Order | None:
    """`set width 60` is `width 60`, and `set unicode` is `unicode`."""
    name, _, value = rest.strip().replace(" = ", " ").partition(" ")
    if name.casefold() in BY_NAME:
        return wish(name.casefold())(value.strip())
    for row in WISHES:
        if row.written(rest.casefold()) == rest.casefold() and row.shape.fullmatch(rest):
            return ChooseWish(row.name, rest)
    return None
