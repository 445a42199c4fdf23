"""The search for a move, one for all games by the Game record: knowledge first, then a narrow look.

What is looked at is counted in plays, not in time: the same numbers give the same move on every
machine. Everybody else is taken to play against the seat that asks, by what `value` says of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pbem.bots.luck import Choose, seeded, stream
from pbem.games import AnyGame
from pbem.games.chance import Dice, OneOf, Part, random_below
from pbem.games.evaluation import WON
from pbem.games.game import Chance, ChanceResult, Seat, Seats

_MOST: Final = 10**9
"""More than anything is worth."""

_LONGER: Final = 6
"""Turns of several steps that are followed further, the best at each length."""

_FORCED: Final = 20
"""Forced turns that are followed without being counted as a look ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How far a search goes: plays in all, turns ahead, moves that are followed at each.

    `draws` are the answers of chance that are tried where one is due, `worlds` the positions that
    may lie under what is hidden. `ends`: what follows counts only where somebody wins by it.
    """

    plays: int
    ahead: int
    wide: int
    draws: int = 3
    worlds: int = 1
    ends: bool = False


class Found(NamedTuple):
    """A move, what it is worth to its seat, and the plays that were looked at for it."""

    move: Any
    worth: int
    plays: int


class Weighed(NamedTuple):
    """What some moves are worth, and whether other luck might say otherwise."""

    found: Sequence[Found]
    lucky: bool


@dataclass(slots=True)
class _Line:
    """A move with the position after it and what that is worth to the seat that asks."""

    move: Any
    after: Any
    worth: int


class _OutOfPlays(Exception):  # noqa: N818 - what happened
    """The effort is spent."""


def search(
    game: AnyGame, position: Any, seat: Seat, choose: Choose, effort: Effort
) -> Sequence[Found]:
    """The moves that were looked at, the best first; each is legal in the position itself.

    A seat is shown nothing that it cannot know: hidden things are as `worlds` gives them.
    """
    looked = _Search(game, seat, choose, effort)
    lines = looked.lines(game.redact(position, seat))
    worlds = [
        game.determinize(position, seat, choose)
        for _ in range(effort.worlds if game.has_secret_draws else 0)
    ]
    try:
        for ahead in range(2, effort.ahead + 1):
            looked.follow(lines, ahead, worlds)
    except _OutOfPlays:
        pass
    lines.sort(key=lambda line: line.worth, reverse=True)
    return [Found(line.move, line.worth, looked.plays) for line in lines]


def at_table(game: AnyGame, position: Any) -> int:
    """How many seats a position has."""
    return len(game.evaluate(position))


def weighed(  # noqa: PLR0917 - what is looked at, for whom, and how
    game: AnyGame, position: Any, seat: Seat, seed: str, effort: Effort, moves: Sequence[Any]
) -> Weighed:
    """Some moves in their order, each looked at as far as the others, with the same luck.

    Where the effort does not reach for all of them, all are looked at less far. Whoever wins is
    worth WON, whatever places the others have, and whoever does not as much less than nothing.
    """
    for ahead in range(effort.ahead, 1, -1):
        choose = seeded(seed)
        looked = _Search(game, seat, choose, effort, flat=True)
        worlds = [
            game.determinize(position, seat, choose)
            for _ in range(effort.worlds if game.has_secret_draws else 0)
        ]
        try:
            found = looked.weighed(game.redact(position, seat), moves, ahead, worlds)
        except _OutOfPlays:
            continue
        return Weighed(found, lucky=looked.lucky or bool(worlds))
    looked = _Search(game, seat, seeded(seed), effort, flat=True)
    return Weighed(looked.weighed(game.redact(position, seat), moves, 1, ()), lucky=False)


class _Search:
    """One search: what it has looked at, for whom, and how much more it may.

    `flat`: an end is worth WON or as much less than nothing, so that an average of ends and other
    positions says how many ends are in it. `lucky`: chance has answered.
    """

    __slots__ = ("effort", "flat", "game", "lucky", "plays", "seat", "seed")

    def __init__(
        self, game: AnyGame, seat: Seat, choose: Choose, effort: Effort, *, flat: bool = False
    ) -> None:
        self.game, self.seat, self.effort, self.flat = game, seat, effort, flat
        self.plays, self.seed, self.lucky = 0, choose(_MOST), False

    # --- the root -----------------------------------------------------------------------------

    def lines(self, position: Any) -> list[_Line]:
        """All first moves, the best first; longer turns grow out of the best short ones."""
        game = self.game
        lines = self._some(position, game.legal_moves(position))
        grown = sorted(lines, key=_worth, reverse=True)
        while grown:
            longer = (game.extensions(position, line.move) for line in grown[:_LONGER])
            grown = self._some(position, [move for some in longer for move in some])
            grown.sort(key=_worth, reverse=True)
            lines += grown
        lines.sort(key=_worth, reverse=True)
        return lines

    def _some(self, position: Any, moves: Sequence[Any]) -> list[_Line]:
        """The moves, as many as may be played; like ones stand together, so all kinds are seen."""
        room = self.effort.plays - self.plays
        if len(moves) > room:
            moves = [moves[at * len(moves) // room] for at in range(room)]
        return [self._line(position, move) for move in moves]

    def follow(self, lines: list[_Line], ahead: int, worlds: Sequence[Any]) -> None:
        """Look further behind the best moves, and put them in order by what is found there.

        A move that is not followed is worth no more than those that are. Where the effort ends in
        the middle, what has not been looked at so far stays as it was.
        """
        lines.sort(key=_worth, reverse=True)
        best, followed = -_MOST, 0
        for line in lines[: self.effort.wide]:
            if self.effort.ends and line.worth <= best:
                break  # what follows hardly makes it better
            # One less: a move that is as good as the best is known to be, and not only no better.
            line.worth = self._followed(worlds, line, ahead, best - 1)
            best, followed = max(best, line.worth), followed + 1
        for line in lines[followed:]:
            line.worth = min(line.worth, best - 1)

    def weighed(
        self, position: Any, moves: Sequence[Any], ahead: int, worlds: Sequence[Any]
    ) -> Sequence[Found]:
        """What each of some moves is worth, whatever the others are."""
        lines = [self._line(position, move) for move in moves]
        if ahead > 1:
            for line in lines:
                line.worth = self._followed(worlds, line, ahead, -_MOST)
        return [Found(line.move, line.worth, self.plays) for line in lines]

    def _followed(self, worlds: Sequence[Any], line: _Line, ahead: int, least: int) -> int:
        """What a first move is worth by what follows it, in all worlds."""
        # The same worlds for each move that is compared, as it is with luck.
        afters = [self._play(world, line.move) for world in worlds] if worlds else [line.after]
        least = -_MOST if self.effort.ends else least
        found = [self._below(after, ahead - 1, least, _MOST) for after in afters]
        if not self.effort.ends:
            return sum(found) // len(found)
        return line.worth + sum(one for one in found if abs(one) > WON // 2) // len(found)

    # --- below --------------------------------------------------------------------------------

    def _below(self, position: Any, ahead: int, least: int, most: int) -> int:
        """What a position is worth if so many turns follow, as far as it lies between two bounds.

        The seat that asks takes what is best for it, everybody else what is worst for it.
        """
        position, turn = self._settled(position)
        match turn:
            case Chance():
                self.lucky = True
                tries = range(self.effort.draws)
                afters = [self._behind_draws(position, self._luck(number)) for number in tries]
                found = [self._below_draws(after, ahead) for after in afters]
                return sum(found) // len(found)
            case Seats((seat, *_)) if ahead > 0:
                return self._best(position, least, most, ahead, own=seat == self.seat)
            case _:
                return self._worth(position)

    def _below_draws(self, position: Any, ahead: int) -> int:
        """What a position behind draws is worth; as it stands if still nobody is to act."""
        if isinstance(self.game.turn(position), Seats):
            return self._below(position, ahead, -_MOST, _MOST)
        return self._worth(position)

    def _best(self, position: Any, least: int, most: int, ahead: int, *, own: bool) -> int:
        """The same where it is somebody's turn: a reply that settles it ends the look."""
        found = -_MOST if own else _MOST
        for worth in self._replies(position, (least, most), ahead, own=own):
            found = max(found, worth) if own else min(found, worth)
            if found >= most if own else found <= least:
                break
        return found

    def _replies(
        self, position: Any, bounds: tuple[int, int], ahead: int, *, own: bool
    ) -> Iterator[int]:
        """What the replies are worth: each as it stands, or with what follows the best of them."""
        moves = self.game.legal_moves(position)
        if ahead == 1:
            # No generator expression: compiled, it plays all of them before it yields one.
            for move in moves:
                yield self._line(position, move).worth
            return
        least, most = bounds
        lines = [self._line(position, move) for move in moves]
        lines.sort(key=_worth, reverse=own)
        for line in lines[: self.effort.wide]:
            worth = self._below(line.after, ahead - 1, least, most)
            yield worth
            if own:
                least = max(least, worth)
            else:
                most = min(most, worth)

    def _settled(self, position: Any) -> tuple[Any, Any]:
        """The position behind forced turns, and what is due there."""
        for _ in range(_FORCED):
            turn = self.game.turn(position)
            if not isinstance(turn, Seats):
                return position, turn
            forced = self.game.forced_move(position)
            if forced is None:
                return position, turn
            position = self.game.play(position, forced)
        return position, None

    def _luck(self, number: int) -> Choose:
        """The same luck for each move that is compared: else the luckier one would seem better."""
        source = stream(b"%d %d" % (self.seed, number))
        return lambda size: random_below(source, size)

    def _behind_draws(self, position: Any, choose: Choose) -> Any:
        """The position behind one answer to what is due, and to what is due behind forced turns."""
        for _ in range(_FORCED):
            position, turn = self._settled(position)
            if not isinstance(turn, Chance):
                break
            position = self._play(position, ChanceResult(_drawn(turn.draw.parts, choose)))
        return position

    # --- plays --------------------------------------------------------------------------------

    def _line(self, position: Any, move: Any) -> _Line:
        after = self._play(position, move)
        return _Line(move, after, self._worth(after))

    def _play(self, position: Any, move: Any) -> Any:
        if self.plays >= self.effort.plays:
            raise _OutOfPlays
        self.plays += 1
        return self.game.play(position, move)

    def _worth(self, position: Any) -> int:
        """By how much the seat leads, or is behind whoever leads."""
        values = self.game.evaluate(position)
        own = values[self.seat - 1]
        lead = own - max(value for at, value in enumerate(values, 1) if at != self.seat)
        if self.flat and abs(lead) > WON // 2:
            return WON if lead > 0 else -WON
        return lead


def _worth(line: _Line) -> int:
    return line.worth


def _drawn(parts: Sequence[Part], choose: Choose) -> tuple[int, ...]:
    found: list[int] = []
    for part in parts:
        match part:
            case Dice(count, sides):
                found += [1 + choose(sides) for _ in range(count)]
            case OneOf(size):
                found.append(choose(size))
            case _:
                order = list(range(part.size))
                found += [order.pop(choose(len(order))) for _ in range(part.size)]
    return tuple(found)
