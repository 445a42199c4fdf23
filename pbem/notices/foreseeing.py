"""The mail that a move would cause, for whoever tries it: nothing is drawn, no secret is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.match import Match, Step, StepKind
from pbem.notices import matches as seen
from pbem.notices.telling import Foreseen

if TYPE_CHECKING:
    from pbem.notices.scene import Reader, Scene

FORCED: Final = 20
"""Forced plies after a move that are looked at."""


def foreseen(
    match: Match,
    reader: Reader,
    scene: Scene,
    *,
    move: Any,
    after: Any,
    seat: Seat,
) -> Foreseen:
    """What would be sent after a move of the reader's, who is shown the position after it."""
    then = _with_forced(_stepped(match, move, after, seat, forced=False))
    match then.game.turn(then.position):
        case Over(outcome):
            return Foreseen(kind="over", winners=_winners(then, outcome, scene))
        case Chance():
            return Foreseen(kind="drawn")
        case Seats(seats) if seat in seats:
            return Foreseen(kind="own")
        case Seats(seats):
            return _prompt(then, seats[0], reader, scene, as_shown=then.position == after)


def _prompt(then: Match, seat: Seat, reader: Reader, scene: Scene, *, as_shown: bool) -> Foreseen:
    hides = then.game.secrets
    # What is public is the same for all; of a game with secrets a spectator's view is.
    theirs = seen.sight(then, then.position, then.ply, None if hides else seat, reader)
    samples = () if hides else seen.samples(theirs.facts)
    others = [one for one in then.playing if one != seat]
    return Foreseen(
        kind="prompt",
        name=seen.name_of(then.player_at(seat), scene),
        others=tuple(seen.name_of(then.player_at(one), scene) for one in others),
        example=samples[0] if samples else "",
        since=seen.told(then, seen.after_own_ply(then, seat), scene, seat),
        sight=None if as_shown and not hides else theirs,
    )


def _winners(then: Match, outcome: Outcome, scene: Scene) -> tuple[str, ...]:
    placed = zip(outcome.placings, then.players, strict=True)
    return tuple(seen.name_of(player, scene) for place, player in placed if place == 1)


def _with_forced(match: Match) -> Match:
    """The match after what the server would play by itself, as far as that is public."""
    for _ in range(FORCED):
        turn = match.game.turn(match.position)
        move = None
        if isinstance(turn, Seats) and not match.game.secrets:
            move = match.game.forced(match.position)
        if move is None or not isinstance(turn, Seats):
            return match
        after = match.game.play(match.position, move)
        match = _stepped(match, move, after, turn.seats[0], forced=True)
    return match


def _stepped(match: Match, move: Any, after: Any, seat: Seat, *, forced: bool) -> Match:
    ply = Ply(match.ply + 1)
    step = Step(
        kind=StepKind.MOVE,
        ply=ply,
        seat=seat,
        text=match.game.notation(move),
        before=match.position,
        after=after,
        move=move,
        forced=forced,
    )
    return replace(match, position=after, ply=ply, steps=(*match.steps, step))
