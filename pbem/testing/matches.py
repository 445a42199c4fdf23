"""Random matches, played by the same functions that the service uses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from pbem.games import AnyGame
from pbem.match.automatic import apply_unit, commit_draws
from pbem.match.endings import resign
from pbem.match.events import MatchEvent, Source
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import Proposal, accept_invitation, issue_challenge
from pbem.match.state import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.notifications.views import MatchView, build_match_view

NOON: Final = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
PLAYERS: Final = tuple(map(PlayerId, ("ann", "bob", "cleo", "dora", "emil", "finn")))
NAMES: Final = {player: player.capitalize() for player in PLAYERS}
MAX_MOVES: Final = 60  # moves of a random match, until its players resign


def start_match(game: AnyGame, seats: int, seed: int, **options: str) -> tuple[Match, bytes]:
    """Return a match that has just started, and the secret of its random draws.

    `seed` is the secret as a number, and `options` are the options of the match.
    """
    secret = seed.to_bytes(32, "big")
    players = list_players(seats)
    proposal = Proposal(game=game, opponents=players[1:], options=options)
    issued = issue_challenge(proposal, players[0], commit_draws(secret), NOON)
    match, _ = apply_unit(Match(id=MatchId("K7QX2")), issued, secret, NOON)
    for player in players[1:]:
        accepted = accept_invitation(match, player, message_hash="00", now=NOON)
        match, _ = apply_unit(match, accepted, secret, NOON)
    return match, secret


def list_players(seats: int) -> tuple[PlayerId, ...]:
    """Return the ids of as many test players as there are seats."""
    extra = tuple(PlayerId(f"player{number}") for number in range(len(PLAYERS) + 1, seats + 1))
    return (*PLAYERS, *extra)[:seats]


def make_submission(text: str) -> SubmittedMove:
    """Return the move that an email with this text submits."""
    return SubmittedMove(text=text, source=Source.EMAIL, received=NOON, message_hash="00")


def play_random_match(
    game: AnyGame, seats: int, seed: int = 1, **options: str
) -> Iterator[tuple[Match, list[MatchEvent]]]:
    """Play a random match from start to end, and yield it after each unit of work.

    Each item is the match and the events of the unit of work. The first item is the match at its
    start, without events. After MAX_MOVES moves the players resign, one after another. `seed`
    determines the moves and random draws, and `options` are the options of the match.
    """
    choose = random.Random(f"{game.key}-{seats}-{seed}")
    match, secret = start_match(game, seats, seed, **options)
    yield match, []
    for number in count():
        if match.status is not Status.RUNNING:
            return
        seat = match.to_move[0]
        player = match.player_at(seat)
        if number >= MAX_MOVES:
            decided = resign(match, player, NOON)
        else:
            move = choose.choice(game.legal_moves(match.position))
            decided = play_move(match, player, make_submission(game.notation(move)), NOON)
        match, events = apply_unit(match, decided, secret, NOON)
        yield match, events


def view_match(match: Match, reader: PlayerId | None, **arguments: Any) -> MatchView:
    """Return a match as a player sees it, or as a spectator does if `reader` is None.

    `arguments` are further arguments of `build_match_view`.
    """
    names = NAMES | {player: player.capitalize() for player in match.players}
    return build_match_view(match, reader, names, head="0123" * 16, now=NOON, **arguments)
