"""The tables of the database; times are aware UTC in Python, and stored without an offset.

Column comments give units and meaning. `event` is the log; triggers refuse to change or delete its
rows. These must never be lost either: `inbox` (until a message is processed), `outbox` (until an
email is sent), `scheduled_move`, `question`, `chance_secret`, players and their addresses.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, Column, DateTime, Index, LargeBinary, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """A column type for aware UTC times, stored without an offset because SQLite has none."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return a time in UTC without an offset, to be stored; None stays None.

        Raises:
            ValueError: The time has no offset.
        """
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no offset: times are aware")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return a stored time as an aware time in UTC; None stays None."""
        del dialect
        return None if value is None else value.replace(tzinfo=UTC)


def _time(*, index: bool = False, nullable: bool = False) -> Any:
    return Field(sa_column=Column(UtcDateTime(), index=index, nullable=nullable), default=None)


# --- the log -------------------------------------------------------------------------------------


class EventRow(SQLModel, table=True):
    """One event of a match; rows are never changed or deleted."""

    __tablename__ = "event"
    __table_args__ = (UniqueConstraint("stream", "version"),)

    position: int = Field(primary_key=True)  # gapless, in the order of commits
    event_id: str = Field(unique=True)  # UUID of cause, match and number: a cause is applied once
    stream: str = Field(index=True)  # id of the match
    version: int  # number of the event in its stream, from 1
    type: str
    data: str  # canonical JSON
    cause: str = Field(index=True)  # id of the cause, such as an email or a timer
    salt: str  # hex; prevents guessing a hidden event from its hash
    hash: str  # hex; covers this event and the hash of the event before


class ChanceSecretRow(SQLModel, table=True):
    """The secret of a match, which decides its random draws and the salts of its events."""

    __tablename__ = "chance_secret"

    match: str = Field(primary_key=True)
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


# --- people --------------------------------------------------------------------------------------


class PlayerRow(SQLModel, table=True):
    """A player, including people who were invited and have not confirmed yet."""

    __tablename__ = "player"

    id: str = Field(primary_key=True)
    name: str = Field(index=True)
    language: str = "en"
    timezone: str = "UTC"
    digest_hour: int | None = None  # local hour of the daily digest; None: no digest
    digest_due: datetime | None = _time(index=True, nullable=True)
    digest_attempts: int = 0
    has_pictures: bool = True  # whether emails show boards as pictures
    is_spoken: bool = False  # whether emails describe boards in words, for screen readers
    has_reminders: bool = True  # whether the player gets an email before a deadline
    undo_minutes: int | None = None  # undo window; None: the default of the service
    generation: int = 0  # of reply addresses; those of older generations are invalid
    created_at: datetime = _time()
    confirmed_at: datetime | None = _time(nullable=True)  # when the player first answered yes
    stopped_at: datetime | None = _time(nullable=True)  # when the player wrote `stop`
    away_until: datetime | None = _time(nullable=True)  # end of the player's vacation
    bounces: int = 0  # number of bounced emails since the player's last email
    suspended_at: datetime | None = _time(nullable=True)  # when emails were stopped after bounces
    banned_at: datetime | None = _time(nullable=True)
    deleted_at: datetime | None = _time(nullable=True)  # when the account was deleted


class AddressRow(SQLModel, table=True):
    """An email address of a player, in lower case."""

    __tablename__ = "address"

    address: str = Field(primary_key=True)
    player: str = Field(foreign_key="player.id", index=True)
    is_main: bool = True  # whether emails to the player go here


class AccountChangeRow(SQLModel, table=True):
    """A change of a player's addresses or account; kept for a year."""

    __tablename__ = "account_change"

    id: int | None = Field(default=None, primary_key=True)
    player: str = Field(index=True)
    change: str  # address_added, address_removed, reply_addresses_replaced, deleted
    address: str = ""  # the address that was added or removed
    at: datetime = _time()


class BlockRow(SQLModel, table=True):
    """A player's refusal of another player's messages (mute), or also of invitations (block)."""

    __tablename__ = "block"

    player: str = Field(primary_key=True, foreign_key="player.id")
    other: str = Field(primary_key=True, foreign_key="player.id", index=True)
    kind: str = Field(primary_key=True)  # mute, block


class DoNotMailRow(SQLModel, table=True):
    """The hash of a mailbox whose owner answered `never`; kept forever."""

    __tablename__ = "do_not_mail"

    mailbox_hash: str = Field(primary_key=True)
    created_at: datetime = _time()


class RateLimitRow(SQLModel, table=True):
    """A counter within a window of time; a row whose window has ended is ignored."""

    __tablename__ = "rate_limit"

    name: str = Field(primary_key=True)  # name of the limit
    subject: str = Field(primary_key=True)  # id of a player, a domain, or hash of a mailbox
    ends_at: datetime = _time(index=True)  # end of the window
    count: int


# --- matches: read model -------------------------------------------------------------------------


class MatchRow(SQLModel, table=True):
    """The summary of a match or challenge.

    Emails and lists of matches are made from it, so that the events need not be loaded.
    """

    __tablename__ = "match"

    id: str = Field(primary_key=True)
    ruleset: str
    status: str = Field(index=True)
    version: int
    head: str  # hash of the newest event, hex
    ply: int = 0
    open_seats: int = Field(default=0, index=True)  # free seats that any player may take
    created_at: datetime = _time()
    ended_at: datetime | None = _time(nullable=True)
    outcome: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    tournament: str | None = Field(default=None, foreign_key="tournament.name", index=True)
    rated_position: int | None = None  # log position of the end, if the match counts for ratings


class SeatRow(SQLModel, table=True):
    """A player's or invited player's part in a match.

    `entrant` is the player's number in the challenge and never changes. `seat` is None until the
    match starts.
    """

    __tablename__ = "seat"
    __table_args__ = (
        UniqueConstraint("match", "player"),
        Index("ix_seat_to_move", "is_to_move", "player"),
    )

    match: str = Field(primary_key=True, foreign_key="match.id")
    entrant: int = Field(primary_key=True)  # number in the challenge; the challenger is 1
    player: str = Field(foreign_key="player.id", index=True)
    state: str  # invited, accepted, declined, left
    seat: int | None = None
    is_to_move: bool = False
    generation: int = 0  # of this seat's reply address
    emailed_version: int = 0  # newest version that an email to this player has shown
    news_since: datetime | None = _time(nullable=True)  # since when news is held back
    last_move_version: int = 0  # version of this player's newest move; older replies are stale
    reminded_of: datetime | None = _time(nullable=True)  # deadline of the last reminder


class MessageRow(SQLModel, table=True):
    """A message from a player to the other players of a match."""

    __tablename__ = "message"

    id: int | None = Field(default=None, primary_key=True)
    match: str = Field(foreign_key="match.id", index=True)
    player: str = Field(foreign_key="player.id", index=True)
    text: str
    sent_at: datetime = _time()


class WatchRow(SQLModel, table=True):
    """A player who watches a match in which they do not play."""

    __tablename__ = "watch"

    player: str = Field(primary_key=True, foreign_key="player.id")
    match: str = Field(primary_key=True, foreign_key="match.id")
    notified_at: datetime = _time()  # time of the player's last news about the match


# --- ratings and tournaments ---------------------------------------------------------------------


class RatingRow(SQLModel, table=True):
    """A player's rating in a game after their last rated match; it can be recomputed."""

    __tablename__ = "rating"

    player: str = Field(primary_key=True, foreign_key="player.id")
    game: str = Field(primary_key=True, index=True)  # key of the game, as in `logger`
    value: float  # points
    deviation: float  # points
    volatility: float
    matches: int  # number of rated matches
    position: int  # log position of the end of the last rated match


class TournamentRow(SQLModel, table=True):
    """A tournament: groups in which each pair of players plays one or two matches."""

    __tablename__ = "tournament"

    name: str = Field(primary_key=True)  # as people type it, in lower case
    ruleset: str
    group_size: int  # players in a group
    games: int  # matches of each pair
    time_control: str  # as in `24/8/48` (hours), or `none`
    created_at: datetime = _time()
    starts_at: datetime | None = _time(nullable=True)  # None: when a group is full
    started_at: datetime | None = _time(nullable=True)
    ended_at: datetime | None = _time(nullable=True)  # when the players got the final table
    due_at: datetime | None = _time(index=True, nullable=True)  # time of the next check
    attempts: int = 0


class TournamentEntryRow(SQLModel, table=True):
    """A player's entry in a tournament; it is deleted if the player withdraws before the start."""

    __tablename__ = "tournament_entry"

    tournament: str = Field(primary_key=True, foreign_key="tournament.name")
    player: str = Field(primary_key=True, foreign_key="player.id", index=True)
    number: int  # order of entry, from 1
    message_hash: str  # hash of the email or form that enters the player and accepts the matches
    group_number: int | None = None  # from 1; None until the start


# --- emails --------------------------------------------------------------------------------------


class InboxRow(SQLModel, table=True):
    """A message as it was received. The row is never deleted, so that copies are recognised."""

    __tablename__ = "inbox"

    key: str = Field(primary_key=True)  # hash (hex) that all copies of the message have in common
    number: int = Field(unique=True)  # order of receipt
    account: str
    received_at: datetime = _time()
    raw: bytes | None = Field(default=None, sa_column=Column(LargeBinary))  # None if deleted
    is_cut: bool = False  # whether the message was too large, so that `raw` has only its headers
    state: str = Field(default="new", index=True)  # new, done, set-aside
    attempts: int = 0
    next_attempt_at: datetime | None = _time(nullable=True)
    sent_as: str = Field(default="", index=True)  # verified sender and Message-ID
    outcome: str = ""  # description of the outcome, for the operator
    error: str = ""


class CheckpointRow(SQLModel, table=True):
    """The checkpoint up to which a mailbox has been read."""

    __tablename__ = "mailbox_state"

    account: str = Field(primary_key=True)
    mailbox: str = Field(primary_key=True)
    uidvalidity: int
    uid: int
    fetched_at: datetime = _time()  # when the newest batch was fetched


class OutboxRow(SQLModel, table=True):
    """An email to one reader because of one cause, with its contents and the state of sending it.

    The email is sent to `address` if this is not empty, as for questions. Otherwise it is sent to
    the main address that `player` has at the time of sending.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_due", "state", "next_attempt_at"),
        Index("ix_outbox_unsent", "player", "state"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)  # cause, match and recipient
    player: str | None = None
    address: str = ""  # used in place of the player's main address, if set
    match: str | None = Field(default=None, index=True)
    version: int = 0  # version of the match that the email shows
    turn_since: datetime | None = _time(nullable=True)
    """Since when it is the reader's turn, if the email announces it."""
    is_prompt: bool = False  # whether the email only asks for a move; a newer one replaces it
    kind: str
    subject: str
    text: str = ""
    html: str = ""
    attachments: dict[str, str] = Field(  # name of a file -> its text
        default_factory=dict, sa_column=Column(JSON, nullable=False, default=dict)
    )
    pictures: dict[str, str] = Field(  # for each board to draw: its SVG -> its description in words
        default_factory=dict, sa_column=Column(JSON, nullable=False, default=dict)
    )
    message_id: str = Field(unique=True)
    in_reply_to: str = ""
    references: str = ""
    reply_tag: str = ""
    state: str = "queued"  # queued, sending, sent, failed, dropped
    attempts: int = 0
    queued_at: datetime = _time()
    next_attempt_at: datetime | None = _time(nullable=True)
    sent_at: datetime | None = _time(index=True, nullable=True)
    data: bytes | None = Field(default=None, sa_column=Column(LargeBinary))  # final bytes
    smtp_reply: str = ""


# --- what waits ----------------------------------------------------------------------------------


class ScheduledMoveRow(SQLModel, table=True):
    """A move that is played when its undo window ends; until then only its player can see it."""

    __tablename__ = "scheduled_move"

    match: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    ply: int  # number that the move has in the match when it is played
    version: int  # version of the match when the move was scheduled
    notation: str
    received_at: datetime = _time()
    due_at: datetime = _time(index=True)
    attempts: int = 0
    cause: str  # cause of the unit of work that scheduled it
    message_hash: str
    offers_draw: bool = False  # whether a draw is offered when the move is played
    message: str = ""  # message to the others that is sent with the move


class QuestionRow(SQLModel, table=True):
    """A question that we sent by email.

    Each question has a reply address of its own. The first `yes` that arrives there answers it.
    """

    __tablename__ = "question"

    id: str = Field(primary_key=True)
    kind: str
    player: str | None = Field(default=None, index=True)
    address: str  # the address that was asked
    match: str | None = None
    version: int = 0  # version of the match when we asked; a move of the player ends the question
    generation: int | None = None
    """Sum of the generations of the player and of their seat in the match when we asked.

    None if the owner of `address` has never said yes to us. An answer then does not prove that it
    comes from the player.
    """
    payload: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    is_strict: bool = False  # whether a yes counts only if it is alone on the first line
    asked_at: datetime = _time()
    expires_at: datetime = _time()
    closed_at: datetime | None = _time(nullable=True)


class ConditionalMoveRow(SQLModel, table=True):
    """A move that is played if the opponent makes the expected move (`if MOVE then MOVE`)."""

    __tablename__ = "conditional_move"

    match: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    expected: str = Field(primary_key=True)  # the opponent's expected move, canonical
    ply: int  # number of the expected move
    answer: str  # the move that answers it, canonical
    message_hash: str


class TimerRow(SQLModel, table=True):
    """The next time at which something is due in a match, for example because a clock runs out."""

    __tablename__ = "timer"

    match: str = Field(primary_key=True)
    due_at: datetime = _time(index=True)
    attempts: int = 0


class FaultRow(SQLModel, table=True):
    """A problem that occurred while the service ran, for the operator."""

    __tablename__ = "fault"

    name: str = Field(primary_key=True)  # kind of problem, as in `loop receive` or `timer_failed`
    text: str  # description of the newest occurrence
    count: int  # number of occurrences since `since`
    since: datetime = _time()
    at: datetime = _time()  # time of the newest occurrence


class HeartbeatRow(SQLModel, table=True):
    """A named point in time, such as when the service was last alive."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True)
    at: datetime = _time()
