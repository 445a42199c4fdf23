"""What `yes` does: each kind of question is answered in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from pbem.errors import Rejection
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.free_text import TypedOrder, alike
from pbem.legacy.mail.verbs.agreeing import Accept
from pbem.legacy.mail.verbs.own import ChooseWish, Rename
from pbem.legacy.mail.verbs.playing import Move, Now
from pbem.legacy.mail.verbs.seats import Join
from pbem.legacy.mail.verbs.talking import Comment, Note, Say
from pbem.legacy.matches import resigning
from pbem.legacy.matches.match import Status
from pbem.names import MatchId
from pbem.legacy.notices.courtesies import DrawProposed
from pbem.legacy.notices.news import Invitation
from pbem.legacy.notices.replies import MovePreviewed, OrderResult
from pbem.legacy.orders.context import LetterContext, refused_in
from pbem.legacy.orders.handlers.courtesies import answer_pause
from pbem.legacy.orders.handlers.playing import ask_about_move
from pbem.legacy.orders.handlers.resigning import order_asked, resign_for_good
from pbem.legacy.orders.handlers.second_thoughts import answer_takeback, play_now
from pbem.legacy.orders.handlers.wishes import TEST, keep_what_is_seen
from pbem.legacy.orders.order_table import TABLE, carry_out, mark_of_seat
from pbem.legacy.orders.powers import Power, require
from pbem.legacy.orders.reply_context import (
    asks,
    is_one_time,
    notice_answered,
    open_questions,
    settle,
    settled_question,
)
from pbem.legacy.store.people.rates import Question
from pbem.legacy.transaction.limits import asks_about_doubts_again
from pbem.legacy.transaction.timers import DOUBTED, KEPT, PAUSE, REGISTRATION, RESIGNATION, TAKEBACK
from pbem.legacy.transaction.transaction import Transaction


def refuse(
    txn: Transaction, context: LetterContext, typed: TypedOrder, rejection: Rejection
) -> None:
    """Account for an order that was refused, in its match."""
    rejection = _with_choices(txn, context, typed, rejection)
    of_seat = rejection.code == "another_match" or TABLE[type(typed.order)].of_seat
    txn.refuse(typed.typed, rejection, refused_in(context, typed), of_seat=of_seat)


def _with_choices(
    txn: Transaction, context: LetterContext, typed: TypedOrder, rejection: Rejection
) -> Rejection:
    """The refusal of a move with the legal moves that it may be a part of, among its facts.

    They are those of the position as the seat knows it; other refusals say which moves they mean.
    """
    name = refused_in(context, typed)
    if not isinstance(typed.order, Move) or name is None or "candidates" in rejection.facts:
        return rejection
    try:
        match = txn.match(name)
    except Rejection:
        return rejection  # a code that no match has: this is what was refused
    seat, game = match.seat_of(txn.sender), match.game
    if seat is None or seat not in match.to_act:
        return rejection
    position = game.known(match.course.position, seat)
    legal = map(game.notation, game.legal(position))
    choices = alike(typed.order.text, legal, game.keywords)
    return Rejection(rejection.code, **{**rejection.facts, "choices": choices})


def _yes_to_notice(
    txn: Transaction, context: LetterContext, typed: TypedOrder, *, alone: bool
) -> None:
    """An invitation asks as well, and so does who offers a draw; people answer it with yes.

    Beside a move an `ok` is small talk, and ends no match.
    """
    home = context.home
    invited = home is not None and txn.match(home).status is Status.CHALLENGE
    offered = alone and asks(context, DrawProposed)
    if home is None or not (invited or offered or asks(context, Invitation)):
        previewed = notice_answered(context, MovePreviewed)
        if previewed is not None:
            # PLAY 2: a preview asks nothing; what plays its move is the move.
            raise Rejection("only_previewed", move=previewed.notation)
        raise settled_question(context) or Rejection("nothing_to_confirm")
    carry_out(txn, context, replace(typed, order=Accept("")))


def say_yes(
    txn: Transaction, context: LetterContext, typed: TypedOrder, *, alone: bool = True
) -> None:
    """The answer to the question of the mail that is replied to, or else to the newest.

    `alone`: the letter has no other order.
    """
    asked = open_questions(context)
    if not asked:
        _yes_to_notice(txn, context, typed, alone=alone)
        return
    question = asked[0]
    if is_one_time(question) and not context.consent:
        raise Rejection("yes_alone")
    require(context, _NEEDS.get(question.kind, Power.BIND))
    settle(txn, question)
    order = order_asked(question)
    if order is not None:
        context.proof = Proof.QUESTION
        carry_out(txn, context, replace(typed, order=order))
    elif question.kind in _ANSWERS:
        told = len(txn.results)
        _ANSWERS[question.kind](txn, context, typed, question)
        if question.facts.get("match") == context.home:
            mark_of_seat(txn, told)
    else:
        _carry_out_held(txn, context, question)
        if question.kind == DOUBTED:
            asks_about_doubts_again(txn)
            for line in later_lines(question.facts):
                late = OrderResult(typed=line, status="skipped", outcome="came_later")
                txn.results.append(late)


def later_lines(facts: Mapping[str, object]) -> tuple[str, ...]:
    """What came in the player's name after a question was asked, as that question keeps it."""
    lines = facts.get("later")
    return tuple(map(str, lines)) if isinstance(lines, list) else ()


_NEEDS: Final[Mapping[str, Power]] = {
    "resign": Power.IRREVOCABLE,
    RESIGNATION: Power.IRREVOCABLE,
    REGISTRATION: Power.MOVE,  # or a move that only may have been meant
    KEPT: Power.MOVE,
    TEST: Power.WISHES,
}
"""What a yes needs that binds to nothing, or to more, by the kind of its question."""


def _resign(txn: Transaction, _: LetterContext, typed: TypedOrder, question: Question) -> None:
    match = MatchId(str(question.facts["match"]))
    after = txn.decide(match, resigning.resign, player=txn.sender)
    txn.done(typed.typed, "resigned", {"label": f"{after.game.title} {match}"})


def _resign_for_good(
    txn: Transaction, _: LetterContext, typed: TypedOrder, question: Question
) -> None:
    resign_for_good(txn, typed, question)


def _take_back(txn: Transaction, _: LetterContext, typed: TypedOrder, question: Question) -> None:
    answer_takeback(txn, typed, MatchId(str(question.facts["match"])), accept=True)


def _pause(txn: Transaction, _: LetterContext, typed: TypedOrder, question: Question) -> None:
    answer_pause(txn, typed, MatchId(str(question.facts["match"])), accept=True)


def _let_go(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Question) -> None:
    play_now(txn, context, typed, Now())


def _keep_what_is_seen(
    txn: Transaction, context: LetterContext, typed: TypedOrder, _: Question
) -> None:
    keep_what_is_seen(txn, context, typed)


_Answer: TypeAlias = Callable[[Transaction, LetterContext, TypedOrder, Question], None]

_ANSWERS: Final[Mapping[str, _Answer]] = {
    "resign": _resign,
    RESIGNATION: _resign_for_good,
    TAKEBACK: _take_back,
    PAUSE: _pause,
    KEPT: _let_go,
    TEST: _keep_what_is_seen,
}
"""What `yes` does to questions of each kind; all others hold a letter that is carried out now."""


_SAID_ANYWAY: Final = (Rename, ChooseWish)
"""What needs no account in a first mail: it is in that language, and says how one is called."""


def _carry_out_held(txn: Transaction, context: LetterContext, question: Question) -> None:
    """What the letter of before says was read together with the `yes` to it."""
    held = context.held.get(question.key)
    if held is None:
        return
    if held.rejection is not None:
        raise held.rejection
    for move in held.asked:
        ask_about_move(txn, context, move)
    for number, order in enumerate(held.todo):
        told = len(txn.results)
        try:
            carry_out(txn, context, order)
            if question.kind == REGISTRATION and isinstance(order.order, _SAID_ANYWAY):
                del txn.results[told:]
        except Rejection as rejection:
            refuse(txn, context, order, rejection)  # what was held is quoted, and not the yes
            go_on_without(txn, context, order, held.todo[number + 1 :])
            return


def go_on_without(
    txn: Transaction, context: LetterContext, failed: TypedOrder, rest: Sequence[TypedOrder]
) -> None:
    """Account for the orders behind one that failed: none is looked at.

    But what is said, or noted, beside a move that failed does not hang on it, and is carried out,
    and no comment hangs on another one, nor does a seat on what its player wants to be called.
    """
    for typed in rest:
        match failed.order:
            case Move():
                independent = isinstance(typed.order, Say | Note | Comment)
            case Comment():  # on another move
                independent = isinstance(typed.order, Comment)
            case Rename():
                independent = isinstance(typed.order, Join)
            case _:
                independent = False
        if not independent:
            txn.skip(typed.typed, of_seat=TABLE[type(typed.order)].of_seat)
            continue
        try:
            carry_out(txn, context, typed)
        except Rejection as rejection:
            refuse(txn, context, typed, rejection)
