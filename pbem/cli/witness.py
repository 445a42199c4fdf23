"""`pbem witness`: remember what a club has signed of its log, and hold it to that."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.opening import safe, say

if TYPE_CHECKING:
    from pbem.witnessing.notes import SecretKey
    from pbem.witnessing.watched import Broken, Watched

SECONDS: Final = 30
MOST: Final = 100_000
"""Bytes of an answer that are read: a note with its proof has some 3,000."""

BROKEN: Final = 2
"""The exit code where a log is not what it has said of itself."""

SEEN: Final = "seen.json"
COSIGNED: Final = "cosigned.txt"
SEED: Final = "witness-key"


def witness(
    source: Annotated[
        str, typer.Argument(help="The address of the club's checkpoint, or a file that has one.")
    ],
    folder: Annotated[Path, typer.Argument(help="What is remembered of this club.")],
    *,
    key: Annotated[
        str, typer.Option(help="The club's public key; else, the first time, what it says itself.")
    ] = "",
    name: Annotated[str, typer.Option(help="What you sign as. Without it nothing is signed.")] = "",
) -> None:
    """Check that a club's log goes on from what was seen of it last, and sign that it does.

    Ends with 2, and writes both notes into the folder, where it does not: they are signed, so that
    they prove it to anybody.
    """
    from pbem.errors import ConfigError
    from pbem.witnessing import notes, watched

    folder.mkdir(parents=True, exist_ok=True)
    try:
        seen = _seen(folder, key)
        if seen is None:
            now = _first(source, key)
        else:
            size = seen.checkpoint.size
            now = watched.follow(seen, *_told(_fetched(source, f"?from={size}"), size))
    except watched.Broken as error:
        _tell(folder, error)
        raise typer.Exit(BROKEN) from None
    except notes.WrongNote as error:
        raise ConfigError(f"{source}: {error}") from None
    _write(folder / SEEN, json.dumps({"key": str(now.key), "note": now.note}))
    found = now.checkpoint
    before = f"; it goes on from {seen.checkpoint.size}" if seen is not None else ""
    say(f"{found.origin}: {found.size} events{before}")
    if seen is None:
        say(f"its key, to be compared with what others were told: {now.key}")
    if name:
        secret = _secret(folder, name)
        _write(folder / COSIGNED, notes.cosigned(now.note, secret, int(time.time())))
        say(f"signed by {secret.public} in {folder / COSIGNED}")


def _seen(folder: Path, key: str) -> Watched | None:
    """What is remembered; ConfigError if it cannot be read, or is of another key."""
    from pbem.errors import ConfigError
    from pbem.witnessing import notes
    from pbem.witnessing.watched import Watched

    file = folder / SEEN
    if not file.exists():
        return None
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        seen = Watched(notes.read_key(kept["key"]), str(kept["note"]))
    except (OSError, ValueError, KeyError, TypeError, notes.WrongNote) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    if key and notes.read_key(key) != seen.key:
        raise ConfigError(
            f"{folder} remembers a log with the key {seen.key}: if the club has told you of a new "
            "one, watch that in a folder of its own"
        )
    return seen


def _first(source: str, key: str) -> Watched:
    """What is seen of a club for the first time."""
    from pbem.errors import ConfigError
    from pbem.witnessing import notes, watched

    if not key and not _is_url(source):
        raise ConfigError("a file does not say whose it is: give the club's public key with --key")
    known = notes.read_key(key or _fetched(f"{source}/key", ""))
    note, _, _ = _told(_fetched(source, ""), 0)
    watched.read(note, known)
    return watched.Watched(known, note)


def _told(text: str, size: int) -> tuple[str, int, list[bytes]]:
    """Note, old size and proof of what a club says; a note alone has the proof of none."""
    from pbem.witnessing import notes

    if not text.startswith("old "):
        return text, size, []
    old, path, note = notes.read_consistency(text)
    return note, old, path


def _is_url(source: str) -> bool:
    return source.startswith(("https://", "http://"))


def _fetched(source: str, query: str) -> str:
    """What a file has, or an address answers; ConfigError where there is nothing."""
    from urllib.error import HTTPError
    from urllib.request import urlopen

    from pbem.errors import ConfigError

    try:
        if not _is_url(source):
            raw = Path(source).read_bytes()
        else:
            try:
                with urlopen(f"{source}{query}", timeout=SECONDS) as answer:  # noqa: S310 - see _is_url
                    raw = answer.read(MOST)
            except HTTPError as error:
                if error.code != 409:  # noqa: PLR2004 - it has less than we have seen, and says so
                    raise
                raw = error.read(MOST)
        return raw.decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{source} cannot be read: {error}") from None


def _tell(folder: Path, error: Broken) -> None:
    """Say what is wrong, and keep both notes under a name of their own."""
    number = len(list(folder.glob("broken-*.txt"))) + 1
    file = folder / f"broken-{number}.txt"
    _write(file, f"{error}\n\n--- what was signed before\n{error.kept}\n--- and then\n{error.told}")
    typer.secho(safe(f"BROKEN: {error}"), err=True, fg=typer.colors.RED)
    say(f"both notes, with their signatures, are in {file}: show them to the others", err=True)


def _secret(folder: Path, name: str) -> SecretKey:
    """The key that this witness signs with; it is made where there is none."""
    from pbem.witnessing.notes import COSIGNATURE, SecretKey

    file = folder / SEED
    if not file.exists():
        _write(file, os.urandom(32).hex())
    return SecretKey(name, bytes.fromhex(file.read_text(encoding="ascii").strip()), COSIGNATURE)


def _write(file: Path, text: str) -> None:
    """In one step, and for its owner only: whoever reads it sees the old or the new."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    unfinished.replace(file)
