"""What a reader has decided for the case that the others play so; for that reader's eyes alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.games.game import Seat
from pbem.matches.conditions.conditions import ANY, RESIGN, standing, void_because
from pbem.matches.conditions.supposing import Ply, Supposed, lines, supposed
from pbem.matches.match import Match, Status, StepKind
from pbem.notices.views.accounts import Plan, PlanLine, Told
from pbem.notices.views.clean import clean
from pbem.notices.views.matches import name_of
from pbem.notices.views.scene import Scene

LINE: Final = 500
"""Characters of one conditional order that are shown."""


def plan_of(match: Match, you: Seat | None) -> Plan:
    """The conditions of the reader's seat that stand, or why they became void."""
    if you is None or match.status is not Status.RUNNING:
        return Plan()
    void = void_because(match, you)
    return Plan(
        orders=tuple(clean(line, LINE) for line in lines(standing(match, you))),
        void=void.reason if void is not None else "",
        answer=clean(void.answer, LINE) if void is not None else "",
    )


def plan_lines(match: Match, you: Seat, scene: Scene) -> tuple[PlanLine, ...]:
    """Every condition and answer of the reader's seat, told in the words of the game."""
    return tuple(_lines(supposed(match, you), match, you, scene, first="if"))


def _lines(
    branches: Sequence[Supposed], match: Match, you: Seat, scene: Scene, *, first: str
) -> Iterator[PlanLine]:
    for branch in branches:
        whatever = branch.branch.conditions == (ANY,)
        for number, ply in enumerate(branch.conditions):
            word = "and" if number else first
            if whatever:
                word = "whatever" if first == "if" else "whatever_after"
            yield _line(word, ply, match, you, scene)
        word = "resign" if branch.answer.text == RESIGN else "then"
        yield _line(word, branch.answer, match, you, scene)
        yield from _lines(branch.then, match, you, scene, first="after")


def _line(word: str, ply: Ply, match: Match, you: Seat, scene: Scene) -> PlanLine:
    text = clean(ply.text, LINE)
    name = name_of(match.player_at(ply.seat), scene) if ply.seat is not None else ""
    if ply.move is None:
        return PlanLine(word, text, name, anything=ply.text == ANY)
    kind = StepKind.DRAW if ply.seat is None else StepKind.MOVE
    told = Told(
        kind=kind.value,
        ply=0,
        seat=ply.seat or 0,
        name=name,
        you=ply.seat == you,
        notation=match.game.notation(ply.move) if kind is StepKind.MOVE else text,
        facts=match.game.facts(ply.move, ply.before, ply.after),
        forced=False,
        standing=False,
        proof=None,
    )
    return PlanLine(word, text, name, told)
