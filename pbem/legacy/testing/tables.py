"""Games played for the checks: by chance at first, then by what positions are worth, to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pbem.bots.luck import Choose, seeded
from pbem.bots.search import Effort, search
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Marks, Over, Played, Seat, Seats, Viewpoint

MOST_PLIES: Final = 4000
"""A game that takes more does not end."""

BY_CHANCE: Final = 60
"""Plies at random; what follows is played by worth, where a game says what positions are worth."""

SAMPLED: Final = 25
"""Steps of a game that a check looks at, where it would take long to look at all."""

_FIRST_SIGHT: Final = Effort(plays=300, ahead=1, wide=1)

NAMES: Final = ("Anna", "Bernadette & Söhne", "</svg>", "東京", "Eve", "Zoë")
"""Who sits at a table: as names may be."""


class Unplayable(Exception):  # noqa: N818 - what was found
    """A game cannot be played to its end; the message says what to mend."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move or a draw between two positions; `seat` is None where chance has answered."""

    before: Any
    played: Any
    after: Any
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Table:
    """A game with a number of seats."""

    game: AnyGame
    seats: int

    @property
    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """A spectator, and every seat."""
        return (None, *map(Seat, range(1, self.seats + 1)))

    def start(self) -> Any:
        """The position before the first ply, with the usual options."""
        return self.game.initial(self.seats, self.game.normal_options({}))

    def steps(self, seed: int) -> Sequence[Step]:
        """A whole game. Raises Unplayable."""
        return _whole(self.game, self.seats, seed)

    def sampled(self, seed: int) -> Sequence[Step]:
        """Some of its steps, from the first to the last."""
        steps = self.steps(seed)
        return [*steps[:: max(1, len(steps) // SAMPLED)], *steps[-1:]]

    def turns(self, seed: int) -> Sequence[tuple[Step, Seat]]:
        """Those of them that somebody has made."""
        return [(step, step.seat) for step in self.sampled(seed) if step.seat is not None]

    def positions(self, seed: int) -> Sequence[Any]:
        """Some positions of a game, its first and its last among them."""
        return [self.start(), *(step.after for step in self.sampled(seed))]

    def marks(self, step: Step) -> Marks[Any, Any]:
        """What a picture marks after a step."""
        since = (Played(step.played, step.before, step.after),)
        return Marks(since=since, names=NAMES[: self.seats], signs=self.signs)

    @property
    def signs(self) -> tuple[str, ...]:
        """Letters for the seats, where the game has such."""
        if self.game.reserved is None:
            return ()
        free = (letter for letter in "ABCDEFGHJKLMNOPQ" if letter not in self.game.reserved)
        return tuple(next(free) for _ in range(self.seats))


@lru_cache(maxsize=64)
def _whole(game: AnyGame, seats: int, seed: int) -> tuple[Step, ...]:
    table, choose = Table(game, seats), seeded(f"contract {seed}")
    return tuple(walk(game, table.start(), choose, by_chance=BY_CHANCE))


def walk(
    game: AnyGame, position: Any, choose: Choose, *, by_chance: int = MOST_PLIES
) -> Iterator[Step]:
    """A game from a position to its end, so many plies of it at random. Raises Unplayable."""
    for ply in range(MOST_PLIES):
        turn = game.turn(position)
        seat: Seat | None = None
        played: Any = None
        match turn:
            case Over():
                return
            case Chance(draw):
                played = drawn(draw, choose)
            case Seats(acting):
                seat = acting[choose(len(acting))]
                choice = _best if game.is_valued and ply >= by_chance else _any
                played = choice(game, position, seat, choose)
        try:
            after = game.play(position, played)
        except Rejection as refused:
            raise Unplayable(
                f"play(): refuses what legal() or chance has at {game.dump(position)!r}: {refused}"
            ) from refused
        yield Step(position, played, after, seat)
        position = after
    raise Unplayable(
        f"a game goes on after {MOST_PLIES} plies: say what positions are worth (value), so that"
        " somebody tries to win, or end it by a rule"
    )


def drawn(draw: Any, choose: Choose) -> Drawn:
    """What chance answers to a request."""
    return Drawn(answer(draw, iter(lambda: choose(256), -1)))


def _any(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    del seat
    legal = game.legal(position)
    return legal[choose(len(legal))]


def _best(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    found = search(game, position, seat, choose, _FIRST_SIGHT)
    best = [one for one in found if one.worth == found[0].worth]
    return best[choose(len(best))].move
