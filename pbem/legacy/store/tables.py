"""The tables. Their classes never leave the store: its modules use the Core tables at the end."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from pbem.legacy.matches.match import Status
from pbem.legacy.store import club_tables, indexes
from pbem.legacy.store.columns import (
    BIG,
    LETTERS,
    MAILS,
    NEVER_AGAIN,
    Base,
    ahead,
    ahead_or_never,
    at,
    at_or_never,
    big,
    counted,
    json_of,
    kind_of_work,
    names,
    numbered,
    one_of,
    packed,
    packed_or_none,
    packed_text,
)

# --- the log -------------------------------------------------------------------------------------


class LogHead(Base, table=True):
    """One row: the position of the newest event of all streams."""

    __tablename__ = "log_head"
    id: int = counted()
    position: int = big()


class Stream(Base, table=True):
    """What happens to a match, player or tournament; `head_hash` covers all of its events."""

    __tablename__ = "stream"
    id: str = Field(primary_key=True)
    category: str = one_of(("match", "player", "tournament"))
    version: int
    head_hash: str
    created_at: datetime = at()
    closed_at: datetime | None = at_or_never()


class Event(Base, table=True):
    """A fact. Rows are only ever inserted; triggers refuse all else."""

    __tablename__ = "event"
    __table_args__ = (UniqueConstraint("stream", "version"), *indexes.EVENT)
    position: int = counted()
    stream: str = Field(foreign_key="stream.id")
    version: int
    event_id: str = Field(unique=True)
    type: str
    shape: int = Field(sa_column_kwargs={"name": "schema"})
    data: str = json_of(dict)
    meta: str = json_of(dict)
    recorded_at: datetime = at()
    hash: str


class Sealed(Base, table=True):
    """A text that events name by its digest: to be shown later, to few, or forgotten."""

    __tablename__ = "sealed"
    digest: str = Field(primary_key=True)
    salt: bytes
    text: str


class ChanceSecret(Base, table=True):
    """The end of a match's hash chain, and the first link that has not been shown."""

    __tablename__ = "chance_secret"
    stream: str = names("stream.id", key=True)
    kind: str = Field(primary_key=True)
    commitment: str
    secret: bytes
    links: int
    next_index: int


# --- mail ----------------------------------------------------------------------------------------


class Inbox(Base, table=True):
    """A letter as it came; `raw` is emptied after months. See store/mails/inbox.py for `lane`."""

    __tablename__ = "inbox"
    __table_args__ = (*indexes.INBOX, NEVER_AGAIN)
    number: int = numbered()
    mail_key: str = Field(unique=True)
    lane: str | None = None
    worker: int | None = None
    account: str
    mailbox: str
    uidvalidity: int = big()
    uid: int = big()
    message_id: str | None
    envelope_to: str | None
    raw: bytes = packed()
    oversize: int | None
    received_at: datetime = at()
    attempts: int
    state: str = one_of(LETTERS)
    disposition: str | None
    code: str | None
    player: str | None = names("people", optional=True)
    stream: str | None = names("stream.id", optional=True)
    to_version: int | None


class Checkpoint(Base, table=True):
    """How far a mailbox has been read."""

    __tablename__ = "checkpoint"
    account: str = Field(primary_key=True)
    mailbox: str = Field(primary_key=True)
    uidvalidity: int = big()
    uid: int = big()
    read_at: datetime = at()


class Outbox(Base, table=True):
    """One mail to one reader. `next_at` is when somebody should look at it, empty for never."""

    __tablename__ = "outbox"
    __table_args__ = (*indexes.OUTBOX, NEVER_AGAIN)
    id: int = numbered()
    mail_key: str = Field(unique=True)
    message_id: str = Field(unique=True)
    stream: str | None = names("stream.id", optional=True)
    version: int
    recipient: str | None = names("people", optional=True)
    to_address: str | None
    kind: str = kind_of_work()
    notices: str = json_of(list)
    in_reply_to: str | None
    root: str | None
    state: str = one_of(MAILS)
    worker: int | None = None
    attempts: int
    queued_at: datetime = at()
    next_at: datetime | None = ahead_or_never()
    data: bytes | None = packed_or_none()
    mail_from: str | None
    rcpt: str | None
    smtp_reply: str | None
    sent_at: datetime | None = at_or_never()


class Fingerprint(Base, table=True):
    """What the lines of a mail that we sent look like, one on each line of `lines`.

    Rows of their own, so that reading them does not go past the bytes of the mails.
    """

    __tablename__ = "fingerprint"
    outbox_id: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    lines: str = packed_text()


# --- what waits ----------------------------------------------------------------------------------


class Timer(Base, table=True):
    """Something to be done at a time."""

    __tablename__ = "timer"
    __table_args__ = indexes.TIMER
    key: str = Field(primary_key=True)
    due_at: datetime = ahead()
    stream: str | None
    kind: str = kind_of_work()
    facts: str = json_of(dict)
    fired_at: datetime | None = at_or_never()


class Question(Base, table=True):
    """What a player's `yes` would answer."""

    __tablename__ = "question"
    __table_args__ = (*indexes.QUESTION, NEVER_AGAIN)
    number: int = numbered()
    key: str = Field(unique=True)
    player: str = names("people")
    kind: str = kind_of_work()
    facts: str = json_of(dict)
    expires_at: datetime = ahead()
    answered_at: datetime | None = at_or_never()


class Rate(Base, table=True):
    """A leaky bucket, as the time at which it will be empty."""

    __tablename__ = "rate"
    key: str = Field(primary_key=True)
    empty_at: datetime = ahead()


class RunnerState(Base, table=True):
    """What a runner last did, for `pbem status`."""

    __tablename__ = "runner_state"
    runner: str = Field(primary_key=True)
    last_at: datetime = at()
    what: str


# --- people, and views of the log ----------------------------------------------------------------


class Player(Base, table=True):
    """What a player wants to be called and how mailed, and which reply addresses are alive."""

    __tablename__ = "player"
    id: str = Field(primary_key=True)
    name: str
    name_folded: str = Field(index=True)
    generation: int
    banned: bool = False
    wishes: str = json_of(dict, "{}")
    created_at: datetime = at()


class Address(Base, table=True):
    """Where a player gets mail: one primary address, and others that may write.

    `bounces` counts those since the last letter, and `bounced_since` is when the first mail was
    made that came back; nothing is sent to a suspended address.
    """

    __tablename__ = "address"
    __table_args__ = indexes.ADDRESS
    folded: str = Field(primary_key=True)
    address: str
    player: str = Field(foreign_key="player.id", index=True)
    main: bool
    confirmed: bool
    added_at: datetime = at()
    bounces: int = 0
    bounced_since: datetime | None = at_or_never()
    suspended_at: datetime | None = at_or_never()


class ReplyAddress(Base, table=True):
    """The generations of a player's reply addresses; a revoked one is not answered to.

    One with a `match` is of the player's seat in that match alone, in place of those before it.
    """

    __tablename__ = "reply_address"
    player: str = Field(primary_key=True, foreign_key="player.id")
    generation: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    since: datetime = at()
    revoked_at: datetime | None = at_or_never()
    match: str | None = names("match.id", optional=True)


class MatchView(Base, table=True):
    """A match as lists show it; `players` and `to_act` are JSON lists of player ids."""

    __tablename__ = "match"
    __table_args__ = indexes.MATCH
    id: str = Field(primary_key=True)
    ruleset: str
    status: str = one_of([status.value for status in Status])
    players: str = json_of(list)
    to_act: str = json_of(list)
    open_seats: int = 0
    ply: int
    version: int
    created_at: datetime = at()
    updated_at: datetime = at()
    waiting_since: datetime | None = at_or_never()


class MatchPlayer(Base, table=True):
    """Who is in which match; `finished`: it ended, and lets the player play one more at once."""

    __tablename__ = "match_player"
    __table_args__ = (*indexes.MATCH_PLAYER, {"sqlite_with_rowid": False})
    player: str = names("people", key=True)
    match: str = names("match.id", key=True)
    finished: bool = False


class SeatName(Base, table=True):
    """As whom somebody sat down when a match began: the names in the subjects of its mails."""

    __tablename__ = "seat_name"
    __table_args__: ClassVar[dict[str, Any]] = {"sqlite_with_rowid": False}
    match: str = names("match.id", key=True)
    seat: int = Field(primary_key=True)
    player: str = names("people")
    name: str


class MatchWatcher(Base, table=True):
    """Who watches which match."""

    __tablename__ = "match_watcher"
    __table_args__: ClassVar[dict[str, Any]] = {"sqlite_with_rowid": False}
    player: str = names("people", key=True)
    match: str = names("match.id", key=True)


class AnalysisMade(Base, table=True):
    """An analysis of a match that is over, as far as it is made: `pieces` are of `of`.

    `as_of` is the end that it is of; `waits` has the ids of who asked. `due_at` is when somebody
    should go on with it, empty where nobody should; `tries` are those that failed.
    """

    __tablename__ = "analysis"
    __table_args__ = indexes.ANALYSIS
    match: str = names("match.id", key=True)
    as_of: str
    waits: str = json_of(list)
    asked_at: datetime = at()
    due_at: datetime | None = ahead_or_never()
    tries: int
    done: int
    of: int
    pieces: str = json_of(list)


class MatchStill(Base, table=True):
    """A match that stands still, since when, and why: its rules are not there, or have failed."""

    __tablename__ = "match_still"
    match: str = names("match.id", key=True)
    ruleset: str
    since: datetime = at()
    why: str


class NoMailTo(Base, table=True):
    """A mailbox whose owner wants no mail of ours, as a digest: what it is called is not kept."""

    __tablename__ = "no_mail_to"
    mailbox: str = Field(primary_key=True)
    since: datetime = at()


METADATA = Base.metadata

_core = METADATA.tables.__getitem__

log_head = _core("log_head")
stream = _core("stream")
event = _core("event")
sealed = _core("sealed")
chance_secret = _core("chance_secret")
inbox = _core("inbox")
checkpoint = _core("checkpoint")
outbox = _core("outbox")
fingerprint = _core("fingerprint")
timer = _core("timer")
question = _core("question")
rate = _core("rate")
runner_state = _core("runner_state")
player = _core("player")
address = _core("address")
reply_address = _core("reply_address")
match = _core("match")
match_player = _core("match_player")
seat_name = _core("seat_name")
match_watcher = _core("match_watcher")
result = _core("result")
rating = _core("rating")
analysis = _core("analysis")
match_still = _core("match_still")
no_mail_to = _core("no_mail_to")
projection = _core("projection")
tournament = _core(club_tables.Tournament.__tablename__)
tournament_player = _core(club_tables.TournamentPlayer.__tablename__)
came_of = _core(club_tables.CameOf.__tablename__)
lasted = _core(club_tables.Lasted.__tablename__)
opening = _core(club_tables.Opening.__tablename__)
log_node = _core(club_tables.LogNode.__tablename__)
log_note = _core(club_tables.LogNote.__tablename__)
