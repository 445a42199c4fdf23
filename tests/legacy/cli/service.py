"""A service in a folder with a match that was played to its end, and a way to give it commands."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path

from typer import testing
from typer.main import get_command
from typer.testing import CliRunner, Result

from pbem.legacy.bots.levels import random_move
from pbem.legacy.cli.app import app
from pbem.legacy.config import AddressKeys, write_keys
from pbem.fairness import commitment
from pbem.games import GAMES
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.unfolding import Act
from pbem.legacy.store import views
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.store.people import roster
from pbem.legacy.store.schema import migrate
from tests.legacy.matches.story import ANN, BOB, LINKS, MATCH, SECRET, Story, challenge

# Typer makes the tree of all commands anew for each that is given: half of what most of them take.
vars(testing)["_get_command"] = cache(get_command)

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
ADDRESS = "games@example.org"


@dataclass(frozen=True, slots=True)
class Service:
    """A folder with settings, keys and database."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "config.toml"

    @property
    def database(self) -> Path:
        return self.folder / "pbem.db"

    def run(self, *words: str, code: int = 0, typed: str | None = None) -> str:
        """What a command prints; its exit code must be `code`."""
        result = run("--config", str(self.config), *words, typed=typed)
        assert result.exit_code == code, result.output
        return result.output

    def write(self, text: str) -> None:
        """Other settings, which nobody else reads."""
        self.config.write_text(text)
        self.config.chmod(0o600)


def run(*words: str, typed: str | None = None) -> Result:
    """A command; what is no PbemError comes out as it is."""
    result = CliRunner().invoke(app, list(words), input=typed, env={"COLUMNS": "200"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def play_match() -> tuple[Match, list[Act]]:
    """Commands for a whole match of Logger by random legal moves, and how it went."""
    story, chance_of = Story(), random.Random(1)
    commands: list[Act] = [challenge(ANN, BOB), partial(accept, player=BOB, words="gladly")]
    for command in commands:
        story.when(command)
    game = GAMES["logger-1"]
    while story.match.course.outcome is None:
        player = story.match.player_at(story.match.to_act[0])
        move = random_move(game, story.match.course.position, chance_of.randrange)
        commands.append(partial(play, player=player, text=game.notation(move)))
        story.when(commands[-1])
    return story.match, commands


def make(folder: Path) -> Service:
    """A service as `pbem init` makes it, with Ann, Bob and their match."""
    service = Service(folder)
    service.write(
        f'[site]\naddress = "{ADDRESS}"\n[matches]\nwindow_minutes = 0\n'
        '[maildir]\nincoming = "mail/in"\noutgoing = "mail/out"\n'
    )
    write_keys(folder / "keys.toml", AddressKeys("a", {"a": bytes(range(32))}))
    migrate(service.database)
    db = Database.open(service.database)
    try:
        _fill(db)
    finally:
        db.close()
    return service


def _fill(db: Database) -> None:
    for player, name in ((ANN, "Ann"), (BOB, "Bob")):
        address = f"{name.lower()}@example.net"
        add = partial(roster.add_player, player=player, address=address, name=name, now=START)
        db.write(add).result()
    story, stream = Story(), f"match-{MATCH}"
    _, commands = play_match()
    for number, command in enumerate(commands):
        append = partial(
            event_log.append,
            stream=stream,
            category="match",
            expected=len(story.events),
            events=story.when(command),
            cause=f"letter-{number}",
            actor=ANN,
            ruleset="logger-1",
            now=START + timedelta(minutes=number),
        )
        db.write(append).result()
    assert commitment(SECRET, LINKS).hex() == story.match.chance.commitment
    db.write(lambda conn: sealed.open_chain(conn, stream, SECRET, LINKS)).result()
    db.write(lambda conn: sealed.advance(conn, MATCH, len(story.match.chance.draws) + 1)).result()
    db.write(lambda conn: views.put_match(conn, _row(story.match))).result()


def _row(match: Match) -> views.MatchRow:
    return views.MatchRow(
        id=match.id,
        ruleset=match.terms.ruleset,
        status=match.status.value,
        players=match.table.players,
        to_act=(),
        ply=match.course.ply,
        version=match.version,
        updated_at=START,
        waiting_since=None,
    )
