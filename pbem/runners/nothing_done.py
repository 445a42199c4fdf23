"""What is said of a letter without an order: a question is answered, all else gets a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.mail.asides import answers
from pbem.mail.order_lines import TypedOrder
from pbem.matches.match import Match, Status
from pbem.names import is_bot
from pbem.notices.replies import OrderRefused
from pbem.runners.answers import ask_again
from pbem.runners.leftovers import SHOWN, hinted, written
from pbem.runners.powers import Power, require
from pbem.runners.showing import show

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.runners.intent import Rest
    from pbem.runners.taking import Taking


def nothing_to_do(taking: Taking, rest: Rest) -> None:
    """Say what may have been meant; a near miss is never carried out."""
    if taking.has_news:
        return
    again = ask_again(taking)
    said = hinted(taking, rest)
    wanted = [order for order in rest.asked if order in SHOWN]
    # What somebody asks for in a sentence is shown at once, unless they want to do something, too.
    if wanted and not again and set(SHOWN).issuperset(said):
        _answer(taking, rest, wanted)
    elif rest.unnamed is not None:
        refuse_letter(taking, rest.unnamed)
    elif rest.near_misses:
        _tell_near(taking, rest)
    else:
        text = bool(rest.comments)
        refuse_letter(taking, Rejection("no_orders", text=text, mentioned=said, asked=again))


def refuse_letter(taking: Taking, rejection: Rejection) -> None:
    """Refuse a letter as a whole."""
    taking.code = rejection.code
    taking.answer(
        OrderRefused(match=taking.home, typed="", code=rejection.code, facts=rejection.facts)
    )


def _tell_near(taking: Taking, rest: Rest) -> None:
    words = taking.house.words
    word, near, _ = rest.near_misses[0]
    how = written(word, words) if word in near else []
    facts: Facts = {"word": word, "near": list(near), "alone": answers(word, words), "how": how}
    refuse_letter(taking, Rejection("unknown_order", **facts))


def _answer(taking: Taking, rest: Rest, wanted: list[str]) -> None:
    require(taking, Power.READ)
    match = taking.match(taking.home) if taking.home is not None else None
    typed = " ".join(rest.comments)
    shown = [order for name in wanted for order in _shown(name, match)]
    for order in dict.fromkeys(shown):
        show(taking, TypedOrder(order=order, typed=typed), taking.home)
    talks = match is not None and match.status in (Status.RUNNING, Status.ENDED)
    others = match.players if match is not None else ()
    read = any(not is_bot(other) for other in others if other != taking.sender)
    taking.done(typed, "answered", {"say": talks and read})


def _shown(name: str, match: Match | None) -> list[orders.Order]:
    """The orders that answer a question, as far as they can be carried out here."""
    begun = match is not None and match.status in (Status.RUNNING, Status.ENDED)
    match name:
        case "board" if match is None:
            return [orders.ListGames(boards=False)]
        case "board" if begun:
            return [orders.ShowBoard(None)]
        case "help" if match is not None and match.status is Status.RUNNING:
            return [orders.ShowBoard(None), orders.Help(None)]
        case "help move" if match is not None:
            return [orders.Help("move")]
        case "rules" if match is not None:
            return [orders.ShowRules(None)]
        case _:
            return [orders.Help(None)]
