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
from pbem.service.identity import IdentifiedSender
from pbem.service.unit_of_work import UnitOfWork
from pbem.store.tables import PlayerRow


def N_(text: str) -> str:  # noqa: N802 - the name by which gettext's tools find marked texts
    """Mark a text for translation, and return it unchanged. Templates translate it."""
    return text


_FILE_COMMANDS: Final = frozenset({"record", "replay"})  # they reply with a file


class Group(StrEnum):
    """A group of commands. The answer to `help` lists the groups in this order.

    The value is the heading of the group.
    """

    START = N_("Start a game")
    PLAY = N_("Play")
    LOOK = N_("Look something up")
    TALK = N_("Talk to other players")
    ACCOUNT = N_("Your account")
    STANDING = N_("Ratings and tournaments")


@dataclass(kw_only=True, slots=True)
class Submission:
    """An email or a page form from a player, while it is being processed.

    Attributes:
        text: The text that the sender typed.
        received: The time that counts for deadlines. For an email, this is the beginning of the
            mailbox fetch that found it. For a page form, it is the current time.
        message_id: The Message-ID of the email; empty for a page form.
        message_hash: The hash that enters the computation of random draws (docs/fairness.md).
        sent_at: The date of the email; None for a page form.
        is_confirmed: Whether the sender has answered yes to a question about this action.
    """

    uow: UnitOfWork
    sender: IdentifiedSender
    text: str
    received: datetime
    message_id: str
    message_hash: str
    source: Source = Source.EMAIL
    sent_at: datetime | None = None
    is_confirmed: bool = False

    def match(self) -> Match | None:
        """Return the match that the email or page form is about, or None for no match."""
        match_id = self.sender.match_id
        return None if match_id is None else self.uow.load_match(match_id)

    def request(self, player: PlayerRow, typed: str, argument: str = "") -> Request:
        """Return the request of `player` to execute one command or move of this submission.

        `typed` is the command or move as it was typed, and `argument` the text after the command's
        word.
        """
        return Request(
            submission=self,
            player=player,
            match_id=self.sender.match_id,
            argument=argument,
            typed=typed,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A command or move to execute, from an email or a page form.

    Attributes:
        submission: The email or page form.
        player: The sender.
        match_id: The match that the email or page form is about; None for no match.
        argument: The text after the word of the command.
        typed: The command or move as typed.
    """

    submission: Submission
    player: PlayerRow
    match_id: MatchId | None
    argument: str
    typed: str

    @property
    def uow(self) -> UnitOfWork:
        """Return the unit of work in which the submission is processed."""
        return self.submission.uow

    @property
    def player_id(self) -> PlayerId:
        """Return the id of the player who sent the command."""
        return PlayerId(self.player.id)

    def match(self) -> Match:
        """Return the match that the command is about.

        Raises:
            Rejection: `which_match` if the email is not about a match.
        """
        if self.match_id is None:
            raise Rejection("which_match", command=self.typed)
        return self.uow.load_match(self.match_id)

    def reply(
        self, kind: str, *, attachments: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        """Queue a reply to the sender, which is about the match of the command, if there is one.

        `kind`, `attachments` and `facts` are those of `EmailWriter.reply`.
        """
        if self.match_id is not None:
            self.uow.load_match(self.match_id)
        self.uow.emails.reply(
            self.player,
            kind,
            match_id=self.match_id,
            in_reply_to=self.submission.message_id,
            attachments=attachments,
            **facts,
        )


Handler = Callable[[Request], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class RegisteredCommand:
    """A command with its words, help texts and handler; `command` explains the fields."""

    spec: CommandSpec
    german: tuple[str, ...]
    group: Group
    usage: str
    help: str
    details: str
    needs_match: bool
    execute: Handler

    def find_name(self, language: str) -> str:
        """Return the command's name in `language`, or its English name if it has no translation."""
        return self.german[0] if language == "de" and self.german else self.spec.name

    def find_usage(self, language: str) -> str:
        """Return the form in which the command is typed, such as `away DAYS`.

        If the command has an argument, the form is English, and templates translate it. Otherwise
        the form is the name of the command in `language`.
        """
        return self.usage or self.find_name(language)

    def is_allowed_on_pages(self, argument: str = "") -> bool:
        """Return whether players can send the command with this argument from a seat's page."""
        name = self.spec.name
        if name == "history":  # with an argument it may show another match
            return not argument
        return name in ("help", "rules") or (self.needs_match and name not in _FILE_COMMANDS)


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
    """Return a decorator that registers a function as the handler of a command.

    Args:
        name: The English name of the command, which is the word that players type.
        words: Other English words for the same command.
        german: German words for the command, its German name first.
        group: The heading under which `help` lists the command.
        usage: The form in which the command is typed, if it has an argument.
        help: The effect of the command, in one line that begins with a verb.
        details: Further help in sentences: examples, limits, refusals.
        needs_match: Whether the email must be about a match of the sender.
        argument: The kind of argument that may follow the word.
        form: A regular expression that the argument must match, ignoring case. A line whose
            argument does not match is treated as a remark.
        is_binding: Whether the command decides something in a match or tournament, as `accept` and
            `resign` do. If other words surround such a command, it is not executed, and the sender
            is asked to write it on a line of its own.
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
    """Return the index of all command words, with which emails are parsed.

    The first call builds the index, and later calls return it. So `pbem.service.handlers`, which
    registers the commands, must be imported before the first call.
    """
    return CommandTable([registered.spec for registered in COMMANDS.values()])


def list_by_group() -> list[tuple[Group, list[RegisteredCommand]]]:
    """Return each group with its commands, in the order of `Group`."""
    return [
        (group, [registered for registered in COMMANDS.values() if registered.group is group])
        for group in Group
    ]
