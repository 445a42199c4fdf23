"""What is listed of a match: its moves, its record, what was said, noted, changed or decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from pbem.notices.replies import (
    ChangesShown,
    ConditionsShown,
    HistoryShown,
    MessagesShown,
    NotesShown,
    RecordShown,
)
from pbem.notices.views import matches as seen
from pbem.notices.views.conditions import plan_lines
from pbem.notices.views.record import record_lines

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.notices.views.scene import NoticeView, Reader, Scene

Listed: TypeAlias = (
    HistoryShown | RecordShown | MessagesShown | NotesShown | ChangesShown | ConditionsShown
)


def with_list(
    view: NoticeView, notice: Listed, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    """The view of a notice with what it lists, as its reader may see it."""
    you = match.seat_of(reader.player)
    match notice:
        case RecordShown():
            lines = tuple(
                record_lines(
                    match, scene.names, site=scene.site.title, began=scene.began.get(match.id)
                )
            )
            return replace(
                view, listed=replace(view.listed, lines=lines, file=scene.files.get(match.id, ""))
            )
        case MessagesShown():
            remarks = seen.remarks(match.said[-seen.REMARKS :], scene)
            return replace(view, listed=replace(view.listed, remarks=remarks))
        case NotesShown():
            notes = seen.notes_of(match, reader.player)
            return replace(view, listed=replace(view.listed, remarks=seen.remarks(notes, scene)))
        case ChangesShown():
            return _changes(view, notice, match, reader, scene)
        case ConditionsShown():
            plan = plan_lines(match, you, scene) if you is not None else ()
            return replace(view, listed=replace(view.listed, plan=plan))
        case HistoryShown():
            return replace(view, since=seen.history(match, scene, you))


def _changes(
    view: NoticeView, notice: ChangesShown, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    you = match.seat_of(reader.player)
    changed = seen.marks_between(match, notice.first, notice.last, scene)
    earlier, later = (
        seen.sight(match, match.position_after(ply), ply, you, reader, marks=marks)
        for ply, marks in ((notice.first, replace(changed, since=())), (notice.last, changed))
    )
    since = seen.between(match, notice.first, notice.last, scene, you)
    return replace(view, board=replace(view.board, earlier=earlier, sight=later), since=since)
