"""How draws, moves and takebacks change a match; `evolve` is made of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pbem.games.game import Drawn
from pbem.matches.clocks.clock import moved
from pbem.matches.conditions.conditions import without
from pbem.matches.copies import replace
from pbem.matches.operator_events import MatchRolledBack
from pbem.matches.second_thoughts.takeback_requests import gone_back
from pbem.matches.steps import UNDONE, Lapsed, Played, Status, Step, StepKind
from pbem.matches.table.leaving import after_turn

if TYPE_CHECKING:
    from pbem.matches.events import ChanceDrawn, ChanceSealed, MovePlayed
    from pbem.matches.match import Match
    from pbem.matches.second_thoughts.undo_events import TakebackGranted


def drawn(match: Match, event: ChanceDrawn) -> Match:
    """The match after a draw in the open."""
    draws = (*match.draws, event)
    if match.status is not Status.RUNNING:  # the draw of the seats: MatchStarted has its outcome
        return replace(match, draws=draws)
    values = Drawn(event.values)
    after = match.game.play(match.position, values)
    step = Step(
        kind=StepKind.DRAW,
        ply=event.ply,
        seat=None,
        text=match.game.chance_notation(match.position, values),
        before=match.position,
        after=after,
        players=match.players,
        move=values,
        drawn=event,
    )
    return after_turn(replace(match, draws=draws, position=after, steps=(*match.steps, step)))


def sealed(match: Match, event: ChanceSealed) -> Match:
    """The match after a draw in secret, whose text must be known."""
    values = Drawn(sealed_values(match.secrets[event.sealed]))
    after = match.game.play(match.position, values)
    step = Step(
        kind=StepKind.DRAW,
        ply=event.ply,
        seat=None,
        text="",
        before=match.position,
        after=after,
        players=match.players,
        move=values,
    )
    draws = (*match.sealed, event)
    return after_turn(replace(match, sealed=draws, position=after, steps=(*match.steps, step)))


def sealed_values(text: str) -> tuple[int, ...]:
    """The outcome in the sealed text of a secret draw."""
    return tuple(json.loads(text)["values"])


def played(match: Match, event: MovePlayed, known: Played | None) -> Match:
    """The match after a ply; what is `known` of its move is not found out again."""
    if known is None:
        known = Played(match.game.read(event.notation, match.position))
    move, after = known.move, known.after
    if after is None:
        after = match.game.play(match.position, move)
    step = Step(
        kind=StepKind.MOVE,
        ply=event.ply,
        seat=event.seat,
        text=event.notation,
        before=match.position,
        after=after,
        players=match.players,
        move=move,
        forced=event.forced,
        standing=event.standing,
        condition=event.condition,
    )
    clocks = moved(match.clocks, event) if match.clocks is not None else None
    made = (*match.made, (int(event.seat), int(event.ply), event.notation, event.letter))
    after_it = replace(
        match,
        position=after,
        ply=event.ply,
        steps=(*match.steps, step),
        made=made,
        clocks=clocks,
        lapsed=match.lapsed if event.forced else without(match.lapsed, event.seat),
    )
    return after_turn(after_it)


def went_back(match: Match, event: TakebackGranted | MatchRolledBack) -> Match:
    """The match as before; what was taken back stays known, and no offer of a draw survives it.

    What was decided in advance was decided for moves that are gone.
    """
    taken, steps = gone_back(match.taken_back, match.steps, event, match.version + 1)
    return replace(
        match,
        position=taken[-1].steps[0].before,
        ply=event.ply,
        steps=steps,
        taken_back=taken,
        offer=None,
        offered=(),
        conditions={},
        lapsed={seat: Lapsed(given, UNDONE) for seat, given in match.conditions.items()},
    )
