"""`pbem check`: each part is looked at in turn, with words for what is wrong and what helps."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.opening import Finding, console, counted, failure, settings_of, told

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.config import Settings
    from pbem.names import MatchId
    from pbem.legacy.store.database import Database

MEGABYTE: Final = 1 << 20
ROOM: Final = 100 * MEGABYTE
"""What should be free where the database is."""

_BESIDE: Final = ("-wal", "-shm", ".lock")
"""What stands beside a file of SQLite."""


def check(
    ctx: typer.Context,
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not talk to the mail servers.")
    ] = False,
    loop: Annotated[
        bool, typer.Option("--loop", help="Send a mail to our own address and wait for it.")
    ] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Look at every row of the database; it takes a while.")
    ] = False,
    seconds: Annotated[int, typer.Option(help="How long --loop waits for its mail.", min=1)] = 120,
) -> None:
    """Say what works, what does not, and what helps.

    The exit code is 1 if anything is wrong.
    """
    import structlog

    from pbem.legacy.config import find_file

    # What goes wrong is told as a finding; the transports' own words for a log would stand between.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    settings = settings_of(ctx)
    out = console()
    findings = examine(
        settings,
        config=find_file(ctx.obj.config),
        offline=offline,
        loop_seconds=seconds if loop else None,
        deep=deep,
    )
    wrong = 0
    for finding in findings:
        wrong += not finding.works
        mark, style = ("ok   ", "green") if finding.works else ("WRONG", "bold red")
        out.print(mark, style=style, end="")
        out.print(f" {finding.what:<12} {finding.words}", soft_wrap=True)
    if wrong:
        out.print(f"{counted(wrong, 'thing')} to mend")
        raise typer.Exit(1)
    out.print("all is well")


def examine(
    settings: Settings,
    *,
    config: Path | None = None,
    offline: bool = False,
    loop_seconds: float | None = None,
    deep: bool = False,
) -> Iterator[Finding]:
    """Every finding in the order in which things depend on each other.

    `config` is the file of the settings. `loop_seconds`: also send a mail to ourselves, and wait
    for it so long. `deep`: hold every row of the database against its checksum and the log.
    """
    from pbem.legacy.cli import servers
    from pbem.legacy.cli.findings import templates

    checks: list[tuple[str, Callable[[Settings], Iterator[Finding]]]] = [
        ("settings", partial(_settings, config=config)),
        ("keys", _keys),
        ("database", partial(_database, deep=deep)),
        ("templates", templates),
        ("pictures", _pictures),
        ("maildir", servers.folders),
        ("lmtp", servers.lmtp),
        ("web", servers.web),
        ("pages", _pages),
        ("metrics", servers.metrics),
        ("alarms", servers.commands),
    ]
    if offline:
        checks.append(("logins", servers.logins))
    else:
        checks += [("imap", servers.imap), ("smtp", servers.smtp)]
    if loop_seconds is not None:
        checks.append(("loop", partial(servers.loop, seconds=loop_seconds)))
    for what, check in checks:
        try:
            yield from check(settings)
        except Exception as error:  # noqa: BLE001 - what is wrong here hides nothing of the others
            yield Finding(what, works=False, words=failure(error))


def _settings(settings: Settings, *, config: Path | None) -> Iterator[Finding]:
    from pbem.legacy.config import open_to_others

    settings.demand_mail()
    yield Finding("settings", works=True, words=f"players write to {settings.site.address}")
    if config is not None and (words := open_to_others(config)):
        yield Finding("secrets", works=False, words=words)
    for setting, file in settings.secret_files():
        if words := open_to_others(file):
            yield Finding("secrets", works=False, words=f"{settings.named(setting)}: {words}")


def _keys(settings: Settings) -> Iterator[Finding]:
    from pbem.legacy.config import load_keys
    from pbem.legacy.mail.addresses import Keys

    stored = load_keys(settings.keys.file)
    keys = Keys(stored.current, stored.secrets)
    words = f"{counted(len(keys.secrets), 'key')}, new addresses with {keys.current!r}"
    yield Finding("keys", works=True, words=words)


_LOOPBACK: Final = re.compile(r"http://(?:localhost|127(?:\.\d{1,3}){3})(?=[:/]|$)")


def _pages(settings: Settings) -> Iterator[Finding]:
    """Where mails say that pages are."""
    public_url = settings.web.public_url
    if not public_url:
        return
    if public_url.startswith("https://") or _LOOPBACK.match(public_url) is not None:
        words = f"mails lead to {public_url}; `pbem web` serves it"
        yield Finding("pages", works=True, words=words)
        return
    words = f"mails lead to {public_url}, which is read by whoever is on the way"
    named = settings.named("web.public_url")
    advice = "put a server with TLS before it"
    yield Finding("pages", works=False, words=f"{named}: {words}: {advice}")


def _pictures(_: Settings) -> Iterator[Finding]:
    """Whether mails can have pictures; without them boards are cells, or text."""
    from pbem.legacy.replays.raster import HOW, draws

    if draws():
        words = "mails have them"
    else:
        words = f"none in mails, which show boards as cells or as text: {HOW}"
    yield Finding("pictures", works=True, words=words)


# --- the database --------------------------------------------------------------------------------


def _database(settings: Settings, *, deep: bool) -> Iterator[Finding]:
    from pbem.legacy.store.damage import kind_of
    from pbem.legacy.store.database import Database
    from pbem.legacy.store.engine import file_of, shown

    parts: tuple[tuple[str, Callable[[Database], Iterator[Finding]]], ...] = (
        ("database", _written),
        ("tables", _tables),
        ("event log", _log),
        ("matches", _matches),
        ("tournaments", _tournaments),
        ("letters", _queues),
        ("sending", partial(_caps, settings)),
        ("clock", _clock),
    )
    file = file_of(settings.store.database)
    if file is not None:
        yield _room(file)
        yield from _alone(file)
    db = Database.open(settings.store.database, lenient=True)
    try:
        yield Finding("database", works=True, words=shown(settings.store.database))
        for what, part in (*parts, *(("deep", look) for look in _DEEP if deep)):
            try:
                yield from part(db)
            except Exception as error:  # noqa: BLE001 - the other parts are looked at all the same
                yield Finding(what, works=False, words=kind_of(error))
    finally:
        db.close()


def _clock(db: Database) -> Iterator[Finding]:
    """Whether this machine's clock is behind what has happened already."""
    from pbem.legacy.cli.status import behind_lines
    from pbem.legacy.wiring.process import clock

    behind = db.read(partial(behind_lines, now=clock())).result()
    yield from (Finding("clock", works=False, words=words) for words in behind)


def _room(database: Path) -> Finding:
    folder = database.absolute().parent
    free = shutil.disk_usage(folder).free
    words = f"{free // MEGABYTE} MB free in {folder}"
    advice = ": make room, a full disk stops the service (nothing is lost by it)"
    enough = free >= ROOM
    return Finding("disk", works=enough, words=words if enough else words + advice)


def _alone(database: Path) -> Iterator[Finding]:
    """Whether nobody else reads the database: it has letters, addresses and secret draws."""
    from pbem.legacy.config import open_to_others

    for file in (database, *(database.with_name(database.name + end) for end in _BESIDE)):
        if words := open_to_others(file):
            yield Finding("database", works=False, words=words)
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            words = f"{file} cannot be written: `pbem serve` has to, as this user"
            yield Finding("database", works=False, words=words)


def _written(db: Database) -> Iterator[Finding]:
    """Whether a unit of work can begin and be committed."""
    db.write(lambda _: None).result()
    yield from ()


def _tables(db: Database) -> Iterator[Finding]:
    from pbem.legacy.store import schema

    wrong = db.read(schema.differences).result()
    yield from told("tables", wrong, "each has its columns, indexes and triggers")


def _log(db: Database) -> Iterator[Finding]:
    """Every hash chain."""
    from pbem.legacy.store.log import verify

    wrong = db.read(lambda conn: [str(one) for one in verify.verify(conn)]).result()
    yield from told("event log", wrong, "no event was changed, added, moved or lost")


def _matches(db: Database) -> Iterator[Finding]:
    """Every match replayed through its rules."""
    from pbem.names import MatchId
    from pbem.legacy.store.damage import kind_of
    from pbem.legacy.store.log import event_log
    from pbem.legacy.transaction.installation import verified

    streams = db.read(lambda conn: event_log.streams(conn, "match")).result()
    names = [MatchId(stream.partition("-")[2]) for stream in streams]
    broken = []
    for name in _with_progress(names, "replaying matches"):
        try:
            result, _ = db.read(partial(verified, match=name)).result()
            broken += [f"match {name}: {words}" for words in result.findings]
        except Exception as error:  # noqa: BLE001 - whatever it holds, the others are replayed
            broken.append(f"match {name} cannot be replayed: {kind_of(error)}")
    yield from told("matches", broken, f"{len(names)} replayed, every draw and move checked")


def _tournaments(db: Database) -> Iterator[Finding]:
    """Every tournament decided again, and compared with its matches."""
    from pbem.names import TournamentId
    from pbem.legacy.store.damage import kind_of
    from pbem.legacy.store.log import event_log
    from pbem.legacy.transaction.tournament_checks import verified

    streams = db.read(lambda conn: event_log.streams(conn, "tournament")).result()
    broken = []
    for name in (TournamentId(stream.partition("-")[2]) for stream in streams):
        try:
            found = db.read(partial(verified, name=name)).result()
            broken += [
                f"tournament {name}: {words}" for words in (found[0].findings if found else ())
            ]
        except Exception as error:  # noqa: BLE001 - whatever it holds, the others are checked
            broken.append(f"tournament {name} cannot be replayed: {kind_of(error)}")
    yield from told("tournaments", broken, f"{len(streams)} replayed, every lot and place checked")


def _with_progress(names: Sequence[MatchId], what: str) -> Iterable[MatchId]:
    """A bar while it lasts, for who looks at a terminal."""
    from rich.console import Console
    from rich.progress import track

    bar = Console(stderr=True)
    return track(names, what, transient=True, console=bar, disable=not bar.is_terminal)


def _queues(db: Database) -> Iterator[Finding]:
    from pbem.legacy import health
    from pbem.legacy.store.mails import outbox
    from pbem.legacy.store.upkeep import condition

    _, letters, _ = db.read(condition.letters_waiting).result()
    _, dead, _ = db.read(outbox.waiting).result()
    unwritten = db.read(outbox.unwritten).result()
    if letters:
        yield Finding(
            "letters",
            works=False,
            words=f"{letters} failed three times: `pbem mails --shunted` shows them, "
            "`pbem retry` takes one again",
        )
    if unwritten:
        yield Finding("mails", works=False, words=health.unwritten(unwritten).line)
    if dead:
        # An address that is gone is no fault of this installation.
        words = f"{dead} refused for good by a server: `pbem mails --outbox` shows why"
        yield Finding("mails", works=True, words=words)


def _caps(settings: Settings, db: Database) -> Iterator[Finding]:
    """A cap that is nearly used up is nothing broken, but the next mails may have to wait."""
    from pbem.legacy.cli.status import budget_lines, cap_lines
    from pbem.legacy.wiring.process import clock

    for words in db.read(partial(budget_lines, settings, now=clock())).result():
        yield Finding("strangers", works=True, words=words.rstrip("."))
    for words, _ in db.read(partial(cap_lines, settings, now=clock())).result():
        yield Finding("sending", works=True, words=words)


def _integrity(db: Database) -> Iterator[Finding]:
    from pbem.legacy.store.upkeep import deep

    wrong = db.read(lambda conn: list(deep.integrity(conn))).result()
    yield from told("file", wrong, "SQLite finds its pages, indexes and references whole")


def _checksums(db: Database) -> Iterator[Finding]:
    from pbem.legacy.store.upkeep import deep

    wrong = db.read(lambda conn: list(deep.checksums(conn))).result()
    yield from told("checksums", wrong, "each row is as it was written")


def _contradictions(db: Database) -> Iterator[Finding]:
    """Lists, letters, mails, timers and questions against the log."""
    from pbem.legacy.cli import findings
    from pbem.legacy.store.upkeep import deep

    def unit(conn: Connection) -> list[str]:
        return [*deep.contradictions(conn), *findings.found(conn)]

    wrong = db.read(unit).result()
    yield from told("beside it", wrong, "lists, letters, mails and timers fit the log")


def _rows(db: Database) -> Iterator[Finding]:
    """What each column of each row holds, against what it may hold."""
    from pbem.legacy.cli import findings
    from pbem.legacy.runners.watch import ALIVE
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.upkeep import condition, deep
    from pbem.legacy.wiring.process import clock

    def unit(conn: Connection) -> list[str]:
        now = clock()
        with suppress(Damaged):  # a time that is none is told below
            now = max(now, condition.newest_time(conn, ALIVE) or now)
        return list(deep.wrong(conn, now, findings.kinds()))

    wrong = db.read(unit).result()
    yield from told("rows", wrong, "each holds what it can: words, times, names, texts")


_DEEP: Final = (_integrity, _checksums, _rows, _contradictions)
