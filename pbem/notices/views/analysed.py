"""A match that was looked at, as one reader may see it: who led when, and what decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pbem.games.drawing.curve import SEATS, Line, curve
from pbem.games.drawing.palette import COLOURS
from pbem.games.game import Marks, Played, Style
from pbem.matches.steps import StepKind
from pbem.notices.views.match_parts import AnalysisPart, LeadAt, SideView, Sight, TurnView
from pbem.notices.views.matches import names_at, shown_in_html, signs_at, with_nobody_to_move

if TYPE_CHECKING:
    from pbem.bots.analysis import Analysis, Decided, Side
    from pbem.games.game import Signs, Viewpoint, Word
    from pbem.matches.match import Match
    from pbem.notices.views.scene import NoticeView, Reader, Scene, Wishes

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
        course=tuple(_course(analysis, look.named)),
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


def _course(analysis: Analysis, names: Mapping[int, str]) -> Iterator[LeadAt]:
    """Who led at some times, evenly spread, and at the end; what is as before is not said again."""
    pieces = zip(analysis.pieces, analysis.leads, strict=True)
    last = {one.ply: leads for one, leads in pieces if not one.drawn}
    plies = sorted(last)
    chosen = {len(plies) * at // MOMENTS - 1 for at in range(1, MOMENTS + 1)}
    told = [
        _lead_at(plies[at], last[plies[at]], names, analysis.most)
        for at in sorted(number for number in chosen if number >= 0)
    ]
    if told:
        told[-1] = replace(told[-1], ends=True)
    for before, one, after in zip((None, *told), told, (*told[1:], None), strict=False):
        alike = not one.name and after is not None and not after.name and not after.ends
        again = one.won and before is not None and before.won and before.name == one.name
        if one.ends or not (alike or again):
            yield one


def _lead_at(ply: int, leads: Sequence[int], names: Mapping[int, str], most: int) -> LeadAt:
    lead = max(leads)
    name = names[leads.index(lead) + 1] if lead > ALIKE else ""
    return LeadAt(ply, name, lead, won=lead >= most)


def _luck(analysis: Analysis, names: Mapping[int, str]) -> Iterator[LeadAt]:
    """Where chance gave most to somebody, in the order of turns."""
    found = []
    for (one, leads), before in zip(
        zip(analysis.pieces[1:], analysis.leads[1:], strict=True), analysis.leads, strict=False
    ):
        luck = [now - was for now, was in zip(leads, before, strict=True)]
        if one.drawn and max(luck) >= MUCH:
            seat = luck.index(max(luck)) + 1
            found.append(LeadAt(one.ply, names[seat], leads[seat - 1], luck=max(luck)))
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
    )
