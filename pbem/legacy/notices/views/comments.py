"""What was said of the moves of a match after its end, as its replay shows it and mails tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.games.game import Ply
from pbem.legacy.notices.views import matches as seen
from pbem.legacy.notices.views.clean import NAME, clean, clean_lines

if TYPE_CHECKING:
    from pbem.legacy.matches.match import Match
    from pbem.names import Digest, PlayerId
    from pbem.legacy.notices.courtesies import CommentMade
    from pbem.legacy.notices.views.scene import NoticeView, Scene


@dataclass(frozen=True, slots=True)
class CommentLine:
    """What somebody said of the move that was ply `ply`, or (None) of the match as a whole.

    `text` is empty where it is no longer kept, or `muted` by who looks.
    """

    ply: int | None
    name: str
    text: str
    muted: bool = False


def comment_lines(
    match: Match,
    names: Mapping[PlayerId, str],
    texts: Mapping[Digest, str],
    muted: Collection[PlayerId] = (),
) -> tuple[CommentLine, ...]:
    """All that was said, the oldest first, with the names of today."""
    return tuple(
        CommentLine(
            ply=one.ply,
            name=clean(names.get(one.author, "?"), NAME),
            text="" if one.author in muted else clean_lines(texts.get(one.text, "")),
            muted=one.author in muted,
        )
        for one in match.table.comments
    )


def beside(lines: Iterable[CommentLine], ply: int, *, last: bool) -> tuple[CommentLine, ...]:
    """What stands beside the board after a ply; beside the last one also what is of the match.

    Where several boards follow a ply, since something was drawn after it, all have the same.
    """
    return tuple(one for one in lines if one.ply == ply or (last and one.ply is None))


def commented(view: NoticeView, notice: CommentMade, scene: Scene) -> NoticeView:
    """The view of a comment, with the move that it is about."""
    match = scene.matches[notice.match]
    told = None if notice.ply is None else seen.last_move(match, Ply(notice.ply), scene, None)
    return replace(view, told=told)
