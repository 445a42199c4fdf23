"""The registry of commands, made of decorated functions.

    @command("history", german=("verlauf",), group=Group.LOOK, help=N_("list all moves"))
    def show_history(request: Request) -> None: ...

The registry becomes a `CommandTable`, with which `pbem.mail.commands.parse` reads emails, the
answers to `help`, and the tables of docs/players-reference.md.
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
    """Return a text as it is, and mark it for translation; templates translate it."""
    return text


class Group(StrEnum):
    """What commands are about, in the order in which they are listed; the values are headings."""

    START = N_("Start a game")
    PLAY = N_("Play")
    LOOK = N_("Look something up")
    TALK = N_("Talk to other players")
    ACCOUNT = N_("Your account")
    STANDING = N_("Ratings and tournaments")


class Needs(StrEnum):
    """What a command needs to be executed."""

    PLAYER = "player"  # a registered player
    MATCH = "match"  # a match that the email is about, in which the player takes part


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A command as it is executed: by whom, about which match, in which unit of work.

    `received` is when the fetch that brought the email began, `message_id` and `message_hash` are
    those of the email, and `sent_at` is its date; a page command has no Message-ID. `seen_version`
    is the version of the match that the player had before them, as far as we know. `is_confirmed`
    is set if the player has said yes to a question about it.
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

    def reply(
        self, kind: str, *, attachments: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        """Answer the player in the email that answers theirs, about the match if there is one."""
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
    """A command with what is known of it; `command` describes the fields."""

    spec: CommandSpec
    german: tuple[str, ...]
    group: Group
    usage: str
    help: str
    details: str
    needs: Needs
    execute: Handler

    def find_name(self, language: str) -> str:
        """Return the word for the command in a language."""
        return self.german[0] if language == "de" and self.german else self.spec.name

    def find_usage(self, language: str) -> str:
        """Return how the command is typed; templates translate it if it has an argument."""
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
    needs: Needs = Needs.MATCH,
    argument: Argument = Argument.NONE,
    is_binding: bool = False,
    form: str = "",
) -> Callable[[Handler], Handler]:
    """Register a function as the handler of a command.

    Args:
        name: The word that players write.
        words: Other English words for the same command.
        german: German words for it.
        group: Where `help` lists it.
        usage: How it is typed, if it has an argument.
        help: What it does, in a line that begins with a verb.
        details: What else a player should know, in sentences: examples, limits, refusals.
        needs: What the sender must have.
        argument: What may follow the word.
        form: A pattern of the argument, in any case; with another one it is a remark.
        is_binding: Whether it changes something, so that half a sentence is asked about.
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
            needs=needs,
            execute=handler,
        )
        return handler

    return register


@cache
def command_table() -> CommandTable:
    """Return the words of all commands, for the reader of emails.

    It is made once, when `pbem.service.handlers` has registered its commands.
    """
    return CommandTable([registered.spec for registered in COMMANDS.values()])


def list_by_group() -> list[tuple[Group, list[RegisteredCommand]]]:
    """Return all commands by what they are about."""
    return [
        (group, [registered for registered in COMMANDS.values() if registered.group is group])
        for group in Group
    ]
