"""A match that comes from a file, and goes again: drawn once before anything of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.cli.outside_match import events_of, name_of, playable, replayed, verified

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.cli.checks.explanations import Entry
    from pbem.matches.match import Match
    from pbem.names import MatchId
    from pbem.store.log.exported import Exported

GUEST: Final = "Player"
"""What an imported player is called whose name may not be borne."""


def sound(lines: Sequence[str]) -> tuple[Exported, Match]:
    """A whole match in which nothing is wrong, and that can be shown. Raises ImportRefused."""
    from pbem.matches.match import Status
    from pbem.store.log.exchange import whole
    from pbem.store.log.outside_lines import ImportRefused

    read = whole(lines)
    read.opening = {**read.opening, "closed_at": None}  # here nothing has closed it
    if findings := verified(read).findings:
        raise ImportRefused(findings[0])
    match = replayed(read)
    if match.status not in (Status.RUNNING, Status.ENDED):
        raise ImportRefused("the match has not begun: there is nothing to look at yet")
    if strays := [player for player in read.names if player not in match.entrants]:
        raise ImportRefused(f"{strays[0]} has a name, and no seat in the match")
    with playable():
        _draw(read, match)
    return read, match


# --- drawn once ----------------------------------------------------------------------------------


def _draw(read: Exported, match: Match) -> None:
    """Show all that others will be shown, to nobody; what cannot be shown raises something."""
    from pbem.cli.history import told
    from pbem.games.game import Style
    from pbem.mail.page_links import PageLink, Purpose
    from pbem.notices.rendering.catalogue import ENGLISH
    from pbem.notices.rendering.environment import environment
    from pbem.notices.views.clean import NAME, clean
    from pbem.notices.views.record import record_lines
    from pbem.replays.page import replay_page
    from pbem.replays.telling import placed
    from pbem.web.access import Seen
    from pbem.web.boards import Boards

    env = environment()
    seated = tuple(clean(read.names.get(player, "?"), NAME) for player in match.players)
    link = PageLink(Purpose.VIEW, match.id)
    seen, boards = Seen(match=match, names=seated, link=link), Boards()
    boards.shown(seen, env, ENGLISH, None)
    replay = boards.replay(seen, env, ENGLISH)
    replay_page(replay, env, lang=ENGLISH, result=placed(match.outcome, seated))
    for number in range(len(replay.frames)):
        replay.lines(number, Style.ASCII)
    record_lines(match, read.names)
    for _ in told(_entries(read), read.names):
        pass


def _entries(read: Exported) -> list[Entry]:
    from pbem.cli.checks.explanations import caused
    from pbem.names import Digest

    texts = {Digest(name): text for name, text in read.sealed.items()}
    return list(caused(name_of(read), read.events, events_of(read), texts, secrets=True).values())


# --- in and out ----------------------------------------------------------------------------------


def taken_in(conn: Connection, read: Exported, match: Match, now: datetime) -> None:
    """Keep a match that was read with its players' names, and show it in the lists."""
    from pbem.matches.match import initial
    from pbem.players.names import plain_name
    from pbem.store.log import exchange
    from pbem.store.log.event_log import Head
    from pbem.store.log.outside_lines import ImportRefused
    from pbem.store.people import roster
    from pbem.store.upkeep.rows import SLACK
    from pbem.store.upkeep.taking_out import residents
    from pbem.transaction.working_copy import OpenMatch, show

    for at, one in zip(read.lines, read.events, strict=True):
        if one.recorded_at > now + SLACK:
            raise ImportRefused(f"line {at}: {one.recorded_at:%Y-%m-%d} is still to come")
    head = exchange.keep(conn, read)
    if here := residents(conn, match.entrants):
        raise ImportRefused(f"{here[0]} plays here: a match of theirs does not come from a file")
    for player in match.entrants:
        name = plain_name(read.names.get(player, "")) or GUEST
        roster.add_guest(conn, player, name=name, now=now)
    show(conn, OpenMatch(initial(match.id), Head(0, head.hash), match), now)


def taken_out(conn: Connection, name: MatchId, now: datetime) -> MatchId:
    """Hide a match that came from a file, and forget its names and texts. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.store.codec import digests
    from pbem.store.log import event_log
    from pbem.store.upkeep.taking_out import residents, take_out
    from pbem.transaction.installation import find_match, match_stream

    found = find_match(conn, name)
    if found is None:
        raise ConfigError(f"there is no match {name}; `pbem matches --all` lists them")
    entrants = found.match.entrants
    if residents(conn, entrants):
        raise ConfigError(f"{name} was played here, and what was played is never taken out")
    recorded = event_log.load(conn, match_stream(name))
    texts = [text for event in event_log.match_events_of(recorded) for text in digests(event)]
    take_out(conn, name, entrants, texts, now)
    return name
