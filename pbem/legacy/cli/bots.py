"""`pbem bots`: what a bot looked at for a move, computed anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.legacy.cli.matches import MatchArgument, match_id
from pbem.legacy.cli.opening import counted, reading, say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.bots.levels import Choice
    from pbem.games import AnyGame
    from pbem.games.game import Seat
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId

SHOWN: Final = 8
"""Moves that are shown, the best first, and reasons of each."""

bots = typer.Typer(name="bots", help="What bots looked at.", no_args_is_help=True)


@bots.callback()
def _bots() -> None:
    """What bots looked at."""


@dataclass(frozen=True, slots=True)
class Again:
    """A bot's move as the log has it, and as it was chosen again just now.

    `at` counts the events before it, and `head` is their hash.
    """

    game: AnyGame
    position: Any
    seat: Seat
    level: str
    notation: str
    seed: str
    at: int
    head: str
    noted: dict[str, Any]
    choice: Choice

    @property
    def text(self) -> str:
        """The move that was chosen again."""
        return self.game.notation(self.choice.move)


@bots.command("explain")
def explain(
    ctx: typer.Context,
    match: MatchArgument,
    ply: Annotated[int, typer.Argument(help="The number of the bot's move.", min=1)],
) -> None:
    """Choose a bot's move anew, and tell what it looked at.

    It shows the moves that were weighed, the best first, each with what it is worth and what it
    changes, and says whether the one that was played comes out again. This helps whoever plays:
    tell nobody of it before the end of the match.
    """
    name = match_id(match)
    again = reading(ctx, lambda conn: chosen_again(conn, name, ply))
    for line in told(again):
        say(line)
    if again.text != again.notation:
        raise typer.Exit(1)


def chosen_again(conn: Connection, name: MatchId, ply: int) -> Again:
    """A bot's move, chosen anew. Raises ConfigError where there is none of this number."""
    from pbem.legacy.bots.levels import EASY, choice_of
    from pbem.bots.luck import seed_of_move, seeded
    from pbem.errors import ConfigError
    from pbem.games import GAMES
    from pbem.legacy.matches.table import level_of
    from pbem.names import is_bot
    from pbem.legacy.store.log import event_log
    from pbem.legacy.store.log.sealed import seed_of_bots
    from pbem.legacy.transaction.installation import match_stream

    recorded = event_log.load(conn, match_stream(name))
    at, before = _played(conn, name, ply)
    player = before.player_at(before.to_act[0])
    noted = json.loads(recorded[at].meta).get("chosen")
    if not is_bot(player) or noted is None:
        raise ConfigError(f"no bot has chosen ply {ply} of {name}")
    level = EASY if noted["cut"] else level_of(before, player)
    game, seed = GAMES[before.terms.ruleset], seed_of_bots(conn, name)
    of_move = seed_of_move(seed, name, at, recorded[at - 1].hash)
    return Again(
        game=game,
        position=before.course.position,
        seat=before.to_act[0],
        level=level,
        notation=json.loads(recorded[at].data)["notation"],
        seed=seed,
        at=at,
        head=recorded[at - 1].hash,
        noted=noted,
        choice=choice_of(level, game, before.course.position, seeded(of_move)),
    )


def _played(conn: Connection, name: MatchId, ply: int) -> tuple[int, Match]:
    """Where in its stream a ply was played last, and the match before it."""
    from pbem.errors import ConfigError
    from pbem.legacy.matches.events import MovePlayed
    from pbem.legacy.matches.replay import evolve, initial
    from pbem.legacy.store.log import event_log
    from pbem.legacy.transaction.installation import match_stream, secrets_of

    events = event_log.match_events_of(event_log.load(conn, match_stream(name)))
    plies = [
        at
        for at, event in enumerate(events)
        if isinstance(event, MovePlayed) and event.ply == ply and not event.forced
    ]
    if not plies:
        raise ConfigError(f"nobody has chosen ply {ply} of {name}; `pbem history {name}` lists all")
    match = initial(name, secrets_of(conn, events))
    for event in events[: plies[-1]]:
        match = evolve(match, event)
    return plies[-1], match


def told(again: Again) -> Iterator[str]:
    """What was found, in lines."""
    cut = ", since the better one took too long" if again.noted["cut"] else ""
    yield f"Played by a bot ({again.level}{cut}): {again.notation}"
    plays = again.noted["plays"]
    if again.text == again.notation and again.choice.plays == plays:
        yield f"Chosen anew, it is the same, by the same {counted(plays, 'play')}."
    else:
        yield f"Chosen anew, it is {again.text}, by {counted(again.choice.plays, 'play')}; then"
        yield f"{counted(plays, 'play')} were looked at. Another version of pbem may have played."
    yield f"Seed of the match's bots: {again.seed}"
    yield ""
    for one in again.choice.looked[:SHOWN]:
        yield f"{one.worth:>8}  {again.game.notation(one.move)}"
        for reason in _reasons(again, one.move):
            yield f"          {reason}"
    if (rest := len(again.choice.looked) - SHOWN) > 0:
        yield f"and {counted(rest, 'more move')}"


def _reasons(again: Again, move: Any) -> Iterator[str]:
    """What a move changes, in the terms of what positions are worth."""
    from pbem.legacy.bots.reasons import differences

    game, seat = again.game, again.seat
    before = game.known(again.position, seat)
    after = game.tried(again.position, move, seat)
    for one in differences(game, before, after, seat)[:SHOWN]:
        term = one.term.replace("_", " ")
        yield f"{one.worth:+}: {term} of seat {one.seat}, {one.had} before and {one.has} after it"
