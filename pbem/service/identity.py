"""Who wrote an email, and what may be done in their name.

There are three levels:

- **Verified**: the sender's address belongs to a player, and either the email answers at a reply
  address that only this player has, and our server's verdict is not "fail"; or the verdict is
  "pass", the public address is among the visible recipients, and the email is at most a week old (a
  signed email can be sent again by others). Everything may be done.
- **Asked**: any other email in a player's name. Nothing is done; the player is asked at their own
  address.
- **Stranger**: nobody that we know. They are asked whether they want to play.

Reply addresses carry a keyed hash (`pbem.mail.addresses`). A mailbox without plus addresses gets
all emails at the public address; then our own Message-ID in In-Reply-To names the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection

from pbem.mail.addresses import EntrantAddress, PlayerAddress, QuestionAddress, find_tag, read_tag
from pbem.mail.inbound import InboundEmail, Verdict
from pbem.names import MatchId, PlayerId
from pbem.service.app import App
from pbem.store import matches, outbox, players, waiting
from pbem.store.tables import OutboxRow, PlayerRow, QuestionRow

SIGNED_FOR: Final = timedelta(days=7)  # a verdict of "pass" counts for an email of this age
ANSWERED_FOR: Final = timedelta(days=60)  # our Message-ID names a match for so long


class Level(StrEnum):
    """How sure it is who wrote an email."""

    VERIFIED = "verified"
    ASKED = "asked"
    STRANGER = "stranger"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sender:
    """Who wrote an email, and what it answers.

    `match_id` is the match that the email is about, `question` the open question at whose own
    address it was sent, `answers` the email of ours that it replies to.
    """

    level: Level
    address: str
    player: PlayerRow | None = None
    match_id: MatchId | None = None
    question: QuestionRow | None = None
    answers: OutboxRow | None = None


def identify_sender(
    conn: Connection, app: App, email: InboundEmail, address: str, now: datetime
) -> Sender:
    """Return who wrote an email whose From is `address`."""
    player = players.find_by_address(conn, address)
    answers = _find_answered(conn, email, now)
    tag = _find_tag(app, email)
    question = None
    if isinstance(tag, QuestionAddress):
        question = waiting.find_open_question(conn, tag.question, now)
    match_id, has_current_tag = _match_of_tag(conn, tag, player)
    if answers is not None and player is not None and answers.player == player.id:
        if tag is None:
            has_current_tag = True
        if match_id is None and answers.match:
            match_id = MatchId(answers.match)
    if player is None:
        level = Level.STRANGER
    elif _is_verified(app, email, now, has_current_tag=has_current_tag):
        level = Level.VERIFIED
    else:
        level = Level.ASKED
    if level is Level.VERIFIED and player is not None and match_id is None:
        running = matches.list_open_matches(conn, PlayerId(player.id))
        match_id = running[0] if len(running) == 1 else None
    return Sender(
        level=level,
        address=address,
        player=player,
        match_id=match_id,
        question=question,
        answers=answers,
    )


def _is_verified(app: App, email: InboundEmail, now: datetime, *, has_current_tag: bool) -> bool:
    if has_current_tag:
        return email.verdict is not Verdict.FAIL
    is_public = app.site.address.lower() in email.visible_recipients
    is_fresh = email.sent_at is not None and abs(now - email.sent_at) <= SIGNED_FOR
    return email.verdict is Verdict.PASS and is_public and is_fresh


def _find_tag(
    app: App, email: InboundEmail
) -> EntrantAddress | PlayerAddress | QuestionAddress | None:
    for recipient in email.recipients:
        tag = find_tag(recipient, app.site.address, delimiter=app.site.delimiter)
        found = read_tag(app.keys, tag) if tag else None
        if found is not None:
            return found
    return None


def _match_of_tag(
    conn: Connection,
    tag: EntrantAddress | PlayerAddress | QuestionAddress | None,
    player: PlayerRow | None,
) -> tuple[MatchId | None, bool]:
    """Return the match that a tag names, and whether it is the current tag of this player."""
    if isinstance(tag, EntrantAddress):
        seat = matches.find_entrant(conn, tag.match, tag.entrant)
        if seat is None or player is None or seat.player != player.id:
            return None, False
        return tag.match, tag.generation == seat.generation
    if isinstance(tag, PlayerAddress):
        is_own = player is not None and tag.player == player.id
        return None, is_own and player is not None and tag.generation == player.generation
    return None, False


def _find_answered(conn: Connection, email: InboundEmail, now: datetime) -> OutboxRow | None:
    for message_id in email.replies_to[:3]:
        row = outbox.find_by_message_id(conn, message_id)
        if row is not None and now - row.queued_at <= ANSWERED_FOR:
            return row
    return None
