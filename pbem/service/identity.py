"""Identification of senders: who wrote an email, and what may be done in their name.

There are three levels:

- **Verified**: the sender's address belongs to a player, and there is one of two proofs. First
  proof: the email was sent to a reply address that only this player has, and our mail server does
  not say that authentication of the sender failed. Second proof: our mail server says that
  authentication passed, the public address is among the visible recipients, and the email is at
  most a week old (because others can send a signed email again). Every command may be executed.
- **Unverified**: any other email whose From is a player's address, or which was sent to a player's
  reply address. Nothing is executed. Instead, the player is asked at their own address.
- **Stranger**: the sender is unknown, and is asked whether they want to play.

Reply addresses contain a keyed hash (`pbem.mail.addresses`). If the mailbox does not support plus
addresses, all emails arrive at the public address. Then the Message-ID of an email of ours, in
In-Reply-To or References, is as good a proof as the reply address of that email.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection

from pbem.mail.addresses import (
    EntrantAddress,
    PlayerAddress,
    QuestionAddress,
    ReplyAddress,
    is_own_message_id,
    read_tag,
)
from pbem.mail.inbound import InboundEmail, Verdict
from pbem.names import MatchId, PlayerId
from pbem.service.app import App
from pbem.store import matches, outbox, players, waiting
from pbem.store.tables import OutboxRow, PlayerRow, QuestionRow

MAX_SIGNED_AGE: Final = timedelta(days=7)  # greatest age of an email whose verdict "pass" counts
MAX_ANSWERED_AGE: Final = timedelta(days=60)  # time in which a reply to an email of ours counts
MAX_ANSWERED: Final = 3  # emails of ours that are looked up for one reply


class Level(StrEnum):
    """The degree of certainty about who wrote an email."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class Claim:
    """The contents of a reply address: its owner's id, its match, and whether it is still valid.

    `owner` is None if the address does not belong to a player. `match_id` is None if the address is
    not for one match.
    """

    owner: str | None = None
    match_id: MatchId | None = None
    is_current: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class IdentifiedSender:
    """The sender of an email, and the match or question that the email is about.

    Attributes:
        level: The degree of certainty about the sender.
        address: The From address.
        player: The player who wrote the email, or in whose name it was written; None if unknown.
        match_id: The match that the email is about; None if unknown.
        question: The question, open or closed, to whose reply address the email was sent; otherwise
            None.
        answered_emails: The emails of ours that the email replies to: first the one that it answers
            directly, then older emails of the thread.
        seen_version: The version of the match shown by the answered email, or by the link that
            prepared the reply. It is 0 if we can no longer look up the answered email, and None if
            the email answers no email of ours about the match.
        claim: The claim of the reply address to which the email was sent. If it was not sent
            to a reply address, the claim of the answered email's reply address.
        is_at_tag: Whether the email was sent to a reply address of the player, current or replaced.
        is_signed: Whether the mail server's verdict alone proves the sender.
        invited_player: The player whose invitation a stranger has answered; otherwise None.
    """

    level: Level
    address: str
    player: PlayerRow | None = None
    match_id: MatchId | None = None
    question: QuestionRow | None = None
    answered_emails: tuple[OutboxRow, ...] = ()
    seen_version: int | None = None
    claim: Claim = Claim()
    is_at_tag: bool = False
    is_signed: bool = False
    invited_player: PlayerRow | None = None


def identify_sender(
    conn: Connection, app: App, email: InboundEmail, address: str, now: datetime
) -> IdentifiedSender:
    """Return the sender of an email, as far as its addresses, headers and verdict prove it.

    Args:
        conn: The connection of the transaction.
        app: The running service.
        email: The email.
        address: The address in the From field of the email.
        now: The current time.
    """
    known = players.find_by_address(conn, address)
    answered = _list_answered(conn, email, now)
    newest = answered[0] if answered else None
    reply_address = _find_reply_address(app, email)
    question = None
    if isinstance(reply_address, QuestionAddress):
        question = waiting.find_question(conn, reply_address.question)
    carrier = reply_address
    if carrier is None and newest is not None:
        carrier = read_tag(app.keys, newest.reply_tag)
    claim = read_claim(conn, carrier)
    has_current_tag = known is not None and known.id == claim.owner and claim.is_current
    owner = None  # the player, if another person writes in their name
    if reply_address is not None and question is None and not has_current_tag and claim.is_current:
        owner = _find_confirmed(conn, claim.owner)
    player = owner or known
    invited = None
    if player is None and isinstance(reply_address, EntrantAddress):
        invited = _find_invited(conn, reply_address)
    is_signed = _is_signed(app, email, now)
    if player is None:
        level = Level.STRANGER
    elif owner is None and (email.verdict is not Verdict.FAIL if has_current_tag else is_signed):
        level = Level.VERIFIED
    else:
        level = Level.UNVERIFIED
    is_own = player is None or player.id == claim.owner  # not another player's reply address
    is_claimed = invited is not None or (player is not None and is_own)
    match_id = claim.match_id if is_claimed else None
    if match_id is None and newest is not None and player is not None:
        match_id = MatchId(newest.match) if newest.match and newest.player == player.id else None
    if match_id is None and player is not None:
        running = matches.list_open_matches(conn, PlayerId(player.id))
        match_id = running[0] if len(running) == 1 else None
    return IdentifiedSender(
        level=level,
        address=address,
        player=player,
        match_id=match_id,
        question=question,
        answered_emails=tuple(answered),
        seen_version=_find_seen_version(app, email, reply_address, newest, match_id),
        invited_player=invited,
        claim=claim,
        is_at_tag=reply_address is not None and is_own,
        is_signed=is_signed,
    )


def _is_signed(app: App, email: InboundEmail, now: datetime) -> bool:
    """Return whether our mail server's verdict proves who sent the email.

    The email must be addressed to our public address, and be at most `MAX_SIGNED_AGE` old. It also
    needs a Message-ID, because without one a second copy cannot be recognised.
    """
    is_public = app.site.address.lower() in email.visible_recipients
    is_fresh = email.sent_at is not None and abs(now - email.sent_at) <= MAX_SIGNED_AGE
    is_passed = email.verdict is Verdict.PASS
    return is_passed and is_public and is_fresh and bool(email.message_id)


def _find_seen_version(
    app: App,
    email: InboundEmail,
    reply_address: ReplyAddress | None,
    newest: OutboxRow | None,
    match_id: MatchId | None,
) -> int | None:
    if isinstance(reply_address, EntrantAddress) and reply_address.version:
        return reply_address.version
    if _answers_lost_email(app, email, newest):
        return 0
    if newest is not None and match_id is not None and newest.match == match_id:
        return newest.version
    return None


def _answers_lost_email(app: App, email: InboundEmail, newest: OutboxRow | None) -> bool:
    """Return whether the email replies to an email of ours that we can no longer look up.

    Either our email is older than `MAX_ANSWERED_AGE`, or it was lost in a restore from a backup.
    `newest` is the newest email of ours that we have found in the thread; None if we found none.
    """
    if not email.replies_to or not is_own_message_id(app.keys, email.replies_to[0]):
        return False
    return newest is None or newest.message_id != email.replies_to[0]


def _find_reply_address(app: App, email: InboundEmail) -> ReplyAddress | None:
    for recipient in email.recipients:
        tag = app.site.find_tag(recipient)
        address = read_tag(app.keys, tag) if tag else None
        if address is not None:
            return address
    return None


def read_claim(conn: Connection, address: ReplyAddress | None) -> Claim:
    """Return the owner, match and validity of a reply address, given the contents of its tag.

    The claim is empty if `address` is None, or names a seat, player or question that we do not
    know.
    """
    if isinstance(address, EntrantAddress):
        seat = matches.find_entrant(conn, address.match, address.entrant)
        if seat is not None:
            return Claim(seat.player, address.match, address.generation == seat.generation)
    elif isinstance(address, PlayerAddress):
        player = players.find_player(conn, address.player)
        if player is not None:
            return Claim(player.id, None, address.generation == player.generation)
    elif isinstance(address, QuestionAddress):
        question = waiting.find_question(conn, address.question)
        if question is not None:
            return _read_question_claim(conn, question)
    return Claim()


def _read_question_claim(conn: Connection, question: QuestionRow) -> Claim:
    """Return the claim of a question's reply address: its owner, its match, and its validity.

    The reply address stays valid after the question is closed, until the player gets new reply
    addresses. It is not valid if the question went to an email address that is not the player's,
    because that email address may belong to another person.
    """
    match_id = MatchId(question.match) if question.match else None
    player = players.find_by_address(conn, question.address)
    if player is None or player.id != question.player:
        return Claim(question.player, match_id)
    generation = player.generation
    seat = matches.find_seat(conn, match_id, PlayerId(player.id)) if match_id else None
    generation += seat.generation if seat is not None else 0
    return Claim(question.player, match_id, question.generation == generation)


def _find_confirmed(conn: Connection, player: str | None) -> PlayerRow | None:
    row = players.find_player(conn, PlayerId(player or ""))
    return row if row is not None and row.confirmed_at is not None else None


def _find_invited(conn: Connection, address: EntrantAddress) -> PlayerRow | None:
    """Return the invited player who owns a reply address, if they have never agreed to play.

    The result is None if the player has agreed, or if the reply address was replaced.
    """
    seat = matches.find_entrant(conn, address.match, address.entrant)
    if seat is None or seat.generation != address.generation:
        return None
    player = players.get_player(conn, PlayerId(seat.player))
    return player if player.confirmed_at is None else None


def _list_answered(conn: Connection, email: InboundEmail, now: datetime) -> list[OutboxRow]:
    rows = outbox.list_by_message_ids(conn, email.replies_to[:MAX_ANSWERED])
    return [row for row in rows if now - row.queued_at <= MAX_ANSWERED_AGE]
