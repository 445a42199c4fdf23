"""The ways in and out for mail: bytes and envelopes, never what they mean.

Thin and async. Nothing here knows a match, a player or a letter: the imports are the standard
library, the mail libraries, structlog and pbem.errors. A way in is a `Mailbox`, a way out a
`Sender`; another one is one more module. `apart` is for work that may take its process down.

The law of a way in: commit before acknowledge. The checkpoint in our database says what has been
read; flags, folders and file names are cosmetics that may fail or come late without any loss.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from pbem.errors import PbemError

AfterReading: TypeAlias = Literal["keep", "seen", "move", "delete"]
"""What becomes of a mail on the server once it is in our database."""

ResultKind: TypeAlias = Literal["sent", "transient", "permanent", "ambiguous"]

Cause: TypeAlias = Literal["answer", "relay", "silence"]
"""What a result rests on: what the server says of the mail (or that it hung up on it), the server
itself, which has not even heard of the mail, or that no answer about the mail came in time."""


class TransportError(PbemError):
    """A mail server cannot be used now; the message says which one and why."""


class LoginRefused(TransportError):  # noqa: N818 - the name says what the server did
    """The server does not take our name and password (or token): trying again will not help."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far one mailbox has been read: everything up to and including `uid`."""

    account: str
    mailbox: str
    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """One raw mail as it came in.

    `envelope_to` is the recipient of the SMTP envelope where the way in knows it (LMTP; a file of
    `MaildirSender`), else None. An `oversize` mail was not fetched: that is its size in bytes, and
    `raw` holds only its headers (at most 64 KiB of them).
    """

    account: str
    mailbox: str
    uidvalidity: int
    uid: int
    raw: bytes
    envelope_to: str | None = None
    oversize: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """New mails in the order of their uids, and the checkpoint to store in the same transaction."""

    mails: tuple[Fetched, ...]
    checkpoint: Checkpoint


REACHED: Final = "connected"
"""The state of a mailbox that was looked into, so that nothing of before is left in it."""


class Mailbox(Protocol):
    """A place where mails arrive and are read from."""

    @property
    def state(self) -> str:
        """How it is just now, for the operator: REACHED, or why it does not work."""
        ...

    def batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        """New mails from behind the checkpoint on, for ever; it waits while there are none.

        The consumer commits a batch (mails and `batch.checkpoint`) before it asks for the next
        one: asking is the acknowledgement, and only then does the adapter flag, move or delete on
        the server. So a consumer may be cancelled or killed at any point: before its commit the
        same mails come again from the stored checkpoint, after it they do not. Lost connections
        are mended inside.

            async with contextlib.aclosing(mailbox.batches(stored)) as batches:
                async for batch in batches:
                    commit(batch)
        """
        ...


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the SMTP server is told, and the finished mail, which is sent as it is."""

    mail_from: str
    rcpt_to: Sequence[str]
    data: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mail for one recipient.

    transient: not taken, send again later. permanent: refused for good. ambiguous: the connection
    broke while the server had the mail, so that it may or may not have taken it; the same bytes go
    again. `code` is the server's reply, None where there was none. Whoever sends lets all mails
    wait for a `relay` that cannot be used, and for `silence` that mail and its reader's others.
    `after_data`: the server had taken the recipient, and spoke of the whole mail.
    """

    kind: ResultKind
    code: int | None
    text: str
    cause: Cause = "answer"
    after_data: bool = False


class Sender(Protocol):
    """A way out."""

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        """Send it; one result for each recipient. A server's fault is a result and never raised.

        Several may be under way at once, and as many connections are open: how many there may be
        is for the caller to say. One that is cancelled leaves nothing open.
        """
        ...


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server said to `pbem check`: `encryption` is `TLSv1.3` and so on, or `none`."""

    greeting: str
    encryption: str
    capabilities: tuple[str, ...]
    facts: Mapping[str, str | int]
