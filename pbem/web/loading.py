"""Loading of matches for pages, on the reader threads.

Recently loaded matches are cached, so that a page that is polled replays a match only if it has
new events.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from pbem.games.game import Style
from pbem.match.events import LeavingReason, MatchEvent
from pbem.match.state import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.notifications.views import MatchView, build_match_view
from pbem.service.app import App
from pbem.service.email_viewer import find_shown_move
from pbem.store import event_log, matches, players
from pbem.store.event_log import MatchCache
from pbem.store.matches import MatchRecord

_NUMBER: Final = re.compile(r"\d{1,6}")


def parse_number(typed: str, limit: int) -> int | None:
    """Return a typed number, or None if the text is not a whole number from 0 to `limit`."""
    return int(typed) if _NUMBER.fullmatch(typed) and int(typed) <= limit else None


class MatchReader:
    """A loader of matches, with a cache that the reader threads share."""

    def __init__(self) -> None:
        self._cache, self._lock = MatchCache(), threading.Lock()

    def load(self, conn: Connection, match_id: MatchId) -> tuple[Match, MatchRecord]:
        """Return a match and its database rows.

        Raises:
            LookupError: There is no such match.
        """
        record = matches.load_record(conn, match_id)
        with self._lock:
            loaded = self._cache.load_match(conn, match_id, record.row.head)
        return loaded.match, record


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match, its database rows, one reader's view of it, and all players' names by id."""

    match: Match
    record: MatchRecord
    view: MatchView
    names: dict[PlayerId, str] = field(repr=False)


def load_match_for_player(
    conn: Connection, app: App, reader: MatchReader, match_id: MatchId, player: PlayerId
) -> ShownMatch:
    """Return a match as `player`, one of its players, sees it, with a Unicode board.

    Raises:
        LookupError: There is no such match.
    """
    language = players.get_player(conn, player).language
    return _view(conn, app, reader.load(conn, match_id), player, language)


def list_public_matches(
    conn: Connection,
    app: App,
    reader: MatchReader,
    language: str,
    *,
    limit: int,
    player: PlayerId | None = None,
) -> list[ShownMatch]:
    """Return the public matches among the newest `limit` started matches, running ones first.

    If `player` is given, only matches in which they play are considered.
    """
    match_ids = matches.list_started_matches(conn, limit=limit, player=player)
    candidates = (
        load_match_for_public(conn, app, reader, match_id, language) for match_id in match_ids
    )
    return [match for match in candidates if match is not None]


def load_match_for_public(
    conn: Connection, app: App, reader: MatchReader, match_id: MatchId, language: str = "en"
) -> ShownMatch | None:
    """Return a match as spectators see it, or None if spectators may not see it.

    They may not if the match does not exist, is private, or has never started. Names of bots are
    in `language`.
    """
    try:
        match, record = reader.load(conn, match_id)
    except LookupError:
        return None
    if match.terms.is_private or not match.players:
        return None
    return _view(conn, app, (match, record), None, language)


def _list_news(conn: Connection, match: Match, player: PlayerId | None) -> list[MatchEvent]:
    """Return the events that the page of a match reports, besides moves.

    They are the open takeback request, or else the newest events. Spectators (`player` is None) are
    only told how the match ended, and of no ban.
    """
    if player is not None and match.offers.takeback is not None:
        return [match.offers.takeback]
    events = event_log.list_newest_events(conn, match.id)
    if player is not None:
        return events
    is_over, banned = match.status is Status.ENDED, LeavingReason.BANNED
    return [event for event in events if is_over and getattr(event, "reason", None) is not banned]


def _view(
    conn: Connection,
    app: App,
    loaded: tuple[Match, MatchRecord],
    player: PlayerId | None,
    language: str,
) -> ShownMatch:
    match, record = loaded
    names = app.list_names(conn, match.entrants, language)
    view = build_match_view(
        match,
        player,
        names,
        head=record.row.head,
        now=app.now(),
        tournament=record.row.tournament,
        events=_list_news(conn, match, player),
        scheduled=None if player is None else find_shown_move(conn, match, player),
        style=Style.UNICODE,
        marks_moves=False,
    )
    return ShownMatch(match, record, view, names)
