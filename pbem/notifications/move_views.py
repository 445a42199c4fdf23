"""Data about single moves and random draws, for the templates of emails and pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.errors import Facts
from pbem.games import AnyGame
from pbem.games.game import Chance, ChanceResult, Seat
from pbem.match.events import AUTOMATIC_SOURCES, MovePlayed
from pbem.match.state import Match, PlayedPly, Status
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveView:
    """A move or a random draw: its notation, and its effects as facts for the game's templates.

    `name` is the name of the player who moved; None for a random draw. The notation of a draw is
    empty while the draw is secret. `is_reader` is True for a move of the reader, `is_forced` for a
    move that the server made, and `is_conditional` for a conditional move. In `MatchView.history`,
    only `name` and `notation` are set.
    """

    name: str | None
    notation: str
    facts: Facts = field(default_factory=dict)
    is_reader: bool = False
    is_forced: bool = False
    is_conditional: bool = False


def view_move(
    match: Match, played: PlayedPly, seat_names: Mapping[Seat, str], reader: Seat | None
) -> MoveView:
    """Return the data about a move or random draw for templates, with facts about its effects.

    `seat_names` has the players' names by seat. `reader` is the reader's seat; None for a
    spectator.
    """
    return replace(
        view_ply(match, played, seat_names),
        facts=match.game.move_facts(played.move, played.before, played.after),
        is_reader=played.seat is not None and played.seat == reader,
        is_forced=isinstance(played.event, MovePlayed) and played.event.source in AUTOMATIC_SOURCES,
        is_conditional=played.is_conditional,
    )


def list_moves(
    match: Match, reader: PlayerId | None, names: Mapping[PlayerId, str]
) -> list[MoveView]:
    """Return the data about all moves and random draws of a match, with facts about their effects.

    `reader` is the player who reads; None for a spectator. `names` has the players' names by id.
    """
    seat = match.seat_of(reader) if reader is not None else None
    seat_names = {Seat(n): names[player] for n, player in enumerate(match.players, 1)}
    return [view_move(match, played, seat_names, seat) for played in match.plies]


def view_ply(match: Match, played: PlayedPly, seat_names: Mapping[Seat, str]) -> MoveView:
    """Return the data about a move or random draw, with only `name` and `notation`.

    Facts about its effects are left out, because they take time to compute. `seat_names` has the
    players' names by seat.
    """
    game = match.game
    if not isinstance(played.move, ChanceResult):
        notation = game.notation(played.move)
    elif match.status is Status.RUNNING and _is_secret(game, played):
        notation = ""
    else:
        notation = game.chance_notation(played.before, played.move)
    name = None if played.seat is None else seat_names[played.seat]
    return MoveView(name=name, notation=notation)


def _is_secret(game: AnyGame, played: PlayedPly) -> bool:
    turn = game.turn(played.before)
    return isinstance(turn, Chance) and turn.draw.is_sealed
