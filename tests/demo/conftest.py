"""Demos with a scripted person at the terminal."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.demo.club import ALICE, DemoClub, DemoTerms, make_address
from pbem.demo.mail_program import ReceivedEmail
from pbem.demo.programs import ProgramPlayer
from pbem.demo.terminal import Terminal
from pbem.games.naming import find_game

MOVE = "<move>"  # a line of a script: any legal move
END = "<end>"  # moves until the match is over


class Person:
    """A demo with a person who types the lines of a script."""

    def __init__(self, folder: Path, game: str, seats: int = 2, language: str = "en") -> None:
        self.runner = asyncio.Runner()
        terms = DemoTerms(game=find_game(game), seats=seats, level="easy", language=language)
        folder.mkdir()
        self.club = DemoClub(folder, terms)
        self.terminal = Terminal(
            self.club, self.runner.run, files=folder / "files", read=self._read, write=self._write
        )
        self.lines: list[str] = []  # of the script
        self.shown: list[str] = []  # what the terminal has written since the last line
        self.answers: list[tuple[str, str]] = []  # lines with what followed each of them
        self._alice = ProgramPlayer(ALICE, make_address(ALICE), "easy")
        self.runner.run(self.club.begin())

    def types(self, *lines: str) -> list[str]:
        """Type these lines, and return what followed each of them."""
        self.lines, self.answers = [*lines], []
        self.terminal.converse()
        return [answer for _, answer in self.answers]

    @property
    def email(self) -> ReceivedEmail:
        """The email that replies answer."""
        return self.terminal._emails[self.terminal._current]

    def close(self) -> None:
        self.runner.run(self.club.close())
        self.runner.close()

    def _write(self, text: str) -> None:
        self.shown.append(text)
        if self.answers:
            line, answer = self.answers[-1]
            self.answers[-1] = (line, f"{answer}{text}\n")

    def _read(self, _prompt: str) -> str:
        if self.lines and self.lines[0] == END and self.email.kind == "end":
            self.lines.pop(0)
        if not self.lines:
            raise EOFError
        line = self.lines[0] if self.lines[0] == END else self.lines.pop(0)
        if line in (MOVE, END):
            line = self._choose_move()
        self.answers.append((line, ""))
        return line

    def _choose_move(self) -> str:
        email = next(one for one in reversed(self.terminal._emails) if one.match)
        view = self.runner.run(
            self.club.app.database.read(lambda conn: self._alice.find_view(conn, email))
        )
        move = self._alice.reply(email, view)
        assert move, f"Alice has no move to make: {email.text}"
        return move


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Person]]:
    """Makes demos, and ends them."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made: list[Person] = []

    class _Person(Person):
        def __init__(self, game: str, seats: int = 2, language: str = "en") -> None:
            super().__init__(tmp_path / f"demo{len(made)}", game, seats, language)
            made.append(self)

    yield _Person
    for person in made:
        person.close()
