"""The application: its global options, its commands, and what becomes of their errors."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from pbem import __version__
from pbem.legacy.cli import (
    backup,
    bots,
    dataset,
    doctor,
    games,
    history,
    init,
    mails,
    matches,
    operator,
    people,
    play,
    ratings,
    record,
    serve,
    status,
    tournaments,
    verifying,
    witness,
)
from pbem.legacy.cli.opening import Where, failure, safe

_OF_THE_COMMAND_LINE: Final[type[Exception]] = typer.BadParameter.__mro__[2]
"""The root of what Typer says about a command line; its name is not the same in all versions."""

DASH: Final = (
    ". A name or a text that begins with - goes last, behind --, as in "
    "`pbem ban --reason TEXT -- -Bob`"
)
"""What is said to whom an option was given that there is not."""

INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit code of what Ctrl-C has ended, as shells have it."""


class Commands(TyperGroup):
    """The group whose commands end a known error in one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; whatever fails is told in words, and shows itself with --debug."""
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # from here on it may tidy up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return super().invoke(ctx)
        except _OF_THE_COMMAND_LINE as error:
            if hasattr(error, "option_name") and hasattr(error, "possibilities"):
                error.message += DASH  # type: ignore[attr-defined] # no such option
            raise
        except KeyboardInterrupt:
            typer.echo(err=True)
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort, BrokenPipeError):
            raise  # who reads through `head` has had enough, and Click ends without a word
        except Exception as error:
            if isinstance(ctx.obj, Where) and ctx.obj.debug:
                raise
            typer.secho(f"pbem: {safe(failure(error))}", err=True, fg=typer.colors.RED)
            raise typer.Exit(1) from None


app = typer.Typer(
    name="pbem",
    cls=Commands,
    help="Board games played by answering a mail.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich help takes 0.2 s to import
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it so
    if wanted:
        typer.echo(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            "-c",
            metavar="FILE",
            envvar="PBEM_CONFIG",
            help="The settings; ./config.toml if not given.",
        ),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error, too.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Board games played by answering a mail."""
    del version
    ctx.obj = Where(config, debug=debug)


for command in (
    serve.serve,
    serve.web,
    serve.demo,
    init.init,
    init.upgrade,
    doctor.check,
    status.status,
    matches.matches,
    matches.show,
    backup.backup,
    backup.restore,
    backup.migrate,
    play.replay,
    games.new_game,
    record.export,
    dataset.dataset,
    mails.mails,
    mails.retry,
    mails.resend,
    people.forget,
    people.ban,
    people.pardon,
    people.rename,
    people.reach,
    people.welcome,
    people.reports,
    history.history,
    ratings.ratings,
    games.games,
    play.play,
    witness.witness,
):
    app.command()(command)
app.command("verify")(verifying.verify_match)
app.command("import")(record.import_match)
app.add_typer(backup.keys)
app.add_typer(bots.bots)
app.add_typer(witness.checkpoint)
app.add_typer(operator.office)
app.add_typer(tournaments.office)
