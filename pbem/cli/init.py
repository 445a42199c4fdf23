"""The command `pbem init`: create a service in a folder from a few answers."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.cli.output import print_line
from pbem.errors import ConfigError
from pbem.files import write_private

TRIAL_ADDRESS: Final = "games@pbem.example"
PASSWORD_FILE: Final = "mail-password"  # noqa: S105 - the name of a file
TLS_PORTS: Final = {"imap": "993", "smtp": "465"}
STARTTLS_PORTS: Final = {"143", "587", "25"}

_SERVER: Final = re.compile(r"([\w.-]+)(?::(\d{1,5}))?")
_ADDRESS: Final = re.compile(r"[^\s@<>\"]+@[\w.-]+")


def init(
    ctx: typer.Context,
    *,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask no questions; use the options instead.")
    ] = False,
    maildir: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="For a trial without mail servers: emails are files in FOLDER/in and FOLDER/out.",
        ),
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address that players write to.")
    ] = "",
    title: Annotated[str, typer.Option(metavar="TEXT", help="The name of the service.")] = "",
    contact: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Your own address, for alarms and reports.")
    ] = "",
    imap: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="The server of the mailbox.")
    ] = "",
    smtp: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="The server that sends our emails.")
    ] = "",
    user: Annotated[str, typer.Option(metavar="NAME", help="The login at both servers.")] = "",
    password_file: Annotated[
        str, typer.Option(metavar="FILE", help="A file whose first line is the password.")
    ] = "",
    database: Annotated[
        str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME in place of SQLite.")
    ] = "",
    new_keys: Annotated[
        bool,
        typer.Option(
            "--new-keys",
            help="Create keys for a database whose keys are lost. Players are then asked about "
            "each reply to an older email.",
        ),
    ] = False,
) -> None:
    """Create a service: its settings, keys and database. Existing files are kept."""
    file: Path = ctx.obj
    os.umask(0o077)  # keys, passwords and addresses of players are private
    folder = file.absolute().parent
    folder.mkdir(parents=True, exist_ok=True)
    if file.exists():
        print_line(f"{file} is there already, and stays as it is.")
    else:
        asks = not yes and maildir is None
        if maildir is None and not address:
            if yes:
                raise ConfigError("--address is missing: the address that players write to.")
            if not has_terminal():
                raise ConfigError("There is no terminal to ask at. Give --yes and --address.")
        choose = partial(_choose, asks=asks)
        default = "" if maildir is None else TRIAL_ADDRESS
        address = choose(address, "The address that players write to", default, _ADDRESS)
        if _ADDRESS.fullmatch(address) is None:
            raise ConfigError(f"{address!r} is no address. Write it like games@example.org.")
        name, _, domain = address.partition("@")
        lines = [
            "# The settings of pbem. config.example.toml explains these and all others.",
            "",
            "[site]",
            f"title = {_quote(choose(title, 'The name of the service', name))}",
            "# The address that players write to.",
            f"address = {_quote(address)}",
            "# Your own address. It gets alarms, and what players report.",
            f"contact = {_quote(choose(contact, 'Your own address, for alarms (or nothing)', ''))}",
        ]
        if database:
            lines += ["", "[database]", f"url = {_quote(database)}"]
        if maildir is not None:
            lines += _list_maildir(maildir)
        else:
            servers = {
                kind: choose(server, f"The {kind.upper()} server", f"{kind}.{domain}", _SERVER)
                for kind, server in (("imap", imap), ("smtp", smtp))
            }
            user = choose(user, "The login", address)
            if asks and not password_file:
                password_file = _store_password(folder / PASSWORD_FILE)
            for kind, server in servers.items():
                lines += ["", f"[{kind}]", *_list_server(kind, server, user, password_file)]
        _write_settings(file, lines)
        print_line(f"{file} has the settings.")
    _create(file, maildir, new_keys=new_keys)


def _create(file: Path, maildir: Path | None, *, new_keys: bool) -> None:
    """Create the keys and the database that the settings name, unless they exist.

    Raises:
        ConfigError: The database is in use, but its keys are missing; or new keys are asked for,
            and there are keys.
    """
    from pbem.settings import create_keys, load_settings
    from pbem.store.database import Database, find_revision

    settings = load_settings(file)
    keys = settings.keys.file
    with closing(Database(settings.database.url)) as database:
        with database.snapshot() as conn:
            revision = find_revision(conn)
        if not keys.exists():
            if revision is not None and not new_keys:
                raise ConfigError(
                    f"{keys} is missing, and {settings.database.shown_url} is there. With new "
                    "keys players are asked about each reply to an older email. Restore the file "
                    "from a backup; if there is none, run `pbem init --new-keys`."
                )
            create_keys(keys)
            print_line(f"{keys} has the keys of reply addresses. Keep it in your backup.")
        elif new_keys:
            raise ConfigError(f"{keys} is there already. To replace its key, see SECURITY.md.")
        if revision is None:
            database.migrate()
            print_line(f"{settings.database.shown_url} is the database.")
    if maildir is not None:
        print_line(
            f"Put emails to {settings.site.address} into {maildir}/in/new. "
            f"Ours are in {maildir}/out."
        )
    config = "" if file == Path("config.toml") else f" --config {file}"
    print_line(f"Next: `pbem{config} check --loop`, then `pbem{config} serve`.")


# --- questions -----------------------------------------------------------------------------------


def has_terminal() -> bool:
    """Return whether the command can ask questions, because its input is a terminal."""
    return sys.stdin.isatty()


def _choose(
    value: str,
    question: str,
    default: str,
    pattern: re.Pattern[str] | None = None,
    *,
    asks: bool,
) -> str:
    """Return the value of an option if it was given, or else the operator's answer to a question.

    If `asks` is False, no question is asked and the default is used. The question is repeated until
    the answer matches the pattern, if there is one.
    """
    if value or not asks:
        return value or default
    while True:
        answer: str = typer.prompt(question, default=default, show_default=bool(default)).strip()
        if pattern is None or pattern.fullmatch(answer):
            return answer
        print_line(f"{answer!r} is not understood.")


def _store_password(file: Path) -> str:
    """Ask the operator for the password, store it in a private file, and return the file's name.

    If the answer is empty, an existing file stays as it is. If there is no file, one without a
    password is created.
    """
    question = f"The password (empty to write it into {file.name} later)"
    password = typer.prompt(question, "", hide_input=True, show_default=False)
    if password or not file.exists():
        file.unlink(missing_ok=True)
        write_private(file, f"{password}\n".encode())
    return file.name


# --- the file ------------------------------------------------------------------------------------


def _write_settings(file: Path, lines: list[str]) -> None:
    """Write the settings file, unless an answer of the operator is wrong.

    Raises:
        ConfigError: A setting is wrong. No file is left, so that the operator can answer again.
    """
    from pbem.settings import load_settings

    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    try:
        load_settings(file)
    except ConfigError:
        file.unlink()
        raise


def _list_maildir(maildir: Path) -> list[str]:
    return [
        "",
        "# Folders in place of mail servers, for a trial. For real emails, replace this table",
        "# by [imap] and [smtp].",
        "[maildir]",
        f"incoming = {_quote(str(maildir.absolute() / 'in'))}",
        f"outgoing = {_quote(str(maildir.absolute() / 'out'))}",
    ]


def _list_server(kind: str, server: str, user: str, password_file: str) -> list[str]:
    parsed = _SERVER.fullmatch(server)
    if parsed is None:
        raise ConfigError(f"{server!r} is no server. Write it like mail.example.org:993.")
    host, port = parsed.groups()
    lines = [
        f"host = {_quote(host)}",
        f"port = {port or TLS_PORTS[kind]}",
        f"security = {_quote('starttls' if port in STARTTLS_PORTS else 'tls')}",
        f"user = {_quote(user)}",
    ]
    if password_file:
        lines.append(f"password_file = {_quote(password_file)}")
    else:
        lines.append("# password_file, password_command or token_command: see config.example.toml")
    if kind == "smtp":
        lines.append("# How many emails the provider lets you send; 0 for any number.")
        lines += ["per_hour = 0", "per_day = 0"]
    return lines


def _quote(text: str) -> str:
    """Return a text as a TOML string. JSON strings without surrogates are valid TOML."""
    return json.dumps(text, ensure_ascii=False)
