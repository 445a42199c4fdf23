"""Random matches of every game, for tests of what emails say of them."""

from __future__ import annotations

import random
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from pbem.games import AnyGame
from pbem.games.packages import packages
from pbem.match.automatic import commit_draws, open_draws, run_automatic_steps
from pbem.match.endings import resign
from pbem.match.events import MatchEvent, Source
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import Proposal, accept_invitation, issue_challenge
from pbem.match.state import Match, Status, apply
from pbem.names import MatchId, PlayerId
from pbem.notifications.views import MatchView, build_match_view

NOON: Final = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
PLAYERS: Final = tuple(map(PlayerId, ("ann", "bob", "cleo", "dora", "emil", "finn")))
NAMES: Final = {player: player.capitalize() for player in PLAYERS}
MOST_MOVES: Final = 60  # of a random match; most are over before
CHESS: Final = Path(__file__).parents[2] / "packages" / "pbem-chess"


def install(package: Path, site: Path) -> Callable[[], None]:
    """Let a package be found by its entry point, as if it were installed; return what undoes it."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    points = project["entry-points"]["pbem.games"]
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{lines}")
    paths = [str(site), str(package)]
    sys.path[:0] = paths
    packages.cache_clear()

    def undo() -> None:
        for path in paths:
            sys.path.remove(path)
        packages.cache_clear()

    return undo


def start(game: AnyGame, seats: int, seed: int, **options: str) -> tuple[Match, bytes]:
    """Return a match that has just started, and the secret of its draws."""
    secret = seed.to_bytes(32, "big")
    commitments = commit_draws(secret)
    players = PLAYERS[:seats]
    match = Match(id=MatchId("K7QX2"))
    proposal = Proposal(game=game, opponents=players[1:], options=options)
    for event in issue_challenge(
        proposal,
        players[0],
        commitment=commitments.public,
        sealed_commitment=commitments.sealed,
        now=NOON,
    ):
        match = apply(match, event)
    for player in players[1:]:
        match, _ = follow(
            match, accept_invitation(match, player, message_hash="00", now=NOON), secret
        )
    return match, secret


def follow(match: Match, events: list[MatchEvent], secret: bytes) -> tuple[Match, list[MatchEvent]]:
    """Return the match after a unit of work, and all its events."""
    draws = open_draws(match, secret)
    for event in events:
        match = apply(match, event)
    following = run_automatic_steps(match, draws, NOON)
    for event in following:
        match = apply(match, event)
    return match, [*events, *following]


def see(match: Match, reader: PlayerId | None, **named: Any) -> MatchView:
    """Return what a reader may see of a match."""
    return build_match_view(match, reader, NAMES, head="0123" * 16, now=NOON, **named)


def submit(text: str) -> SubmittedMove:
    return SubmittedMove(text=text, source=Source.EMAIL, received=NOON, message_hash="00")


def random_match(
    game: AnyGame, seats: int, seed: int = 1, **options: str
) -> Iterator[tuple[Match, list[MatchEvent]]]:
    """Yield a match after each unit of work with its events, from its start to its end.

    After MOST_MOVES players resign, one after the other.
    """
    choose = random.Random(f"{game.key}-{seats}-{seed}")
    match, secret = start(game, seats, seed, **options)
    yield match, []
    for number in count():
        if match.status is not Status.RUNNING:
            return
        [seat] = match.to_move
        if number >= MOST_MOVES:
            match, events = follow(match, resign(match, match.player_at(seat), NOON), secret)
            yield match, events
            continue
        move = choose.choice(game.legal(match.position))
        decided = play_move(match, match.player_at(seat), submit(game.notation(move)), NOON)
        match, events = follow(match, decided, secret)
        yield match, events
