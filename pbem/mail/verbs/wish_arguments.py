"""How the rest of a line becomes a wish, or none after all (a sentence)."""

from __future__ import annotations

from collections.abc import Callable
from re import Pattern
from typing import Final

from pbem.mail.verbs.orders import Order
from pbem.mail.verbs.wish_orders import ChooseWish, LooksBad, ShowSettings, StartMails
from pbem.players.wishes import BY_NAME, STOPPABLE, WISHES


def wish(name: str) -> Callable[[str], Order | None]:
    """A value of this wish, right or wrong; what does not look like one is a sentence."""
    shape = BY_NAME[name].shape

    def order(rest: str) -> Order | None:
        return ChooseWish(name, rest) if shape.fullmatch(rest) else None

    return order


def stop(rest: str) -> Order | None:
    """A kind of mails, or nothing for all."""
    name = STOPPABLE.get(rest.casefold())
    return ChooseWish(name, "off") if name is not None else None


def start(rest: str) -> Order | None:
    """The same, but all come again at once, with what waits."""
    name = STOPPABLE.get(rest.casefold())
    if name == "everything":
        return StartMails()
    return ChooseWish(name, "on") if name is not None else None


def shaped(shape: Pattern[str], build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """An order on a text that looks as it should, right or wrong."""

    def order(rest: str) -> Order | None:
        return build(rest) if shape.fullmatch(rest) else None

    return order


def looks_bad(rest: str) -> Order | None:
    """What looked bad, or nothing."""
    what = rest.casefold()
    return LooksBad(LOOKS.get(what, what)) if what in LOOKS or not what else None


LOOKS: Final = {
    "glyphs": "glyphs",
    "glyph": "glyphs",
    "boards": "glyphs",
    "board": "glyphs",
    "width": "width",
    "lines": "width",
    "html": "html",
    "page": "html",
}
"""What may look bad in a test mail, by the words for it."""


def settings(rest: str) -> Order | None:
    """`settings` shows them, and with a wish behind it is the same as `set`."""
    return set_wish(rest) if rest else ShowSettings()


def set_wish(rest: str) -> Order | None:
    """`set width 60` is `width 60`, and `set unicode` is `unicode`."""
    name, _, value = rest.strip().replace(" = ", " ").partition(" ")
    if name.casefold() in BY_NAME:
        return wish(name.casefold())(value.strip())
    for row in WISHES:
        if row.written(rest.casefold()) == rest.casefold() and row.shape.fullmatch(rest):
            return ChooseWish(row.name, rest)
    return None
