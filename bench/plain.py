"""The same job done the obvious way, in one file: what the figures of whole turns are ratios of.

Letters of the same form go through the standard email package; a turn is one commit; the match is
replayed from its rows through the same rules; each turn makes a receipt and a turn mail from one
template, as EmailMessage, and hands them over one by one on one SMTP connection. Nothing is proved,
held, retried, quoted back, given in two languages or kept from anybody: only a move that is legal
is played, and nothing that was committed is lost.
"""

from __future__ import annotations

import email
import email.policy
import email.utils
import hmac
import random
import smtplib
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import jinja2

from bench._club import GAMES_ADDRESS, LOGGER, letter
from bench._sink import sink
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Seat, Seats, Style
from pbem.legacy.bots.levels import random_move

SECRET = bytes(range(32))
MATCHES = 1_000
TURNS = 1_000

SCHEMA = """
pragma journal_mode = wal;
create table matches (id text primary key, first text not null, second text not null);
create table moves (match text not null, ply integer not null, move text not null,
                    received text not null, primary key (match, ply));
create table letters (message_id text primary key, raw blob not null);
create table mails (id integer primary key, message_id text not null, match text not null,
                    recipient text not null, raw blob not null, sent text);
"""

TEXT = """{{ first }}

Since your last turn:
{% for move in lately %}  {{ move }}
{% endfor %}
{{ board }}

You can:
{% for move in legal %}  {{ move }}
{% endfor %}
Reply with your move above this line. {{ count }} moves have been played.
"""
HTML = """<html><body><p>{{ first }}</p><ul>
{% for move in lately %}<li>{{ move }}</li>
{% endfor %}</ul><pre>{{ board }}</pre><ul>
{% for move in legal %}<li><code>{{ move }}</code></li>
{% endfor %}</ul><p>Reply with your move. {{ count }} moves have been played.</p></body></html>
"""


@dataclass
class Plain:
    """A service of one file, and the players who write to it."""

    folder: Path
    port: int
    matches: int
    game: AnyGame = GAMES[LOGGER]
    taken: int = 0
    seconds: float = 0.0
    """Processor time that the players have used."""

    _rng: random.Random = field(default_factory=lambda: random.Random(2))

    def __post_init__(self) -> None:
        self.db = sqlite3.connect(self.folder / "plain.db", isolation_level=None)
        self.db.executescript(SCHEMA)
        self.db.execute("pragma synchronous = full")
        rows = [(f"{n:05}", f"a{n}@example.org", f"b{n}@example.org") for n in range(self.matches)]
        self.db.execute("begin")
        self.db.executemany("insert into matches values (?, ?, ?)", rows)
        self.db.execute("commit")
        self.smtp = smtplib.SMTP("127.0.0.1", self.port)
        words = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
        pages = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=True)
        self.text, self.html = words.from_string(TEXT), pages.from_string(HTML)
        self._names = [name for name, _, _ in rows]
        self._letters = self._forever()

    def close(self) -> None:
        """Everything that is open."""
        self.smtp.quit()
        self.db.close()

    # --- the service -----------------------------------------------------------------------------

    def take(self, raw: bytes) -> None:
        """One letter: read, played, committed, answered and told."""
        message = email.message_from_bytes(raw, policy=email.policy.default)
        name, seat = self._home(message)
        row = self.db.execute("select first, second from matches where id = ?", (name,)).fetchone()
        if row is None or email.utils.parseaddr(message["From"])[1] != row[seat - 1]:
            raise ValueError("not a player")
        position = self._replay(name)
        body: Any = message.get_body(("plain",))
        move = self.game.parse(_typed(body.get_content()), position, Seat(seat))
        after = self._settled(self.game.play(position, move), name, len(self._moves(name)) + 1)
        now = email.utils.formatdate()
        ply = self.db.execute("select count(*) from moves where match = ?", (name,)).fetchone()[0]
        self.db.execute("begin immediate")
        self.db.execute("insert into letters values (?, ?)", (message["Message-ID"], raw))
        self.db.execute(
            "insert into moves values (?, ?, ?, ?)", (name, ply, self.game.notation(move), now)
        )
        mails = [self._mail(name, row, to, after, ply + 1) for to in (1, 2)]
        numbers = [
            self.db.execute(
                "insert into mails (message_id, match, recipient, raw) values (?, ?, ?, ?)",
                (mail["Message-ID"], name, mail["To"], mail.as_bytes()),
            ).lastrowid
            for mail in mails
        ]
        self.db.execute("commit")
        for mail in mails:
            self.smtp.send_message(mail)
        self.db.execute("begin immediate")
        self.db.executemany("update mails set sent = ? where id = ?", [(now, n) for n in numbers])
        self.db.execute("commit")
        self.taken += 1

    def _home(self, message: Message) -> tuple[str, int]:
        """The match and seat that a reply address speaks of."""
        local = email.utils.parseaddr(message["To"])[1].partition("@")[0]
        name, seat, proof = local.partition("+")[2].split(".")
        if not hmac.compare_digest(proof, _proof(name, int(seat))):
            raise ValueError("not one of our addresses")
        return name, int(seat)

    def _moves(self, name: str) -> list[str]:
        found = self.db.execute("select move from moves where match = ? order by ply", (name,))
        return [move for (move,) in found]

    def _replay(self, name: str) -> Any:
        options = {one.name: "given" for one in self.game.options if one.begins}
        position = self.game.initial(2, self.game.normal_options(options))
        position = self._settled(position, name, 0)
        for ply, move in enumerate(self._moves(name), 1):
            position = self.game.play(position, self.game.read(move, position))
            position = self._settled(position, name, ply)
        return position

    def _settled(self, position: Any, name: str, ply: int) -> Any:
        """A position with what is drawn and forced there, by the same luck each time."""
        luck = random.Random(f"{name} {ply}")
        while True:
            turn = self.game.turn(position)
            if isinstance(turn, Chance):
                stream = iter(partial(luck.randrange, 256), None)
                position = self.game.play(position, Drawn(answer(turn.draw, stream)))
            elif (forced := self.game.forced(position)) is not None:
                position = self.game.play(position, forced)
            else:
                return position

    def _mail(
        self, name: str, players: tuple[str, str], to: int, position: Any, ply: int
    ) -> Message:
        turn = self.game.turn(position)
        on_turn = isinstance(turn, Seats) and to in turn.seats
        steps = list(islice(self.game.legal(position), 3)) if on_turn else []
        rows = self.db.execute(
            "select move from moves where match = ? order by ply desc limit 3", (name,)
        ).fetchall()
        view = {
            "first": f"Your move in {name}." if on_turn else f"Your move in {name} is made.",
            "lately": [move for (move,) in rows],
            "board": "\n".join(self.game.board(position, Seat(to), Style.ASCII).lines),
            "legal": [self.game.notation(step) for step in steps],
            "count": ply,
        }
        mail = EmailMessage(policy=email.policy.SMTP)
        local, _, domain = GAMES_ADDRESS.partition("@")
        mail["From"] = f"{self.game.title} {name} <{local}+{name}.{to}.{_proof(name, to)}@{domain}>"
        mail["To"] = players[to - 1]
        mail["Subject"] = f"[{self.game.title} {name}] {players[0]} - {players[1]}"
        mail["Message-ID"] = email.utils.make_msgid(domain=domain)
        mail["Date"] = email.utils.formatdate()
        mail["Auto-Submitted"] = "auto-replied"
        mail.set_content(self.text.render(view))
        mail.add_alternative(self.html.render(view), subtype="html")
        return mail

    # --- the players -----------------------------------------------------------------------------

    def letters(self, count: int) -> list[bytes]:
        """The next letters; none of them is refused if those before it were taken."""
        began = time.process_time()
        found = list(islice(self._letters, count))
        self.seconds += time.process_time() - began
        return found

    def _forever(self) -> Iterator[bytes]:
        number = 0
        while self._names:
            for name in list(self._names):
                position = self._replay(name)
                turn = self.game.turn(position)
                if not isinstance(turn, Seats):
                    self._names.remove(name)
                    continue
                number, seat = number + 1, turn.seats[0]
                move = random_move(self.game, position, self._rng.randrange)
                local, _, domain = GAMES_ADDRESS.partition("@")
                yield letter(
                    number,
                    sender=f"{'ab'[seat - 1]}{int(name)}@example.org",
                    to=f"{local}+{name}.{seat}.{_proof(name, seat)}@{domain}",
                    match=name,
                    answered=f"<{number}@{domain}>",
                    text=self.game.notation(move),
                )


def _proof(name: str, seat: int) -> str:
    return hmac.new(SECRET, f"{name}.{seat}".encode(), sha256).hexdigest()[:16]


def _typed(body: str) -> str:
    """What stands above the quote."""
    lines = []
    for line in body.splitlines():
        if line.startswith((">", "On ")):
            break
        lines.append(line)
    return "\n".join(lines).strip()


def played(plain: Plain, turns: int) -> tuple[float, float]:
    """Play so many turns: seconds, and seconds of the processor, without the players' own."""
    seconds = processor = 0.0
    for raw in plain.letters(turns):
        began, used = time.perf_counter(), time.process_time()
        plain.take(raw)
        seconds += time.perf_counter() - began
        processor += time.process_time() - used
    return seconds, processor


@contextmanager
def plain_club(port: int, matches: int, ruleset: str = LOGGER) -> Iterator[Plain]:
    """The service of one file with so many matches of a game."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        plain = Plain(Path(folder), port, matches, GAMES[ruleset])
        try:
            yield plain
        finally:
            plain.close()


def main() -> None:
    """Print turns a second; `bench.turns` runs it beside the real service."""
    with sink() as port, plain_club(port, MATCHES) as plain:
        played(plain, TURNS)
        seconds, processor = played(plain, TURNS)
    print(
        f"{TURNS / seconds:.0f} turns/s, {1e6 * processor / TURNS:.0f} us of the processor a turn"
    )
