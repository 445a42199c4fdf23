"""Emails as files in Maildir folders, for demos, tests, and servers that deliver locally.

A Maildir has no UIDs, so `MaildirMailbox` assigns a UID to each file name and stores the UIDs in
the file `pbem-uids` in the folder, as Dovecot does. The first line of `pbem-uids` has the
UIDVALIDITY and the next UID, and each further line has a UID and a file name. If `pbem-uids` is
lost, all messages get new UIDs under a new UIDVALIDITY.

`MaildirMailer` also stores the envelope: the file name ends with the recipient, as in
`1764284400.M1P2Q3.host,R=ann@example.org`, and the email begins with a `Return-Path` header.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import stat
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

import structlog

from pbem.files import sync
from pbem.names import Checkpoint
from pbem.transport import (
    BATCH_SIZE,
    MAX_MESSAGE_BYTES,
    Batch,
    Envelope,
    FetchedMessage,
    SendOutcome,
    SendResult,
    TransportError,
)

log = structlog.stdlib.get_logger(__name__)

MAX_HEADER_BYTES: Final = 64 * 1024  # bytes that are read of an oversized message
POLL_SECONDS: Final = 0.5  # seconds between two readings of the folder

_ACCOUNT = "maildir"
_UIDS_FILE = "pbem-uids"
_RECIPIENT_MARK = ",R="
_counter = itertools.count(1)


def make_maildir(path: Path) -> None:
    """Create the folders tmp, new and cur of the Maildir at `path`, if they are missing."""
    for name in ("tmp", "new", "cur"):
        (path / name).mkdir(parents=True, exist_ok=True)


def _prepare_maildir(path: Path) -> str:
    """Create a Maildir if it is missing, check that we can write to it, and return a description.

    Raises:
        TransportError: A folder or a file in it cannot be created.
    """
    try:
        make_maildir(path)
        for name in ("tmp", "new", "cur"):
            trial = path / name / f".trial.{os.getpid()}"
            trial.touch()
            trial.unlink()
    except OSError as error:
        raise TransportError(f"Cannot use the Maildir {path}: {error}") from error
    return f"Maildir {path}"


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _move_synced(path: Path, target: Path) -> None:
    path.replace(target)
    sync(target.parent)


@dataclass(slots=True)
class _UidIndex:
    """The UIDs of the files in a Maildir, by file name without flags."""

    uidvalidity: int
    next_uid: int
    uids: dict[str, int]

    @classmethod
    def load(cls, path: Path) -> _UidIndex:
        """Return the index in the file `path`, or an empty index if it is missing or malformed."""
        try:
            head, *lines = path.read_text("utf-8", "surrogateescape").splitlines()
            uidvalidity, next_uid = map(int, head.split(" "))
            pairs = [line.partition(" ") for line in lines]
            return cls(uidvalidity, next_uid, {name: int(uid) for uid, _, name in pairs})
        except (FileNotFoundError, ValueError):
            return cls(max(1, int(time.time())), 1, {})

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            self.uids[name] = self.next_uid
            self.next_uid += 1

    def save(self, path: Path, present: Mapping[str, Path]) -> None:
        """Remove files that no longer exist from the index, and write it to the file `path`.

        `present` has the message files that exist, by name without flags.
        """
        self.uids = {name: uid for name, uid in self.uids.items() if name in present}
        lines = [f"{self.uidvalidity} {self.next_uid}"]
        lines += [f"{uid} {name}" for name, uid in self.uids.items()]
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        text = "".join(f"{line}\n" for line in lines)
        _write_synced(draft, text.encode("utf-8", "surrogateescape"))
        _move_synced(draft, path)


class MaildirMailbox:
    """A `Mailbox` that is a Maildir folder. Messages marked as read move from new/ to cur/."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unreadable: set[str] = set()  # names of unreadable files that were logged already

    async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
        """Return the next messages after a checkpoint, as described at `Mailbox.fetch_new`."""
        try:
            return await asyncio.to_thread(self._fetch, checkpoint)
        except OSError as error:
            raise TransportError(f"Cannot read the Maildir {self._path}: {error}") from error

    async def find_newest(self) -> Checkpoint:
        """Return a checkpoint after the newest message, as described at `Mailbox.find_newest`."""
        checkpoint: Checkpoint | None = None
        while (batch := await self.fetch_new(checkpoint)) is not None:
            checkpoint = batch.checkpoint
        index = _UidIndex.load(self._path / _UIDS_FILE)
        return checkpoint or self._make_checkpoint(index, index.next_uid - 1)

    async def wait_for_new(self, seconds: float) -> None:
        """Wait for at most `POLL_SECONDS`, because a folder does not report new messages."""
        await asyncio.sleep(min(seconds, POLL_SECONDS))

    async def mark_read(self, batch: Batch) -> None:
        """Move the messages of a stored batch to cur/ with the flag S (seen)."""
        try:
            await asyncio.to_thread(self._move_read, {message.uid for message in batch.messages})
        except OSError as error:
            log.warning("messages_not_marked_read", account=_ACCOUNT, reason=str(error))

    async def check(self) -> str:
        """Create the folder if it is missing, and return a description of it."""
        return await asyncio.to_thread(_prepare_maildir, self._path)

    async def close(self) -> None:
        """Do nothing, because a folder has no connection."""

    def _fetch(self, checkpoint: Checkpoint | None) -> Batch | None:
        make_maildir(self._path)
        files = self._list_files()
        index = _UidIndex.load(self._path / _UIDS_FILE)
        new_names = [name for name in files if name not in index.uids]
        if new_names:
            # A file that cannot be read yet gets its UID later. Otherwise the checkpoint would pass
            # it, and it would never be fetched.
            index.add(name for name in new_names if self._is_readable(files[name]))
            index.save(self._path / _UIDS_FILE, files)
        last_uid = 0
        if checkpoint is not None and checkpoint.uidvalidity == index.uidvalidity:
            last_uid = checkpoint.uid
        uids = sorted(
            (index.uids[name], name) for name in files if index.uids.get(name, 0) > last_uid
        )
        messages = []
        for uid, name in uids[:BATCH_SIZE]:
            try:
                messages.append(self._read(uid, files[name]))
            except FileNotFoundError:
                break  # another program moved or deleted it since we listed: look again
        if not messages:
            return None
        following = self._make_checkpoint(index, messages[-1].uid)
        return Batch(messages=tuple(messages), checkpoint=following)

    def _make_checkpoint(self, index: _UidIndex, uid: int) -> Checkpoint:
        return Checkpoint(
            account=_ACCOUNT, mailbox=self._path.name, uidvalidity=index.uidvalidity, uid=uid
        )

    def _list_files(self) -> dict[str, Path]:
        """Return the paths of the message files by name without flags, oldest first."""
        files: list[tuple[int, str, Path]] = []
        for folder in ("cur", "new"):
            for entry in os.scandir(self._path / folder):
                name = entry.name.partition(":")[0]
                try:
                    status = entry.stat()
                except OSError:  # moved since, or a link to nowhere
                    continue
                if stat.S_ISREG(status.st_mode) and name[0] != "." and "\n" not in name:
                    files.append((status.st_mtime_ns, name, Path(entry.path)))
        return {name: path for _, name, path in sorted(files)}

    def _is_readable(self, path: Path) -> bool:
        try:
            with path.open("rb"):
                return True
        except OSError as error:
            if path.name not in self._unreadable:
                self._unreadable.add(path.name)
                log.warning("message_unreadable", path=str(path), reason=str(error))
            return False

    def _read(self, uid: int, path: Path) -> FetchedMessage:
        with path.open("rb") as file:
            is_oversized = os.fstat(file.fileno()).st_size > MAX_MESSAGE_BYTES
            raw = file.read(MAX_HEADER_BYTES if is_oversized else -1)
        _, mark, recipient = path.name.partition(":")[0].partition(_RECIPIENT_MARK)
        return FetchedMessage(
            uid=uid,
            raw=_cut_body(raw) if is_oversized else raw,
            envelope_recipient=unquote(recipient.partition(",")[0]) if mark else None,
            is_oversized=is_oversized,
        )

    def _move_read(self, uids: set[int]) -> None:
        names = _UidIndex.load(self._path / _UIDS_FILE).uids
        for name, uid in names.items():
            if uid in uids:
                with suppress(FileNotFoundError):  # another program moved or deleted it
                    (self._path / "new" / name).rename(self._path / "cur" / f"{name}:2,S")


def _cut_body(raw: bytes) -> bytes:
    """Return the headers of a message, with the empty line after them."""
    ends = [start + len(gap) for gap in (b"\r\n\r\n", b"\n\n") if (start := raw.find(gap)) >= 0]
    return raw[: min(ends)] if ends else raw


class MaildirMailer:
    """A `Mailer` that writes emails into a Maildir folder, which is created if it is missing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def send(self, envelope: Envelope) -> SendResult:
        """Write an email to the folder. Readers see the email only when it is complete."""
        return await asyncio.to_thread(self._deliver, envelope)

    async def check(self) -> str:
        """Create the folder if it is missing, and return a description of it."""
        return await asyncio.to_thread(_prepare_maildir, self._path)

    async def close(self) -> None:
        """Do nothing, because a folder has no connection."""

    def _deliver(self, envelope: Envelope) -> SendResult:
        now = time.time_ns()
        host = socket.gethostname().replace("/", "_").replace(":", "_")
        unique = f"{now // 10**9}.M{now // 1000 % 10**6}P{os.getpid()}Q{next(_counter)}.{host}"
        name = f"{unique}{_RECIPIENT_MARK}{quote(envelope.recipient, safe='@+=')}"
        draft = self._path / "tmp" / name
        try:
            make_maildir(self._path)
            if len(name) > os.pathconf(self._path, "PC_NAME_MAX") - len(":2,S"):
                reply = "The address is too long for a file name"
                return SendResult(outcome=SendOutcome.PERMANENT, reply=reply)
            _write_synced(
                draft, f"Return-Path: <{envelope.mail_from}>\r\n".encode() + envelope.data
            )
            _move_synced(draft, self._path / "new" / name)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            return SendResult(outcome=SendOutcome.TRANSIENT, reply=str(error))
        return SendResult(outcome=SendOutcome.SENT, reply=name)
