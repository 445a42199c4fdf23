"""What a mail tells of matches besides positions: times, ratings, tournaments, sealed texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pbem.legacy.mail.addresses import tournament_path
from pbem.legacy.matches.events import MatchEnded, MatchStarted
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.operator_acts import MatchAdjudicated
from pbem.names import TournamentId, is_bot
from pbem.legacy.notices.news import Invitation, MatchBegan, MatchOver, MatchWatched
from pbem.legacy.notices.replies import (
    MessagesShown,
    NotesShown,
    OpenSeatsListed,
    RecordShown,
    ReplayShown,
    SeatMissed,
)
from pbem.legacy.notices.views.matches import REMARKS, notes_of
from pbem.legacy.store import standings
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.tournaments.at_table import at_table
from pbem.legacy.transaction.installation import match_stream
from pbem.legacy.transaction.tournaments import after_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.names import Digest, MatchId, PlayerId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.views.scene import Reader
    from pbem.legacy.standing.book import Change, Inviter
    from pbem.legacy.tournaments.at_table import AtTable
    from pbem.legacy.transaction.installation import House, Loaded

OFFERS: Final = OpenSeatsListed | SeatMissed
"""Notices that list seats which others offer."""

_SPAN: Final = (MatchStarted, MatchEnded, MatchAdjudicated)
"""The first and the last event of a match that is played to an end."""


def match_facts(
    conn: Connection,
    house: House,
    notices: Sequence[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
) -> dict[str, Any]:
    """The fields of a scene that some notices need, by their names."""
    told: dict[type[Notice], set[MatchId]] = {}
    for one in notices:
        if isinstance(one, Invitation | MatchBegan | MatchOver | MatchWatched | RecordShown):
            told.setdefault(type(one), set()).add(one.match)
    over = told.get(MatchOver, set()) | told.get(MatchWatched, set())
    ended = [name for name in sorted(over) if matches[name].match.status is Status.ENDED]
    shown = sorted(told.get(RecordShown, ()))
    spans = {name: event_log.times(conn, match_stream(name), *_SPAN) for name in ended}
    spans |= {name: event_log.times(conn, match_stream(name), MatchStarted) for name in shown}
    standing: dict[MatchId, Change | Inviter | None] = {
        name: _change(conn, matches[name].match, reader) for name in ended
    }
    listed = {seat.match for one in notices if isinstance(one, OFFERS) for seat in one.seats}
    for name in sorted(told.get(Invitation, set()) | listed):
        standing[name] = _inviter(conn, matches[name].match, reader, house.now())
    at_tables = {
        name: _at_table(conn, house, matches[name].match, reader)
        for name in sorted(told.get(MatchBegan, set()) | told.get(MatchOver, set()))
    }
    return {
        "spans": {name: tuple(at) for name, at in spans.items() if at},
        "standing": {name: one for name, one in standing.items() if one is not None},
        "at_tables": {name: at for name, at in at_tables.items() if at is not None},
        **_page(house, notices),
    }


def _page(house: House, notices: Sequence[Notice]) -> dict[str, str]:
    """The page of a mail that begins with a tournament is that of the tournament."""
    name = getattr(notices[0], "tournament", "")
    public_url = house.settings.web.public_url.rstrip("/")
    return {"page": public_url + tournament_path(name)} if name and public_url else {}


def _at_table(conn: Connection, house: House, match: Match, reader: PlayerId) -> AtTable | None:
    """What a match of a tournament means there, its end as if the tournament knew of it already."""
    if not match.terms.tournament:
        return None
    found = house.tournaments.load(conn, TournamentId(match.terms.tournament))
    if found is None:
        return None
    return at_table(after_result(found[0], match, house.now()), match.id, reader)


def _change(conn: Connection, match: Match, reader: PlayerId) -> Change | None:
    """What a match has made of the reader's rating, as far as that is known yet."""
    if reader not in match.table.players:
        return None
    return standings.change(conn, match.id, match.game.key, reader)


def _inviter(conn: Connection, match: Match, reader: PlayerId, now: datetime) -> Inviter | None:
    """How good and how reliable whoever invites is."""
    challenger = match.table.challenger
    if challenger is None or is_bot(challenger):
        return None
    return standings.inviter(conn, match.game.key, challenger, reader, now)


def sealed_texts(
    conn: Connection,
    notices: Sequence[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: Reader,
) -> dict[Digest, str]:
    """The texts of messages and comments, of the reader's notes, and of operators' reasons."""
    digests = [getattr(one, one.traits.says) for one in notices if one.traits.says]
    kinds = {type(notice) for notice in notices}
    for loaded in matches.values():
        match = loaded.match
        if MessagesShown in kinds:
            digests += [said.text for said in match.table.said[-REMARKS:]]
        if not kinds.isdisjoint((NotesShown, MatchOver)):
            digests += [note.text for note in notes_of(match, reader.player)]
        if not kinds.isdisjoint((RecordShown, ReplayShown)):
            digests += [one.text for one in match.table.comments]
    return sealed.unseal(conn, digests) if digests else {}
