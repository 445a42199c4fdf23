"""The daily digest: one email a day about all matches, instead of single emails.

`EmailWriter` holds back emails that can wait. In the reader's seat row it records the time of the
first news that waits. For each match with news, the digest shows what other players said, what
happened, and the current board with links that reply with a move. The digest also shows all other
matches in which it is the reader's turn, and a line for each watched match in which something
happened. If there is no news at all, no digest is sent.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from pbem.match.events import MatchStarted
from pbem.match.state import Status
from pbem.names import MatchId, PlayerId
from pbem.notifications.happenings import has_happenings
from pbem.notifications.views import build_match_view
from pbem.service.drafts import Draft
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, matches, messages, players, waiting
from pbem.store.tables import PlayerRow, WatchRow

DEFAULT_HOUR: Final = 18  # hour of the digest, in the player's time zone
MAX_BOARDS: Final = 20  # boards in one digest
MAX_MOVES: Final = 12  # moves of a watched match that a digest shows


def find_next_digest(hour: int, timezone: str, now: datetime) -> datetime:
    """Return the next time after `now` at which it is `hour` o'clock in `timezone`."""
    zone = ZoneInfo(timezone)
    today = now.astimezone(zone).date()
    due = datetime.combine(today, time(hour), zone)
    return due if due > now else datetime.combine(today + timedelta(days=1), time(hour), zone)


def reschedule_digest(uow: UnitOfWork, player: PlayerRow) -> None:
    """Set the time of the next digest after the player's hour or time zone has changed.

    If the player has turned the digest off, a last digest with the waiting news is sent now, and no
    further digest is scheduled.
    """
    if player.digest_hour is None:
        _write_digest(uow, player)
    _schedule_digest(uow, player)


def send_digest(uow: UnitOfWork, player: PlayerRow) -> None:
    """Send a player's due digest if there is news. In any case, schedule the next digest."""
    _write_digest(uow, player)
    _schedule_digest(uow, player)


def _schedule_digest(uow: UnitOfWork, player: PlayerRow) -> None:
    hour = player.digest_hour
    due = None if hour is None else find_next_digest(hour, player.timezone, uow.now)
    players.update_player(uow.conn, PlayerId(player.id), digest_due=due, digest_attempts=0)


def _write_digest(uow: UnitOfWork, player: PlayerRow) -> None:
    player_id = PlayerId(player.id)
    news = {}
    for match_id in matches.list_held_back_matches(uow.conn, player_id):
        facts = _find_news(uow, match_id, player_id)
        if facts is not None:
            news[match_id] = facts
    watched = [
        line
        for row in messages.list_watches(uow.conn, player_id)
        if (line := _describe_watched(uow, row, player.language)) is not None
    ]
    if not news and not watched:
        return
    for match_id in matches.list_open_matches(uow.conn, player_id):
        if match_id not in news and _is_awaited(uow, match_id, player_id):
            news[match_id] = {"has_moves": True, "has_started": False}
    boards = [*news.items()][:MAX_BOARDS]
    drafts = [
        Draft(
            kind="digest_board",
            player=player_id,
            match_id=match_id,
            facts={**facts, "is_one_of_many": len(boards) > 1},
        )
        for match_id, facts in boards
    ]
    facts = {"watched": watched, "waiting": 0}
    uow.emails.add(Draft(kind="digest", player=player_id, facts=facts, boards=drafts))
    messages.note_watches_shown(uow.conn, player_id, uow.now)


def _find_news(uow: UnitOfWork, match_id: MatchId, player: PlayerId) -> dict[str, Any] | None:
    """Return the facts about the match for the player's digest, or None if there is no news.

    The fact `has_moves` says whether other players have moved since the player's own last move.
    `has_started` says whether the match has started and the player has not moved yet.
    """
    match, row = uow.load_match(match_id), uow.load_record(match_id).find_seat(player)
    since = row.news_since if row is not None else None
    seat = match.seat_of(player)
    if since is None or seat is None:
        return None
    events = event_log.list_recent_events(uow.conn, match_id, since)
    own = [played.ply for played in match.plies if played.is_chosen and played.seat == seat]
    later = match.plies[own[-1] :] if own else match.plies
    has_moves = any(played.seat is not None for played in later)
    has_started = not own and any(isinstance(event, MatchStarted) for event in events)
    chat = messages.list_recent_messages(uow.conn, match_id, player, since)
    if not (has_moves or has_started or chat or has_happenings(events)):
        return None
    return {"has_moves": has_moves, "has_started": has_started}


def _is_awaited(uow: UnitOfWork, match_id: MatchId, player: PlayerId) -> bool:
    match = uow.load_match(match_id)
    seat = match.seat_of(player)
    if seat is None or seat not in match.to_move:
        return False
    return waiting.find_scheduled_move(uow.conn, match_id, seat) is None


def _describe_watched(uow: UnitOfWork, row: WatchRow, language: str) -> dict[str, Any] | None:
    """Return the facts for the digest about a watched match, or None if it has no news.

    News is what the reader has not been notified of yet: moves, or the end of the match. The moves
    are written in `language`.
    """
    match_id = MatchId(row.match)
    match = uow.load_match(match_id)
    has_ended = match.ended_at is not None and match.ended_at > row.notified_at
    count = sum(played.event.at > row.notified_at for played in match.plies)
    if match.status not in (Status.RUNNING, Status.ENDED) or not (count or has_ended):
        return None
    names = uow.app.list_names(uow.conn, match.entrants, language)
    view = build_match_view(
        match, None, names, head=uow.load_record(match_id).row.head, now=uow.now
    )
    say = match.game.vocabulary.say
    moves = [
        replace(ply, notation=say(ply.notation, language))
        for ply in view.history[len(view.history) - count :]
        if ply.name is not None
    ]
    return {
        "title": match.game.title,
        "code": match_id,
        "names": list(view.names.values()),
        "moves": moves[-MAX_MOVES:],
        "result": view.result if has_ended else None,
    }
