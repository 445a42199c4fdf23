"""Who stands where, as a reader sees it: names beside ratings, and matches with their results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.legacy.notices.personal import ProfileShown, RatingsShown, StatisticsShown
from pbem.legacy.notices.tournaments import PairDecided, SeasonNews
from pbem.legacy.notices.views.matches import name_of, names_at
from pbem.legacy.notices.views.scene import ResultView
from pbem.legacy.notices.views.standings import paired, tabled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.legacy.notices.personal import AboutStanding
    from pbem.legacy.notices.tournaments import OfTournaments
    from pbem.legacy.notices.views.scene import NoticeView, Scene


def standing(view: NoticeView, notice: AboutStanding, scene: Scene) -> NoticeView:
    """The view of a notice with the names of those whose standing it tells."""
    match notice:
        case RatingsShown():
            lines = tuple(name_of(one, scene) for one in notice.players)
            return replace(view, listed=replace(view.listed, lines=lines))
        case ProfileShown():
            listed = replace(view.listed, results=tuple(_results(notice, scene)))
            return replace(view, person=name_of(notice.player, scene), listed=listed)
        case StatisticsShown():
            return view  # nobody is named


def _results(notice: ProfileShown, scene: Scene) -> Iterator[ResultView]:
    for one in notice.last:
        match = scene.matches.get(one.match)
        if match is not None and match.course.outcome is not None:
            placings = match.course.outcome.placings
            placed = sorted(zip(placings, names_at(match, scene), strict=False))
            yield ResultView(
                label=f"{match.game.title} {match.id}",
                ended=one.ended,
                placed=tuple(placed),
                rating=one.rating,
            )


# --- tournaments ---------------------------------------------------------------------------------


def of_tournament(view: NoticeView, notice: OfTournaments, scene: Scene) -> NoticeView:
    """The view of a notice about tournaments with its tables, and the names of whom it names."""
    names, listed = scene.names, view.listed
    match notice:
        case PairDecided(other=other) if other is not None:
            return replace(view, person=name_of(other, scene))
        case SeasonNews(lines=lines):
            leaders = tuple(
                "" if line.leader is None else name_of(line.leader, scene) for line in lines
            )
            return replace(view, listed=replace(listed, lines=leaders))
        case _:
            tables, rounds = tabled(notice, names), paired(notice, names)
            return replace(view, listed=replace(listed, tables=tables, rounds=rounds))
