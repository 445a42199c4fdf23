"""What the commands open, and how one acts as the operator beside the service that runs."""

from __future__ import annotations

import getpass
import json
import os
import pwd
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from sqlalchemy import Connection

    from pbem.legacy.config import Settings
    from pbem.errors import Rejection
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.database import Database
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.transaction import Transaction


# --- opening -------------------------------------------------------------------------------------
# What the commands open: the settings, the database, the terminal.

T = TypeVar("T")

WIDE: Final = 10_000
"""Columns of a line that no terminal wraps."""


@dataclass(frozen=True, slots=True)
class Where:
    """The global options."""

    config: Path | None
    debug: bool = False


def settings_of(ctx: typer.Context) -> Settings:
    """The settings that this call is about. Raises ConfigError."""
    from pbem.legacy.config import load_settings

    return load_settings(ctx.obj.config)


@contextmanager
def database_of(settings: Settings) -> Iterator[Database]:
    """The open database, closed at the end. Raises ConfigError if it is missing or too old.

    Text that is damaged is read all the same, with a sign in place of each broken character.
    """
    from pbem.legacy.store.database import Database

    db = Database.open(settings.store.database, lenient=True)
    try:
        yield db
    finally:
        db.close()


def reading(ctx: typer.Context, unit: Callable[[Connection], T]) -> T:
    """Run one unit of work that only reads, in the database of the settings."""
    with database_of(settings_of(ctx)) as db:
        return db.read(unit).result()


def failure(error: Exception) -> str:
    """Why a command failed, without what rows or letters hold: that stands in errors' own texts."""
    from pbem.errors import ConfigError, PbemError

    if isinstance(error, ConfigError):
        return str(error)
    from pbem.legacy.store.codec import Unfit
    from pbem.legacy.store.damage import words_of

    if isinstance(error, PbemError) and not isinstance(error, Unfit):
        return str(error)

    if words := words_of(error):
        return words
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = "" if at is None else f", {Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}"
    return (
        f"something is not as it should be ({type(error).__name__}{where}). `pbem check --deep` "
        "says whether that is in the database; if it is whole, it is a fault of pbem, and --debug "
        "before the command shows more"
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: `1 draw`, `2 draws`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


# --- the terminal --------------------------------------------------------------------------------


def safe(text: str) -> str:
    """A text of somebody else's without what a terminal would obey, or hide."""
    if text.isprintable():
        return text
    kept = (
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )
    return "".join(kept)


def safe_json(value: object, *, indent: int | None = None) -> str:
    """A value as JSON whose texts hold nothing that a terminal would obey, or hide."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def escaped(text: str) -> str:
    """The same JSON, with an escape for each sign that a terminal would obey, or hide."""
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    )


def say_json(value: object) -> None:
    """A value for programs."""
    typer.echo(safe_json(value, indent=2))


def say(text: str = "", *, err: bool = False) -> None:
    """A line for the operator; all that commands print goes through here or `console`."""
    typer.echo(safe(text), err=err)


def end_damaged(kind: str, damaged: Mapping[str, Damaged]) -> None:
    """Name the rows of a list that cannot be shown, and end with 1 if there are any."""
    for name, why in damaged.items():
        typer.secho(safe(f"WRONG: {kind} {name}: {why}"), err=True, fg=typer.colors.RED)
    if damaged:
        say("`pbem check --deep` names what is damaged, and says what helps", err=True)
        raise typer.Exit(1)


AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


def table_of(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """A table, each row of it on one line whatever its cells hold."""
    from rich.table import Table

    table = Table(*heads, box=None)
    for row in rows:
        table.add_row(*(" ".join(str(cell).split()) for cell in row))
    return table


def console() -> Console:
    """Where tables go: the width of the terminal; into a pipe plain text, a row in a line.

    What is printed is shown as it is: no name and no server's answer is taken for markup.
    """
    from rich.console import Console
    from rich.text import Text

    class Terminal(Console):
        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(safe(text), **how)

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE
    return Terminal(highlight=False, markup=False, emoji=False, width=width)


# --- acting --------------------------------------------------------------------------------------
# How a command acts as the operator: one unit of work beside the service that runs.

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
    from pbem.legacy.transaction.transaction import Transaction
    from pbem.legacy.wiring.process import entropy
    from pbem.legacy.wiring.service import open_house

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
    from pbem.legacy.store.people import roster

    found = roster.player(conn, PlayerId(text)) or roster.player_by_address(conn, text)
    rows = [found] if found is not None else roster.players_named(conn, text)
    if len(rows) != 1:
        how_many = "nobody here is" if not rows else f"{len(rows)} players are"
        raise ConfigError(f"{how_many} called {text}; a mail address or an id is unique")
    return rows[0]


def in_words(rejection: Rejection) -> str:
    """Why something is refused, as players read it; the bare facts where that needs a match."""
    from jinja2 import TemplateError

    from pbem.legacy.notices.rendering.environment import environment
    from pbem.legacy.notices.rendering.markup import to_text

    try:
        facts = dict(rejection.facts)
        text = environment().member("rejections", rejection.code, facts=facts, names={}, match=None)
    except TemplateError:
        return str(rejection)
    return " ".join(to_text(text, WIDTH, frozenset()).split())


# --- finding -------------------------------------------------------------------------------------
# One thing that `pbem check` has looked at.

FEW: Final = 5
"""Findings of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it works, and why it does not with what to do about it."""

    what: str
    works: bool
    words: str


def told(what: str, wrong: Sequence[str], well: str) -> Iterator[Finding]:
    """All that is wrong with something, the first few one by one; `well` where nothing is."""
    if not wrong:
        yield Finding(what, works=True, words=well)
    for words in wrong[:FEW]:
        yield Finding(what, works=False, words=words)
    if len(wrong) > FEW:
        yield Finding(what, works=False, words=f"and {len(wrong) - FEW} more")
