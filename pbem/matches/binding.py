"""What the draws of a match are bound to (docs/fairness.md): to what its players did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pbem.fairness import PROTOCOL, moves_digest, start_digest
from pbem.games.game import Chance
from pbem.matches.events import ChallengeIssued, Event, MovePlayed, SeatTaken
from pbem.matches.undo_events import MoveHeld
from pbem.names import is_bot

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.names import PlayerId

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def bound_to_start(match: Match) -> str:
    """D of the draws of the start: the accepting letters, as many as there are."""
    return start_digest(match.accepted)


def bound_to_moves(match: Match) -> str:
    """D of a draw that the next letter causes: how the match began, and all moves until now."""
    return moves_digest(match.moves(), bound_to_start(match))


def only_bots_answered(match: Match) -> bool:
    """Whether no person answered the challenge: nothing came from outside after the commitment."""
    return all(is_bot(player) for player, _, _ in match.accepted[1:])


def draws_at_the_start(match: Match) -> bool:
    """Whether something is drawn when all have accepted."""
    game, seats = match.game, len(match.players) + match.open_seats
    first = game.turn(game.initial(seats, match.options))
    return match.seats_drawn or isinstance(first, Chance)


def is_foreseeable(match: Match) -> bool:
    """Whether the server could know what the first draws are bound to when it chose its secret."""
    return not any(words or letter for _, words, letter in match.accepted)


def judged_binding(state: Match, event: Event) -> Iterator[str]:
    """What is wrong with what an event says of its letter, in words."""
    match event:
        case ChallengeIssued(protocol=protocol):
            if protocol != PROTOCOL:
                yield f"draws by protocol {protocol} cannot be checked, since there is none"
        case SeatTaken(player=player, letter=letter):
            yield from _letter(player, letter)
        case MovePlayed(letter=letter, forced=True):
            if letter:
                yield f"ply {event.ply} was played by the server, and is said to be from a letter"
        case MovePlayed(seat=seat, letter=letter) | MoveHeld(seat=seat, letter=letter):
            yield from _letter(state.player_at(seat), letter)
        case _:
            pass


def _letter(player: PlayerId, letter: str) -> Iterator[str]:
    if letter and (is_bot(player) or not _DIGEST.fullmatch(letter)):
        yield "a letter is named that nobody can have written"
