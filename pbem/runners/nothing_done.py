"""What is said of a letter without an order: a question is answered, all else gets a hint."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.mail.asides import answers
from pbem.mail.asking import asked
from pbem.mail.order_lines import TypedOrder
from pbem.matches.match import Match, Status
from pbem.names import is_bot
from pbem.notices.replies import OrderRefused
from pbem.runners.answers import ask_again
from pbem.runners.leftovers import SHOWN, hinted, written
from pbem.runners.showing import show
from pbem.store import views

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.order_lines import Reading
    from pbem.runners.taking import Taking

_MATCHES, _LINES, _LONGEST = 20, 5, 80
"""How many matches and lines are looked at for a move, and the characters of a line."""


def nothing_to_do(taking: Taking, reading: Reading) -> None:
    """Say what may have been meant; a near miss is never carried out."""
    if taking.has_news:
        return
    again = ask_again(taking)
    said = hinted(taking, reading)
    wanted = [order for order in asked(reading.comments, taking.house.words) if order in SHOWN]
    # What somebody asks for in a sentence is shown at once, unless they want to do something, too.
    if wanted and not again and set(SHOWN).issuperset(said):
        _answer(taking, reading, wanted)
    elif (unnamed := _unnamed_move(taking, reading)) is not None:
        refuse_letter(taking, unnamed)
    elif reading.near_misses:
        _tell_near(taking, reading)
    else:
        text = bool(reading.comments)
        refuse_letter(taking, Rejection("no_orders", text=text, mentioned=said, asked=again))


def _unnamed_move(taking: Taking, reading: Reading) -> Rejection | None:
    """Which matches may be meant, if a line is a move in one and the letter answers none.

    A digest of several matches is answered so.
    """
    if taking.home is not None:
        return None
    rows = views.matches_of(taking.conn, taking.sender, (Status.RUNNING.value,))
    asked_of = [taking.match(row.id) for row in rows if taking.sender in row.to_act][:_MATCHES]
    for line in reading.comments[:_LINES]:
        meant = [match.id for match in asked_of if _is_move(taking, match, line)]
        if meant:
            return Rejection("which_match", matches=meant, move=line)
    return None


def _is_move(taking: Taking, match: Match, line: str) -> bool:
    seat = match.seat_of(taking.sender)
    if seat is None or len(line) > _LONGEST:
        return False
    text = taking.house.words.game_text(match.game, line)
    with suppress(Rejection):
        match.game.parse(text, match.position, seat)
        return True
    return False


def refuse_letter(taking: Taking, rejection: Rejection) -> None:
    """Refuse a letter as a whole."""
    taking.code = rejection.code
    taking.answer(
        OrderRefused(match=taking.home, typed="", code=rejection.code, facts=rejection.facts)
    )


def _tell_near(taking: Taking, reading: Reading) -> None:
    words = taking.house.words
    word, near, _ = reading.near_misses[0]
    how = written(word, words) if word in near else []
    facts: Facts = {"word": word, "near": list(near), "alone": answers(word, words), "how": how}
    refuse_letter(taking, Rejection("unknown_order", **facts))


def _answer(taking: Taking, reading: Reading, wanted: list[str]) -> None:
    match = taking.match(taking.home) if taking.home is not None else None
    typed = " ".join(reading.comments)
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
