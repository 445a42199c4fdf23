"""What happens to seats beside taking them: colours chosen, seats taken over by bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.games.game import Ply, Seat
from pbem.matches.visibility import Eyes, Visible
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ColourChosen:
    """A player chose a colour of the game for the seat to come; nobody else in the match has it.

    A later choice of the same player takes its place. Whoever has chosen none by the start gets
    what is left.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    colour: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTakenOver:
    """`left` resigned, or lost on time, after `ply` plies; `player`, a bot, plays on in the seat.

    `condition`: it had decided to resign in this case.
    """

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply
    player: PlayerId
    left: PlayerId
    reason: Literal["resigned", "time"]
    condition: bool = False
