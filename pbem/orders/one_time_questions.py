"""One-time questions: each is a mail of its own, and answered at the address of that mail alone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.errors import Rejection
from pbem.notices import codec
from pbem.notices.replies import OrderRefused
from pbem.store.people import questions
from pbem.store.people.questions import Question
from pbem.transaction.dispatch import ONE_TIME, Asked
from pbem.transaction.question_kinds import OF_ORDERS, QUESTIONS_LIVE, RESIGNATION
from pbem.transaction.rate_limits import asks_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.errors import Facts
    from pbem.names import MatchId
    from pbem.notices.notice import Notice
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


_GRAVE_LIVES: Final = timedelta(days=3)
"""So long what cannot be taken back waits for its yes."""


def ask_once(
    txn: Transaction,
    kind: str,
    facts: Facts,
    *notices: Notice,
    match: MatchId | None = None,
    address: str | None = None,
) -> None:
    """Ask the sender something that is answered at an address of its own, at theirs or at another.

    The address is another for each question, so that a yes that was typed before the question, or
    that answers another mail, never answers it.
    """
    lives = _GRAVE_LIVES if kind in OF_ORDERS else QUESTIONS_LIVE
    question = Question("", txn.sender, kind, dict(facts), txn.now + lives)
    _ask(txn, question, notices, match, address)


def _ask(
    txn: Transaction,
    question: Question,
    notices: Sequence[Notice],
    match: MatchId | None,
    address: str | None,
) -> None:
    name = f"{ONE_TIME}{len(txn.owed.asked)}"
    questions.ask(
        txn.conn,
        f"{txn.cause}:{name}",
        player=txn.sender,
        kind=question.kind,
        facts=cast("Facts", question.facts),
        expires_at=question.expires_at,
    )
    txn.owed.asked.append(Asked(name, match, notices, address))


def require_room(txn: Transaction) -> None:
    """Nobody is asked too often in a day. Raises Rejection `too_many_questions`."""
    if not asks_once(txn):
        raise Rejection("too_many_questions")


def is_one_time(question: Question) -> bool:
    """Whether a question takes nothing but a plain yes to the mail that asks it."""
    return _name(question.key).startswith(ONE_TIME) or question.kind == RESIGNATION


def is_asked_here(context: LetterContext, question: Question) -> bool:
    """Whether the letter came to the very address at which a one-time question was asked."""
    mail = context.answered
    if mail is None or not context.own_token:
        return False
    cause, _, name = mail.key.rpartition(":")
    if cause.rpartition(":")[0] != question.key.rpartition(":")[0]:
        return False
    return name == _name(question.key) or not _name(question.key).startswith(ONE_TIME)


def ask_again(
    txn: Transaction, context: LetterContext, question: Question, *, hint: bool = True
) -> None:
    """Ask once more, at another address; `hint`: say that only a plain yes will do."""
    mail = context.answered
    if mail is None:
        return
    questions.answer(txn.conn, question.key, txn.now)
    refused = [OrderRefused(match=None, typed="", code="yes_alone", facts={})] if hint else []
    asked = (one for one in codec.load(mail.notices) if not isinstance(one, OrderRefused))
    _ask(txn, question, [*refused, *asked], context.home, mail.to_address)


def _name(key: str) -> str:
    return key.rpartition(":")[2]
