"""The person's mail program in a terminal: it shows emails, and sends typed lines as replies.

A line is a reply to the email above it. Lines that begin with `/` are commands to the mail program.
A long email is cut at the end of the paragraph that fills the screen, because the most important
text comes first; `/more` shows the rest.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine
from email.utils import parseaddr
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pbem.demo.club import ALICE, SERVICE, DemoClub, make_address
from pbem.demo.line_editor import read_line, unfinished_line
from pbem.demo.mail_program import ReceivedEmail

WIDTH: Final = 72  # columns of the lines around an email, as many as its text has
FRAME_LINES: Final = 4  # lines of the screen for the frame of an email and the prompt
_WORDS: Final = "demo/terminal.txt.j2"


class Terminal:
    """A terminal session in which a person reads and answers emails of the demo.

    Args:
        club: The demo.
        run: A function that runs a coroutine of the demo and returns its result.
        files: The folder for attached files; None for a new temporary folder.
        read: A function that shows a prompt and returns a typed line, or raises EOFError; None for
            `read_line`.
        write: A function that prints a text.
    """

    def __init__(
        self,
        club: DemoClub,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
        *,
        files: Path | None = None,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], None] = print,
    ) -> None:
        """Create a session. When it runs, it first shows the emails that are already in the inbox.

        Args:
            club: The service with its players.
            run: A function that runs a coroutine of the club to its end, and returns its result.
            files: The folder for attachments and pages of the person; None for a new one in
                the system's folder for temporary files.
            read: A function that shows a prompt and returns a typed line, or raises EOFError; None
                for `read_line`.
            write: A function that prints a line.
        """
        self._club, self._run, self._files = club, run, files
        self._read, self._write = read or read_line, write
        self._emails: list[ReceivedEmail] = []
        self._rest: list[str] = []  # lines of the current email for which the screen had no room
        self._current = 0  # index of the current email, which replies answer
        self._concluded: set[str] = set()  # matches whose end was shown
        self.is_asking = False

    def greet(self, page: str = "") -> None:
        """Print a welcome text; `page` is the URL of the person's page, or empty without pages."""
        names = self._club.opponents
        self._write(
            self._say("welcome", service=SERVICE, proposal=self._club.proposal, names=names)
        )
        if page:
            self._write(self._say("page", address=page))

    def converse(self) -> None:
        """Show emails and send replies, until the person quits."""
        while True:
            self.show_new()
            if self._emails and self._emails[self._current].kind == "end":
                self._write(self._say("again"))
            text = self._ask()
            if text is None:
                break
            if text.startswith("/"):
                if not self._execute_typed(text):
                    break
            elif text:
                self._reply(text)
        self._write(self._say("goodbye"))

    def show_new(self) -> None:
        """Show new emails, and save their attachments.

        When a match has ended, also reply `verify` and `replay` for the person.
        """
        while self._club.inbox:
            email = self._club.inbox.popleft()
            self._emails.append(email)
            self._show(len(self._emails) - 1)
            self._save_files(email)
            if email.kind == "end" and email.match not in self._concluded:
                self._conclude(email)

    def announce(self) -> None:
        """Show new emails while the person is typing, and then their unfinished line again."""
        if self._club.inbox and self.is_asking:
            self._write("")
            self.show_new()
            print(self._prompt() + unfinished_line(), end="", flush=True)  # noqa: T201 - the prompt

    # --- replies ---------------------------------------------------------------------------------

    def _reply(self, text: str) -> None:
        self._send(text, self._emails[self._current] if self._emails else None)
        if not self._club.inbox:
            command = self._run(self._club.wake_alice())
            if command:
                self._write(self._say("woke", command=command))
            if not self._club.inbox:
                self._write(self._say("no_email"))

    def _send(self, text: str, email: ReceivedEmail | None) -> None:
        async def send() -> None:
            await self._club.send(text, email)
            await self._club.settle()

        self._run(send())

    def _conclude(self, end: ReceivedEmail) -> None:
        """Send the commands `verify` and `replay` for an ended match, and show the replies.

        `end` is the email about the end of the match, which the commands answer.
        """
        self._concluded.add(end.match)
        self._write(self._say("over"))
        self._send("verify\n\nreplay", end)
        self.show_new()
        self._current = self._emails.index(end)

    # --- the terminal ----------------------------------------------------------------------------

    def _ask(self) -> str | None:
        """Return the text that the person types, or None if the input has ended.

        A line that ends with a backslash is continued on the next line.
        """
        lines: list[str] = []
        prompt = self._prompt()
        self.is_asking = True
        try:
            while True:
                line = self._read(prompt)
                lines.append(line.removesuffix("\\"))
                if not line.endswith("\\"):
                    return "\n".join(lines).strip()
                prompt = "... "
        except EOFError:
            self._write("")
            return None
        finally:
            self.is_asking = False

    def _prompt(self) -> str:
        recipient = self._emails[self._current].recipient if self._emails else ""
        is_alice = recipient in ("", make_address(ALICE))
        return f"{ALICE if is_alice else recipient}> "

    def _execute_typed(self, typed: str) -> bool:
        """Execute a command to the mail program, such as `/more`.

        Returns:
            False if the command ends the program.
        """
        command, _, argument = typed.partition(" ")
        if command in ("/quit", "/exit", "/q"):
            return False
        if command == "/more":
            self._write("\n".join(self._rest) or self._say("nothing_more"))
            self._rest = []
        elif command == "/help":
            self._write(self._say("help"))
        elif command == "/emails":
            for number, email in enumerate(self._emails, 1):
                mark = ">" if number - 1 == self._current else " "
                self._write(f"{mark}{number:3}  {email.subject}")
        elif command == "/open":
            self._open(argument.strip())
        else:
            self._write(self._say("unknown", typed=command))
        return True

    def _open(self, typed: str) -> None:
        number = int(typed) if typed.isdecimal() else 0 if typed else self._current + 1
        if 1 <= number <= len(self._emails):
            self._show(number - 1)
        else:
            self._write(self._say("no_such_email", count=len(self._emails)))

    def _show(self, index: int) -> None:
        """Show the email with this index in the list of emails. The next typed line answers it."""
        self._current = index
        email = self._emails[index]
        name, address = parseaddr(email.sender)
        lines = [f" From: {name or address}", f" Subject: {email.subject}", ""]
        if email.recipient != make_address(ALICE):
            lines.insert(1, f" To: {email.recipient}")
        lines += email.text.strip().splitlines()
        count = _find_first_screen(lines)
        self._rest = lines[count:]
        rule = f"--- {self._say('email', number=index + 1)} ".ljust(WIDTH, "-")
        self._write("\n".join([rule, *lines[:count]]))
        if self._rest:
            self._write(f"\n{self._say('more', count=len(self._rest))}")
        self._write("-" * WIDTH)

    def _save_files(self, email: ReceivedEmail) -> None:
        for name, data in email.attachments.items():
            if self._files is None:
                self._files = Path(tempfile.mkdtemp(prefix="pbem-demo-"))
            self._files.mkdir(exist_ok=True)
            path = self._files / Path(name).name
            path.write_bytes(data)
            self._write(self._say("file", path=path))

    def _say(self, block: str, **facts: Any) -> str:
        """Return a text that the demo itself says to the person, in the person's language.

        `block` is the name of the text in `demo/terminal.txt.j2`, and `facts` are its variables.
        """
        environment = self._club.app.renderer.environment(self._club.terms.language)
        template = environment.get_template(_WORDS)
        return "".join(template.blocks[block](template.new_context(facts))).strip("\n")


def _find_first_screen(lines: list[str]) -> int:
    """Return the number of lines to show at first: whole paragraphs until the screen is full.

    If the output is not a terminal, all lines are shown.

    Suggested moves, which end with a quotation mark, stay together with the board above them.
    """
    if not sys.stdout.isatty():
        return len(lines)
    room = shutil.get_terminal_size().lines - FRAME_LINES
    ends = [number for number, line in enumerate(lines) if not line]
    for end, following in pairwise([*ends, len(lines)]):
        if end >= room and not lines[following - 1].endswith('"'):
            return end
    return len(lines)
