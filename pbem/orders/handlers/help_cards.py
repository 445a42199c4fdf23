"""The few words that `help` names: those that somebody needs where they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.matches.match import Match, Status, StepKind
from pbem.names import is_bot

if TYPE_CHECKING:
    from pbem.names import MatchId, PlayerId
    from pbem.transaction.transaction import Transaction

_ALWAYS: Final = ("games", "new", "help all")
_ALONE: Final = ("bot", "new", "games", "rules logger", "settings", "stop", "help all")


def card_of(txn: Transaction, name: MatchId | None) -> tuple[str, ...]:
    """The words for a match, or for who writes outside of any; a card names what works."""
    match = txn.match(name) if name is not None else None
    if match is None:
        return _ALONE
    player = txn.sender
    if player in match.watchers:
        return ("board", "history", "unwatch", "rules", *_ALWAYS)
    if player not in match.players:
        return _ALONE
    match match.status:
        case Status.CHALLENGE if player not in match.waiting_for:
            return ("decline", "rules", *_ALWAYS)
        case Status.CHALLENGE:
            return ("accept", "decline", "rules", *_ALWAYS)
        case Status.RUNNING:
            talk = _talk(match, player)
            undo = ("undo",) if _has_moved(match, player) else ()
            return ("move", "board", "rules", *undo, *talk, "away", "resign", *_ALWAYS)
        case Status.ENDED:
            return ("rematch", "replay", "record", *_talk(match, player), *_ALWAYS)
        case _:
            return _ALONE


def _has_moved(match: Match, player: PlayerId) -> bool:
    seat = match.seat_of(player)
    return seat in match.held or any(
        step.kind is StepKind.MOVE and step.seat == seat for step in match.steps
    )


def _talk(match: Match, player: PlayerId) -> tuple[str, ...]:
    read = match.watchers or any(not is_bot(one) for one in match.players if one != player)
    return ("say",) if read else ()
