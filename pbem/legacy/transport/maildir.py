"""Mail as files: a Maildir to read from, and one to deliver into."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import stat
import threading
import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from pbem.legacy.transport import REACHED, AfterReading, Batch, Checkpoint, Envelope, Fetched, Result

MAX_HEADER_BYTES: Final = 64 * 1024
BATCH: Final = 50
SETTLED_NS: Final = 2_000_000_000
"""A folder whose time stamp is younger than this may change again without a new time stamp."""

_RECIPIENT = ",R="
_counter = itertools.count(1)


def make_maildir(path: Path) -> Path:
    """The three folders of a Maildir, made where they are missing."""
    for name in ("tmp", "new", "cur"):
        (path / name).mkdir(parents=True, exist_ok=True)
    return path


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_whole(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@dataclass(slots=True)
class _Numbers:
    """Uids for file names, kept in one small file beside the mails, as Dovecot does.

    The first line is `uidvalidity next-uid`, each further one `uid name`. Without the file all
    mails get new uids under a new uidvalidity, as after any IMAP server's loss of its index.
    """

    path: Path
    uidvalidity: int = 0
    next_uid: int = 1
    names: dict[str, int] = field(default_factory=dict)

    def load(self, present: Iterable[str]) -> None:
        """Read the file, forget names that are gone, and write it anew."""
        try:
            head, *lines = self.path.read_text("utf-8", "surrogateescape").splitlines()
            validity, following = head.split(" ")
            self.uidvalidity, self.next_uid = int(validity), int(following)
            pairs = (line.partition(" ") for line in lines)
            # A line torn by a power cut has no name; its mail is numbered again.
            known = {name: int(uid) for uid, _, name in pairs if name}
        except (FileNotFoundError, ValueError):
            self.uidvalidity, self.next_uid, known = max(1, int(time.time())), 1, {}
        self.next_uid = max(self.next_uid, 1 + max(known.values(), default=0))
        gone = known.keys() - set(present)
        self.names = {name: uid for name, uid in known.items() if name not in gone}
        self._keep()

    def forget(self, name: str) -> None:
        """Let a name be numbered anew when it is added again."""
        del self.names[name]
        self._keep()

    def _keep(self) -> None:
        """Write the file anew."""
        lines = [f"{self.uidvalidity} {self.next_uid}"]
        lines += [f"{uid} {name}" for name, uid in self.names.items()]
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        _write_whole(
            draft, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        )
        draft.replace(self.path)
        _sync_folder(self.path.parent)

    def add(self, names: Iterable[str]) -> None:
        """Number these names, in this order, and have it on disk before anybody is told."""
        lines = []
        for name in names:
            self.names[name] = self.next_uid
            lines.append(f"{self.next_uid} {name}\n")
            self.next_uid += 1
        if lines:
            with self.path.open("ab") as file:
                file.write("".join(lines).encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())


class MaildirMailbox:
    """Reads a Maildir by looking at it now and then; a mail that is done goes from new/ to cur/.

    What has been read is told by the checkpoint alone, so a mail in cur/ that lies behind it is
    read too (another program may have moved it there).
    """

    def __init__(
        self,
        path: Path,
        *,
        account: str = "maildir",
        interval: float = 0.5,
        max_bytes: int = 1_000_000,
        after_reading: AfterReading = "seen",
        archive: Path | None = None,
    ) -> None:
        """`interval` is the seconds between two looks; `archive` the Maildir for "move"."""
        if after_reading == "move" and archive is None:
            raise ValueError("after_reading 'move' needs an archive folder")
        self.state = "connecting"
        self._path = make_maildir(path)
        self._archive = None if archive is None else make_maildir(archive)
        self._account = account
        self._interval = interval
        self._max_bytes = max_bytes
        self._after_reading = after_reading
        self._numbers = _Numbers(path / "pbem-uids")
        self._files: dict[str, Path] = {}
        self._unread: dict[str, str] = {}
        self._seen_times: tuple[int, int] | None = None
        # A cancelled reader's thread may still be at work when the next reader starts.
        self._lock = threading.Lock()

    async def batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        """New mails, as `Mailbox.batches` has it.

        Raises OSError where the folder cannot be looked into. A file that cannot be read holds up
        no other, and is read when it can be; until then the state says which it is.
        """
        try:
            async with aclosing(self._batches(checkpoint)) as batches:
                async for batch in batches:
                    yield batch
        except OSError as error:
            self.state = str(error)
            raise

    async def _batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        await asyncio.to_thread(self._open)
        valid = checkpoint is not None and checkpoint.uidvalidity == self._numbers.uidvalidity
        uid = checkpoint.uid if checkpoint is not None and valid else 0
        while True:
            mails = await asyncio.to_thread(self._read_behind, uid)
            if not mails:
                await asyncio.sleep(self._interval)
                continue
            uid = mails[-1].uid
            here = Checkpoint(self._account, self._path.name, self._numbers.uidvalidity, uid)
            yield Batch(tuple(mails), here)
            await asyncio.to_thread(self._tidy, {mail.uid for mail in mails})

    def _open(self) -> None:
        with self._lock:
            self._seen_times = None
            self._scan()
            self._numbers.load(self._files)
            self._seen_times = None

    def _times(self) -> tuple[int, int]:
        return (
            (self._path / "new").stat().st_mtime_ns,
            (self._path / "cur").stat().st_mtime_ns,
        )

    def _scan(self) -> list[str]:
        """The names of all mails by age, or of none if the folders have not changed since."""
        times = self._times()
        if times == self._seen_times:
            return []
        settled = time.time_ns() - max(times) > SETTLED_NS
        self._seen_times = times if settled else None
        found: list[tuple[int, str]] = []
        self._files = {}
        for folder in ("cur", "new"):
            for entry in os.scandir(self._path / folder):
                name = entry.name.partition(":")[0]
                try:
                    kind, age = entry.stat().st_mode, entry.stat().st_mtime_ns
                except OSError:  # moved meanwhile, or a link to nowhere
                    continue
                if not stat.S_ISREG(kind):
                    continue
                if not name.startswith(".") and "\n" not in name:
                    found.append((age, name))
                    self._files[name] = Path(entry.path)
        return [name for _, name in sorted(found)]

    def _read_behind(self, uid: int) -> list[Fetched]:
        with self._lock:
            numbers = self._numbers.names
            known = [name for name in self._unread if name not in numbers]
            new = [name for name in self._scan() if name not in numbers]
            there = [name for name in dict.fromkeys(known + new) if name in self._files]
            # What cannot be read has no number yet: else others would be read past it, for ever.
            self._unread = {
                name: why for name in there if (why := _unreadable(self._files[name])) is not None
            }
            self._numbers.add(name for name in there if name not in self._unread)
            behind = ((numbers[name], name) for name in self._files if numbers.get(name, 0) > uid)
            mails = [self._read(number, name) for number, name in nsmallest(BATCH, behind)]
            self.state = next(
                (f"{name} cannot be read: {why}" for name, why in self._unread.items()), REACHED
            )
            return [mail for mail in mails if mail is not None]

    def _read(self, uid: int, name: str) -> Fetched | None:
        path = self._files[name]
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                big = size > self._max_bytes
                raw = file.read(MAX_HEADER_BYTES if big else -1)
        except FileNotFoundError:
            # Moved or deleted by another program since the scan: look again.
            self._files.pop(name)
            self._seen_times = None
            return None
        except OSError as error:
            self._numbers.forget(name)
            self._unread[name] = error.strerror or str(error)
            return None
        if big:
            raw = _head(raw)
        _, found, quoted = name.partition(_RECIPIENT)
        return Fetched(
            account=self._account,
            mailbox=self._path.name,
            uidvalidity=self._numbers.uidvalidity,
            uid=uid,
            raw=raw,
            envelope_to=unquote(quoted.partition(",")[0]) if found else None,
            oversize=size if big else None,
        )

    def _tidy(self, uids: set[int]) -> None:
        """Put away what has been read. It is cosmetics: what fails here stays where it is."""
        if self._after_reading == "keep":
            return
        with self._lock:
            for name in [name for name in self._files if self._numbers.names.get(name) in uids]:
                with suppress(OSError):
                    moved = self._put_away(name, self._files.pop(name))
                    if moved is not None:
                        self._files[name] = moved

    def _put_away(self, name: str, path: Path) -> Path | None:
        if self._after_reading == "delete":
            path.unlink()
            return None
        if self._after_reading == "move" and self._archive is not None:
            path.replace(self._archive / "cur" / f"{name}:2,S")
            return None
        if path.parent.name == "cur":
            return path
        target = self._path / "cur" / f"{name}:2,S"
        path.replace(target)
        return target


def _unreadable(path: Path) -> str | None:
    """Why a file cannot be read; None where it can, or is gone."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    return None


def _head(raw: bytes) -> bytes:
    """The headers with the empty line behind them."""
    ends = [at + len(gap) for gap in (b"\r\n\r\n", b"\n\n") if (at := raw.find(gap)) >= 0]
    return raw[: min(ends)] if ends else raw


class MaildirSender:
    """Delivers into a Maildir: one file per recipient, whose name carries the recipient.

    The bytes stay as they are; `MaildirMailbox` reads the recipient back from the name.
    """

    def __init__(self, path: Path) -> None:
        """The folders are made where they are missing."""
        self._path = make_maildir(path)

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        """Write, sync, and only then let it be seen; a full disk is transient."""
        return {
            recipient: await asyncio.to_thread(self._deliver, recipient, envelope.data)
            for recipient in envelope.rcpt_to
        }

    def _deliver(self, recipient: str, data: bytes) -> Result:
        now = time.time_ns()
        host = socket.gethostname().replace("/", "_").replace(":", "_")
        unique = f"{now // 10**9}.M{now // 1000 % 10**6}P{os.getpid()}Q{next(_counter)}.{host}"
        name = f"{unique}{_RECIPIENT}{quote(recipient, safe='@+=')}"
        if len(name) > os.pathconf(self._path, "PC_NAME_MAX") - len(":2,S"):
            return Result("permanent", None, "the address is too long for a file name")
        draft = self._path / "tmp" / name
        try:
            _write_whole(draft, data)
            draft.replace(self._path / "new" / name)
            _sync_folder(self._path / "new")
        except OSError as error:
            draft.unlink(missing_ok=True)
            return Result("transient", None, str(error))
        return Result("sent", None, name)
