"""Commands about a player's own account."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument
from pbem.names import PlayerId
from pbem.service.registry import N_, Needs, Request, command
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players
from pbem.store.tables import PlayerRow

LANGUAGES: Final = {"en": "en", "english": "en", "de": "de", "deutsch": "de", "german": "de"}


@command("set", help=N_("set language"), needs=Needs.PLAYER, argument=Argument.REQUIRED)
def set_preference(request: Request) -> None:
    """Set a preference of the sender.

    Raises:
        Rejection: `unknown_setting` or `unknown_language`.
    """
    key, _, value = request.argument.partition(" ")
    if key.casefold() not in ("language", "sprache"):
        raise Rejection("unknown_setting", typed=key, settings=["language"])
    language = LANGUAGES.get(value.strip().casefold())
    if language is None:
        raise Rejection("unknown_language", typed=value, languages=sorted(set(LANGUAGES.values())))
    players.set_preference(request.uow.conn, request.player_id, language=language)
    request.player.language = language
    request.reply("answer", topic="settings", settings={"language": language})


@command("stop", help=N_("get no more emails, except answers to yours"), needs=Needs.PLAYER)
def stop(request: Request) -> None:
    """Send no more emails to the sender, but answer this one."""
    stop_emails(request.uow, request.player)
    request.reply("answer", topic="stopped")


def stop_emails(uow: UnitOfWork, player: PlayerRow) -> None:
    """Send a player nothing but answers from now on, and nothing that has not been sent yet."""
    players.set_stopped(uow.conn, PlayerId(player.id), uow.now)
    outbox.drop_unsent(uow.conn, player=player.id)


@command("start", help=N_("get emails again"), needs=Needs.PLAYER)
def start(request: Request) -> None:
    """Send emails to the sender again."""
    players.set_stopped(request.uow.conn, request.player_id, None)
    request.reply("answer", topic="started")
