"""The demo's service in a folder, with its mail server and its players.

Emails are files in two Maildir folders: `in` for emails to the service, `out` for emails from it.
The demo acts as the mail server of all players. It reads `out` as a mailbox, and delivers replies
to `in`. So a reply is processed in the same way as a real one. The programs are automatic players.

`settle` runs the service and the programs until nothing is left to do. After that, every email to
the person at the terminal has arrived.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from email.utils import formataddr
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from pbem.demo.mail_program import ReceivedEmail, read_email, write_email
from pbem.demo.programs import ProgramPlayer
from pbem.errors import PbemError
from pbem.games import AnyGame
from pbem.names import Checkpoint, MatchId, PlayerId
from pbem.server.loops import Server
from pbem.service.app import App, open_app
from pbem.service.links import link_seat
from pbem.settings import LimitSettings, Settings, create_keys, load_settings
from pbem.store import event_log, matches, players
from pbem.store.database import Database
from pbem.transport import Envelope
from pbem.transport.maildir import MaildirMailbox, MaildirMailer, make_maildir

ALICE: Final = "Alice"
PROGRAM_NAMES: Final = ("Bob", "Cleo", "Dan", "Eve", "Fay")
MAIL_SERVER: Final = "mx.pbem.example"  # name of the server whose verdict on senders is trusted
SERVICE: Final = "games@pbem.example"
MAX_REPLIES: Final = 5_000  # replies of programs, more than any match has
MAX_REFUSED_REPLIES: Final = 3  # of programs, in a row; after more, the demo fails
UNLIMITED: Final = 1_000_000  # value of each rate limit in the demo

_SETTINGS: Final = """\
# The settings of a demo. Look at it with `pbem --config FILE match list`, for example.

[site]
title = "Demo"
address = "{address}"
authserv_id = "{server}"

[maildir]
incoming = "in"
outgoing = "out"

[matches]
undo_minutes = 0

[web]
url = {web_address}

[limits]
{limits}
"""


class DemoError(PbemError):
    """Raised if the demo cannot start, or if its service or programs fail."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoTerms:
    """The game and settings of a demo match; `level` is the bot level of the opponents."""

    game: AnyGame
    seats: int
    level: str
    language: str = "en"


def make_address(name: str) -> str:
    """Return the email address of a player of the demo."""
    return f"{name.lower()}@example.net"


class DemoClub:
    """A running demo: its service, its automatic players, and the unread emails of the person.

    `inbox` has the unread emails, oldest first. Whenever a program replies, `replied` is called
    with the name of the program and the text of its reply.
    """

    def __init__(self, folder: Path, terms: DemoTerms, web_address: str = "") -> None:
        """Create the service in a folder; `web_address` is the URL of its pages, if it has any."""
        self.terms = terms
        self.settings = _make_settings(folder, web_address)
        self.app: App = replace(open_app(self.settings), draws_pictures=False)
        self.server = Server(self.app, MaildirMailbox(folder / "in"), MaildirMailer(folder / "out"))
        self.inbox: deque[ReceivedEmail] = deque()
        self.replied: Callable[[str, str], None] = lambda _name, _text: None
        names = PROGRAM_NAMES[: terms.seats - 1]
        self.programs = {
            make_address(name): ProgramPlayer(name, make_address(name), terms.level, can_chat=not n)
            for n, name in enumerate(names)
        }
        self._relay = MaildirMailbox(folder / "out")
        self._delivery = MaildirMailer(folder / "in")
        self._read_to: Checkpoint | None = None
        self._sent = 0  # emails
        self._refused = 0  # replies of programs that were refused in a row
        self._lock = asyncio.Lock()

    @property
    def opponents(self) -> Sequence[str]:
        """The names of the programs that play against Alice."""
        return [program.name for program in self.programs.values()]

    @property
    def proposal(self) -> str:
        """The command with which Alice proposes the match."""
        names = ", ".join(make_address(name) for name in self.opponents)
        proposal = f"new {self.terms.game.title} with {names}"
        if any(option.is_starter for option in self.terms.game.options):
            proposal += " starter=given"  # so that her first email says what the game is
        return proposal

    async def begin(self) -> None:
        """Start a match that Alice proposes and the programs accept.

        Only the newest email to Alice about the match stays in the inbox.

        Raises:
            DemoError: The match does not start.
        """
        await self.server.start()
        commands = [self.proposal]
        if self.terms.language != "en":
            commands.insert(0, f"set language {self.terms.language}")
        for text in commands:
            await self.send(text)
            await self.settle()
            for question in [email for email in self.inbox if email.kind == "question"]:
                self.inbox.remove(question)
                await self.send("yes", question)
                await self.settle()
        newest = [email for email in self.inbox if email.match][-1:]
        self.inbox = deque(newest)
        if not newest:
            raise DemoError("The match did not start.")

    async def play_alone(self) -> None:
        """Let a program play for Alice until the end of the match.

        Only the email about the end stays in the inbox.

        Raises:
            DemoError: The match does not end.
        """
        email, alice = self.inbox.pop(), make_address(ALICE)
        self.programs[alice] = ProgramPlayer(ALICE, alice, self.terms.level)
        await self._reply_to_next(deque([email]))
        await self.settle()
        del self.programs[alice]
        if not self.inbox:
            raise DemoError(f"The match {email.match} stopped before its end.")

    async def close(self) -> None:
        """Stop the service and close its database."""
        await self.server.bots.close()
        await self.server.drawer.close()
        self.app.database.close()

    # --- emails ----------------------------------------------------------------------------------

    async def send(self, text: str, original: ReceivedEmail | None = None) -> None:
        """Send an email with a text to the service.

        If `original` is given, the player who received `original` replies to it. Otherwise, the
        email is a new one from Alice.
        """
        address = original.recipient if original is not None else make_address(ALICE)
        recipient = original.reply_to if original is not None else SERVICE
        name, _, domain = address.rpartition("@")
        self._sent += 1
        email = write_email(
            text,
            original,
            sender=formataddr((name.capitalize(), address)),
            recipient=recipient,
            at=self.app.now(),
            message_id=f"<{self._sent}.demo@example.net>",
        )
        verdict = f"Authentication-Results: {MAIL_SERVER}; dmarc=pass header.from={domain}\r\n"
        data = verdict.encode() + email
        await self._delivery.send(Envelope(mail_from=address, recipient=recipient, data=data))

    async def settle(self) -> None:
        """Run the service and the programs until nothing is left to do.

        Raises:
            DemoError: The service refuses more than MAX_REFUSED_REPLIES replies in a row, or the
                programs have written MAX_REPLIES replies.
        """
        async with self._lock:
            unread: deque[ReceivedEmail] = deque()
            for _ in range(MAX_REPLIES):
                await self.server.run_until_idle()
                unread += await self._fetch()
                if not await self._reply_to_next(unread):
                    return
            raise DemoError(f"The programs have written {MAX_REPLIES} replies without an end.")

    async def _fetch(self) -> list[ReceivedEmail]:
        """Return the new emails that are addressed to programs, and add all others to the inbox.

        The email to Alice about the end of a match goes to the inbox even if a program plays for
        her.
        """
        emails: list[ReceivedEmail] = []
        while (batch := await self._relay.fetch_new(self._read_to)) is not None:
            self._read_to = batch.checkpoint
            for message in batch.messages:
                email = read_email(message.envelope_recipient or "", message.raw)
                is_end = email.kind == "end" and email.recipient == make_address(ALICE)
                is_read = email.recipient in self.programs and not is_end
                (emails if is_read else self.inbox).append(email)
        return emails

    async def _reply_to_next(self, unread: deque[ReceivedEmail]) -> bool:
        """Remove emails from `unread` until a program replies to one, and send its reply.

        All emails in `unread` are addressed to programs.

        Returns:
            Whether a program replied.

        Raises:
            DemoError: The service refuses more than MAX_REFUSED_REPLIES replies in a row.
        """
        while unread:
            email = unread.popleft()
            program = self.programs[email.recipient]
            # Some refusals are normal: a page may have changed the match before the reply came.
            self._refused = self._refused + 1 if email.kind == "refusal" else 0
            if self._refused > MAX_REFUSED_REPLIES:
                raise DemoError(f"The service refuses what {program.name} does:\n{email.text}")
            view = await self.app.database.read(
                lambda conn, program=program, email=email: program.find_view(conn, email)  # type: ignore[misc]
            )
            text = await asyncio.to_thread(program.reply, email, view)
            if text:
                self.replied(program.name, text)
                await self.send(text, email)
                return True
        return False

    async def wake_alice(self) -> str:
        """Resume emails to Alice if she has turned them off.

        If she has stopped her emails or chosen a daily digest, she would wait forever in a demo.

        Returns:
            The command that resumed them, or an empty string.
        """

        def find_command(conn: Connection) -> str:
            player = players.find_by_address(conn, make_address(ALICE))
            if player is None:
                return ""
            if player.stopped_at is not None:
                return "start"
            return "set digest off" if player.digest_hour is not None else ""

        command = await self.app.database.read(find_command)
        if command:
            await self.send(command)
            await self.settle()
        return command

    # --- matches ---------------------------------------------------------------------------------

    async def verify(self, match: str) -> list[str]:
        """Return the faults in the log of a match, as sentences; empty without faults."""
        match_id = MatchId(match)
        return await self.app.database.read(lambda conn: event_log.verify_log(conn, match_id))

    async def find_page(self, match: str) -> str:
        """Return the URL of the page on which Alice plays a match, or "" if she has no seat."""

        def look(conn: Connection) -> str:
            player = players.find_by_address(conn, make_address(ALICE))
            seat = player and matches.find_seat(conn, MatchId(match), PlayerId(player.id))
            return link_seat(self.app, seat) if seat else ""

        return await self.app.database.read(look)


def _make_settings(folder: Path, web_address: str) -> Settings:
    """Create settings, keys, mail folders and a database in a folder, and return the settings."""
    file = folder / "config.toml"
    limits = "\n".join(f"{name} = {UNLIMITED}" for name in LimitSettings.model_fields)
    text = _SETTINGS.format(
        address=SERVICE, server=MAIL_SERVER, web_address=json.dumps(web_address), limits=limits
    )
    file.write_text(text, encoding="utf-8")
    for name in ("in", "out"):
        make_maildir(folder / name)
    settings = load_settings(file)
    create_keys(settings.keys.file)
    with closing(Database(settings.database.url)) as database:
        database.migrate()
    return settings
