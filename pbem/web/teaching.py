"""A lesson on a page: the words of its mails, in a box beside the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.notices.rendering import markup
from pbem.notices.views.lessons import lesson_part
from pbem.notices.views.scene import BoardPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.notices.rendering.families import Templates
    from pbem.web.access import Seen


@dataclass(frozen=True, kw_only=True, slots=True)
class Taught:
    """What a lesson says before a turn: paragraphs, and a move to look at as it is typed.

    `number` of `of` is the topic; it is 0 where nothing new is shown in the turn. `good_for` says
    what the other's turn has brought them.
    """

    number: int
    of: int
    said: tuple[str, ...]
    good_for: str
    example: str
    ends: bool


@dataclass(frozen=True, slots=True)
class _Match:
    """What the words of a lesson ask of a match; one that is only tried has no `status`."""

    game: str
    names: Mapping[int, str]
    you: int | None
    status: str


@dataclass(frozen=True, slots=True)
class _View:
    board: BoardPart
    match: _Match


def taught_to(seen: Seen, env: Templates) -> Taught | None:
    """What whoever learns is told now; None where nothing is."""
    match, seat = seen.match, seen.viewpoint
    if seen.viewer is None or seen.viewer.id != match.table.challenger:
        return None
    names = dict(enumerate(seen.names, 1))
    part = lesson_part(match, names)
    if part is None or (part.stage.over and not part.stage.ends):
        return None
    view = _View(
        BoardPart(lesson=part),
        _Match(match.game.key, names, seat, match.status.value if match.id else ""),
    )
    parts = env.get_template("parts.txt.j2").module
    good_for, said = (
        markup.unmarked(str(getattr(parts, name)(view))).strip() for name in ("good_for", "lesson")
    )
    return Taught(
        number=part.stage.number if part.stage.topic else 0,
        of=part.stage.of,
        said=tuple(one for text in said.split("\n\n") if (one := text.strip())),
        good_for=good_for,
        example=part.offered[0] if part.offered else "",
        ends=part.stage.ends,
    )
