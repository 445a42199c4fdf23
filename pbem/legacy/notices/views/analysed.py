"""A match that was looked at, as one reader may see it: who led when, and what decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pbem.legacy.bots.leading import ALL
from pbem.games.drawing.curve import SEATS, Line, curve
from pbem.games.drawing.palette import COLOURS
from pbem.games.game import Marks, Played, Style
from pbem.legacy.matches.steps import ADJUDICATED, VOIDED, StepKind
from pbem.legacy.notices.views.match_parts import AnalysisPart, LeadAt, SideView, Sight, TurnView
from pbem.legacy.notices.views.matches import names_at, shown_in_html, signs_at, with_nobody_to_move

if TYPE_CHECKING:
    from pbem.legacy.bots.analysis import Analysis, Decided, Piece, Side
    from pbem.games.game import Outcome, Signs, Viewpoint, Word
    from pbem.legacy.matches.match import Match
    from pbem.legacy.notices.views.scene import NoticeView, Reader, Scene, Wishes

MOMENTS: Final = 8
"""Times at which is said who leads."""

LUCKY: Final = 3
"""Draws that gave most."""

ALIKE: Final = 30
"""Hundredths of a point within which nobody leads."""

MUCH: Final = 100
"""Hundredths of a point from which on it is luck."""


@dataclass(frozen=True, slots=True)
class Look:
    """Who looks at a match: names and letters of its seats, a viewpoint, wishes."""

    names: tuple[str, ...]
    signs: Signs
    viewpoint: Viewpoint
    wishes: Wishes

    @property
    def named(self) -> dict[int, str]:
        """The names by seat."""
        return dict(enumerate(self.names, 1))


def with_analysis(view: NoticeView, match: Match, reader: Reader, scene: Scene) -> NoticeView:
    """The view of a notice with the analysis of its match."""
    analysis = scene.analyses.get(match.id)
    if analysis is None:
        return view
    names = names_at(match, scene)
    signs = signs_at(match.game, names, scene.seated.get(match.id))
    look = Look(names, signs, match.seat_of(reader.player), reader.wishes)
    return replace(view, listed=replace(view.listed, analysis=analysed(match, analysis, look)))


def analysed(match: Match, analysis: Analysis, look: Look) -> AnalysisPart:
    """What is told of a match that is over."""
    plies = [one.ply for one in analysis.pieces]
    lines = [
        Line(name, colour, [leads[at] for leads in analysis.leads])
        for at, (name, colour) in enumerate(zip(look.names, _colours(match, look), strict=True))
    ]
    draws = partial(_curve, lines, plies, analysis.most)
    pictured = look.wishes.html and look.wishes.pictures != "off"
    return AnalysisPart(
        game=match.game.key,
        names=look.named,
        you=look.viewpoint or 0,
        curve=Sight(match.course.ply, (), {}, picture=draws if pictured else None),
        draws=draws,
        course=tuple(_course(match, analysis, look.named)),
        luck=tuple(_luck(analysis, look.named)),
        turns=tuple(_turn(match, one, look) for one in analysis.turns),
        most=analysis.most,
    )


def _curve(lines: Sequence[Line], plies: Sequence[int], most: int, word: Word) -> str:
    del word  # there are none in it but names
    return curve(lines, plies, most)


def _colours(match: Match, look: Look) -> Iterator[str]:
    """The colour of each seat: its own, or that in which games draw it."""
    facts = match.game.board(match.course.position, None, Style.UNICODE, look.signs).facts
    seats: Any = facts.get("seats") or ()
    own = {seat["seat"]: seat.get("colour") for seat in seats}
    for seat, _ in enumerate(look.names, 1):
        colour = own.get(seat)
        yield colour if colour in COLOURS else SEATS[(seat - 1) % len(SEATS)]


# --- who led -------------------------------------------------------------------------------------


def _course(match: Match, analysis: Analysis, names: Mapping[int, str]) -> Iterator[LeadAt]:
    """Who led at some times, evenly spread, and at the end; what is as before is not said again."""
    pieces = zip(analysis.pieces, analysis.leads, strict=True)
    last = {one.ply: (one, leads) for one, leads in pieces if not one.drawn}
    plies = sorted(last)
    chosen = {len(plies) * at // MOMENTS - 1 for at in range(1, MOMENTS + 1)}
    told = [_lead_at(*last[plies[at]], names) for at in sorted(chosen) if at >= 0]
    if told and match.course.outcome is not None:
        told[-1] = _end(plies[-1], match.course.outcome, names)
    for before, one, after in zip((None, *told), told, (*told[1:], None), strict=False):
        alike = not one.names and after is not None and not after.names and not after.ending
        again = one.won and before is not None and before.won and before.names == one.names
        if one.ending or not (alike or again):
            yield one


def _lead_at(one: Piece, leads: Sequence[int], names: Mapping[int, str]) -> LeadAt:
    """Who led, or all who are in front of others as much as each other, if not all are alike."""
    lead = max(leads)
    least = lead if lead > ALIKE else -ALIKE
    ahead = [seat for seat, own in enumerate(leads, 1) if own >= least]
    named = tuple(names[seat] for seat in ahead) if len(ahead) < len(leads) else ()
    won = len(ahead) == 1 and bool(one.sure) and one.sure[ahead[0] - 1] == ALL
    return LeadAt(one.ply, named, lead, won=won)


def _end(ply: int, outcome: Outcome, names: Mapping[int, str]) -> LeadAt:
    """How it ended, which the board alone does not say where an operator has."""
    first = tuple(names[seat] for seat, place in enumerate(outcome.placings, 1) if place == 1)
    if outcome.termination == VOIDED:
        return LeadAt(ply, (), 0, ending="voided")
    if len(first) == len(names):
        return LeadAt(ply, (), 0, ending="drawn")
    if len(first) > 1:
        return LeadAt(ply, first, 0, ending="shared")
    return LeadAt(ply, first, 0, ending="decided" if outcome.termination == ADJUDICATED else "won")


def _luck(analysis: Analysis, names: Mapping[int, str]) -> Iterator[LeadAt]:
    """Where chance gave most to somebody, in the order of turns."""
    found = []
    for (one, leads), before in zip(
        zip(analysis.pieces[1:], analysis.leads[1:], strict=True), analysis.leads, strict=False
    ):
        luck = [now - was for now, was in zip(leads, before, strict=True)]
        if one.drawn and max(luck) >= MUCH:
            seat = luck.index(max(luck)) + 1
            found.append(LeadAt(one.ply, (names[seat],), leads[seat - 1], luck=max(luck)))
    best = sorted(found, key=lambda one: -one.luck)[:LUCKY]
    yield from sorted(best, key=lambda one: one.ply)


# --- what decided --------------------------------------------------------------------------------


def _turn(match: Match, decided: Decided, look: Look) -> TurnView:
    turn = decided.turn
    steps = [step for step in match.course.steps if step.kind is not StepKind.NEWS]
    before = match.game.known(steps[turn.at - 1].before, turn.seat)
    return TurnView(
        ply=turn.ply,
        seat=turn.seat,
        name=look.named[turn.seat],
        you=turn.seat == look.viewpoint,
        lost=decided.lost,
        chances=decided.chances,
        played=_side(match, turn.played, (before, turn.ply), look),
        better=_side(match, turn.better, (before, turn.ply), look),
        reasons=turn.reasons,
        later=turn.later,
    )


def _side(match: Match, side: Side, met: tuple[Any, int], look: Look) -> SideView:
    """A move and the board behind it, as far as its player could know that; `met` is before it."""
    game, (before, ply), wishes = match.game, met, look.wishes
    move = game.read(side.move, before)
    after = game.play(before, move)
    marks: Marks[Any, Any] = Marks(
        since=(Played(move, before, after),), names=look.names, signs=look.signs, idle=True
    )
    board = game.board(after, look.viewpoint, wishes.style, look.signs)
    # Six boards of cells would weigh too much: without pictures HTML has those of the text.
    _, picture = shown_in_html(game, after, look.viewpoint, marks, wishes)
    lines = () if wishes.spoken else board.lines

    def draws(word: Word) -> str:
        return game.picture(after, look.viewpoint, replace(marks, word=word))

    return SideView(
        notation=side.move,
        sight=Sight(ply, lines, with_nobody_to_move(board.facts), picture=picture),
        draws=draws,
        replies=tuple((look.named[seat], reply) for seat, reply in side.replies),
        chances=side.chances,
        ends=side.ends,
        won=side.won,
        shared=side.shared,
    )
