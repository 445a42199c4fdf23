"""Random games that the checks examine."""

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
from pbem.games.seat_letters import choose_seat_letters

GAME_COUNT: Final = 2  # random games for each number of seats
SAMPLED_PLIES: Final = 60  # most plies of a random game; some games hardly ever end at random
MAX_PLIES: Final = 4000  # plies after which a game counts as endless
SAMPLE_COUNT: Final = 12  # approximate number of steps of a game that slow checks examine
PLAYER_NAMES: Final = ("Anna", "Bernadette & Söhne", "</svg>", "東京", "Eve", "Zoë")
_FIRST_SIGHT: Final = Effort(max_plays=100, depth=1, breadth=1)


class BrokenGameError(Exception):
    """Raised if the functions of a game do not allow it to continue; the message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move or random draw with the positions around it. `seat` is None for a random draw."""

    before: Any
    move: Any
    after: Any
    seat: Seat | None


class RandomGames:
    """A few random games by the rules of `game`, with a fixed number of seats, for the checks."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        """Store the game. Its random games are played when a check first needs them."""
        self.game, self.seats = game, seats

    @property
    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """The viewpoints of a spectator (None) and of every seat."""
        return (None, *self.all_seats)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """All seats of the game."""
        return tuple(map(Seat, range(1, self.seats + 1)))

    @property
    def signs(self) -> tuple[str, ...]:
        """The letters that identify the seats on boards; empty if the game uses none."""
        return choose_seat_letters(self.names, self.game.reserved_letters)

    @property
    def names(self) -> tuple[str, ...]:
        """Player names for the seats, including unusual ones."""
        return tuple(PLAYER_NAMES[n % len(PLAYER_NAMES)] for n in range(self.seats))

    def start(self) -> Any:
        """Return the position before the first move, with the default options."""
        return self.game.initial_position(self.seats, self.game.normalise_options({}))

    @cached_property
    def games(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of each random game, at most SAMPLED_PLIES per game."""
        return tuple(
            tuple(self.play_at_random(self.start(), seeded(f"contract {number}"), SAMPLED_PLIES))
            for number in range(GAME_COUNT)
        )

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all random games."""
        return tuple(step for steps in self.games for step in steps)

    @cached_property
    def samples(self) -> tuple[Step, ...]:
        """A selection of steps, including the first two and the last one of each game."""
        return tuple(
            step
            for steps in self.games
            for step in (*steps[:2], *steps[2 :: max(1, len(steps) // SAMPLE_COUNT)], *steps[-1:])
        )

    @cached_property
    def turns(self) -> tuple[tuple[Step, Seat], ...]:
        """The sampled steps that are moves, not random draws, each with the seat that moves."""
        return tuple((step, step.seat) for step in self.samples if step.seat is not None)

    @cached_property
    def positions(self) -> tuple[Any, ...]:
        """The initial position, and the positions after the sampled steps."""
        return (self.start(), *(step.after for step in self.samples))

    def make_marks(self, step: Step) -> Marks[Any, Any]:
        """Return the marks for a picture of the board after a step: names, letters and the step."""
        since = (Transition(step.move, step.before, step.after),)
        return Marks(transitions=since, names=self.names, letters=self.signs)

    def play_at_random(self, position: Any, choose: Choose, plies: int) -> Iterator[Step]:
        """Yield at most `plies` steps of random play from a position, or fewer if the game ends.

        Raises:
            BrokenGameError: There is no legal move, or the game refuses one.
        """
        for _ in range(plies):
            step = self._take_step(position, choose, is_greedy=False)
            if step is None:
                return
            yield step
            position = step.after

    def play_to_the_end(self, position: Any, choose: Choose) -> Any:
        """Play a game from a position to its end, and return the final position.

        If the game can evaluate positions, each seat plays the move with the best value, because
        some games rarely end by random moves. Otherwise moves are random.

        Raises:
            BrokenGameError: The game does not end, or cannot be continued.
        """
        for _ in range(MAX_PLIES):
            step = self._take_step(position, choose, is_greedy=self.game.has_evaluation)
            if step is None:
                return position
            position = step.after
        raise BrokenGameError(
            f"turn(): a game still goes on after {MAX_PLIES} plies. End it by a rule, or say by"
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
    """Return a random result for a random draw.

    `choose(n)` returns a random number from 0 to n - 1.
    """
    return ChanceResult(sample(draw, iter(lambda: choose(256), -1)))
