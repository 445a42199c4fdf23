"""`pbem serve`, `web` and `demo`: the service, its pages, and both for an hour in one process."""

from __future__ import annotations

import re
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.legacy.cli.opening import safe, settings_of

if TYPE_CHECKING:
    from pbem.legacy.config.sections import Log
    from pbem.legacy.wiring.conversation import Table
    from pbem.legacy.wiring.terminal import Screen


# --- serve ---------------------------------------------------------------------------------------
# `pbem serve`: the service itself.

OWN: Final = ("account", "address", "server")
"""What names the operator's own mailbox and servers."""

_ADDRESS: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255}")
_TOKEN: Final = re.compile(
    r"\b[a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.(?:[a-z2-7]{1,9}\.)?[a-z2-7]{18,26}\b", re.IGNORECASE
)


def serve(
    ctx: typer.Context,
    *,
    role: Annotated[
        list[str] | None,
        typer.Option(
            help="Do only this: receive, letters, send, timers or bots; again for one more. "
            "On PostgreSQL each may run in as many processes as one likes.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Read mail, play, send mail, until stopped.

    On SIGTERM or Ctrl-C the work at hand is ended first.
    """
    import asyncio

    from pbem.errors import ConfigError
    from pbem.legacy.runners.crew import ROLES
    from pbem.legacy.wiring import service

    if unknown := set(role or ()) - set(ROLES):
        raise ConfigError(f"{min(unknown)} is no role; there are {', '.join(ROLES)}")
    roles = [one for one in ROLES if not role or one in role]

    settings = settings_of(ctx)
    settings.demand_mail()
    log_to_stderr(settings.log)
    asyncio.run(service.serve(settings, roles))


def in_words(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Why the store failed, in place of a traceback: SQLite's errors repeat what rows hold."""
    from pbem.legacy.store.damage import words_of

    del logger, method
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException) and (words := words_of(error)):
        del event["exc_info"]
        event["why"] = words
    return event


def redacted(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Take everybody's addresses and tokens out of a log line; the operator's own stay."""
    del logger, method
    for name, value in event.items():
        if isinstance(value, str) and name not in OWN:
            event[name] = _TOKEN.sub("<token>", _ADDRESS.sub("<address>", value))
    return event


def log_to_stderr(wishes: Log) -> None:
    """One line for each thing that happened; systemd and containers keep standard error."""
    import logging

    import structlog

    human = wishes.format == "text"
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            # The default one shows local variables, and so the letters and addresses in them.
            exception_formatter=structlog.dev.plain_traceback,
        )
        if human
        else structlog.processors.JSONRenderer()
    )
    level = logging.getLevelNamesMapping()[wishes.level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            in_words,
            # Before what writes it down, so that tracebacks are redacted as well.
            structlog.processors.format_exc_info,
            redacted,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


# --- web -----------------------------------------------------------------------------------------
# `pbem web`: pages for browsers, beside the service.


def web(ctx: typer.Context) -> None:
    """Show matches to browsers, and let players move there, until stopped.

    It stands beside `pbem serve`, which plays what the forms send. [web] in the settings says where
    it listens; a proxy with TLS belongs before it (docs/operators.md).
    """
    import asyncio

    from pbem.legacy.wiring import pages

    settings = settings_of(ctx)
    log_to_stderr(settings.log)
    asyncio.run(pages.serve_pages(settings))


# --- demo ----------------------------------------------------------------------------------------
# `pbem demo`: mail servers, a service and players in one process, gone when it ends.

LEAGUE_SEATS: Final = 4
"""TR-1.3."""


def demo(
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]", help="The game, as in looney ludo.")
    ] = None,
    *,
    game: Annotated[str, typer.Option(help="The same, as in looney-ludo.")] = "logger",
    seats: Annotated[int, typer.Option(help="How many play; the others are bots.")] = 2,
    auto: Annotated[
        bool, typer.Option("--auto", help="Watch a whole match instead of playing.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Play in your browser instead of at this terminal.")
    ] = False,
    season: Annotated[
        bool,
        typer.Option(
            "--season", help="Watch a season of a league: mails, crosstables, who goes up."
        ),
    ] = False,
    mails: Annotated[
        Path | None,
        typer.Option(help="Keep every mail as a file in this folder, for a mail program."),
    ] = None,
    seed: Annotated[int, typer.Option(help="What the bots choose where they may choose.")] = 1,
    lang: Annotated[
        str, typer.Option(help="The language of your mails, en or de.", show_default="your own")
    ] = "",
) -> None:
    """Play a match by mail against easy bots, here, with nothing to set up."""
    from pbem.legacy.cli.play import named_game
    from pbem.errors import ConfigError
    from pbem.legacy.wiring.process import leaving_at_once

    spoken = _language(lang)
    played = named_game(" ".join(name or []) or game)
    if seats not in played.seats:
        able = ", ".join(map(str, played.seats))
        raise ConfigError(f"{played.title} is for {able} players, not {seats}")
    if season and seats > LEAGUE_SEATS:
        raise ConfigError(f"a league has tables of 2 to {LEAGUE_SEATS}, not of {seats}")
    if mails is not None:
        _require_empty(mails)
    with leaving_at_once() as folder:
        from pbem.legacy.config.sections import Log
        from pbem.legacy.wiring.conversation import Table
        from pbem.legacy.wiring.terminal import words_in

        log_to_stderr(Log(level="error"))
        table = Table(played, seats, seed, spoken, folder, mails)
        by_itself = auto or not (web or season or sys.stdin.isatty())
        if by_itself and not auto:
            typer.echo(safe(words_in(spoken)("by_itself")), err=True)
        good = _perform(table, season=season, by_itself=by_itself, web=web)
        raise typer.Exit(0 if good else 1)


def _perform(table: Table, *, season: bool, by_itself: bool, web: bool) -> bool:
    """Let the demo be played as it was asked for; whether all of it checks out."""
    import asyncio

    from pbem.legacy.wiring.conversation import play_by_itself, play_in_a_browser, play_with_you
    from pbem.legacy.wiring.season import play_a_season
    from pbem.legacy.wiring.terminal import Terminal, words_in

    say = words_in(table.lang)
    if season:
        return asyncio.run(play_a_season(table, _show, say))
    if by_itself:
        return asyncio.run(play_by_itself(table, _show))
    at = Terminal(_show, input, _screen, say)
    asyncio.run(play_in_a_browser(table, at) if web else play_with_you(table, at))
    return True


def _require_empty(folder: Path) -> None:
    """A folder that is made if it is not there. Raises ConfigError where it has something in it."""
    from pbem.errors import ConfigError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = any(folder.iterdir())
    except OSError as error:
        raise ConfigError(f"{folder} can keep no mails: {error.strerror}") from None
    if filled:
        raise ConfigError(f"{folder} is not empty: name a new folder for the mails")


def _show(text: str) -> None:
    """Print it; where nobody reads any more (`| head`), nobody plays on."""
    import signal

    try:
        typer.echo(text)
    except OSError:
        signal.raise_signal(signal.SIGTERM)


def _language(wanted: str) -> str:
    """The language of a player at this machine: as asked for, else the machine's, if we speak it.

    Raises ConfigError.
    """
    import os

    from pbem.errors import ConfigError
    from pbem.legacy.notices.rendering.environment import template_folder
    from pbem.legacy.notices.rendering.languages import ENGLISH, languages

    spoken = languages([template_folder()])
    if wanted:
        if wanted not in spoken:
            raise ConfigError(f"there are mails in {', '.join(spoken)}, not in {wanted}")
        return wanted
    chosen = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return chosen[:2] if chosen[:2] in spoken else ENGLISH


def _screen() -> Screen:
    """The size of this terminal, which may change while it is looked at."""
    from shutil import get_terminal_size

    from pbem.legacy.wiring.terminal import Screen

    columns, rows = get_terminal_size()
    return Screen(rows, columns)
