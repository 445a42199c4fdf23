"""Commands about a player's own account."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument
from pbem.service.registry import Needs, Request, command
from pbem.store import players

LANGUAGES: Final = {"en": "en", "english": "en", "de": "de", "deutsch": "de", "german": "de"}


@command("set", help="set language", needs=Needs.PLAYER, argument=Argument.REQUIRED)
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
    request.uow.emails.reply(
        request.player,
        "answer",
        match_id=request.match_id,
        topic="settings",
        settings={"language": language},
    )
