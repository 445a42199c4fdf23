"""Backups of the database, the keys and the settings at one moment, and how to restore them.

A backup is a folder that only its owner can read. It has four files: `pbem.db` (SQLite, even if
the service uses PostgreSQL), `keys.toml`, `config.toml` and `manifest.json`. The manifest has the
time of the backup, the revision of the tables and the SHA-256 of each other file. The service can
keep running while a backup is made. The files are written to a temporary folder beside the target
and checked by `check_backup`. Then the folder is renamed.

A backup does not contain what the service did after it was made. After a restore:

- Emails that players sent after the backup are fetched from the mailbox again, because the backup
  contains the checkpoint (the position up to which the mailbox had been read). No email is
  processed twice, because the inbox has the keys of all emails that were processed before the
  backup. Commands from pages are lost, and so are emails that were deleted in the mailbox.
- Emails that waited to be sent when the backup was made have probably been sent since. They are
  marked as `failed`, and the operator decides whether to send them again. If the service processes
  a player's email again, its answer has the same Message-ID as before the restore. So the player's
  mail program shows the answer once.
- Players may have seen random draws that are missing in the restored log, and with them the secret
  values (links) from which these draws were computed. The next draws would use the same values, so
  a player could compute which roll follows each possible move. Therefore a restore sets the mark
  `heartbeats.RESTORED`. Before the service does anything else, it replaces the hash chains, from
  which these values come, in each match that is not over (`service/draw_renewal.py`). Then it
  removes the mark.
- Players' clocks get back the time since the backup, as after any downtime. The backup contains the
  heartbeat that says when the service was last alive.

A restore also undoes changes that should last. Reply addresses that were replaced after the backup
are valid again. If a player refused all emails or deleted their account on a page after the backup,
this is lost, too. We can only inform the operator.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import DatabaseError, OperationalError

from pbem.errors import PbemError
from pbem.files import sync, write_private
from pbem.settings import load_keys
from pbem.store.copy import copy_database, require_empty, verify_chains
from pbem.store.database import (
    Database,
    check_file,
    describe_outage,
    find_revision,
    list_revisions,
    open_read_only,
    write_file_copy,
)
from pbem.store.heartbeats import RESTORED, note_heartbeat
from pbem.store.tables import EventRow, MatchRow, OutboxRow

FORMAT: Final = 1  # version of the folder's format; a restore refuses later versions
DATABASE: Final = "pbem.db"
KEYS: Final = "keys.toml"
CONFIG: Final = "config.toml"
MANIFEST: Final = "manifest.json"
UNSENT: Final = "waited when the backup was made, and has probably been sent since"

T = TypeVar("T")

_OUTBOX = OutboxRow.__table__  # type: ignore[attr-defined]


class BackupError(PbemError):
    """Raised if a backup cannot be made or restored; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """The contents of a backup's `manifest.json`.

    `format` is the version of the folder's format, and `revision` the migration revision of the
    tables. `matches` and `events` are the numbers of rows in the tables of matches and events.
    `files` maps the name of each other file to its SHA-256 in hex.
    """

    format: int
    made_at: datetime
    revision: str
    matches: int
    events: int
    files: Mapping[str, str]


# --- making --------------------------------------------------------------------------------------


def write_backup(
    database: Database,
    target: Path,
    *,
    keys_file: Path,
    config_file: Path,
    now: datetime,
) -> Manifest:
    """Write a backup into a new folder, check it, and return its manifest.

    Args:
        database: The database of the service, which may be running.
        target: The new folder, which must not exist.
        keys_file: The file with the keys of reply addresses. Without these keys, replies to emails
            that were sent before the restore are invalid.
        config_file: The file with the settings.
        now: The current time, read before the copy begins. The copy has all changes made before
            that time.

    Raises:
        BackupError: The folder exists, a file cannot be read or written, or the check of the new
            backup found a fault.
        ConfigError: The keys cannot be read.
    """
    if target.exists():
        raise BackupError(f"Cannot write the backup: {target} exists. Name a new folder.")
    load_keys(keys_file)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))  # mode 0700
    except OSError as error:
        raise BackupError(f"Cannot write the backup: {error}.") from None
    try:
        _copy_into_file(database, draft / DATABASE)
        for source, name in ((keys_file, KEYS), (config_file, CONFIG)):
            write_private(draft / name, source.read_bytes())
        sync(draft / DATABASE)
        manifest = _describe(draft, now)
        text = json.dumps(asdict(manifest) | {"made_at": now.isoformat()}, indent=2)
        write_private(draft / MANIFEST, f"{text}\n".encode())
        check_backup(draft)
        draft.rename(target)
        sync(target.parent)
    except (OSError, sqlite3.Error, OperationalError) as error:
        reason = describe_outage(error) or error
        raise BackupError(
            f"Cannot write the backup: {reason}. Is there room in {target.parent}?"
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _copy_into_file(database: Database, file: Path) -> None:
    if database.is_sqlite:
        write_file_copy(database, file)
    else:
        with closing(Database(f"sqlite:///{file}")) as copy:
            copy_database(database, copy)
    file.chmod(0o600)


def _describe(folder: Path, made_at: datetime) -> Manifest:
    def count(conn: Connection) -> tuple[str, int, int]:
        counts = [
            conn.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (MatchRow, EventRow)
        ]
        return find_revision(conn) or "", counts[0], counts[1]

    revision, matches, events = _read_file(folder / DATABASE, count)
    files = {path.name: _hash_file(path) for path in sorted(folder.iterdir())}
    return Manifest(
        format=FORMAT,
        made_at=made_at,
        revision=revision,
        matches=matches,
        events=events,
        files=files,
    )


# --- checking ------------------------------------------------------------------------------------


def check_backup(folder: Path) -> Manifest:
    """Check the files, the database and the hash chains of a backup, and return its manifest.

    Raises:
        BackupError: Something is damaged or missing, or a later version of pbem made the backup.
    """
    manifest = _read_manifest(folder / MANIFEST)
    if manifest.format > FORMAT or manifest.revision not in list_revisions():
        raise BackupError(
            f"Cannot use the backup {folder}: a later version of pbem made it (its tables have "
            f"revision {manifest.revision}). Install that version."
        )
    for name, expected in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise BackupError(f"Cannot use the backup {folder}: {name} is missing.")
        if _hash_file(path) != expected:
            raise BackupError(
                f"Cannot use the backup {folder}: {name} is damaged (it has another SHA-256 than "
                f"when it was written). Take another backup."
            )
    if missing := {DATABASE, KEYS, CONFIG} - {*manifest.files}:
        raise BackupError(f"Cannot use the backup {folder}: it has no {', '.join(missing)}.")
    try:
        faults = _read_file(
            folder / DATABASE, lambda conn: [*check_file(conn), *verify_chains(conn)]
        )
    except DatabaseError as error:
        faults = [f"SQLite says: {error.orig}."]
    if faults:
        raise BackupError(f"Cannot use the backup {folder}: its database is damaged. {faults[0]}")
    return manifest


def _read_manifest(path: Path) -> Manifest:
    try:
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        values["made_at"] = datetime.fromisoformat(values["made_at"])
        return Manifest(**{name: values[name] for name in Manifest.__dataclass_fields__})
    except FileNotFoundError:
        raise BackupError(
            f"Cannot use the backup {path.parent}: it has no {path.name}. "
            "Name the folder that `pbem backup` wrote."
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError(f"Cannot read {path}: {error!r}. Take another backup.") from None


# --- restoring -----------------------------------------------------------------------------------


def restore_settings(folder: Path, config_file: Path) -> None:
    """Write the settings of the backup in `folder` to `config_file`, which must not exist.

    Call this before `restore_backup`: the settings say where to restore the keys and the database.
    The backup is not checked here, so call `check_backup` first.

    Raises:
        BackupError: `config_file` exists or cannot be written, or the settings cannot be read.
    """
    _require_absent(config_file)
    try:
        config_file.parent.mkdir(parents=True, exist_ok=True)
        write_private(config_file, (folder / CONFIG).read_bytes())
    except OSError as error:
        raise BackupError(f"Cannot restore the settings: {error}.") from None


def restore_backup(folder: Path, *, database_url: str, keys_file: Path) -> int:
    """Restore the keys and the database of a backup, and return the number of its unsent emails.

    The tables are upgraded to this version of pbem. Existing files and rows are never overwritten.
    If the restore fails, the keys, the rows and the SQLite file that it has written are removed.

    Args:
        folder: The backup, which stays as it is.
        database_url: The URL of the new database: an SQLite file that does not exist, or a
            PostgreSQL database without rows.
        keys_file: The new file of the keys. It may exist if it has the same keys.

    Returns:
        The number of emails that waited to be sent when the backup was made. They are marked as
        failed, and the operator decides whether to send them again.

    Raises:
        BackupError: The backup is damaged, a later version of pbem made it, a file to write exists,
            or a file cannot be read or written.
        CopyError: The PostgreSQL database has rows.
    """
    manifest = check_backup(folder)
    keys = (folder / KEYS).read_bytes()
    with ExitStack() as undo:
        try:
            if not keys_file.exists():
                keys_file.parent.mkdir(parents=True, exist_ok=True)
                undo.callback(keys_file.unlink, missing_ok=True)
                write_private(keys_file, keys)
            elif keys_file.read_bytes() != keys:
                _require_absent(keys_file)
            if database_url.startswith("sqlite"):
                unsent = _restore_file(folder, Path(database_url.partition("///")[2]), manifest)
            else:
                unsent = _restore_into(folder, database_url, manifest)
        except OSError as error:
            raise BackupError(f"Cannot restore the backup: {error}.") from None
        undo.pop_all()
    return unsent


def _restore_file(folder: Path, file: Path, manifest: Manifest) -> int:
    for suffix in ("", "-wal", "-shm", "-journal"):  # SQLite would apply an old log
        _require_absent(file.with_name(file.name + suffix))
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as draft_folder:
        draft = Path(draft_folder) / DATABASE
        unsent = _prepare(folder, draft, manifest)
        draft.chmod(0o600)
        sync(draft)
        _require_absent(file)
        draft.rename(file)
    sync(file.parent)
    return unsent


def _restore_into(folder: Path, database_url: str, manifest: Manifest) -> int:
    with (
        tempfile.TemporaryDirectory(prefix="pbem-restore-") as draft_folder,
        closing(Database(database_url)) as target,
    ):
        target.migrate()
        with target.snapshot() as conn:
            require_empty(conn)
        draft = Path(draft_folder) / DATABASE
        unsent = _prepare(folder, draft, manifest)
        with closing(Database(f"sqlite:///{draft}")) as source:
            copy_database(source, target)
    return unsent


def _prepare(folder: Path, draft: Path, manifest: Manifest) -> int:
    """Copy the database of a backup to the file `draft`, upgrade the copy and mark it as restored.

    Returns:
        The number of unsent emails. They are marked as failed, so the operator decides whether to
        send them again.
    """
    shutil.copyfile(folder / DATABASE, draft)
    with closing(Database(f"sqlite:///{draft}")) as database:
        database.migrate()
        return database.run(lambda conn: mark_restored(conn, manifest.made_at))


def mark_restored(conn: Connection, made_at: datetime) -> int:
    """Record that a database was restored from a backup, and mark its unsent emails as failed.

    The service has probably sent these emails since the backup was made.

    Args:
        conn: The connection of the transaction.
        made_at: When the backup was made; later changes may be missing in the database.

    Returns:
        The number of emails that were marked as failed.
    """
    note_heartbeat(conn, RESTORED, made_at)
    stopped = conn.execute(
        update(_OUTBOX)
        .where(_OUTBOX.c.state.in_(("queued", "sending")))
        .values(state="failed", next_attempt_at=None, smtp_reply=UNSENT)
    )
    return stopped.rowcount


# --- files ---------------------------------------------------------------------------------------


def _read_file(file: Path, look: Callable[[Connection], T]) -> T:
    engine = open_read_only(file)
    try:
        with engine.connect() as conn:
            return look(conn)
    finally:
        engine.dispose()


def _require_absent(path: Path) -> None:
    if path.exists():
        raise BackupError(
            f"Cannot restore the backup: {path} exists, and nothing is overwritten. "
            "Move it away first."
        )


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
