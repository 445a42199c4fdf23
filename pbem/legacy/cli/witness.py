"""`pbem witness`, `pbem checkpoint`: hold a club to what it has signed of its log."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.opening import database_of, reading, safe, say, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.legacy.witnessing.mailed import Joined
    from pbem.legacy.witnessing.notes import PublicKey, SecretKey
    from pbem.legacy.witnessing.watched import Broken, Watched

SECONDS: Final = 30
MOST: Final = 100_000
"""Bytes of an answer that are read: a note with its proof has some 3,000."""

BROKEN: Final = 2
"""The exit code where a log is not what it has said of itself."""

BY_MAIL: Final = (
    "What joins them came by mail, which others can forge as well: before you accuse anybody, see "
    "that the club has sent it, or look at its address"
)

SEEN: Final = "seen.json"
COSIGNED: Final = "cosigned.txt"
SEED: Final = "witness-key"


def witness(
    source: Annotated[
        str,
        typer.Argument(
            help="The address of the club's checkpoint; or a file that has one, a mail of the "
            "club, a mailbox (Maildir or mbox) with its digests."
        ),
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
    from pbem.legacy.witnessing import notes, watched

    folder.mkdir(parents=True, exist_ok=True)
    mails = _mails(source)
    try:
        seen = _seen(folder, key)
        if seen is None:
            now = _first(source, key, mails)
        elif mails is not None:
            now = _followed(seen, mails, source)
        else:
            size = seen.checkpoint.size
            now = watched.follow(seen, *_told(_fetched(source, f"?from={size}"), size))
    except watched.Broken as error:
        _tell(folder, error)
        if mails is not None:
            say(BY_MAIL, err=True)
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


# --- signatures of witnesses ---------------------------------------------------------------------
# `pbem checkpoint`: what the club takes in of those who have signed its checkpoints as well.

checkpoint = typer.Typer(
    name="checkpoint",
    help="What the club has signed of its log, and who has witnessed it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@checkpoint.command("add")
def add_signatures(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="A checkpoint as a witness has signed it; - reads.")],
) -> None:
    """Keep the signatures of witnesses below a checkpoint of ours.

    Only those by the keys that the settings name count; all others are passed over.
    """
    from functools import partial

    from pbem.errors import ConfigError
    from pbem.legacy.transaction.checkpoints import take_signatures
    from pbem.legacy.witnessing.notes import WrongNote

    settings = settings_of(ctx)
    keys = settings.checkpoints.keys
    if not keys:
        raise ConfigError(f"{settings.named('checkpoints.witnesses')} names no witness yet")
    text = typer.get_text_stream("stdin").read(MOST) if file == "-" else _fetched(file, "")
    with database_of(settings) as db:
        try:
            names = db.write(partial(take_signatures, keys=keys, text=text)).result()
        except WrongNote as error:
            raise ConfigError(f"{file}: {error}") from None
    whom = f": {', '.join(key.name for key in names)}" if names else ""
    say(f"this checkpoint is witnessed by {len(names)} of {len(keys)}{whom}")


@checkpoint.command("stamp")
def stamp(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Where checkpoints and their stamps are kept.")],
    *,
    authority: Annotated[str, typer.Option("--tsa", help="The address of the authority.")],
    roots: Annotated[Path, typer.Option("--ca", help="The certificates to trust for it, as PEM.")],
) -> None:
    """Have the time of the newest checkpoint attested by somebody else (RFC 3161).

    It writes the checkpoint and the stamp, as `openssl ts -verify` takes them. One that has a stamp
    already gets no second one.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.store.log import tree
    from pbem.legacy.witnessing import stamps

    note = reading(ctx, tree.newest)
    if note is None:
        raise ConfigError("no checkpoint was signed yet")
    text, kept = folder / f"checkpoint-{note.size}.txt", folder / f"checkpoint-{note.size}.tsr"
    if kept.exists():
        say(f"{kept} is there already")
        return
    try:
        question = stamps.asked(note.note.encode())
        certificates = roots.read_bytes()
        answer = _posted(authority, question.body)
        at = stamps.stamped_at(question, answer, certificates)
    except ImportError:
        raise ConfigError(
            "time stamps need the extra `stamps`: pip install 'pbem[stamps]'"
        ) from None
    except stamps.WrongStamp as error:
        raise ConfigError(f"{authority}: {error}") from None
    except OSError as error:
        raise ConfigError(f"there is no stamp: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    _write(text, note.note)
    _write(kept, answer)
    say(f"{note.size} events, seen by {authority} at {at:%Y-%m-%d %H:%M:%S} UTC: {kept}")


def _posted(address: str, body: bytes) -> bytes:
    """What an authority answers; OSError where it does not."""
    from urllib.request import Request, urlopen

    if not _is_url(address):
        raise OSError(f"{address} is no address")
    query = {"Content-Type": "application/timestamp-query"}
    with urlopen(Request(address, body, query), timeout=SECONDS) as answer:  # noqa: S310 - see above
        return bytes(answer.read(MOST))


# --- what a witness remembers --------------------------------------------------------------------


def _seen(folder: Path, key: str) -> Watched | None:
    """What is remembered; ConfigError if it cannot be read, or is of another key."""
    from pbem.errors import ConfigError
    from pbem.legacy.witnessing import notes
    from pbem.legacy.witnessing.watched import Watched

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


def _first(source: str, key: str, mails: Sequence[Joined] | None) -> Watched:
    """What is seen of a club for the first time."""
    from pbem.errors import ConfigError
    from pbem.legacy.witnessing import notes, watched

    if not key and not _is_url(source):
        raise ConfigError(
            "a file or a mailbox does not say whose it is: give the club's public key with --key"
        )
    known = notes.read_key(key or _fetched(f"{source}/key", ""))
    if mails is not None:
        _, _, note = _signed(mails, known, source)[-1]
    else:
        note, _, _ = _told(_fetched(source, ""), 0)
    watched.read(note, known)
    return watched.Watched(known, note)


# --- mails ---------------------------------------------------------------------------------------


def _mails(source: str) -> list[Joined] | None:
    """What the mails of a file or folder tell; None if it is no mail and no mailbox."""
    import mailbox
    from contextlib import closing
    from email import message_from_bytes
    from email.message import EmailMessage
    from email.policy import default

    from pbem.errors import ConfigError
    from pbem.legacy.witnessing.mailed import told_in

    place = Path(source)
    if _is_url(source) or not place.exists():
        return None
    try:
        if place.is_dir():
            if not (place / "cur").is_dir():
                raise ConfigError(f"{source} is no Maildir: it has no folder cur")
            raws = [one.as_bytes() for one in mailbox.Maildir(place, create=False)]
        elif (raw := place.read_bytes()).startswith(b"From "):
            with closing(mailbox.mbox(place, create=False)) as box:
                raws = [one.as_bytes() for one in box]
        else:
            raws = [raw]
    except OSError as error:
        raise ConfigError(f"{source} cannot be read: {error}") from None
    if len(raws) == 1 and _is_note(raws[0]):
        return None
    found = (message_from_bytes(raw, EmailMessage, policy=default) for raw in raws)
    return [one for mail in found for one in told_in(mail)]


def _is_note(raw: bytes) -> bool:
    """Whether a file is a note alone, with or without a proof; then it has no header of a mail."""
    return raw.startswith(b"old ") or "\n\n\u2014 ".encode() in raw


def _signed(mails: Sequence[Joined], key: PublicKey, source: str) -> list[Joined]:
    """Those that the key has signed, the smallest first; ConfigError if there are none."""
    from pbem.errors import ConfigError
    from pbem.legacy.witnessing import notes, watched

    ours = []
    for one in mails:
        try:
            ours.append((watched.read(one[2], key).size, one))
        except notes.WrongNote:
            continue  # another club's, or anybody's
    if not ours:
        raise ConfigError(f"{source} has no checkpoint that {key.name} has signed with {key}")
    return [one for _, one in sorted(ours, key=lambda item: item[0])]


def _followed(seen: Watched, mails: Sequence[Joined], source: str) -> Watched:
    """As far as the mails lead from what was seen. Raises Broken, and ConfigError at a gap."""
    from pbem.errors import ConfigError
    from pbem.legacy.witnessing import watched

    told = _signed(mails, seen.key, source)
    while True:
        size = seen.checkpoint.size
        for _, _, note in told:
            watched.agree(seen, note)
        later = [one for one in told if watched.read(one[2], seen.key).size > size]
        if not later:
            return seen
        joins = [one for one in later if one[0] == size]
        if not joins:
            raise ConfigError(
                f"no mail in {source} joins the {size} events that were seen to a later log: write "
                f'"proof {size}" to the club about any match, and look again'
            )
        seen = _joined(seen, joins)


def _joined(seen: Watched, joins: Sequence[Joined]) -> Watched:
    """The largest log that one of these proofs leads to. Raises Broken if none leads anywhere."""
    from pbem.legacy.witnessing import watched

    for old, path, note in joins[:0:-1]:
        try:
            return watched.follow(seen, note, old, path)
        except watched.Broken:
            continue  # perhaps a smaller one is whole, and shows the same from there
    old, path, note = joins[0]
    return watched.follow(seen, note, old, path)


# --- addresses and files -------------------------------------------------------------------------


def _told(text: str, size: int) -> tuple[str, int, list[bytes]]:
    """Note, old size and proof of what a club says; a note alone has the proof of none."""
    from pbem.legacy.witnessing import notes

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
    from pbem.legacy.witnessing.notes import COSIGNATURE, SecretKey

    file = folder / SEED
    if not file.exists():
        _write(file, os.urandom(32).hex())
    return SecretKey(name, bytes.fromhex(file.read_text(encoding="ascii").strip()), COSIGNATURE)


def _write(file: Path, content: str | bytes) -> None:
    """In one step, and for its owner only: whoever reads it sees the old or the new."""
    from pbem.legacy.config import write_private

    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    write_private(unfinished, content)
    unfinished.replace(file)
