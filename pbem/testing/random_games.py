"""Random games that the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pbem.bots.levels import choose_random_move
from pbem.bots.luck import Choose, seeded
from pbem.bots.search import Effort, search
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.chance import Draw, sample
from pbem.games.game import Chance, ChanceResult, GameOver, Marks, Seat, Transition, Viewpoint

GAMES: Final = 2  # random games a number of seats
PLIES: Final = 60  # of a random game; some games hardly ever end at random
MOST_PLIES: Final = 4000  # a game that takes more doesn't end
SAMPLES: Final = 12  # steps of a game that slow checks look at
PLAYER_NAMES: Final = ("Anna", "Bernadette & Söhne", "</svg>", "東京", "Eve", "Zoë")
_FIRST_SIGHT: Final = Effort(plays=100, ahead=1, wide=1)


class BrokenGameError(Exception):
    """A game cannot be played on; the message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move or a draw between two positions; `seat` is None for a draw."""

    before: Any
    move: Any
    after: Any
    seat: Seat | None


class RandomGames:
    """A game with a number of seats, and some random games of it."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        """Take the game; it is played when a check asks for steps."""
        self.game, self.seats = game, seats

    @property
    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """A spectator, and every seat."""
        return (None, *self.all_seats)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """Every seat."""
        return tuple(map(Seat, range(1, self.seats + 1)))

    @property
    def signs(self) -> tuple[str, ...]:
        """Letters for the seats, if the game has such."""
        if self.game.reserved_letters is None:
            return ()
        free = (
            letter
            for letter in "ABCDEFGHIJKLMNOPQRSTUVW"
            if letter not in self.game.reserved_letters
        )
        return tuple(next(free) for _ in range(self.seats))

    @property
    def names(self) -> tuple[str, ...]:
        """Names for the seats, of all sorts."""
        return tuple(PLAYER_NAMES[n % len(PLAYER_NAMES)] for n in range(self.seats))

    def start(self) -> Any:
        """Return the position before the first ply, with the default options."""
        return self.game.initial_position(self.seats, self.game.normalise_options({}))

    @cached_property
    def games(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of each game, up to PLIES of them."""
        return tuple(
            tuple(self.play_at_random(self.start(), seeded(f"contract {number}"), PLIES))
            for number in range(GAMES)
        )

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps of all games."""
        return tuple(step for steps in self.games for step in steps)

    @cached_property
    def samples(self) -> tuple[Step, ...]:
        """Some steps, the first and the last of each game among them."""
        return tuple(
            step
            for steps in self.games
            for step in (*steps[:2], *steps[2 :: max(1, len(steps) // SAMPLES)], *steps[-1:])
        )

    @cached_property
    def turns(self) -> tuple[tuple[Step, Seat], ...]:
        """Those of the samples that a seat has played."""
        return tuple((step, step.seat) for step in self.samples if step.seat is not None)

    @cached_property
    def positions(self) -> tuple[Any, ...]:
        """Some positions, the first one and those after the last steps among them."""
        return (self.start(), *(step.after for step in self.samples))

    def mark(self, step: Step) -> Marks[Any, Any]:
        """Return what a picture marks after a step."""
        since = (Transition(step.move, step.before, step.after),)
        return Marks(transitions=since, names=self.names, letters=self.signs)

    def play_at_random(self, position: Any, choose: Choose, plies: int) -> Iterator[Step]:
        """Yield up to a number of random steps from a position.

        Raises:
            BrokenGameError: There is no legal move, or it is refused.
        """
        for _ in range(plies):
            step = self._take_step(position, choose, is_greedy=False)
            if step is None:
                return
            yield step
            position = step.after

    def play_to_the_end(self, position: Any, choose: Choose) -> Any:
        """Return the position at the end of a game.

        Moves are chosen by their value if the game has values, because random play hardly ever
        ends some games.

        Raises:
            BrokenGameError: The game does not end, or cannot be played on.
        """
        for _ in range(MOST_PLIES):
            step = self._take_step(position, choose, is_greedy=self.game.has_evaluation)
            if step is None:
                return position
            position = step.after
        raise BrokenGameError(
            f"turn(): a game still goes on after {MOST_PLIES} plies. End it by a rule, or say by"
            " evaluate() what positions are worth, so that bots try to win."
        )

    def _take_step(self, position: Any, choose: Choose, *, is_greedy: bool) -> Step | None:
        game, turn, seat = self.game, self.game.turn(position), None
        if isinstance(turn, GameOver):
            return None
        if isinstance(turn, Chance):
            move: Any = answer_draw(turn.draw, choose)
        else:
            if not turn.seats:
                raise BrokenGameError(f"turn(): no seat is to act at {game.dump(position)!r}.")
            seat = turn.seats[choose(len(turn.seats))]
            if not game.legal_moves(position):
                raise BrokenGameError(
                    f"legal_moves(): seat {seat} is to act and has no legal move at"
                    f" {game.dump(position)!r}."
                )
            if is_greedy:
                move = search(game, position, seat, choose, _FIRST_SIGHT)[0].move
            else:
                move = choose_random_move(game, position, choose)
        try:
            after = game.play(position, move)
        except Rejection as refused:
            raise BrokenGameError(
                f"play(): refuses a legal move or a draw at {game.dump(position)!r}: {refused}."
            ) from refused
        return Step(position, move, after, seat)


def answer_draw(draw: Draw, choose: Choose) -> ChanceResult:
    """Return what chance answers to a request."""
    return ChanceResult(sample(draw, iter(lambda: choose(256), -1)))
