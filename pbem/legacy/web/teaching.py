"""A lesson on a page: the words of its mails, in a box beside the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.views.lessons import lesson_part
from pbem.legacy.notices.views.scene import BoardPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.web.access import Seen


@dataclass(frozen=True, kw_only=True, slots=True)
class Taught:
    """What a lesson says before a turn, or at its end: paragraphs, and a move as it is typed.

    `came`: what has come of the last turn, and what the other's was good for; `asks`: what comes
    now. `number` of `of` is the topic; it is 0 where nothing new is shown in the turn. `untold` is
    what has not come up, once it `ends`.
    """

    number: int
    of: int
    came: tuple[str, ...]
    asks: tuple[str, ...]
    example: str
    ends: bool
    untold: tuple[str, ...]


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
        _Match(match.game.key, names, seat, match.status.value),
    )
    parts, stage = env.get_template("parts.txt.j2").module, part.stage

    def said(*macros: str) -> tuple[str, ...]:
        texts = (markup.unmarked(str(getattr(parts, name)(view))) for name in macros)
        return tuple(one for text in texts for each in text.split("\n\n") if (one := each.strip()))

    return Taught(
        number=stage.number if stage.topic else 0,
        of=stage.of,
        came=said("lesson_came", "good_for"),
        asks=said("lesson_asks", *(("now_invite",) if stage.ends and match.id else ())),
        example=part.offered[0] if part.offered else "",
        ends=stage.ends,
        untold=tuple(
            markup.unmarked(env.member(f"games/{match.game.key}/lesson", f"{one}_later"))
            for one in stage.untold
        ),
    )
