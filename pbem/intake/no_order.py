"""What is said of a letter without an order: what may be meant, or where its writer stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.delivery.games_listed import list_games
from pbem.errors import Rejection
from pbem.intake.unread_lines import hinted, written
from pbem.matches.match import Status
from pbem.matches.steps import OPEN
from pbem.notices.replies import NoOrderFound, OrderRefused, QuestionAsked
from pbem.orders.handlers.help_cards import card_of
from pbem.orders.powers import Power, require
from pbem.orders.reply_context import ask_again
from pbem.store.mails import outbox
from pbem.store.people import questions
from pbem.transaction.coalescing import BEARINGS
from pbem.transaction.installation import match_at, match_stream
from pbem.transaction.question_kinds import QUESTIONS_LIVE
from pbem.transaction.rate_limits import answers_no_order

if TYPE_CHECKING:
    from pbem.errors import Fact, Facts
    from pbem.mail.free_text import Rest
    from pbem.matches.match import Match
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction

_ANSWERS: Final[Mapping[str, str]] = {"join": "accept", "yes": "accept"}
"""What is said to an invitation in other words."""

AGAIN: Final = timedelta(days=1)
"""When somebody who writes about no match is told again what they could write."""


def nothing_to_do(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Say what may have been meant; a near miss is never carried out. Whether anything is said."""
    if txn.has_news:
        return True
    if (order := _order_meant(context, rest)) is not None:
        ask_about_order(txn, context, order)
    elif rest.unnamed is not None:
        refuse_letter(txn, context, rest.unnamed)
    elif rest.near_misses:
        ask_again(txn, context)
        _tell_near(txn, context, rest)
    else:
        return _tell_bearings(txn, context, rest)
    return True


def _order_meant(context: LetterContext, rest: Rest) -> str | None:
    """The order that a line ends with, if it could be carried out now."""
    match = context.match(context.home) if context.home is not None else None
    if rest.order is None or match is None:
        return None
    order = _ANSWERS.get(rest.order, rest.order)
    invited = match.status is Status.CHALLENGE and context.sender in match.waiting_for
    plays = match.status is Status.RUNNING and match.seat_of(context.sender) is not None
    works = {
        "accept": invited or (plays and rest.order == "accept" and _is_asked(match)),
        "decline": invited or (plays and _is_asked(match)),
        "undo": plays,
        "rematch": match.status is Status.ENDED,
        "offer draw": plays and match.game.draw_offers(match.options),
    }
    return order if works[order] else None


def _is_asked(match: Match) -> bool:
    return match.offer is not None or match.takeback is not None


def ask_about_order(
    txn: Transaction, context: LetterContext, order: str, unread: Sequence[str] = ()
) -> None:
    """Ask whether an order is meant; `yes` carries it out, while nothing else is played.

    `unread` is what else its letter says (MAIL 1).
    """
    match = txn.match(context.home) if context.home is not None else None
    facts: dict[str, Fact] = {"lines": [order]}
    if match is not None:
        facts |= {"match": match.id, "ply": match.ply, "version": match.version}
    questions.ask(
        txn.conn,
        f"{txn.cause}:order",
        player=txn.sender,
        kind="letter",
        facts=facts,
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    txn.code = "order_meant"
    told: Facts = {"order": order, "unread": list(unread)}
    txn.answer(QuestionAsked(question="order", match=context.home, facts=told))


def refuse_letter(txn: Transaction, context: LetterContext, rejection: Rejection) -> None:
    """Refuse a letter as a whole."""
    txn.code = rejection.code
    refused = OrderRefused(
        match=context.home, typed="", code=rejection.code, facts=rejection.facts, of_seat=True
    )
    txn.answer(refused)


def _tell_near(txn: Transaction, context: LetterContext, rest: Rest) -> None:
    words = txn.house.words
    word, near, line = rest.near_misses[0]
    game = txn.match(context.home).game if context.home is not None else None
    how = written(word, words, game) if word in near else []
    if how and line.strip(" .!?:").casefold() == word and not words.answers(word):
        refuse_letter(txn, context, Rejection("order_incomplete", word=word, how=how))
        return
    facts: Facts = {"word": word, "near": list(near), "alone": words.answers(word), "how": how}
    refuse_letter(txn, context, Rejection("unknown_order", **facts))


def _tell_bearings(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Show the board and the words that work, or the list of matches; in short the second time.

    MAIL 4: every letter of a player is answered, but for the fourth of an hour that has no order.
    """
    require(context, Power.READ)
    match = txn.match(context.home) if context.home is not None else None
    if not answers_no_order(txn):
        return False
    brief = not rest.of_game and _told_before(txn, match)
    txn.code = "no_orders"
    txn.answer(
        NoOrderFound(
            match=context.home,
            text=bool(rest.lines),
            mentioned=tuple(hinted(context, rest)),
            waits=ask_again(txn, context),
            card=card_of(txn, context.home),
            brief=brief,
        )
    )
    if match is None and not brief and context.own_matches(OPEN):
        list_games(txn, boards=False)
    return True


def tell_wanted(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Tell the order for what a letter asks for in words, whose move is none; False if it is open.

    Whoever asks for their move back may name it, and it is nobody's fault of notation.
    """
    return bool(rest.wanted) and not txn.has_news and _tell_bearings(txn, context, rest)


def _told_before(txn: Transaction, match: Match | None) -> bool:
    """Whether the sender has been told all this, and nothing has been played since."""
    stream = match_stream(match.id) if match is not None else None
    mail = outbox.newest_of_kind(txn.conn, txn.sender, BEARINGS, stream)
    if mail is None:
        return False
    if match is None:
        return abs(txn.now - mail.queued_at) < AGAIN
    then = match_at(txn.conn, match.id, mail.version, txn.house.cache).match
    return (then.status, then.ply, then.taken_back) == (match.status, match.ply, match.taken_back)
