"""`pbem mails`, `retry`, `resend`: the letters that came, and the mails that went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.opening import console, database_of, reading, settings_of

if TYPE_CHECKING:
    from rich.table import Table
    from sqlalchemy import Connection

KEY_SHOWN: Final = 12
"""Digits of a letter's key that lists show, and that are enough to name it."""


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(mails)
    app.command()(retry)
    app.command()(resend)


def mails(
    ctx: typer.Context,
    *,
    shunted: Annotated[
        bool, typer.Option("--shunted", help="Only letters that failed three times.")
    ] = False,
    outbox: Annotated[
        bool, typer.Option("--outbox", help="What we sent or owe, not what came.")
    ] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 50,
) -> None:
    """List letters, or sent mails, the newest first."""
    if shunted and outbox:
        raise typer.BadParameter("only letters are shunted; leave out --outbox")
    if outbox:
        table = reading(ctx, lambda conn: _sent(conn, limit))
    else:
        table = reading(ctx, lambda conn: _received(conn, limit, shunted=shunted))
    console().print(table if table.row_count else "There are none.")


def retry(
    ctx: typer.Context,
    letter: Annotated[str, typer.Argument(help="The key of a shunted letter, or its beginning.")],
) -> None:
    """Let a shunted letter be taken once more."""
    from pbem.errors import ConfigError
    from pbem.store import inbox

    def unit(conn: Connection) -> bool:
        return inbox.retry(conn, _whole_key(conn, letter))

    with database_of(settings_of(ctx)) as db:
        if not db.write(unit).result():
            raise ConfigError(f"the letter {letter} has been emptied; it cannot be taken again")
    typer.echo(f"the letter {letter} is taken again by the next `serve`, or the one that runs")


def resend(
    ctx: typer.Context,
    mail: Annotated[int, typer.Argument(help="The number of the mail in `pbem mails --outbox`.")],
) -> None:
    """Send a mail again, as it was.

    The bytes and the Message-ID are the same.
    """
    from pbem.errors import ConfigError
    from pbem.store import outbox

    with database_of(settings_of(ctx)) as db:
        if not db.write(lambda conn: outbox.resend(conn, mail)).result():
            raise ConfigError(
                f"mail {mail} is not there, or still under way, or no longer kept; "
                "see `pbem mails --outbox`"
            )
    typer.echo(f"mail {mail} is sent again by the next `serve`, or the one that runs")


# --- lists ---------------------------------------------------------------------------------------


def _received(conn: Connection, limit: int, *, shunted: bool) -> Table:
    from rich.table import Table

    from pbem.store import inbox

    table = Table("Letter", "Received (UTC)", "State", "Tries", "What became of it", box=None)
    for line in inbox.listed(conn, state="shunted" if shunted else None, limit=limit):
        became = " ".join(part for part in (line.disposition, line.code) if part)
        if line.stream and line.to_version:
            became += f" ({line.stream}, up to event {line.to_version})"
        table.add_row(
            line.key[:KEY_SHOWN],
            f"{line.received_at:%Y-%m-%d %H:%M:%S}",
            line.state,
            str(line.attempts),
            became,
        )
    return table


def _sent(conn: Connection, limit: int) -> Table:
    from rich.table import Table

    from pbem.store import outbox, roster

    rows = outbox.listed(conn, limit=limit)
    players = roster.players(conn, {row.recipient for row in rows if row.recipient is not None})
    table = Table(
        "Mail", "Queued (UTC)", "State", "Tries", "To", "Kind", "Server's answer", box=None
    )
    for row in rows:
        known = players.get(row.recipient) if row.recipient is not None else None
        table.add_row(
            str(row.id),
            f"{row.queued_at:%Y-%m-%d %H:%M:%S}",
            row.state,
            str(row.attempts),
            known.name if known else row.to_address or "?",
            " ".join(part for part in (row.kind, row.stream) if part),
            row.smtp_reply or "",
        )
    return table


def _whole_key(conn: Connection, beginning: str) -> str:
    """The key of the one shunted letter that begins so. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.store import inbox

    shunted = inbox.listed(conn, state="shunted", limit=100_000)
    found = [line.key for line in shunted if line.key.startswith(beginning)]
    if len(found) != 1:
        how_many = "no shunted letter begins" if not found else "several shunted letters begin"
        raise ConfigError(f"{how_many} with {beginning}; see `pbem mails --shunted`")
    return found[0]
