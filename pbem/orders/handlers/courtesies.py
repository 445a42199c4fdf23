"""Orders about the others beside the board: time for them, pauses, complaints, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.mail.addresses import message_id, without_tags
from pbem.mail.verbs import courtesy_orders as orders
from pbem.matches import courtesies, table
from pbem.matches.clocks import HOUR
from pbem.matches.courtesies import TimeGiven
from pbem.matches.steps import StepKind
from pbem.matches.unfolding import Unfolding
from pbem.names import Digest, MatchId, is_bot
from pbem.notices.codec import dump
from pbem.notices.personal import ReportReceived
from pbem.orders.context import match_of
from pbem.orders.handlers.conditions import among
from pbem.orders.handlers.second_thoughts import cut_of
from pbem.orders.order_table import carries_out
from pbem.orders.powers import Power
from pbem.players import decide
from pbem.store.mails import outbox
from pbem.store.mails.outbox import QueuedMail
from pbem.store.people import rates, roster
from pbem.transaction.limits import A_DAY, require_few_courtesies
from pbem.transaction.timers import PAUSE, QUESTIONS_LIVE

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.orders.context import LetterContext
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

_MYSELF: Final = ("me", "us", "myself", "mir", "uns", "mich")
"""Whom somebody means who asks the others for time."""


def _other(txn: Transaction, match: Match, name: str, verb: str) -> PlayerRow:
    """The other who is named, or the only one there is. Raises Rejection."""
    if name:
        return among(txn, match, name)
    seats = (match.player_at(seat) for seat in match.table.playing)
    here = seats if match.table.playing else match.table.players
    others = [one for one in here if one != txn.sender and not is_bot(one)]
    found = roster.player(txn.conn, others[0]) if len(others) == 1 else None
    if found is None:
        raise Rejection("name_missing", verb=verb)
    return found


@carries_out(orders.GiveTime, Power.BIND, in_match=True)
def give_time(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.GiveTime
) -> None:
    """Give another player more time. Raises Rejection."""
    name = match_of(context, typed)
    match = txn.match(name)
    if order.player.casefold() in _MYSELF:
        raise Rejection("gift_refused", why="own_seat")
    other = _other(txn, match, order.player, "give")
    seconds = order.hours * HOUR
    tried = Unfolding(match=match, now=txn.now)
    # What is refused is refused before it counts.
    next(courtesies.give_time(tried, txn.sender, other=other.id, seconds=seconds))
    require_few_courtesies(txn, f"give-{name}")
    after = txn.decide(name, courtesies.give_time, txn.sender, other=other.id, seconds=seconds)
    given = next(
        step.event for step in reversed(after.course.steps) if isinstance(step.event, TimeGiven)
    )
    facts: Facts = {
        "name": other.name,
        "seconds": given.seconds,
        "own": given.giver_bank is not None,
    }
    txn.done(typed.typed, "time_given", facts)


# --- reports --------------------------------------------------------------------------------------
# To the operator, with what was said. The event in the reporter's own stream is what nothing loses;
# the mail tells of it, if the operator has an address. Whom it is about never hears of it.

SAID: Final = 10
"""Messages of somebody, the newest, that a report shows."""

REPORTS_A_DAY: Final = 3


@carries_out(orders.Report, Power.TALK, in_match=True)
def report(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Report
) -> None:
    """Tell the operator of another player in the match. Raises Rejection."""
    match = txn.match(match_of(context, typed))
    if order.player:
        other = among(txn, match, order.player, table.heard_of(match, txn.sender))
    else:
        other = _other(txn, match, "", "report")
    require_few_courtesies(txn, "report", REPORTS_A_DAY)
    said = table.said_by(match, other.id)
    txn.decide_player(txn.sender, decide.report, match=match.id, other=other.id, said=len(said))
    received = ReportReceived(
        about=match.id,
        game=match.game.title,
        reporter=txn.sender,
        reported=other.id,
        said=tuple(said[-SAID:]),
    )
    _tell_the_operator(txn, received)
    txn.done(typed.typed, "reported", {"name": other.name, "count": len(said[-SAID:])})


def _tell_the_operator(txn: Transaction, notice: ReportReceived) -> None:
    contact, keys = txn.house.settings.site.contact, txn.house.keys
    if not contact:
        return
    key = f"{txn.cause}:report-{notice.about}-{notice.reported}:operator"
    mail = QueuedMail(
        key=key,
        message_id=message_id(keys, cause=key, domain=txn.house.domain),
        recipient=None,
        to_address=contact,
        kind="alert",
        notices=dump([notice]),
    )
    outbox.queue(txn.conn, [mail], txn.now)


# --- comments -------------------------------------------------------------------------------------
# Of the moves of a match that is over, for all who may see it.

COMMENT: Final = 1_000
"""Characters of a comment: it stands beside a board."""

COMMENTS_A_DAY: Final = 20
"""Of one person on one match."""


@carries_out(orders.Comment, Power.TALK, in_match=True)
def comment(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Comment
) -> None:
    """Say something of a move, or of the match; no token of anybody goes with it."""
    name = match_of(context, typed)
    match = txn.match(name)
    table.require_open_to_comments(match)
    if not order.text:
        raise Rejection("text_missing", verb="comment")
    if len(order.text) > COMMENT:
        raise Rejection("text_too_long", most=COMMENT)
    ply = order.ply if order.ply is None else Ply(order.ply)
    tried = Unfolding(match=match, now=txn.now)
    next(table.comment(tried, txn.sender, ply=ply, text=Digest("")))  # what is refused
    bucket = f"comment-{name}:{txn.sender}"
    if not rates.take(txn.conn, bucket, now=txn.now, capacity=COMMENTS_A_DAY, per=A_DAY):
        raise Rejection("too_many_comments", limit=COMMENTS_A_DAY, daily=True)
    text = txn.seal(without_tags(txn.house.keys, order.text))
    after = txn.decide(name, table.comment, txn.sender, ply=ply, text=text)
    steps = after.course.steps
    moves = (one.text for one in steps if one.kind is StepKind.MOVE and one.ply == ply)
    readers = (*after.others(txn.sender), *after.table.watchers)
    facts: Facts = {
        "ply": -1 if ply is None else ply,
        "move": next(moves, ""),
        "game": after.game.key,
        "heard": any(not is_bot(one) for one in readers if one != txn.sender),
    }
    txn.done(typed.typed, "commented", {**facts, **cut_of(typed)})


# --- pauses ---------------------------------------------------------------------------------------


@carries_out(orders.Pause, Power.BIND, in_match=True)
def pause(txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Pause) -> None:
    """Ask for a pause, or agree to the one that another asked for. Raises Rejection."""
    name = match_of(context, typed)
    before = txn.match(name)
    asks = before.pending.pause is None
    if asks:
        tried = Unfolding(match=before, now=txn.now)
        next(courtesies.pause(tried, txn.sender, days=order.days))  # what is refused is not counted
        require_few_courtesies(txn, f"pause-{name}")
    after = txn.decide(name, courtesies.pause, txn.sender, days=order.days)
    if asks:
        _ask_the_others(txn, after)
    _account(txn, typed, after)


def _ask_the_others(txn: Transaction, match: Match) -> None:
    """A question to each of those who have not agreed, which `yes` and `no` answer."""
    asked = match.pending.pause
    for seat in courtesies.still_asked(match):
        player = match.player_at(seat)
        rates.ask(
            txn.conn,
            # The part before the last colon is the cause of the mail that asks it.
            f"{txn.cause}:{PAUSE}-{match.id}-{player}",
            player=player,
            kind=PAUSE,
            facts={
                "match": match.id,
                "ply": match.course.ply,
                "version": asked.version if asked is not None else 0,
            },
            expires_at=txn.now + QUESTIONS_LIVE,
        )


def _account(txn: Transaction, typed: TypedOrder, match: Match) -> None:
    paused = match.pending.paused
    if paused is not None:
        txn.done(typed.typed, "paused", {"until": paused.until.isoformat()})
        return
    asked = match.pending.pause
    own = asked is not None and match.player_at(asked.seat) == txn.sender
    days = asked.days if asked is not None else 0
    txn.done(typed.typed, "pause_asked" if own else "pause_accepted", {"days": days})


def answer_pause(txn: Transaction, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Agree to the pause that was asked for, or not. Raises Rejection."""
    after = txn.decide(match, courtesies.answer_pause, txn.sender, accept=accept)
    if accept:
        _account(txn, typed, after)
    else:
        txn.done(typed.typed, "pause_declined")


@carries_out(orders.Resume, Power.BIND, in_match=True)
def resume(txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.Resume) -> None:
    """Let the clocks run again, or ask for no pause any more. Raises Rejection."""
    name = match_of(context, typed)
    stood = txn.match(name).pending.paused is not None
    txn.decide(name, courtesies.resume, txn.sender)
    txn.done(typed.typed, "resumed" if stood else "pause_withdrawn")
