"""`pbem mails`, `retry`, `resend`: the letters that came, and the mails that went."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from pbem.legacy.cli.opening import (
    AsJson,
    console,
    database_of,
    end_damaged,
    reading,
    safe,
    say,
    say_json,
    settings_of,
    table_of,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.mails.inbox import State

    Listed: TypeAlias = tuple[list[dict[str, Any]], dict[str, Damaged]]

KEY_SHOWN: Final = 12
"""Digits of a letter's key that lists show, and that are enough to name it."""


IN: Final = ("Letter", "Received (UTC)", "State", "Tries", "What became of it")
OUT: Final = ("Mail", "Queued (UTC)", "State", "Tries", "To", "Kind", "Server's answer")


def mails(
    ctx: typer.Context,
    one: Annotated[
        str,
        typer.Argument(
            metavar="[KEY]", help="The one to show: the beginning of a key, or a mail's number."
        ),
    ] = "",
    *,
    shunted: Annotated[
        bool, typer.Option("--shunted", help="Only letters that failed three times.")
    ] = False,
    outbox: Annotated[
        bool, typer.Option("--outbox", help="What we sent or owe, not what came.")
    ] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 50,
    as_json: AsJson = False,
) -> None:
    """List letters, or sent mails, the newest first; or show one as it came or went."""
    if shunted and outbox:
        raise typer.BadParameter("only letters are shunted; leave out --outbox")
    if one:
        raw = reading(ctx, lambda conn: _mail(conn, one) if outbox else _letter(conn, one))
        typer.echo(_shown(raw), nl=False)
        return
    if outbox:
        rows, damaged = reading(ctx, lambda conn: _sent(conn, limit))
    else:
        rows, damaged = reading(ctx, lambda conn: _received(conn, limit, shunted=shunted))
    if as_json:
        say_json(rows)
    else:
        table = table_of(OUT if outbox else IN, map(_sent_cells if outbox else _cells, rows))
        console().print(table if rows or damaged else "There are none.")
    end_damaged("mail" if outbox else "letter", damaged)


def retry(
    ctx: typer.Context,
    letter: Annotated[str, typer.Argument(help="The key of a shunted letter, or its beginning.")],
) -> None:
    """Let a shunted letter be taken once more."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.mails import inbox

    def unit(conn: Connection) -> bool:
        return inbox.retry(conn, _whole_key(conn, letter, "shunted"))

    with database_of(settings_of(ctx)) as db:
        if not db.write(unit).result():
            raise ConfigError(f"the letter {letter} has been emptied; it cannot be taken again")
    say(f"the letter {letter} is taken again by the next `serve`, or the one that runs")


def resend(
    ctx: typer.Context,
    mail: Annotated[int, typer.Argument(help="The number of the mail in `pbem mails --outbox`.")],
) -> None:
    """Send a mail again, as it was.

    The bytes and the Message-ID are the same.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.store.mails import outbox

    with database_of(settings_of(ctx)) as db:
        if not db.write(lambda conn: outbox.resend(conn, mail)).result():
            raise ConfigError(
                f"mail {mail} is not there, or still under way, or no longer kept; "
                "see `pbem mails --outbox`"
            )
    say(f"mail {mail} is sent again by the next `serve`, or the one that runs")


# --- one of them ---------------------------------------------------------------------------------


def _letter(conn: Connection, beginning: str) -> bytes:
    """The bytes of the one letter whose key begins so. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.mails import inbox

    found = inbox.letter(conn, _whole_key(conn, beginning, None))
    if found is None or not found.raw:
        raise ConfigError(f"the letter {beginning} has been emptied: it was kept long enough")
    return found.raw


def _mail(conn: Connection, number: str) -> bytes:
    """The bytes of the mail of a number. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.mails import outbox

    found = outbox.row(conn, int(number)) if number.isdecimal() else None
    if found is None:
        raise ConfigError(f"there is no mail {number}; see `pbem mails --outbox`")
    if not found.data:
        raise ConfigError(f"mail {number} is not written yet, or was kept long enough")
    return found.data


def _shown(raw: bytes) -> str:
    """The lines of a mail, without what a terminal would obey: anybody may have written it."""
    return safe(raw.decode("utf-8", "replace").replace("\r\n", "\n"))


# --- lists ---------------------------------------------------------------------------------------


def _received(conn: Connection, limit: int, *, shunted: bool) -> Listed:
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.upkeep import condition

    rows, damaged = [], {}
    for key, line in condition.letters(conn, "shunted" if shunted else None, limit):
        if isinstance(line, Damaged):
            damaged[key[:KEY_SHOWN]] = line
            continue
        rows.append(
            {
                "key": line.key,
                "received_at": line.received_at.isoformat(),
                "state": str(line.state),
                "attempts": line.attempts,
                "disposition": line.disposition,
                "code": line.code,
                "stream": line.stream,
                "to_version": line.to_version,
            }
        )
    return rows, damaged


def _cells(row: dict[str, Any]) -> list[object]:
    became = " ".join(str(part) for part in (row["disposition"], row["code"]) if part)
    if row["stream"] and row["to_version"]:
        became += f" ({row['stream']}, up to event {row['to_version']})"
    at = datetime.fromisoformat(row["received_at"])
    seen = f"{at:%Y-%m-%d %H:%M:%S}"
    return [row["key"][:KEY_SHOWN], seen, row["state"], row["attempts"], became]


def _sent(conn: Connection, limit: int) -> Listed:
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.people import roster
    from pbem.legacy.store.upkeep import condition

    listed = dict(condition.mails(conn, limit))
    damaged = {number: row for number, row in listed.items() if isinstance(row, Damaged)}
    rows = [row for row in listed.values() if not isinstance(row, Damaged)]
    players = roster.players(conn, {row.recipient for row in rows if row.recipient is not None})
    told = []
    for row in rows:
        known = players.get(row.recipient) if row.recipient is not None else None
        told.append(
            {
                "number": row.id,
                "queued_at": row.queued_at.isoformat(),
                "state": str(row.state),
                "attempts": row.attempts,
                "to": str(known.name if known else row.to_address or "?"),
                "kind": row.kind,
                "stream": row.stream,
                "answer": row.smtp_reply,
            }
        )
    return told, damaged


def _sent_cells(row: dict[str, Any]) -> list[object]:
    at = datetime.fromisoformat(row["queued_at"])
    seen = f"{at:%Y-%m-%d %H:%M:%S}"
    kind = " ".join(part for part in (row["kind"], row["stream"]) if part)
    answer = row["answer"] or ""
    return [row["number"], seen, row["state"], row["attempts"], row["to"], kind, answer]


def _whole_key(conn: Connection, beginning: str, state: State | None) -> str:
    """The key of the one letter, in that state or any, that begins so. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.upkeep import condition

    found = condition.letters_like(conn, beginning, state=state)
    if len(found) == 1:
        return found[0]
    kind = f"{state} letter" if state else "letter"
    how_many = f"no {kind} begins" if not found else f"several {kind}s begin"
    lists = "pbem mails --shunted" if state else "pbem mails"
    raise ConfigError(f"{how_many} with {beginning}; see `{lists}`")
