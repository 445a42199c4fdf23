"""The files that mails bring beside their words: records, calendars, replays, pictures."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem import __version__
from pbem.legacy.delivery.records import LONGEST, record_file
from pbem.legacy.mail.compose import Attachment, InlineImage
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.steps import NO_PLY
from pbem.legacy.matches.table import deadline
from pbem.legacy.notices.news import MatchOver, MatchWatched
from pbem.legacy.notices.rendering.filters import named_in
from pbem.legacy.notices.replies import AnalysisShown, CalendarShown, RecordShown, ReplayShown
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.comments import comment_lines
from pbem.legacy.notices.views.matches import signs_at
from pbem.legacy.replays.frames import placed, replay_of_match, telling
from pbem.legacy.replays.page import analysis_file_page, picture, replay_page
from pbem.legacy.replays.raster import gif, png
from pbem.legacy.transaction.analyses import ready
from pbem.legacy.transport.apart import Apart

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.bots.analysis import Analysis
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.notices.rendering.html_markup import Picture
    from pbem.legacy.notices.rendering.render import Renderer
    from pbem.legacy.notices.views.comments import CommentLine
    from pbem.legacy.notices.views.scene import Reader, Scene, View
    from pbem.legacy.replays.frames import Replay
    from pbem.legacy.transaction.installation import House, Loaded


# --- calendar file -------------------------------------------------------------------------------
# A player's deadlines as a file that calendars read (RFC 5545).
#
# An event keeps its UID as long as the match is known, so that a newer file moves it; a turn that
# has passed is cancelled, so that it goes away.

FILE_NAME: Final = "deadlines.ics"
MEDIA: Final = 'text/calendar; charset="utf-8"; method=PUBLISH'


def calendar_of(
    matches: Iterable[Match],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    *,
    title: str,
    domain: str,
    now: datetime,
) -> bytes:
    """The deadlines of the matches in which the reader sits; `domain` makes their UIDs unique."""
    from icalendar import Calendar, Event  # no other mail needs it, and it is slow to import

    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//pbem {__version__}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", title)
    for match in matches:
        due = deadline(match, reader)
        if due is None and match.course.ply == NO_PLY:
            continue  # no turn has passed yet that a calendar could know
        others = ", ".join(names.get(player, "?") for player in match.others(reader))
        event = Event()
        event.add("uid", f"{match.id}-{match.table.entrants.index(reader) + 1}@{domain}")
        # Of what others do in secret not even the number of its events may be told.
        event.add("sequence", match.told_to(reader).count)
        event.add("dtstamp", now)
        event.add("dtstart", due or now)
        event.add("summary", f"{title}: {match.game.title} {match.id} ({others})")
        event.add("status", "CONFIRMED" if due else "CANCELLED")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return calendar.to_ical()


# --- drawn boards --------------------------------------------------------------------------------
# The boards of mails as PNG: drawn in a process of their own, and kept by what they show.
#
# Drawing takes 7 ms, a tenth of a second where none of its parts is known yet, and a film some
# seconds: the event loop and the thread that writes the log have no such time, and what draws is
# no code of ours. One process is enough, since a mail that waits for it holds up nothing but the
# mails behind it.

KEPT: Final = 256
"""Pictures of 15 KB that are remembered: all who play or watch a match see few different ones."""

_SECONDS: Final = 20.0
"""How long one picture may take."""

DRAWING: Final = Apart()
"""The process that draws."""

_drawn: Final[OrderedDict[str, bytes]] = OrderedDict()


async def drawn(pictures: Sequence[Picture]) -> tuple[InlineImage, ...]:
    """The pictures as images of a mail; the same picture always has the same bytes.

    Raises what the drawing raised, TimeoutError, and ProcessExpired where the process died.
    """
    return tuple([InlineImage(one.cid, await _png(one)) for one in pictures])


async def moving(boards: Sequence[str]) -> bytes:
    """Boards one after the other, as a GIF. Raises as `drawn` does."""
    return await DRAWING.do(partial(gif, boards), _SECONDS + len(boards))


async def _png(picture: Picture) -> bytes:
    if picture.cid not in _drawn:
        _drawn[picture.cid] = await DRAWING.do(partial(png, picture.svg), _SECONDS)
        if len(_drawn) > KEPT:
            _drawn.popitem(last=False)
    _drawn.move_to_end(picture.cid)
    return _drawn[picture.cid]


# --- attached files ------------------------------------------------------------------------------
# The files that mails bring beside their words.


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
    reader: Reader,
    names: Mapping[PlayerId, str],
) -> list[Attachment]:
    """The calendar that was asked for, as the matches stand now."""
    asked = {name for one in notices if isinstance(one, CalendarShown) for name in one.matches}
    if not asked:
        return []
    listed = [matches[name].match for name in sorted(asked) if name in matches]
    names = named_in(house.renderer.templates(reader.wishes.lang), names)
    title, now = house.settings.site.title, house.now()
    data = calendar_of(listed, reader.player, names, title=title, domain=house.domain, now=now)
    return [Attachment(FILE_NAME, MEDIA, data)]


def analyses_of(
    conn: Connection, notices: Iterable[Notice], matches: Mapping[MatchId, Loaded]
) -> dict[MatchId, Analysis]:
    """The analyses that are told of; none of a match that goes on again."""
    asked = {one.match for one in notices if isinstance(one, AnalysisShown) and not one.failed}
    made = {name: ready(conn, matches[name].match) for name in sorted(asked)}
    return {name: one for name, one in made.items() if one is not None}


@dataclass(frozen=True, slots=True)
class AskedReplay:
    """A replay that is made when its mail is written, since that takes long."""

    match: Match
    reader: PlayerId
    names: Mapping[PlayerId, str]
    lang: str
    moving: bool = False
    seated: Mapping[int, str] | None = None
    comments: tuple[CommentLine, ...] = ()


def replays(
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: Reader,
    scene: Scene,
) -> tuple[AskedReplay, ...]:
    """The replays that were asked for, and those of matches whose end is told, if so wished."""
    asked = dict.fromkeys(_asked(notices, matches, ends=reader.wishes.replays))
    return tuple(
        AskedReplay(
            matches[name].match,
            reader.player,
            scene.names,
            reader.wishes.lang,
            moving,
            scene.seated.get(name),
            comment_lines(matches[name].match, scene.names, scene.sealed),
        )
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
    return loaded.match.status is Status.ENDED and loaded.match.course.ply > 0


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
    page = replay_page(
        replay, env, lang=asked.lang, result=placed(match.course.outcome, replay.names)
    )
    data = page.encode()
    name = f"{match.game.key}-{match.id}.html"
    return Attachment(name, "text/html; charset=utf-8", data) if len(data) <= LONGEST else None


def analysis_files(
    view: View, matches: Mapping[MatchId, Match], renderer: Renderer
) -> list[Attachment]:
    """The analyses that a mail tells of, each as a page to keep."""
    files = []
    env = renderer.templates(view.lang)
    for one in view.notices:
        made = one.listed.analysis
        if made is not None and isinstance(one.notice, AnalysisShown):
            match = matches[one.notice.match]
            result = placed(match.course.outcome, tuple(made.names.values()))
            page = analysis_file_page(
                made, env, title=f"{match.game.title} {match.id}", lang=view.lang, result=result
            )
            name = f"{match.game.key}-{match.id}-analysis.html"
            files.append(Attachment(name, "text/html; charset=utf-8", page.encode()))
    return files


async def moving_file(asked: AskedReplay, renderer: Renderer) -> Attachment:
    """The boards one after the other, as the reader's seat sees them; drawn in another process.

    Raises what `moving` raises.
    """
    boards = await asyncio.to_thread(_boards, asked, renderer)
    name = f"{asked.match.game.key}-{asked.match.id}.gif"
    return Attachment(name, "image/gif", await moving(boards))


def _boards(asked: AskedReplay, renderer: Renderer) -> list[str]:
    replay = _replay(asked, renderer.templates(asked.lang))
    return [picture(replay, number) for number in range(len(replay.frames))]


def _replay(asked: AskedReplay, env: Templates) -> Replay:
    match = asked.match
    names = named_in(env, asked.names)
    seated = tuple(clean(names.get(player, "?"), NAME) for player in match.table.players)
    title = f"{match.game.title} {match.id}"
    told, viewpoint = telling(match.game, seated, env), match.seat_of(asked.reader)
    signs = signs_at(match.game, seated, asked.seated)
    made = replay_of_match(
        match, title, seated, told, viewpoint, signs=signs, word=env.filters["word"]
    )
    return replace(made, comments=asked.comments)
