"""Messages between players.

A message is stored once, and emailed to each player who has not muted or blocked its sender. If an
email has a message and a move, the message waits with the move and is sent in the same email
(`moves.py`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.mail.addresses import remove_tags
from pbem.match.state import Match, Status, require_running, require_seat
from pbem.names import MatchId, PlayerId, is_bot
from pbem.service.drafts import Draft
from pbem.service.registry import Request
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import messages, players
from pbem.store.tables import MessageRow

MAX_MESSAGE_LENGTH: Final = 2000  # characters of a message
MAX_SHOWN: Final = 50  # messages of a match that an email or a page shows
MESSAGE_PERIOD: Final = timedelta(days=30)  # time for messages after a match has ended


def read_message(request: Request, text: str) -> str:
    """Check a player's message, and return it without private links and reply addresses.

    Raises:
        Rejection: The match has not begun or ended too long ago, the sender has no seat, or the
            text is empty or too long.
    """
    match, now = request.match(), request.uow.now
    if match.status is not Status.ENDED:
        require_running(match)
    elif match.ended_at is not None and now - match.ended_at > MESSAGE_PERIOD:
        raise Rejection("match_over_too_long", days=MESSAGE_PERIOD.days)
    require_seat(match, request.player_id)
    text = remove_tags(request.uow.app.keys, text).strip()
    if not text:
        raise Rejection("nothing_said")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Rejection("message_too_long", length=len(text), most=MAX_MESSAGE_LENGTH)
    return text


def list_recipients(uow: UnitOfWork, match: Match, sender: PlayerId) -> list[PlayerId]:
    """Return the other players of a match, except bots and those who muted or blocked `sender`."""
    opponents = [player for player in match.players if player != sender and not is_bot(player)]
    return messages.list_hearers(uow.conn, sender, opponents)


def list_messages(conn: Connection, match_id: MatchId, reader: PlayerId) -> list[MessageRow]:
    """Return the newest messages of a match that `reader` may see, oldest first.

    Of the newest `MAX_SHOWN` messages, those of players whom the reader has muted or blocked are
    left out.
    """
    silenced = {row.other for row in messages.list_blocks(conn, reader)}
    rows = messages.list_messages(conn, match_id, limit=MAX_SHOWN)
    return [row for row in rows if row.player not in silenced]


def send_message(uow: UnitOfWork, match: Match, sender: PlayerId, text: str) -> None:
    """Store a message, and email it to the other players who have not muted or blocked `sender`."""
    messages.add_message(uow.conn, match.id, sender, text, uow.now)
    name = players.get_player(uow.conn, sender).name
    for reader in list_recipients(uow, match, sender):
        uow.emails.add(
            Draft(kind="message", player=reader, match_id=match.id, messages=[(name, text)])
        )
