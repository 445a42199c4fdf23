"""Functions that open the service for a command, after reading the settings.

The settings are read before slow modules are imported, so that errors appear quickly.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import typer

from pbem.errors import PbemError
from pbem.names import MatchId, PlayerId

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.service.app import App
    from pbem.service.unit_of_work import UnitOfWork
    from pbem.settings import Settings
    from pbem.store.tables import PlayerRow

T = TypeVar("T")


class NotFoundError(PbemError):
    """Raised if the operator names a player, match or email that does not exist."""


def find_settings(ctx: typer.Context) -> Settings:
    """Return the settings from the file that the operator has chosen with `--config`.

    Raises:
        ConfigError: There is no settings file, or a setting is wrong.
    """
    from pbem.settings import load_settings

    return load_settings(ctx.obj)


@contextmanager
def open_service(ctx: typer.Context) -> Iterator[App]:
    """Yield the service for a command. `pbem serve` may run at the same time."""
    settings = find_settings(ctx)
    from pbem.server.log_setup import configure_logging
    from pbem.service.app import open_app
    from pbem.settings import LogSettings

    configure_logging(LogSettings(level="warning"))
    app = open_app(settings)
    try:
        yield app
    finally:
        app.database.close()


def run_unit(app: App, act: Callable[[UnitOfWork], T], *, reason: str = "") -> T:
    """Run `act`, an operator's action, as a unit of work, and return its result.

    `reason` is an explanation for the players, who get it by email.
    """
    from pbem.mail.addresses import remove_tags
    from pbem.service.unit_of_work import UnitOfWork

    cause = f"operator:{secrets.token_hex(8)}"

    def unit(conn: Connection) -> T:
        uow = UnitOfWork(app, conn, cause)
        uow.reason = remove_tags(app.keys, reason.strip())
        result = act(uow)
        uow.finish()
        return result

    return app.database.run(unit)


def find_player(app: App, text: str) -> PlayerRow:
    """Return the player who was named by their id, an address or their name.

    Raises:
        NotFoundError: There is no such player.
    """
    from pbem.store import players

    with app.database.snapshot() as conn:
        row = (
            players.find_player(conn, PlayerId(text))
            or players.find_by_address(conn, text)
            or players.find_by_name(conn, text)
        )
    if row is None:
        raise NotFoundError(f"There is no player {text!r}. See `pbem player list`.")
    return row


def find_match(app: App, code: str) -> MatchId:
    """Return the id of the match whose code the operator typed, in capital or small letters.

    Raises:
        NotFoundError: There is no such match.
    """
    from pbem.store import matches

    match = MatchId(code.upper())
    with app.database.snapshot() as conn:
        if not matches.has_match(conn, match):
            raise NotFoundError(f"There is no match {code!r}. See `pbem match list`.")
    return match
