"""Orders about the others' time: more of it for one, a pause for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.mail.verbs.agreeing import GiveTime, Pause, Resume
from pbem.legacy.matches import courtesies
from pbem.legacy.matches.clocks import HOUR
from pbem.legacy.matches.courtesies import TimeGiven
from pbem.legacy.matches.unfolding import Unfolding
from pbem.names import MatchId
from pbem.legacy.orders.context import match_of
from pbem.legacy.orders.handlers.talking import among, only_other
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.limits import require_few_courtesies
from pbem.legacy.transaction.timers import PAUSE, QUESTIONS_LIVE

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.match import Match
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction

_MYSELF: Final = ("me", "us", "myself", "mir", "uns", "mich")
"""Whom somebody means who asks the others for time."""


@carries_out(GiveTime, Power.BIND, in_match=True)
def give_time(txn: Transaction, context: LetterContext, typed: TypedOrder, order: GiveTime) -> None:
    """Give another player more time. Raises Rejection."""
    name = match_of(context, typed)
    match = txn.match(name)
    if order.player.casefold() in _MYSELF:
        raise Rejection("gift_refused", why="own_seat")
    playing = [match.player_at(seat) for seat in match.table.playing]
    named = order.player
    other = among(txn, match, named) if named else only_other(txn, playing, "give")
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


# --- pauses ---------------------------------------------------------------------------------------


@carries_out(Pause, Power.BIND, in_match=True)
def pause(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Pause) -> None:
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


@carries_out(Resume, Power.BIND, in_match=True)
def resume(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Resume) -> None:
    """Let the clocks run again, or ask for no pause any more. Raises Rejection."""
    name = match_of(context, typed)
    stood = txn.match(name).pending.paused is not None
    txn.decide(name, courtesies.resume, txn.sender)
    txn.done(typed.typed, "resumed" if stood else "pause_withdrawn")
