"""How the rest of a line behind a verb becomes an order or a wish, or none (a sentence)."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Pattern
from typing import Final

from pbem.games.game import Ply
from pbem.mail.verbs.club_orders import ShowProfile, ShowRatings, ShowStatistics
from pbem.mail.verbs.courtesy_orders import Comment, GiveTime, Pause, Report
from pbem.mail.verbs.orders import (
    AddAddress,
    Addresses,
    DeleteMe,
    Invitations,
    ListGames,
    Order,
    Prove,
    RemoveAddress,
    Rename,
    Resign,
    ShowBoard,
    ShowChanges,
)
from pbem.mail.verbs.own_orders import ChooseWish, LooksBad, ShowSettings, StartMails
from pbem.players.wishes import BY_NAME, STOPPABLE, WISHES

# --- arguments -----------------------------------------------------------------------------------
# How the rest of a line behind a verb becomes an order, or none after all (a sentence).


def bare(order: Order) -> Callable[[str], Order | None]:
    """An order that takes nothing: with more on its line it is a sentence and no order."""

    def build(rest: str) -> Order | None:
        return None if rest else order

    return build


def resign(rest: str) -> Order | None:
    """`resign`, and `yes` with it."""
    words = rest.casefold()
    return Resign(sure=words == "yes") if words in ("", "yes") else None


def delete_me(rest: str) -> Order | None:
    """Nothing, or `yes`, which spares nobody the question."""
    return DeleteMe() if rest.casefold() in ("", "yes") else None


def board(rest: str) -> Order | None:
    """A ply, or nothing, or `all`: then nothing is left out."""
    if rest.casefold() in ("all", "everything"):
        return ShowBoard(None, whole=True)
    number = rest.removeprefix("#").strip()
    if not number:
        return ShowBoard(None)
    if number.isascii() and number.isdigit() and len(number) < 6:  # noqa: PLR2004 - plies have few digits
        return ShowBoard(Ply(int(number)))
    return None


_MOST_DIGITS: Final = 12
"""Of a number of events."""


def proof(rest: str) -> Order | None:
    """How many events there were before, or nothing."""
    if not rest:
        return Prove(None)
    number = rest.isascii() and rest.isdigit() and len(rest) <= _MOST_DIGITS
    return Prove(int(rest)) if number else None


_PLIES: Final = re.compile(
    r"#?([0-9]{1,5})(?:\s*(?:-|,|\.\.|to|and)\s*|\s+)#?([0-9]{1,5})", re.IGNORECASE
)


def changes(rest: str) -> Order | None:
    """`N M` in either order."""
    found = _PLIES.fullmatch(rest)
    if found is None:
        return None
    first, last = sorted(int(number) for number in found.groups())
    return ShowChanges(Ply(first), Ply(last))


_FEW: Final = 3
"""Words of a name at most; more is a sentence ("mute the TV when you play")."""


def name(build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """Somebody's name, or nothing."""

    def order(rest: str) -> Order | None:
        return build(rest) if len(rest.split()) <= _FEW else None

    return order


_DAYS: Final = r"d|days?|tage?n?"
_SPAN: Final = (
    r"(?P<number>\d{1,3}|a|an|one|another|einen?|eine)\s?"
    rf"(?P<unit>{_DAYS}|h|hours?|hrs?|std|stunden?|w|weeks?|wochen?)"
)
_GIFT: Final = re.compile(
    rf"(?:(?P<name>\S+(?: \S+){{0,2}}?) )?{_SPAN}(?: (?:more|mehr))?(?: (?:to|an) (?P<to>\S.*))?",
    re.IGNORECASE,
)
"""`Bob 3d`, `3 days to Bob`, `Bob drei Tage`: whom, and how long."""

_PAUSE: Final = re.compile(rf"(?:(?:for|of|f\u00fcr|von) )?{_SPAN}", re.IGNORECASE)
_HOURS: Final = {"h": 1, "s": 1, "d": 24, "t": 24, "w": 7 * 24}
"""Hours of a unit, by its first letter."""


def _hours(found: re.Match[str]) -> int:
    number = int(found["number"]) if found["number"].isdigit() else 1
    return number * _HOURS[found["unit"][0].casefold()]


def give(rest: str) -> Order | None:
    """Whom and how long; anything else is a sentence (`give me a moment`)."""
    found = _GIFT.fullmatch(rest)
    if found is None or (found["name"] and found["to"]):
        return None
    return GiveTime(found["name"] or found["to"] or "", _hours(found))


def pause(rest: str) -> Order | None:
    """Nothing, or how many days."""
    if not rest:
        return Pause()
    found = _PAUSE.fullmatch(rest)
    return Pause(_hours(found) // _HOURS["d"]) if found is not None else None


_BACK: Final = ("back", "me", "to", "on", "from", "mich", "dich", "uns", "sich")


def report(rest: str) -> Order | None:
    """Somebody's name, or nothing, and no sentence (`Report back soon`, `Melde mich morgen`)."""
    return None if rest.casefold().split(" ")[0] in _BACK else name(Report)(rest)


_COMMENTED: Final = re.compile(
    r"(?:(?:on|to|zum?) )?(?:(?:move|ply|zug) )?(?:#|no\. ?|nr\. ?)?(\d{1,6})(?!\w)"
    r"[\s:.,;)\u2013-]*"
    r"|(?:(start|beginning|anfang|beginn)|end|ende|schluss) ?:\s*"
    r"|[:,;\u2013-]\s*",
    re.IGNORECASE,
)
"""`12: ...`, `on move 12 ...`, `start: ...`, `: ...`: of which move a comment is."""

_HOW: Final = (
    *("\u00e7a", "ca", "va", "vas", "tu", "vous", "est", "es", "on", "je", "il", "elle", "nous"),
    *("allez", "faire", "avez", "as", "a", "dit"),
)
"""Words behind `comment` where it is French, and asks how."""


def comment(rest: str) -> Order | None:
    """The number of a move, if there is one, and a text; and no question how somebody is."""
    found = _COMMENTED.match(rest)
    if found is None:
        how = re.split(r"[\s-]", rest.casefold(), maxsplit=1)[0] in _HOW
        return None if how else Comment(None, rest)
    ply = int(found[1]) if found[1] else 0 if found[2] else None
    return Comment(ply, rest[found.end() :].strip())


def ratings(rest: str) -> Order | None:
    """A game, or nothing."""
    return ShowRatings(rest) if len(rest.split()) <= _FEW else None


def statistics(rest: str) -> Order | None:
    """A game, or nothing."""
    return ShowStatistics(rest) if len(rest.split()) <= _FEW else None


def profile(rest: str) -> Order | None:
    """Somebody's name, or nothing; `on` and `off` say whether others may see one's own."""
    words = rest.casefold()
    if words in ("on", "off", "yes", "no"):
        return ChooseWish("profile", words)
    return ShowProfile(rest) if len(rest.split()) <= _FEW else None


_NO_NAME: Final = ("your", "me", "it", "that", "one")


def rename(rest: str) -> Order | None:
    """A name, and no sentence (`Name your price!`)."""
    return None if rest.casefold().split(" ")[0] in _NO_NAME else Rename(rest)


def games(rest: str) -> Order | None:
    """`games`, `games next`."""
    words = rest.casefold()
    return ListGames(boards=words == "next") if words in ("", "next") else None


def invitations(rest: str) -> Order | None:
    """`on` or `off`."""
    words = rest.casefold()
    return Invitations(welcome=words == "on") if words in ("on", "off") else None


_TOPIC: Final = re.compile(
    r"[\w/-]+(?: [\w/-]+){0,2}|\[?[a-z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z]?\]?", re.IGNORECASE
)


def topic(build: Callable[[str | None], Order]) -> Callable[[str], Order | None]:
    """At most three words, or the number of a rule, as it stands in refusals (`[LG-2.9]`).

    More is a sentence ("rules are rules, my friend").
    """

    def order(rest: str) -> Order | None:
        if not rest:
            return build(None)
        return build(rest.casefold()) if _TOPIC.fullmatch(rest) else None

    return order


def any_text(build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """An order that takes any text; an empty one is refused later, with a sentence."""

    def order(rest: str) -> Order | None:
        return build(rest)

    return order


def address(rest: str) -> Order | None:
    """`list`, `add ADDRESS`, `remove ADDRESS`; a `yes` behind it spares nobody the question."""
    verb, _, address = rest.partition(" ")
    address = address.strip(" <>")
    if verb.casefold() in ("", "list") and not address:
        return Addresses()
    which, _, yes = address.partition(" ")
    if yes.strip().casefold() == "yes":
        address = which.strip("<>")
    if verb.casefold() == "add" and address:
        return AddAddress(address)
    return RemoveAddress(address) if verb.casefold() == "remove" and address else None


# --- wish arguments ------------------------------------------------------------------------------
# How the rest of a line becomes a wish, or none after all (a sentence).


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
