"""The registry of commands, filled by decorated functions.

    @command("history", german=("verlauf",), group=Group.LOOK, help=N_("list all moves"))
    def show_history(request: Request) -> None: ...

The registry supplies the `CommandTable` with which `pbem.mail.commands.parse` reads emails,
the answers to `help`, and the tables of docs/players-reference.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument, CommandSpec, CommandTable
from pbem.match.events import Source
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store.tables import PlayerRow


def N_(text: str) -> str:  # noqa: N802 - the name by which gettext's tools find marked texts
    """Mark a text for translation, and return it unchanged. Templates translate it."""
    return text


class Group(StrEnum):
    """A group of commands. The groups are in the order of the help; their values are headings."""

    START = N_("Start a game")
    PLAY = N_("Play")
    LOOK = N_("Look something up")
    TALK = N_("Talk to other players")
    ACCOUNT = N_("Your account")
    STANDING = N_("Ratings and tournaments")


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A command to execute: its sender, its match, its argument and the unit of work.

    Attributes:
        uow: The unit of work.
        player: The sender.
        match_id: The match that the command is about; None if the email names none.
        argument: The text after the word of the command.
        typed: The command as typed.
        received: When the mailbox fetch began that brought the email.
        message_id: The Message-ID of the email; empty for a page command.
        message_hash: The hash of the email or page command.
        source: Whether it came by email or from a page.
        seen_version: The newest version of the match that the player is known to have seen;
            None if unknown.
        sent_at: The date of the email.
        is_confirmed: Whether the player has answered yes to a question about this command.
    """

    uow: UnitOfWork
    player: PlayerRow
    match_id: MatchId | None
    argument: str
    typed: str
    received: datetime
    message_id: str
    message_hash: str
    source: Source = Source.EMAIL
    seen_version: int | None = None
    sent_at: datetime | None = None
    is_confirmed: bool = False

    @property
    def player_id(self) -> PlayerId:
        """Return the id of the player who sent the command."""
        return PlayerId(self.player.id)

    def match(self) -> Match:
        """Return the match that the command is about.

        Raises:
            Rejection: `which_match` if the email names none.
        """
        if self.match_id is None:
            raise Rejection("which_match", command=self.typed)
        return self.uow.load_match(self.match_id)

    def reply(
        self, kind: str, *, attachments: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        """Add a reply to the email that answers the sender, about the match if there is one."""
        if self.match_id is not None:
            self.uow.load_match(self.match_id)
        self.uow.emails.reply(
            self.player,
            kind,
            match_id=self.match_id,
            in_reply_to=self.message_id,
            attachments=attachments,
            **facts,
        )


Handler = Callable[[Request], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class RegisteredCommand:
    """A registered command. The arguments of `command` explain the fields."""

    spec: CommandSpec
    german: tuple[str, ...]
    group: Group
    usage: str
    help: str
    details: str
    needs_match: bool
    execute: Handler

    def find_name(self, language: str) -> str:
        """Return the name of the command in a language."""
        return self.german[0] if language == "de" and self.german else self.spec.name

    def find_usage(self, language: str) -> str:
        """Return how to type the command. Templates translate it if the command has an argument."""
        return self.usage or self.find_name(language)


COMMANDS: Final[dict[str, RegisteredCommand]] = {}


def command(
    name: str,
    *words: str,
    german: tuple[str, ...] = (),
    group: Group,
    usage: str = "",
    help: str,  # noqa: A002 - what the decorator calls it
    details: str = "",
    needs_match: bool = False,
    argument: Argument = Argument.NONE,
    is_binding: bool = False,
    form: str = "",
) -> Callable[[Handler], Handler]:
    """Register a function as the handler of a command.

    Args:
        name: The word that players type.
        words: Other English words for the same command.
        german: German words for it.
        group: The heading under which `help` lists it.
        usage: How to type it, if it has an argument.
        help: What it does, in one line that begins with a verb.
        details: What else players should know, in sentences: examples, limits, refusals.
        needs_match: Whether the email must be about a match of the sender.
        argument: What may follow the word.
        form: A regular expression that the argument must match, ignoring case; otherwise the
            line is a remark and no command.
        is_binding: Whether it changes something, so that it is not executed unasked if other
            words surround it.
    """

    def register(handler: Handler) -> Handler:
        pattern = re.compile(form, re.IGNORECASE | re.DOTALL) if form else None
        spec = CommandSpec(name, (name, *words, *german), argument, is_binding, pattern)
        COMMANDS[name] = RegisteredCommand(
            spec=spec,
            german=german,
            group=group,
            usage=usage,
            help=help,
            details=details,
            needs_match=needs_match,
            execute=handler,
        )
        return handler

    return register


@cache
def command_table() -> CommandTable:
    """Return the words of all commands, for the parser of emails.

    The table is built once, after `pbem.service.handlers` has registered its commands.
    """
    return CommandTable([registered.spec for registered in COMMANDS.values()])


def list_by_group() -> list[tuple[Group, list[RegisteredCommand]]]:
    """Return all commands by group, in the order of the groups."""
    return [
        (group, [registered for registered in COMMANDS.values() if registered.group is group])
        for group in Group
    ]
