"""`pbem init`: make a service in a folder, from a few answers."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.cli.output import print_line
from pbem.errors import ConfigError
from pbem.files import write_private

TRIAL_ADDRESS: Final = "games@pbem.example"
PASSWORD_FILE: Final = "mail-password"  # noqa: S105 - the name of a file
STARTTLS_PORTS: Final = {"143", "587", "25"}

_SERVER: Final = re.compile(r"([\w.-]+)(?::(\d{1,5}))?")
_ADDRESS: Final = re.compile(r"[^\s@<>\"]+@[\w.-]+")


@dataclass(kw_only=True, slots=True)
class _Answers:
    title: str
    address: str
    contact: str
    imap: str
    smtp: str
    user: str
    password_file: str
    database: str
    maildir: Path | None


def init(
    ctx: typer.Context,
    *,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing; options say what is needed.")
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
        str, typer.Option(metavar="HOST[:PORT]", help="The server that has the mailbox.")
    ] = "",
    smtp: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="The server that sends our emails.")
    ] = "",
    user: Annotated[str, typer.Option(metavar="NAME", help="The login at both.")] = "",
    password_file: Annotated[
        str, typer.Option(metavar="FILE", help="A file whose first line is the password.")
    ] = "",
    database: Annotated[
        str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME in place of a file.")
    ] = "",
    new_keys: Annotated[
        bool,
        typer.Option(
            "--new-keys",
            help="Make keys for a database that has lost its own: replies to emails that were sent "
            "no longer count.",
        ),
    ] = False,
) -> None:
    """Make a service: its settings, its keys and its database. What is there already stays."""
    file: Path = ctx.obj
    os.umask(0o077)  # keys, passwords and addresses of players are nobody else's business
    file.absolute().parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        print_line(f"{file} is there already, and stays as it is.")
    else:
        answers = _Answers(
            title=title,
            address=address,
            contact=contact,
            imap=imap,
            smtp=smtp,
            user=user,
            password_file=password_file,
            database=database,
            maildir=maildir,
        )
        _complete(answers, file.absolute().parent, asks=not yes)
        with file.open("x", encoding="utf-8") as opened:
            opened.write(_write_settings(answers))
        print_line(f"{file} has the settings.")
    _create(file, maildir, new_keys=new_keys)


def _create(file: Path, maildir: Path | None, *, new_keys: bool) -> None:
    """Make the keys and the database of some settings, if they are missing.

    Raises:
        ConfigError: The keys of a database that is in use are missing.
    """
    from pbem.settings import create_keys, load_settings
    from pbem.store.database import Database, find_revision

    settings = load_settings(file)
    keys = settings.keys.file
    database = Database(settings.database.url)
    try:
        with database.snapshot() as conn:
            revision = find_revision(conn)
        if not keys.exists():
            if revision is not None and not new_keys:
                raise ConfigError(
                    f"{keys} is missing, and {settings.database.shown_url} is there. With new "
                    "keys no reply to an email that was sent counts. Restore the file from a "
                    "backup; if there is none, run `pbem init --new-keys`."
                )
            create_keys(keys)
            print_line(f"{keys} has the keys of reply addresses. Keep it in your backup.")
        if revision is None:
            database.migrate()
            print_line(f"{settings.database.shown_url} is the database.")
    finally:
        database.close()
    if maildir is not None:
        print_line(
            f"Put emails to {settings.site.address} into {maildir}/in/new. "
            f"Ours are in {maildir}/out."
        )
    config = "" if file == Path("config.toml") else f" --config {file}"
    print_line(f"Next: `pbem{config} check --loop`, then `pbem{config} serve`.")


# --- questions -----------------------------------------------------------------------------------


def _complete(answers: _Answers, folder: Path, *, asks: bool) -> None:
    """Ask for the settings that the options leave out, or take the defaults."""
    is_trial = answers.maildir is not None
    if is_trial:
        answers.address = answers.address or TRIAL_ADDRESS
    elif not answers.address:
        if not asks:
            raise ConfigError("--address is missing: the address that players write to.")
        if not has_terminal():
            raise ConfigError("There is no terminal to ask at. Give --yes and --address.")
        answers.address = _ask("The address that players write to", _ADDRESS)
    if _ADDRESS.fullmatch(answers.address) is None:
        raise ConfigError(f"{answers.address!r} is no address. Write it like games@example.org.")
    asks = asks and not is_trial
    name = answers.address.partition("@")[0]
    answers.title = answers.title or (_ask("The name of the service", None, name) if asks else name)
    if asks and not answers.contact:
        answers.contact = _ask("Your own address, for alarms (empty for none)", None, "")
    if not is_trial:
        _complete_servers(answers, folder, asks=asks)


def _complete_servers(answers: _Answers, folder: Path, *, asks: bool) -> None:
    domain = answers.address.rpartition("@")[2]
    for kind in ("imap", "smtp"):
        default = f"{kind}.{domain}"
        server = getattr(answers, kind) or (
            _ask(f"The {kind.upper()} server", _SERVER, default) if asks else default
        )
        if _SERVER.fullmatch(server) is None:
            raise ConfigError(f"{server!r} is no server. Write it like {default} or {default}:993.")
        setattr(answers, kind, server)
    if not answers.user:
        answers.user = _ask("The login", None, answers.address) if asks else answers.address
    if asks and not answers.password_file:
        answers.password_file = _keep_password(folder / PASSWORD_FILE)


def has_terminal() -> bool:
    """Return whether there is an operator to ask."""
    return sys.stdin.isatty()


def _ask(question: str, pattern: re.Pattern[str] | None, default: str | None = None) -> str:
    while True:
        answer: str = typer.prompt(question, default=default, show_default=bool(default)).strip()
        if pattern is None or pattern.fullmatch(answer):
            return answer
        print_line(f"{answer!r} is not understood.")


def _keep_password(file: Path) -> str:
    """Ask for the password, and keep it in a file that only its owner can read."""
    password = typer.prompt(
        "The password (empty to write it into a file later)",
        "",
        hide_input=True,
        show_default=False,
    )
    if password or not file.exists():
        file.unlink(missing_ok=True)
        write_private(file, f"{password}\n".encode())
    return file.name


# --- the file ------------------------------------------------------------------------------------


def _write_settings(answers: _Answers) -> str:
    """Return the text of a short config.toml."""
    lines = [
        "# The settings of pbem. config.example.toml explains these and all others.",
        "",
        "[site]",
        f"title = {_quote(answers.title)}",
        "# The address that players write to.",
        f"address = {_quote(answers.address)}",
        "# Your own address. It gets alarms, and what players report.",
        f"contact = {_quote(answers.contact)}",
    ]
    if answers.database:
        lines += ["", "[database]", f"url = {_quote(answers.database)}"]
    if answers.maildir is not None:
        lines += [
            "",
            "# Folders in place of mail servers, for a trial. For real emails, replace this table",
            "# by [imap] and [smtp].",
            "[maildir]",
            f"incoming = {_quote(str(answers.maildir.absolute() / 'in'))}",
            f"outgoing = {_quote(str(answers.maildir.absolute() / 'out'))}",
        ]
    else:
        lines += ["", "[imap]", *_write_server(answers.imap, answers, tls_port="993")]
        lines += ["", "[smtp]", *_write_server(answers.smtp, answers, tls_port="465")]
        lines += [
            "# How many emails the provider lets you send; 0 for any number.",
            "per_hour = 0",
            "per_day = 0",
        ]
    return "\n".join([*lines, ""])


def _write_server(server: str, answers: _Answers, *, tls_port: str) -> list[str]:
    found = _SERVER.fullmatch(server)
    host, port = found.groups() if found is not None else (server, None)
    security = "starttls" if port in STARTTLS_PORTS else "tls"
    lines = [
        f"host = {_quote(host)}",
        f"port = {port or tls_port}",
        f"security = {_quote(security)}",
        f"user = {_quote(answers.user)}",
    ]
    if answers.password_file:
        lines.append(f"password_file = {_quote(answers.password_file)}")
    else:
        lines.append("# password_file, password_command or token_command: see config.example.toml")
    return lines


def _quote(text: str) -> str:
    """Return a text as TOML writes it; a JSON string is one without surrogates."""
    return json.dumps(text, ensure_ascii=False)
