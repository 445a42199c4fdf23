"""Fetch emails from a mailbox and send them: over IMAP and SMTP, or from and to Maildir folders.

A `Mailbox` gives new messages in batches. Each batch has a `Checkpoint`, which the caller stores in
the same transaction as the messages and passes to the next fetch. Read flags and folders are never
relied on: a message that was fetched but not stored is fetched again, and one that another program
has read is not skipped. A message can be fetched twice, for example after a mailbox was
rebuilt, so the caller must recognize duplicates.

A `Sender` hands one email for one recipient to a mail server, and returns what the server did with
it. It never tries again by itself.
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
    """A mail server cannot be reached, or does not do what was asked; try again later."""


class LoginError(TransportError):
    """A mail server refuses the user name or password; only the operator can change that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FetchedMessage:
    """A message as the mailbox has it.

    `envelope_recipient` is the address it was delivered to, if the mailbox knows it from outside
    the message. `raw` of an oversized message is its headers only.
    """

    uid: int
    raw: bytes
    envelope_recipient: str | None = None
    is_oversized: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """New messages in the order of their UIDs, and the checkpoint to store with them."""

    messages: tuple[FetchedMessage, ...]
    checkpoint: Checkpoint


class Mailbox(Protocol):
    """A mailbox that messages are fetched from, by one task at a time."""

    async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
        """Look once for messages after a checkpoint, and connect before that if necessary.

        Args:
            checkpoint: That of the batch before; None fetches everything from the beginning.

        Returns:
            The next messages, at most `BATCH_SIZE`; None if there are none. A batch can be empty,
            if its messages were deleted meanwhile; its checkpoint counts.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The mailbox cannot be read now. The next call connects again.
        """

    async def find_newest(self) -> Checkpoint:
        """Return a checkpoint after the newest message, so that only later ones are fetched.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The mailbox cannot be read now.
        """

    async def wait_for_new(self, seconds: float) -> None:
        """Wait, after a look that found nothing, until there may be new messages.

        Args:
            seconds: Longest wait. A mailbox that cannot notice new messages waits less.

        Raises:
            TransportError: The connection was lost.
        """

    async def mark_read(self, batch: Batch) -> None:
        """Show to people who open the mailbox that a stored batch has been read.

        Never raises TransportError: a failure is logged, and changes nothing for later fetches.
        """

    async def check(self) -> str:
        """Connect and log in, without reading anything. Return what was found, for people.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The mailbox cannot be read.
        """

    async def close(self) -> None:
        """Close the connection, if there is one. Never raises TransportError."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Envelope:
    """An email for one recipient, as bytes that are sent unchanged.

    `mail_from` is the address that bounces go to; it is empty for none.
    """

    mail_from: str
    recipient: str
    data: bytes


class SendOutcome(StrEnum):
    """What the mail server did with an email."""

    SENT = "sent"
    TRANSIENT = "transient"  # not accepted now; try again later
    PERMANENT = "permanent"  # never accepted
    AMBIGUOUS = "ambiguous"  # lost connection after the data: send again with the same Message-ID


@dataclass(frozen=True, kw_only=True, slots=True)
class SendResult:
    """The outcome of sending an email, with the server's reply.

    `code` is the reply code (RFC 5321, section 4.2), or None if the server gave none; `reply` is
    its text, or the error that there was instead.
    """

    outcome: SendOutcome
    code: int | None = None
    reply: str = ""


class Sender(Protocol):
    """A way to send emails, which several tasks may use at once."""

    async def send(self, envelope: Envelope) -> SendResult:
        """Send an email once. Never raises TransportError: each failure is a result."""

    async def check(self) -> str:
        """Connect and log in, without sending anything. Return what was found, for people.

        Raises:
            LoginError: The server refuses the login.
            TransportError: The server cannot be reached, or not now.
        """

    async def close(self) -> None:
        """Close idle connections."""
