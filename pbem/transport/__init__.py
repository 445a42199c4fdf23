"""Fetch emails from a mailbox and send emails, over IMAP and SMTP or with Maildir folders.

A `Mailbox` is one folder of an IMAP account, or one Maildir. It returns new messages in batches.
Each batch has a `Checkpoint`, which the caller stores in the same transaction as the messages, and
passes to the next fetch. Only the checkpoint decides which messages are new: a message that was
fetched but not stored is fetched again, and a message that another program has marked as read is
not skipped. A message can be fetched twice, for example after a mailbox was rebuilt, so the caller
must recognize duplicates.

A `Mailer` hands one email for one recipient to a mail server, and returns the server's response. It
does not try again later; that is the caller's task.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pbem.errors import PbemError
from pbem.names import Checkpoint

MAX_MESSAGE_BYTES = 1_000_000  # a reply is a few KB; larger messages are not read
BATCH_SIZE = 50  # messages in one fetch: enough for speed, few enough for one transaction


class TransportError(PbemError):
    """Raised if a mail server cannot be reached or misbehaves. A later attempt may succeed."""


class LoginError(TransportError):
    """Raised if a mail server refuses the user name or password. Only the operator can fix this."""


class MailboxError(TransportError):
    """Raised if only the operator can make the mailbox usable. The message says how."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FetchedMessage:
    """A message as the mailbox stores it.

    `uid` is the number of the message in the mailbox. `envelope_recipient` is the address to which
    the message was delivered, or None if the mailbox stores no such address beside the message. For
    an oversized message, `raw` has only the headers.
    """

    uid: int
    raw: bytes
    envelope_recipient: str | None = None
    is_oversized: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """New messages in the order of their UIDs, and the checkpoint to pass to the next fetch."""

    messages: tuple[FetchedMessage, ...]
    checkpoint: Checkpoint


class Mailbox(Protocol):
    """A mailbox from which one task at a time fetches messages."""

    async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
        """Return the next messages after a checkpoint, without waiting for new ones.

        Args:
            checkpoint: The checkpoint of the previous batch; None to begin with the oldest message.

        Returns:
            The next messages, at most `BATCH_SIZE`, or None if there are none. A batch without
            messages is possible, for example if they were deleted during the fetch. The caller must
            store its checkpoint, too.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The mailbox cannot be read now. The next call connects again.
        """

    async def find_newest(self) -> Checkpoint:
        """Return a checkpoint after the newest message, to skip all existing messages.

        After an error, the caller must close the mailbox.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The mailbox cannot be read now.
        """

    async def wait_for_new(self, seconds: float) -> None:
        """Wait until there may be new messages. Call this after a fetch that found no messages.

        Args:
            seconds: The longest wait. It must be less than 10 minutes, after which some providers
                silently end IDLE. If nothing reports new messages to us, the wait is shorter.

        Raises:
            TransportError: The connection was lost.
        """

    async def mark_read(self, batch: Batch) -> None:
        """Mark the messages of a stored batch as read, for people who look into the mailbox.

        A failure is logged and raises no TransportError. Later fetches are not affected.
        """

    async def check(self) -> str:
        """Connect and log in without reading messages, and return a description of the mailbox.

        Raises:
            LoginError: The server refuses the login.
            MailboxError: The mailbox does not exist or is nearly full.
            TransportError: The mailbox cannot be read.
        """

    async def close(self) -> None:
        """Close the connection, if there is one, without raising TransportError."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Envelope:
    """An email for one recipient, as bytes that are sent unchanged.

    `mail_from` is the address to which bounces go. If it is empty, there are no bounces.
    """

    mail_from: str
    recipient: str
    data: bytes


class SendOutcome(StrEnum):
    """The outcome of one attempt to send an email."""

    SENT = "sent"
    TRANSIENT = "transient"  # not accepted now; try again later
    PERMANENT = "permanent"  # never accepted
    AMBIGUOUS = "ambiguous"  # connection lost after DATA: send again with the same Message-ID


@dataclass(frozen=True, kw_only=True, slots=True)
class SendResult:
    """The outcome of sending an email, with the server's reply.

    `code` is the reply code (RFC 5321, section 4.2), or None if the server gave no code. `reply` is
    the text of the reply, or a description of the error if there was no reply.
    """

    outcome: SendOutcome
    code: int | None = None
    reply: str = ""


class Mailer(Protocol):
    """A client of a mail server that sends emails. Several tasks can use it at the same time."""

    async def send(self, envelope: Envelope) -> SendResult:
        """Try once to send an email, and return the result.

        A failure is also returned as a result. No TransportError is raised.
        """

    async def check(self) -> str:
        """Connect and log in without sending an email, and return a description of the server.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The server cannot be reached now.
        """

    async def close(self) -> None:
        """Close the connections on which no email is being sent."""
