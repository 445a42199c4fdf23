"""The files that mails bring beside their words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.delivery.calendar_file import calendar_file
from pbem.delivery.drawn_boards import moving
from pbem.delivery.record_file import LONGEST, record_file
from pbem.mail.compose import Attachment
from pbem.matches.match import Status
from pbem.notices.news import MatchOver, MatchWatched
from pbem.notices.replies import CalendarShown, RecordShown, ReplayShown
from pbem.notices.views.clean import NAME, clean
from pbem.replays.frames import replay_of_match
from pbem.replays.page import picture, replay_page
from pbem.replays.telling import placed, telling

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.notices.notice import Notice
    from pbem.notices.rendering.families import Templates
    from pbem.notices.rendering.render import Renderer
    from pbem.notices.views.scene import Reader
    from pbem.replays.frames import Replay
    from pbem.transaction.installation import House, Loaded


def records(
    conn: Connection,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
) -> dict[MatchId, Attachment]:
    """The records that were asked for, as the reader may have them; none that is too long."""
    asked = {notice.match for notice in notices if isinstance(notice, RecordShown)}
    made = {name: record_file(conn, matches[name], reader, names) for name in sorted(asked)}
    return {name: file for name, file in made.items() if file is not None}


def calendars(
    house: House,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
) -> list[Attachment]:
    """The calendar that was asked for, as the matches stand now."""
    asked = {name for one in notices if isinstance(one, CalendarShown) for name in one.matches}
    if not asked:
        return []
    listed = [matches[name].match for name in sorted(asked) if name in matches]
    title, now = house.settings.site.title, house.now()
    return [calendar_file(listed, reader, names, title=title, domain=house.domain, now=now)]


@dataclass(frozen=True, slots=True)
class AskedReplay:
    """A replay that is made when its mail is written, since that takes long."""

    match: Match
    reader: PlayerId
    names: Mapping[PlayerId, str]
    lang: str
    moving: bool = False


def replays(
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: Reader,
    names: Mapping[PlayerId, str],
) -> tuple[AskedReplay, ...]:
    """The replays that were asked for, and those of matches whose end is told, if so wished."""
    asked = dict.fromkeys(_asked(notices, matches, ends=reader.wishes.replays))
    return tuple(
        AskedReplay(matches[name].match, reader.player, names, reader.wishes.lang, moving)
        for name, moving in asked
    )


def _asked(
    notices: Iterable[Notice], matches: Mapping[MatchId, Loaded], *, ends: bool
) -> Iterator[tuple[MatchId, bool]]:
    """The matches of replays, and whether as a picture that moves."""
    for one in notices:
        if isinstance(one, ReplayShown):
            yield one.match, one.moving
        elif ends and isinstance(one, MatchOver | MatchWatched) and _is_played(matches[one.match]):
            yield one.match, False


def _is_played(loaded: Loaded) -> bool:
    """Whether a match is over, and has something to step through."""
    return loaded.match.status is Status.ENDED and loaded.match.ply > 0


def replay_files(asked: Iterable[AskedReplay], renderer: Renderer) -> list[Attachment]:
    """The pages, as many as go into one mail; a digest may tell the end of many matches."""
    pages: list[Attachment] = []
    room = LONGEST
    for one in asked:
        page = replay_file(one, renderer)
        if page is not None and len(page.data) <= room:
            pages.append(page)
            room -= len(page.data)
    return pages


def replay_file(asked: AskedReplay, renderer: Renderer) -> Attachment | None:
    """The page, as the reader's seat sees the match; None where it is too long for a mail."""
    env, match = renderer.templates(asked.lang), asked.match
    replay = _replay(asked, env)
    page = replay_page(replay, env, lang=asked.lang, result=placed(match.outcome, replay.names))
    data = page.encode()
    name = f"{match.game.key}-{match.id}.html"
    return Attachment(name, "text/html; charset=utf-8", data) if len(data) <= LONGEST else None


async def moving_file(asked: AskedReplay, renderer: Renderer) -> Attachment:
    """The boards one after the other, as the reader's seat sees them; drawn in another process.

    Raises what `drawn_boards.moving` raises.
    """
    boards = await asyncio.to_thread(_boards, asked, renderer)
    name = f"{asked.match.game.key}-{asked.match.id}.gif"
    return Attachment(name, "image/gif", await moving(boards))


def _boards(asked: AskedReplay, renderer: Renderer) -> list[str]:
    replay = _replay(asked, renderer.templates(asked.lang))
    return [picture(replay, number) for number in range(len(replay.frames))]


def _replay(asked: AskedReplay, env: Templates) -> Replay:
    match = asked.match
    seated = tuple(clean(asked.names.get(player, "?"), NAME) for player in match.players)
    title = f"{match.game.title} {match.id}"
    told, viewpoint = telling(match.game, seated, env), match.seat_of(asked.reader)
    return replay_of_match(match, title, seated, told, viewpoint)
