"""How a command acts as the operator: one unit of work beside the service that runs."""

from __future__ import annotations

import getpass
import os
import pwd
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.opening import safe, settings_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.errors import Rejection
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

TRIES: Final = 5
"""How often a unit is begun again after somebody else was first."""

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Author = Annotated[
    str, typer.Option("--as", help="Who does it, for the log; else who logged in.", metavar="NAME")
]
Reason = Annotated[str, typer.Option("--reason", help="Why; the players read it.", metavar="TEXT")]
LONGEST_AUTHOR: Final = 40
_AUTHOR: Final = re.compile(rf"[\w.-][\w. -]{{0,{LONGEST_AUTHOR - 1}}}")
_NOT_IN_AUTHOR: Final = re.compile(r"^[^\w.-]|[^\w. -]")
LOGIN_UID: Final = Path("/proc/self/loginuid")
NO_LOGIN: Final = 2**32 - 1
WIDTH: Final = 400
"""Columns in which a refusal is laid out, to be wrapped by the terminal."""

LONGEST: Final = 1_000
"""Characters of a reason."""


def author_named(text: str) -> str:
    """Who acts: as the operator says, else who is logged in. Raises ConfigError.

    The name stands in the log for ever, so it is short and on one line.
    """
    from pbem.errors import ConfigError

    name = text.strip() or _login()
    if not _AUTHOR.fullmatch(name):
        raise ConfigError(f"--as needs a name of at most {LONGEST_AUTHOR} letters, digits, . - _")
    return name


def _login() -> str:
    """Who logged in, also behind sudo, su and runuser; what a name cannot have becomes a dash."""
    return _NOT_IN_AUTHOR.sub("-", _logged_in())[:LONGEST_AUTHOR]


def _logged_in() -> str:
    try:
        # The kernel keeps it through each change of the user; 2^32 - 1 is nobody's.
        number = int(LOGIN_UID.read_text())
    except (OSError, ValueError):
        number = NO_LOGIN
    try:
        if number != NO_LOGIN:
            return pwd.getpwuid(number).pw_name
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user that has no name
        return f"user-{os.getuid() if number == NO_LOGIN else number}"


def reason_given(text: str) -> str:
    """A reason that says something. Raises ConfigError."""
    from pbem.errors import ConfigError

    text = text.strip()
    if not 0 < len(text) <= LONGEST:
        raise ConfigError(f"--reason needs a text, of at most {LONGEST} characters")
    return text


def acted(ctx: typer.Context, author: str, act: Callable[[Transaction], None]) -> None:
    """Do something as the operator, and commit it; mails that it owes are sent by `serve`.

    `act` may run more than once, and whatever it raises undoes all of it. Raises ConfigError for
    a Rejection, with the rule's code.
    """
    from pbem.errors import ConfigError, Rejection, StreamConflict
    from pbem.transaction.transaction import Transaction
    from pbem.wiring.clock import entropy
    from pbem.wiring.service import open_house

    who = author_named(author)
    cause = f"operator:{who}:{entropy(8).hex()}"
    with open_house(settings_of(ctx)) as house:

        def unit(conn: Connection) -> None:
            txn = Transaction(conn=conn, house=house, cause=cause, now=house.now())
            act(txn)
            txn.close()

        for left in reversed(range(TRIES)):
            try:
                house.db.write(unit).result()
            except StreamConflict:
                if not left:
                    raise
            except Rejection as rejection:
                raise ConfigError(f"that cannot be done: {in_words(rejection)}") from None
            else:
                return


def ask(question: str, *, yes: bool) -> None:
    """Go on only if the operator wants it. Without a terminal somebody has to say --yes."""
    from pbem.errors import ConfigError

    if yes:
        return
    try:
        wanted = typer.confirm(safe(question))
    except typer.Abort:  # the end of what a script gives
        raise ConfigError("there is nobody to ask: say --yes") from None
    if not wanted:
        raise typer.Exit(1)


def player_called(conn: Connection, text: str) -> PlayerRow:
    """A player by id, address or unique name. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.names import PlayerId
    from pbem.store.people import roster

    found = roster.player(conn, PlayerId(text)) or roster.player_by_address(conn, text)
    rows = [found] if found is not None else roster.players_named(conn, text)
    if len(rows) != 1:
        how_many = "nobody here is" if not rows else f"{len(rows)} players are"
        raise ConfigError(f"{how_many} called {text}; a mail address or an id is unique")
    return rows[0]


def in_words(rejection: Rejection) -> str:
    """Why something is refused, as players read it; the bare facts where that needs a match."""
    from jinja2 import TemplateError

    from pbem.notices.rendering.environment import environment
    from pbem.notices.rendering.markup import to_text

    try:
        facts = dict(rejection.facts)
        text = environment().member("rejections", rejection.code, facts=facts, names={}, match=None)
    except TemplateError:
        return str(rejection)
    return " ".join(to_text(text, WIDTH, frozenset()).split())
