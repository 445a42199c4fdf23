"""A decision as it unfolds: every event appended and evolved once, with what follows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.fairness import (
    LINKS,
    PROTOCOL,
    Draws,
    Proof,
    commitment,
    moves_digest,
    sealed_digest,
    sealed_text,
    start_digest,
)
from pbem.games.chance import Draw, Permutation, parse_draw
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.conditions import Answer, Resignation, Void, due
from pbem.matches.events import (
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    Event,
    MatchEnded,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.matches.match import Match, Status, evolve
from pbem.matches.resigning import out
from pbem.matches.seat_events import ConditionsVoided, MoveHeld, ResignationHeld
from pbem.matches.steps import Played
from pbem.matches.timing import settled, with_bank
from pbem.matches.window import voided
from pbem.names import Digest, is_bot

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.names import PlayerId


# --- binding -------------------------------------------------------------------------------------
# What the draws of a match are bound to (docs/fairness.md): to what its players did.

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def bound_to_start(match: Match) -> str:
    """D of the draws of the start: the accepting letters, as many as there are."""
    return start_digest(match.table.accepted)


def bound_to_moves(match: Match) -> str:
    """D of a draw that the next letter causes: how the match began, and all moves until now."""
    return moves_digest(match.moves(), bound_to_start(match))


def only_bots_answered(match: Match) -> bool:
    """Whether no person answered the challenge: nothing came from outside after the commitment."""
    return all(is_bot(player) for player, _, _ in match.table.accepted[1:])


def draws_at_the_start(match: Match) -> bool:
    """Whether something is drawn when all have accepted."""
    game, seats = match.game, len(match.table.players) + match.table.open_seats
    first = game.turn(game.initial(seats, match.terms.options))
    return match.chance.seats_drawn or isinstance(first, Chance)


def is_foreseeable(match: Match) -> bool:
    """Whether the server could know what the first draws are bound to when it chose its secret."""
    return not any(words or letter for _, words, letter in match.table.accepted)


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


# --- chances -------------------------------------------------------------------------------------
# How a decision draws: from the chains that it was given, in the open or sealed until the end.


class ChancesNeeded(ValueError):  # noqa: N818 - what is missing, and then it is given
    """Something is drawn, and `decide` was given nothing to draw from."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What draws are made from: the chains, and the digest of what the players did before.

    `fresh` is the secret of a chain that shall follow the public one: the next draw commits to it,
    and later letters draw from it.
    """

    draws: Draws
    digest: str
    secret: Draws | None = None
    fresh: bytes | None = None


def of_the_start(match: Match, chances: Chances | None) -> Chances | None:
    """All draws of the start are bound to the accepting letters, the last included.

    So the server could not choose its secret to suit the seats, a layout or a deal.
    """
    return replace(chances, digest=bound_to_start(match)) if chances is not None else None


def seats_draw(players: int) -> Draw:
    """The request that decides who gets which seat: value i is the player of seat i + 1."""
    return Draw("seats", (Permutation(players),))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draw as it was made: its events, its values, and the chances that are left.

    `texts` are the sealed texts by digest that a secret draw cannot be replayed without.
    """

    events: tuple[Event, ...]
    values: tuple[int, ...]
    left: Chances
    texts: Mapping[str, str] = field(default_factory=dict)


def draw(ply: Ply, asked: Draw, chances: Chances | None) -> Drawing:
    """What a draw after so many plies brings. Raises ChancesNeeded where there are none."""
    if chances is None:
        raise ChancesNeeded("something is drawn, and no chain was given")
    if asked.secret:
        return _draw_in_secret(ply, asked, chances)
    events: list[Event] = []
    if chances.fresh is not None:
        # It is fixed before the players do what its draws are bound to.
        first = chances.draws.first + chances.draws.links
        fixed = commitment(chances.fresh, LINKS).hex()
        events.append(ChanceCommitted(commitment=fixed, links=LINKS, first=first))
        chances = replace(chances, fresh=None)
    proof, rest = chances.draws.draw(asked, chances.digest)
    drawn = ChanceDrawn(
        ply=ply,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        asked=proof.asked,
        values=proof.values,
    )
    return Drawing((*events, drawn), proof.values, replace(chances, draws=rest))


def _draw_in_secret(ply: Ply, asked: Draw, chances: Chances) -> Drawing:
    if chances.secret is None:
        raise ValueError("something is drawn in secret, and no second chain was given")
    proof, rest = chances.secret.draw(asked, chances.digest)
    event = ChanceSealed(
        ply=ply,
        index=proof.index,
        digest=proof.digest,
        asked=proof.asked,
        sealed=Digest(sealed_digest(proof)),
    )
    texts: dict[str, str] = {event.sealed: sealed_text(proof)}
    return Drawing((event,), proof.values, replace(chances, secret=rest), texts)


def revealed(match: Match) -> list[Event]:
    """After the end everybody may see what was drawn in secret, and check it."""
    events: list[Event] = []
    for sealed in match.chance.sealed:
        opened = json.loads(match.secrets[sealed.sealed])
        events.append(
            ChanceRevealed(index=sealed.index, link=opened["link"], values=tuple(opened["values"]))
        )
    return events


def secret_proofs(events: Iterable[Event], chances: Chances) -> list[Proof]:
    """The secret draws among the events of a decision: a pure function of chain and request."""
    if chances.secret is None:
        return []
    proofs = []
    for event in events:
        if isinstance(event, ChanceSealed):
            chain = replace(chances.secret, next_index=event.index, ahead=())
            proofs.append(chain.draw(parse_draw(event.asked), event.digest)[0])
    return proofs


# --- unfolding -----------------------------------------------------------------------------------
# A decision as it unfolds: every event is appended and evolved once, with what follows by itself.
#
# What follows is played until somebody has a choice: draws, conditions, forced plies, the end.

FORCED_AT_ONCE: Final = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


@dataclass(kw_only=True, slots=True)
class Unfolding:
    """The match as the events of a decision have made it so far, and these events.

    `now` is the time of receipt. `chances` are what is left to draw from. `resign_until` is until
    when a resignation is held.
    """

    match: Match
    now: datetime
    chances: Chances | None = None
    resign_until: datetime | None = None
    events: list[Event] = field(default_factory=list)

    def happens(self, *events: Event, played: Played | None = None) -> None:
        """These events happen; `played` is the move of the one that is a ply, if it is known."""
        for event in events:
            timed = with_bank(self.match, event, self.now)
            self.match = evolve(self.match, timed, played)
            self.events.append(timed)

    def draw(self, asked: Draw) -> tuple[int, ...]:
        """Something is drawn; its values. Raises ChancesNeeded where there are none."""
        made = draw(self.match.course.ply, asked, self.chances)
        self.chances = made.left
        if made.texts:
            self.match = replace(self.match, secrets={**self.match.secrets, **made.texts})
        self.happens(*made.events)
        return made.values

    def follow(self) -> None:
        """Go on until somebody has a choice: draws, conditions, forced plies, the end."""
        drawn = False
        for _ in range(FORCED_AT_ONCE):
            match self.match.turn:
                case Over(Outcome(placings, termination)):
                    self.happens(MatchEnded(placings=placings, termination=termination))
                    self.happens(*revealed(self.match))
                    return
                case Chance(asked):
                    self.draw(asked)
                    drawn = True
                case Seats(seats):
                    if self._condition_met(seats):
                        drawn = drawn and isinstance(self.events[-1], ConditionsVoided)
                    elif self._plays_by_itself(seats[0], drawn=drawn):
                        drawn = False
                    else:
                        return

    def _condition_met(self, seats: Iterable[Seat]) -> bool:
        """Whether something came of the conditions of the seats that are to act."""
        for seat in seats:
            match due(self.match, seat):
                case None:
                    continue
                case Void():
                    self.happens(ConditionsVoided(seat=seat))
                case Resignation():
                    self._resigns(seat)
                case Answer(move, after):
                    ply = _forced(self.match, seat, move, condition=True)
                    self.happens(ply, played=Played(move, after))
            return True
        return False

    def _resigns(self, seat: Seat) -> None:
        """A seat resigns by a condition: the same as by the word, and of both the first."""
        said = self.match.pending.resigning.get(seat)
        until = said.until if said is not None else self.resign_until
        if until is not None:
            self.happens(ResignationHeld(seat=seat, until=until, condition=True))
            return
        resigned = SeatResigned(seat=seat, ply=self.match.course.ply, condition=True)
        self.happens(out(self.match, resigned))

    def _plays_by_itself(self, seat: Seat, *, drawn: bool) -> bool:
        """Whether the server has made the move of a seat."""
        found = _by_itself(self.match, seat, drawn=drawn)
        if found is None:
            return False
        move, standing = found
        self.happens(_forced(self.match, seat, move, standing=standing), played=Played(move))
        return True

    def end(self, before: Match) -> None:
        """What all that has happened since means for held moves and for the clocks."""
        if self.match.course.position is not before.course.position:
            self.happens(*voided(self.match))
        self.happens(*settled(self.match, self.now))


def goes_on(match: Match) -> bool:
    """Whether something is still to follow by itself: a decision stopped at its limit."""
    if match.status is not Status.RUNNING:
        return False
    match match.turn:
        case Over() | Chance():
            return True
        case Seats(seats):
            if any(due(match, seat) is not None for seat in seats):
                return True
            return _by_itself(match, seats[0], drawn=False) is not None


def _by_itself(match: Match, seat: Seat, *, drawn: bool) -> tuple[object, bool] | None:
    """The only move there is, or the one ordered, and whether it was ordered.

    A standing order holds for later draws, so only what was just drawn is decided by it.
    """
    move = match.game.forced(match.course.position)
    if move is not None:
        return move, False
    move = obeyed(match, seat) if drawn else None
    return (move, True) if move is not None else None


def _forced(
    match: Match, seat: Seat, move: object, *, standing: bool = False, condition: bool = False
) -> MovePlayed:
    return MovePlayed(
        seat=seat,
        ply=Ply(match.course.ply + 1),
        notation=match.game.notation(move),
        forced=True,
        standing=standing,
        condition=condition,
    )


def obeyed(match: Match, seat: Seat) -> object | None:
    """The move that a seat's standing order makes now, if any."""
    order = match.secrets.get(match.pending.standing.get(seat, ""))
    return match.game.obey(match.course.position, order) if order is not None else None
