"""Resignations that are held: how long, the timer that makes them final, what ends them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.matches.commands import FinishResignation, Undo
from pbem.names import MatchId, PlayerId
from pbem.store import timers
from pbem.store.people import questions
from pbem.transaction.installation import match_stream
from pbem.transaction.question_kinds import RESIGNATION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.errors import Facts
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.matches.second_thoughts.resignations import HeldResignation
    from pbem.transaction.transaction import Transaction


def resign_until(txn: Transaction) -> datetime | None:
    """Until when a resignation of now is held; None: nobody else can write, and nothing is held."""
    hours = txn.house.settings.matches.resign_hours
    return txn.now + timedelta(hours=hours) if hours else None


def set_resignations(txn: Transaction, before: Match, match: Match) -> None:
    """A timer and a question for each resignation that is held now, none for one that was."""
    for seat, held in before.resigning.items():
        now = match.resigning.get(seat)
        if now is None or now.version != held.version:
            timers.cancel(txn.conn, _key(match, held))
    for seat, held in match.resigning.items():
        then = before.resigning.get(seat)
        if then is None or then.version != held.version:
            _wait(txn, match, held)


def _wait(txn: Transaction, match: Match, held: HeldResignation) -> None:
    player = match.player_at(held.seat)
    facts: Facts = {"match": match.id, "player": player, "version": held.version}
    timers.set_timer(
        txn.conn, _key(match, held), held.until, match_stream(match.id), RESIGNATION, facts
    )
    questions.ask(
        txn.conn,
        # The part before the last colon is the cause of the mail that asks it.
        f"{txn.cause}:{RESIGNATION}-{match.id}-{held.seat}",
        player=player,
        kind=RESIGNATION,
        facts=facts,
        expires_at=held.until,
    )


def _key(match: Match, held: HeldResignation) -> str:
    return f"{RESIGNATION}:{match.id}:{held.seat}:{held.version}"


def finish_resignation(txn: Transaction, facts: Mapping[str, object]) -> Match:
    """What was held becomes final. Raises Rejection where it was taken back, or is no more."""
    version = facts["version"]
    command = FinishResignation(
        player=PlayerId(str(facts["player"])),
        version=version if isinstance(version, int) else 0,
    )
    return txn.decide(MatchId(str(facts["match"])), command)


def take_resignation_back(txn: Transaction, typed: TypedOrder, name: MatchId) -> bool:
    """Play on after all, if that is what `undo` means now; False if it is not."""
    match = txn.match(name)
    seat = match.seat_of(txn.sender)
    if seat not in match.resigning:
        return False
    txn.decide(name, Undo(player=txn.sender))
    txn.done(typed.typed, "resignation_undone")
    return True
