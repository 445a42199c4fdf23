"""The verbs about oneself: name, addresses, mails, times, who may write to one, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from re import Pattern
from typing import Final

from pbem.legacy.mail.verbs.verb import Order, Verb, any_text, bare
from pbem.legacy.players.typed_times import DAYS_SHAPE, HOURS_SHAPE
from pbem.legacy.players.typed_times import SHAPE as PERIOD_SHAPE
from pbem.legacy.players.wishes import BY_NAME, STOPPABLE, WISHES

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rename(Order):
    """Call me so."""

    name: str


@dataclass(frozen=True, slots=True)
class Addresses(Order):
    """From where I may write."""


@dataclass(frozen=True, slots=True)
class AddAddress(Order):
    """Let me write from there, too."""

    address: str


@dataclass(frozen=True, slots=True)
class RemoveAddress(Order):
    """Nothing from there any more."""

    address: str


@dataclass(frozen=True, slots=True)
class RenewAddress(Order):
    """Fresh reply addresses for all of my matches."""


@dataclass(frozen=True, slots=True)
class ShowSettings(Order):
    """How I wanted my mails."""


@dataclass(frozen=True, slots=True)
class ChooseWish(Order):
    """Send me mails so; `value` as typed."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class StartMails(Order):
    """Send me mails again, and what waits for me."""


@dataclass(frozen=True, slots=True)
class Away(Order):
    """When I am on leave, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Back(Order):
    """I am no longer on leave."""


@dataclass(frozen=True, slots=True)
class RestDays(Order):
    """Weekdays on which my clocks do not count, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class QuietHours(Order):
    """Hours in which my clocks do not count, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class TestMail(Order):
    """Show me how mails can look, so that I can say what I see."""


@dataclass(frozen=True, slots=True)
class LooksBad(Order):
    """What was wrong with the test mail; `what` names it, or nothing."""

    what: str


@dataclass(frozen=True, slots=True)
class Block(Order):
    """No invitations from somebody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unblock(Order):
    """Invitations from somebody again."""

    player: str


@dataclass(frozen=True, slots=True)
class Invitations(Order):
    """Whether invitations are welcome at all."""

    welcome: bool


@dataclass(frozen=True, slots=True)
class MyData(Order):
    """All that is held on me."""


@dataclass(frozen=True, slots=True)
class DeleteMe(Order):
    """Forget me."""


# --- how the rest of a line is read ---------------------------------------------------------------


_NO_NAME: Final = ("your", "me", "it", "that", "one")


def rename(rest: str) -> Order | None:
    """A name, and no sentence (`Name your price!`)."""
    return None if rest.casefold().split(" ")[0] in _NO_NAME else Rename(rest)


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


def wish(name: str) -> Callable[[str], Order | None]:
    """A value of this wish, right or wrong; what does not look like one is a sentence."""
    shape = BY_NAME[name].shape

    def order(rest: str) -> Order | None:
        return ChooseWish(name, rest) if shape.fullmatch(rest) else None

    return order


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


def shaped(shape: Pattern[str], build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """An order on a text that looks as it should, right or wrong."""

    def order(rest: str) -> Order | None:
        return build(rest) if shape.fullmatch(rest) else None

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


def looks_bad(rest: str) -> Order | None:
    """What looked bad, or nothing."""
    what = rest.casefold()
    return LooksBad(LOOKS.get(what, what)) if what in LOOKS or not what else None


def invitations(rest: str) -> Order | None:
    """`on` or `off`."""
    words = rest.casefold()
    return Invitations(welcome=words == "on") if words in ("on", "off") else None


def delete_me(rest: str) -> Order | None:
    """Nothing, or `yes`, which spares nobody the question."""
    return DeleteMe() if rest.casefold() in ("", "yes") else None


def _wish(name: str, *also: str) -> Verb:
    return Verb(name=name, also=also, order=wish(name), examples=BY_NAME[name].examples)


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="name", behind="name", order=rename, examples=("name Ann",)),
    Verb(name="address", also=("addresses",), order=address,
         examples=("address list", "address add ann@work.example",
                   "address remove ann@work.example")),
    Verb(name="settings", order=settings, examples=("settings",)),
    Verb(name="set", order=set_wish, examples=("set width 60",)),
    _wish("mail"),
    Verb(name="ascii", order=bare(ChooseWish("glyphs", "ascii")), examples=("ascii",)),
    Verb(name="unicode", order=bare(ChooseWish("glyphs", "unicode")), examples=("unicode",)),
    _wish("pictures"),
    _wish("replays"),
    _wish("width"),
    _wish("lang", "language"),
    _wish("tz"),
    _wish("thread"),
    _wish("digest"),
    _wish("remind"),
    _wish("receipts"),
    _wish("window"),
    _wish("limit"),
    Verb(name="away", also=("vacation", "absence", "holiday"), order=shaped(PERIOD_SHAPE, Away),
         examples=("away 5 days", "away 2026-12-24 2027-01-02")),
    Verb(name="back", order=bare(Back()), examples=("back",)),
    Verb(name="rest", order=shaped(DAYS_SHAPE, RestDays), examples=("rest sat sun", "rest off")),
    Verb(name="quiet", order=shaped(HOURS_SHAPE, QuietHours), examples=("quiet 22-7", "quiet off")),
    Verb(name="test", order=bare(TestMail()), examples=("test",)),
    Verb(name="bad", order=looks_bad, examples=("bad glyphs", "bad width", "bad html")),
    Verb(name="stop", also=("unsubscribe",), order=stop,
         examples=("stop", "stop chat", "stop news")),
    Verb(name="start", order=start, examples=("start", "start chat")),
    Verb(name="block", behind="somebody", order=any_text(Block),
         examples=("block bob@example.org",)),
    Verb(name="unblock", behind="somebody", order=any_text(Unblock),
         examples=("unblock bob@example.org",)),
    Verb(name="invitations", order=invitations, examples=("invitations off",)),
    Verb(name="my data", order=bare(MyData()), examples=("my data",)),
    Verb(name="delete me", order=delete_me, examples=("delete me",)),
)  # fmt: skip
