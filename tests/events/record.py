"""Record a match: random play by the rules, through the decider, into a log, and out as lines.

`python -m tests.events.record logger-1 > events/samples/logger-1.jsonl` makes a sample of a
ruleset that has none yet; the same arguments make the same lines.
"""

from __future__ import annotations

import random
import sys
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection

from pbem.bots.random_legal import random_move
from pbem.fairness import LINKS, commitment, moves_digest
from pbem.games import GAMES
from pbem.matches.commands import Accept, Command, IssueChallenge, Play, PlayForced, Resign, Say
from pbem.matches.decide import Chances, decide
from pbem.matches.events import ChanceDrawn, Event
from pbem.matches.match import Match, Status, evolve, initial
from pbem.names import MatchId, PlayerId
from pbem.store import chance, event_log, sealed
from pbem.store.database import Database
from pbem.store.exchange import export
from pbem.store.schema import migrate

MATCH = MatchId("K7QX2")
STREAM = f"match-{MATCH}"
PLAYERS = tuple(PlayerId(name) for name in ("4m8xq2vrtz", "9hj3wdk7np", "c6tbg5zs8y", "h2pv7mkqx3"))
BEGIN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@dataclass
class Recording:
    """A match being played, each command a letter of its own, some hours apart."""

    conn: Connection
    match: Match = field(default_factory=lambda: initial(MATCH))
    letters: int = 0

    def letter(self, actor: PlayerId | None, command: Command) -> None:
        """Carry out a command and append what happened."""
        before, events = self.match, self._decided(command)
        self.letters += 1
        for event in events:
            self.match = evolve(self.match, event)
        drawn = [event.index for event in events if isinstance(event, ChanceDrawn)]
        if drawn:
            chance.advance(self.conn, MATCH, drawn[-1] + 1)
        event_log.append(
            self.conn,
            STREAM,
            category="match",
            expected=before.version,
            events=events,
            cause=f"letter-{self.letters}" if actor else f"timer-{self.letters}",
            actor=actor or "",
            ruleset=self.match.ruleset,
            now=BEGIN + self.letters * timedelta(hours=5, minutes=7, seconds=11),
        )

    def _decided(self, command: Command) -> list[Event]:
        if self.match.status is Status.NEW:
            return decide(command, self.match)
        draws = chance.draws(self.conn, MATCH)
        chances = Chances(draws, moves_digest(self.match.moves()))
        return decide(command, self.match, chances=chances)


def record(
    conn: Connection, ruleset: str, *, seats: int, seed: int, longest: int = 400
) -> list[str]:
    """The lines of a whole match; after `longest` letters those who are to act resign."""
    dice = random.Random(f"{ruleset} {seed}")
    secret, players = dice.randbytes(32), PLAYERS[:seats]
    game, recording = GAMES[ruleset], Recording(conn)
    chance.open_chain(conn, STREAM, secret, LINKS)
    issued = IssueChallenge(
        ruleset=ruleset,
        options={},
        challenger=players[0],
        players=players,
        commitment=commitment(secret, LINKS).hex(),
        links=LINKS,
    )
    recording.letter(players[0], issued)
    for player in players[1:]:
        recording.letter(player, Accept(player=player, words=f"Glück auf! {dice.random()}"))
    said = sealed.seal(conn, "Good luck to all of you!", salt=dice.randbytes(16))
    recording.letter(players[0], Say(player=players[0], text=said))
    while recording.match.status is Status.RUNNING:
        match = recording.match
        if not match.to_act:
            recording.letter(None, PlayForced())
            continue
        player = match.player_at(match.to_act[0])
        if recording.letters >= longest:
            recording.letter(player, Resign(player=player))
            continue
        move = game.notation(random_move(game, match.position, dice.randrange))
        recording.letter(player, Play(player=player, text=move))
    event_log.close(conn, STREAM, BEGIN + timedelta(days=400))
    return list(export(conn, STREAM))


def main() -> None:
    """Print a match of the ruleset that is named."""
    ruleset = sys.argv[1]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        migrate(path)
        with closing(Database.open(path)) as db:
            seats = min(GAMES[ruleset].seats)
            lines = db.write(lambda conn: record(conn, ruleset, seats=seats, seed=1)).result()
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
