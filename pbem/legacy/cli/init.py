"""`pbem init` and `pbem upgrade`: make a service, and bring its database to today's tables."""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.opening import say, settings_of

if TYPE_CHECKING:
    from pbem.legacy.config import Settings

SECRET_BYTES: Final = 32
PASSWORD_FILE: Final = "mail-password"  # noqa: S105 - a file's name
STARTTLS_PORTS: Final = {143, 587, 25}
_HOST: Final = re.compile(r"[\w.-]+|\[?[0-9A-Fa-f:.]+\]?")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `init` asks for; an empty host means Maildir folders below `maildir`."""

    title: str
    address: str
    maildir: Path | None = None
    imap_host: str = ""
    imap_port: int = 993
    smtp_host: str = ""
    smtp_port: int = 465
    user: str = ""
    password_file: Path | None = None
    database: str = ""


def init(
    ctx: typer.Context,
    *,
    address: Annotated[
        str, typer.Option(help="The mail address that players write to.", show_default=False)
    ] = "",
    title: Annotated[str, typer.Option(help="The name of the service.")] = "pbem",
    imap_host: Annotated[str, typer.Option(help="Where mail is read.", show_default=False)] = "",
    imap_port: Annotated[int, typer.Option(help="993 for TLS, 143 for STARTTLS.")] = 993,
    smtp_host: Annotated[str, typer.Option(help="Where mail is sent.", show_default=False)] = "",
    smtp_port: Annotated[int, typer.Option(help="465 for TLS, 587 for STARTTLS.")] = 465,
    user: Annotated[
        str, typer.Option(help="The login; the address if not given.", show_default=False)
    ] = "",
    password_file: Annotated[
        Path | None,
        # The service may get it as a credential, and this command's user not read it at all.
        typer.Option(help="A file that has the password.", show_default=False, readable=False),
    ] = None,
    maildir: Annotated[
        Path | None,
        typer.Option(help="Use Maildir folders below this one, no servers.", show_default=False),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            help="Where matches are kept: a file (pbem.db), or postgresql://user@host/name.",
            show_default=False,
        ),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
) -> None:
    """Make a service: settings, keys, database.

    What is there already stays as it is, so that it can be run again.
    """
    from pbem.legacy.config import find_file

    file, told = find_file(ctx.obj.config), []
    with ExitStack() as undone:  # settings and keys are of no use where something fails
        if file.exists():
            told.append(f"kept     {file}")
        else:
            servers = (imap_host, imap_port, smtp_host, smtp_port)
            given = Wanted(title, address, maildir, *servers, user, password_file, database)
            wanted = given if yes else _ask(given)
            if wanted.imap_host and not yes and password_file is None:
                _ask_password(file.parent / PASSWORD_FILE)
            _write_private(file, _config_text(wanted))
            undone.callback(file.unlink, missing_ok=True)
            told.append(f"wrote    {file}")
        settings = settings_of(ctx)
        before = _require_usable(settings.store.database)
        told.append(_make_keys(settings, before, undone))
        told.append(_make_database(settings, before))
        undone.pop_all()
    for line in told:
        say(line)
    say("next: `pbem check` says whether it works, `pbem serve` runs it")


def upgrade(ctx: typer.Context) -> None:
    """Bring the database to this version's tables.

    Run `pbem backup` before, and stop `serve` and `web`.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.store import schema
    from pbem.legacy.store.engine import file_of, shown
    from pbem.legacy.wiring.process import alone

    database = settings_of(ctx).store.database
    name, file = shown(database), file_of(database)
    schema.require_file(database)
    before = schema.current(database)
    if before is None or before > schema.head():
        raise ConfigError(f"{name} {schema.unfit(before)}")
    schema.require_not_left(database)
    with alone(database):
        if before != schema.head():
            schema.migrate(database)
            say(f"{name}: tables of version {before} brought to {schema.head()}")
            return
        made = schema.mend_file(file) if file is not None else ()
    for what in made:
        say(f"made     {what}, which was missing")
    if not made:
        say(f"{name} has the tables of version {before}; nothing to do")


# --- questions -----------------------------------------------------------------------------------


def _ask(given: Wanted) -> Wanted:
    """The same with what the operator answers; the flags are the suggestions."""
    title = _answer("Name of the service", given.title, "site", "title")
    address = _answer("Mail address that players write to", given.address, "site", "address")
    if given.maildir is not None:
        return replace(given, title=title, address=address)
    domain = address.rpartition("@")[2]
    imap_host = _answer("IMAP server", given.imap_host or f"imap.{domain}", "imap", "host")
    imap_port = _port("  its port (993 TLS, 143 STARTTLS)", given.imap_port, "imap")
    smtp_host = _answer("SMTP server", given.smtp_host or f"smtp.{domain}", "smtp", "host")
    smtp_port = _port("  its port (465 TLS, 587 STARTTLS)", given.smtp_port, "smtp")
    return replace(
        given,
        title=title,
        address=address,
        imap_host=imap_host,
        imap_port=imap_port,
        smtp_host=smtp_host,
        smtp_port=smtp_port,
        user=_answer("Login at both", given.user or address, "imap", "user"),
    )


def _answer(question: str, suggested: str, section: str, name: str) -> str:
    """An answer that the setting can hold; what it cannot is asked for again, with the reason."""
    from pbem.legacy.config import fault_of

    while True:
        answer = str(typer.prompt(question, suggested or None)).strip()
        fault = fault_of(section, name, answer)
        if not answer:
            fault = "there has to be an answer"
        elif not answer.isprintable():
            fault = "it has signs in it that cannot be seen"
        elif name == "host" and not _HOST.fullmatch(answer):
            fault = "that is no name of a server, as in mail.example.org"
        if not fault:
            return answer
        say(f"  Again, please: {fault}.")


def _port(question: str, suggested: int, section: str) -> int:
    from pbem.legacy.config import fault_of

    while True:
        answer = str(typer.prompt(question, str(suggested))).strip()
        if answer.isdecimal() and not fault_of(section, "port", int(answer)):
            return int(answer)
        say("  Again, please: a port is a number from 1 to 65535.")


def _ask_password(file: Path) -> None:
    if file.exists():
        say(f"kept     {file}")
        return
    password = ""
    while not password.strip():
        password = typer.prompt(
            "Password (an app password where the provider has them)", hide_input=True
        )
        if not password.strip():
            say("  Again, please: without a password no server lets anybody in.")
    _write_private(file, f"{password}\n")
    say(f"wrote    {file}, which only you can read")


# --- files ---------------------------------------------------------------------------------------


def _config_text(wanted: Wanted) -> str:
    """A short file; the example has all the rest."""
    lines = [
        "# Settings of pbem. config.example.toml in the sources is the manual of all of them.",
        "",
        "[site]",
        f"title = {_string(wanted.title)}",
        f"address = {_string(wanted.address)}",
    ]
    if wanted.database:
        lines += ["", "[store]", f"database = {_string(wanted.database)}"]
    if wanted.maildir is not None:
        incoming, outgoing = (_string(str(wanted.maildir / name)) for name in ("in", "out"))
        lines += ["", "[maildir]", f"incoming = {incoming}", f"outgoing = {outgoing}"]
    servers = (
        ("imap", wanted.imap_host, wanted.imap_port),
        ("smtp", wanted.smtp_host, wanted.smtp_port),
    )
    user = wanted.user or wanted.address
    for section, host, port in servers:
        if host:
            lines += ["", f"[{section}]", f"host = {_string(host)}", f"port = {port}"]
            lines += [f'security = "{"starttls" if port in STARTTLS_PORTS else "tls"}"']
            if user:
                kept = _string(str(wanted.password_file or PASSWORD_FILE))
                lines += [f"user = {_string(user)}", f"password_file = {kept}"]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    """As TOML has it: as JSON does, but for signs outside of the first plane, which stay."""
    return json.dumps(text, ensure_ascii=False)


def _write_private(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write(text)


def _make_keys(settings: Settings, before: str | None, undone: ExitStack) -> str:
    """Make keys where there are none; what is to be told. `before`: the database's tables."""
    from pbem.legacy.config import FIRST_KEY, SEED_BYTES, AddressKeys, write_keys
    from pbem.errors import ConfigError
    from pbem.legacy.wiring.process import entropy

    file = settings.keys.file
    if file.exists():
        return f"kept     {file}"
    if before is not None:
        raise ConfigError(
            f"there is a database, but no {file}: new keys would make every reply address dead; "
            "bring the old file back from a backup (`pbem restore` does)"
        )
    write_keys(
        file, AddressKeys(FIRST_KEY, {FIRST_KEY: entropy(SECRET_BYTES)}, {1: entropy(SEED_BYTES)})
    )
    undone.callback(file.unlink, missing_ok=True)
    return f"wrote    {file}; keep it in your backup, `pbem backup` does"


def _make_database(settings: Settings, before: str | None) -> str:
    """Make the tables, or bring them to today's; what is to be told."""
    from pbem.legacy.store import schema
    from pbem.legacy.store.engine import shown
    from pbem.legacy.wiring.process import alone

    database = settings.store.database
    name = shown(database)
    if before == schema.head():
        return f"kept     {name}"
    with nullcontext() if before is None else alone(database):
        schema.migrate(database)
    return f"{'made    ' if before is None else 'upgraded'} {name}"


def _require_usable(database: Path | str) -> str | None:
    """The tables that a database has, or None where it can be made. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.store import schema
    from pbem.legacy.store.engine import file_of, shown

    file, before = file_of(database), schema.current(database)
    is_there = file is not None and file.exists()
    if (before is None and is_there) or (before is not None and before > schema.head()):
        raise ConfigError(f"{shown(database)} {schema.unfit(before)}")
    if before is None:
        schema.require_room(database)
    else:
        schema.require_not_left(database)
    return before
