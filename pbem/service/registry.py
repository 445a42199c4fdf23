"""The registry of commands, made of decorated functions.

    @command("board", help="show the board", needs=Needs.MATCH)
    def show_board(request: Request) -> None: ...

A command's words in other languages come from the catalogues, as translations of its name. The
registry becomes a `CommandTable`, by which `pbem.mail.commands.parse` reads emails, and the text of
`help`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument, CommandSpec, CommandTable
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store.tables import OutboxRow, PlayerRow


class Needs(StrEnum):
    """What a command needs to be executed."""

    PLAYER = "player"  # a registered player
    MATCH = "match"  # a match that the email is about, in which the player takes part


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A command as it is executed: by whom, about which match, in which unit of work.

    `answers` is the email of ours that the player replied to; `received` is when the mailbox
    received the command, `message_hash` the hash of the email that brought it.
    """

    uow: UnitOfWork
    player: PlayerRow
    match_id: MatchId | None
    argument: str
    typed: str
    received: datetime
    message_hash: str
    answers: OutboxRow | None = None

    @property
    def player_id(self) -> PlayerId:
        """The id of the player."""
        return PlayerId(self.player.id)

    def match(self) -> Match:
        """Return the match that the command is about.

        Raises:
            Rejection: `which_match`, if the email names none.
        """
        if self.match_id is None:
            raise Rejection("which_match", command=self.typed)
        return self.uow.load_match(self.match_id)


Handler = Callable[[Request], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class RegisteredCommand:
    """A command with what is known of it."""

    spec: CommandSpec
    help: str
    needs: Needs
    execute: Handler


COMMANDS: Final[dict[str, RegisteredCommand]] = {}


def command(
    name: str,
    *words: str,
    help: str,  # noqa: A002 - what the decorator calls it
    needs: Needs = Needs.MATCH,
    argument: Argument = Argument.NONE,
    is_binding: bool = False,
) -> Callable[[Handler], Handler]:
    """Register a function as the handler of a command.

    Args:
        name: The word that players write, and more `words` that mean the same.
        words: Other words for the same command.
        help: One line for `help`, beginning with a verb.
        needs: What the sender must have.
        argument: What may follow the word.
        is_binding: Whether it changes something, so that half a sentence is asked about.
    """

    def register(handler: Handler) -> Handler:
        spec = CommandSpec(name, (name, *words), argument, is_binding)
        COMMANDS[name] = RegisteredCommand(spec=spec, help=help, needs=needs, execute=handler)
        return handler

    return register


def command_table() -> CommandTable:
    """Return the words of all commands, for the reader of emails."""
    return CommandTable([registered.spec for registered in COMMANDS.values()])
