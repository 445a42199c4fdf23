"""Who has played a match to its end, and who has won it."""

from __future__ import annotations

from pbem.games.game import Seat
from pbem.matches.events import SeatTimedOut
from pbem.matches.match import Match
from pbem.matches.steps import Step, StepKind
from pbem.names import PlayerId, is_bot


def finished_well(match: Match) -> tuple[PlayerId, ...]:
    """The people whom an ended match gives room for one more, if it was with other people.

    Who lost, or ended it by resigning, has finished it as well as who won. Who ran out of time has
    not, nor who left while the others played on.
    """
    people = [player for player in match.players if not is_bot(player)]
    if len({*people, *match.table.stood_in_for}) < 2:  # noqa: PLR2004 - bots alone are nobody
        return ()
    away = [step.seat for step in match.steps if _abandons(match, step)]
    return tuple(player for player in people if match.seat_of(player) not in away)


def results(match: Match) -> dict[PlayerId, bool]:
    """Whether each of the people has won a match that counts in standings; nobody if it does not.

    Those count that have ended, that anybody may look at, and that two people sat in. Where all
    share the first place nobody has won, and whoever went while others played on has not.
    """
    if match.outcome is None or not match.is_public:
        return {}
    placings = match.outcome.placings
    placed = {match.player_at(Seat(seat)): place for seat, place in enumerate(placings, 1)}
    is_shared = set(placings) == {1}
    won = dict.fromkeys(match.table.stood_in_for, False)
    for player, place in placed.items():
        if not is_bot(player):
            won[player] = place == 1 and not is_shared
    return won if len(won) > 1 else {}


def _abandons(match: Match, step: Step) -> bool:
    if step.kind is not StepKind.LEFT:
        return False
    return isinstance(step.event, SeatTimedOut) or match.game.outcome(step.after) is None
