"""What `accept` and `decline` speak of: a takeback, a pause, a question, a draw, an invitation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.legacy.mail.free_text import (
    TypedOrder,
    agreed_to,
    agreement,
    confirmation,
    friendly_answer,
    plain_answer,
    says_no,
)
from pbem.legacy.mail.verbs.agreeing import Accept, AnswerDraw, Claim, Decline, OfferDraw, Yes
from pbem.legacy.mail.verbs.own import ChooseWish
from pbem.legacy.mail.verbs.playing import If, Standing, Undo
from pbem.legacy.mail.verbs.talking import Say
from pbem.legacy.mail.verbs.verb import Order
from pbem.legacy.matches import agreements, conditions, timing
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import CLAIMED
from pbem.names import MatchId
from pbem.legacy.notices.replies import QuestionAsked
from pbem.legacy.orders.context import match_of
from pbem.legacy.orders.handlers.challenges import rematch_asked
from pbem.legacy.orders.handlers.courtesies import answer_pause
from pbem.legacy.orders.handlers.playing import decline
from pbem.legacy.orders.handlers.seats import is_stranger, join, take_seat
from pbem.legacy.orders.handlers.second_thoughts import (
    answer_takeback,
    offer_with_held,
    request_meant,
    undo,
)
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.orders.reply_context import (
    drop_question,
    is_one_time,
    notice_answered,
    open_questions,
    settled_question,
)
from pbem.legacy.transaction.player_clocks import require_going
from pbem.legacy.transaction.timers import KEPT, RESIGNATION, TAKEBACK, take_resignation_back

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.legacy.mail.free_text import Reading
    from pbem.legacy.matches.match import Match
    from pbem.names import PlayerId
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- draw offers ---------------------------------------------------------------------------------
# Orders about draws by agreement, and decisions in advance.


@carries_out(OfferDraw, Power.BIND, in_match=True)
def offer_draw(txn: Transaction, context: LetterContext, typed: TypedOrder, _: OfferDraw) -> None:
    """Offer a draw, or accept the one that was offered; with a held move it goes out."""
    match = match_of(context, typed)
    if offer_with_held(txn, typed, match):
        return
    after = txn.decide(match, agreements.offer_draw, player=txn.sender)
    if after.course.steps and after.course.steps[-1].text == CLAIMED:
        txn.done(typed.typed, "draw_claimed")
    else:
        txn.done(typed.typed, "draw_offered" if after.status is Status.RUNNING else "draw_accepted")


@carries_out(AnswerDraw, Power.BIND, in_match=True)
def answer_draw(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: AnswerDraw
) -> None:
    """Accept or decline the draw that was offered, by a word that says so."""
    agree_to_draw(txn, typed, match_of(context, typed), accept=order.accept)


def agree_to_draw(txn: Transaction, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Accept or decline the draw that was offered."""
    txn.decide(match, agreements.answer_draw, player=txn.sender, accept=accept)
    txn.done(typed.typed, "draw_accepted" if accept else "draw_declined")


def is_playing(context: LetterContext, match: MatchId) -> bool:
    """Whether `accept` and `decline` speak of a draw: the match runs, and its rules have offers."""
    found = context.matches.match(match)
    return found.status is Status.RUNNING and found.game.draw_offers(found.terms.options)


@carries_out(Standing, Power.BIND, in_match=True)
def give_standing_order(
    txn: Transaction, context: LetterContext, typed: TypedOrder, said: Standing
) -> None:
    """Keep a decision in advance; only its giver and the rules may see it."""
    match, text = match_of(context, typed), said.text
    order = txn.match(match).game.standing(text)
    if order is None:
        raise Rejection("unknown_order", word=text, near=[])
    digest = txn.seal(order)
    txn.learn(match, {digest: order})
    txn.decide(match, conditions.give_standing_order, txn.sender, sealed=digest)
    game = txn.match(match).game.key
    txn.done(typed.typed, "standing", {"order": order, "game": game})


@carries_out(Claim, Power.BIND, in_match=True)
def claim(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Claim) -> None:
    """Wait no longer for who is late."""
    match = match_of(context, typed)
    require_going(txn, match)  # whose time is over could not move either
    txn.decide(match, timing.claim_time, player=txn.sender)
    txn.done(typed.typed, "claimed")


def moves_first(context: LetterContext, typed: Iterable[TypedOrder]) -> list[TypedOrder]:
    """A draw offered beside a turn is offered after it: the turn would end the offer (LL-4.3).

    Conditions speak of what follows the turn. Where the turn is held, so is what is said beside it.
    A wish beside a yes comes after it: a language has an invitation that still waits told in it.
    """
    typed = list(typed)
    after: tuple[type[Order], ...] = (OfferDraw, If)
    if context.window:
        after = (*after, Say)
    if any(isinstance(one.order, Yes | Accept) for one in typed):
        after = (*after, ChooseWish)
    return sorted(typed, key=lambda order: isinstance(order.order, after))


# --- accepting -----------------------------------------------------------------------------------


def accept_or_decline(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    order: Accept | Decline,
) -> None:
    """Carry out the order for what was asked last. Raises Rejection."""
    if isinstance(order, Accept) and _takes_seat(txn, context, typed, order):
        return
    accept = isinstance(order, Accept)
    asked = open_questions(context) if typed.match is None else []
    meant = request_meant(txn, context, typed)
    if meant is not None:
        answer = answer_takeback if meant[0] == TAKEBACK else answer_pause
        answer(txn, typed, meant[1], accept=accept)
        return
    if not accept and asked and asked[0].kind == RESIGNATION:
        here = MatchId(str(asked[0].facts["match"]))
        if take_resignation_back(txn, typed, here):
            return
    if not accept and asked and asked[0].kind == KEPT:
        undo(txn, context, typed, Undo())
        return
    if not accept and typed.match is None and drop_question(txn, context):
        txn.done(typed.typed, "dropped")
        return
    if typed.match is None and not _is_asked_otherwise(context):
        settled = settled_question(context)
        if settled is not None:
            raise settled
    _about_seat(txn, context, typed, order)


carries_out(Accept, Power.BIND, of_seat=True)(accept_or_decline)
carries_out(Decline, Power.BIND, of_seat=True)(accept_or_decline)


def _about_seat(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    order: Accept | Decline,
) -> None:
    """Nothing else was asked: it is a draw, or the seat that one is invited to."""
    match = match_of(context, typed)
    if is_playing(context, match):
        agree_to_draw(txn, typed, match, accept=isinstance(order, Accept))
    elif isinstance(order, Accept):
        take_seat(txn, context, typed, match, order.words, colour=order.colour)
    else:
        ended = txn.match(match).status is Status.ENDED
        again = rematch_asked(txn, match) if ended else None
        # In a match that is over nothing else is left to decline.
        decline(txn, context, replace(typed, match=again) if again is not None else typed)


def _takes_seat(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Accept) -> bool:
    """Take an open seat by the match's name, or one with a colour: that can mean nothing else."""
    if typed.match is not None and is_stranger(txn, typed.match):
        join(txn, context, typed, typed.match, order.words, colour=order.colour)
        return True
    if order.colour:
        match = match_of(context, typed)
        take_seat(txn, context, typed, match, order.words, colour=order.colour)
    return bool(order.colour)


def _is_asked_otherwise(context: LetterContext) -> bool:
    """Whether an invitation or a draw offer waits for an answer where the letter was sent to."""
    match = context.matches.match(context.home) if context.home is not None else None
    if match is None or match.pending.offer is None:
        return match is not None and match.status is Status.CHALLENGE
    return match.seat_of(context.sender) not in (
        match.pending.offer.seat,
        *match.pending.offer.accepted,
    )


def friendly(context: LetterContext, reading: Reading) -> Reading | None:
    """An answer to an invitation may stand in a sentence."""
    match = context.matches.match(context.home) if context.home is not None else None
    if match is not None and match.status is Status.RUNNING:
        return _answers(context, reading, match)
    if (
        match is None
        or match.status is not Status.CHALLENGE
        or match.table.challenger == context.sender
    ):
        return None
    words, lines = context.matches.house.words, reading.comments
    colours = match.game.colours is not None
    found = friendly_answer(lines, words, colours=colours)
    if found is None and context.sender in match.waiting_for:
        said = plain_answer(lines, words, context.names(match), beside=True, colours=colours)
        found = (said, next(line for line in lines if line.strip())) if said is not None else None
    if found is None:
        return None
    order, line = found
    return replace(reading, orders=(TypedOrder(order=order, typed=line),), near_misses=())


def _answers(context: LetterContext, reading: Reading, match: Match) -> Reading | None:
    """A draw, a takeback or a pause may be answered in a sentence, as in `No. Touch move!`."""
    if not is_asked(context.sender, match):
        return None
    names, lines = context.names(match), reading.comments
    line = next((one for one in lines if says_no(one, names)), None)
    order: Accept | Decline | None = Decline()
    if line is None:
        order = agreed_to(
            lines, context.matches.house.words, names, draw=match.pending.offer is not None
        )
        line = next(iter(lines), "")
    if order is None:
        return None
    return replace(reading, orders=(TypedOrder(order=order, typed=line),), near_misses=())


def is_asked(player: PlayerId, match: Match) -> bool:
    """Whether another at the table asks a player for a yes or a no."""
    seat = match.seat_of(player)
    return seat is not None and any(one != seat for one in match.pending.asking)


def agreed(context: LetterContext, reading: Reading) -> Reading | None:
    """A question of ours may be answered in a sentence that says nothing but yes."""
    asked = open_questions(context) if context.answered is not None else []
    if not asked or is_one_time(asked[0]):
        return None  # MAIL 3: only a plain yes is a consent
    line = agreement(reading.comments, context.matches.house.words, asked[0].kind)
    said = notice_answered(context, QuestionAsked)
    if line is None and said is not None and said.question == "move" and said.match is not None:
        names = context.names(context.matches.match(said.match))
        line = confirmation(reading.comments, names)
    return _as_yes(reading, line) if line is not None else None


def _as_yes(reading: Reading, line: str) -> Reading:
    return replace(reading, orders=(TypedOrder(order=Yes(), typed=line),), near_misses=())
