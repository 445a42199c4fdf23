"""Entry point of `pbem COMMAND`, with exit codes 0 (done), 1 (failed) and 2 (wrong usage)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pbem.cli import database, mail, matches, packages, players, ratings, service, tournaments
from pbem.cli.output import print_error
from pbem.cli.words import advise_database, describe_error
from pbem.errors import PbemError


class _Commands(TyperGroup):
    """A command group that prints a message in place of a traceback, and exits with code 1.

    It does so for errors of pbem, of the operating system and of the database.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader has seen enough, as in `pbem match list | head`
        except (PbemError, OSError) as error:
            print_error(describe_error(error))
            raise typer.Exit(1) from None
        except Exception as error:
            # SQLAlchemy is imported only by commands that use a database.
            sqlalchemy = sys.modules.get("sqlalchemy.exc")
            if sqlalchemy is None or not isinstance(error, sqlalchemy.SQLAlchemyError):
                raise
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            print_error(f"Cannot use the database: {reason}.{advise_database(reason)}")
            raise typer.Exit(1) from None


app = typer.Typer(
    name="pbem",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Run a play-by-email service for board games.",
)


def _show_version(value: bool) -> None:  # noqa: FBT001 - Typer calls it so
    if value:
        from importlib.metadata import version

        typer.echo(f"pbem {version('pbem')}")
        raise typer.Exit


@app.callback()
def set_options(
    ctx: typer.Context,
    *,
    config: Annotated[
        Path, typer.Option(metavar="FILE", envvar="PBEM_CONFIG", help="The file with the settings.")
    ] = Path("config.toml"),
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Store the path of the settings file for the command."""
    ctx.obj = config


service.add_commands(app)
app.command()(packages.new_game)
app.command()(packages.check_game)
app.add_typer(matches.app, name="match")
app.add_typer(players.app, name="player")
app.add_typer(mail.app, name="mail")
app.add_typer(tournaments.app, name="tournament")
app.add_typer(ratings.app, name="ratings")
app.add_typer(database.app, name="db")
