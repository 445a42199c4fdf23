"""The search for a good move, which works in any game by the functions of the `Game` record.

The *worth* of a position is its value for the searching seat (`Game.evaluate`) minus the highest
value for another seat. At first, legal moves are compared by the worth of the positions after them.
Then the best `Effort.wide` moves are searched up to `Effort.ahead` turns deep, by minimax with
alpha-beta bounds. Every other seat counts as an opponent of the searching seat.

A search is bounded by the number of moves played, not by time, so that the same seed gives the same
move on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.bots.luck import Choose, stream
from pbem.games import AnyGame
from pbem.games.chance import sample
from pbem.games.evaluation import WON
from pbem.games.game import Chance, ChanceResult, Seat, Seats

_MOST: Final = 10**9  # a bound above the value of any position
_LONGER: Final = 6  # best moves of each length that are extended by another step
_FORCED: Final = 20  # most forced moves, or random draws, that are played in a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The limits of a search."""

    plays: int  # most calls of `game.play`, apart from those for forced moves
    ahead: int  # depth in turns; 1 compares only the positions after the legal moves
    wide: int  # best moves of each position that are searched deeper
    draws: int = 3  # random results that are tried for each draw
    worlds: int = 1  # guesses of the hidden parts of a position, in games with secret draws
    ends: bool = False  # whether later turns change a worth only if the game ends in them


@dataclass(slots=True)
class Candidate:
    """A move, the position after it, and the worth of the move to the searching seat."""

    move: Any
    after: Any
    worth: int


class _OutOfPlaysError(Exception):
    """Raised if a search has played as many moves as its limit allows."""


def search(
    game: AnyGame, position: Any, seat: Seat, choose: Choose, effort: Effort
) -> Sequence[Candidate]:
    """Evaluate legal moves of a position as far as `effort` allows, and return them, best first.

    The search uses only what `seat`, which is to act, knows of the position. If parts are hidden,
    they are guessed `effort.worlds` times. The search takes the mean worth of a move over these
    guesses. `choose` is the source of random numbers.
    """
    searcher = _Search(game, seat, choose, effort)
    lines = searcher.list_first_moves(game.redact(position, seat))
    worlds = [
        game.determinize(position, seat, choose)
        for _ in range(effort.worlds if game.has_secret_draws else 0)
    ]
    try:
        for ahead in range(2, effort.ahead + 1):
            searcher.follow(lines, ahead, worlds)
    except _OutOfPlaysError:
        pass
    lines.sort(key=lambda line: line.worth, reverse=True)
    return lines


class _Search:
    """A search for a move of one seat, with a limited number of calls of `game.play`."""

    __slots__ = ("effort", "game", "plays", "seat", "seed")

    def __init__(self, game: AnyGame, seat: Seat, choose: Choose, effort: Effort) -> None:
        self.game, self.seat, self.effort = game, seat, effort
        self.plays, self.seed = 0, choose(_MOST)

    # --- the root -----------------------------------------------------------------------------

    def list_first_moves(self, position: Any) -> list[Candidate]:
        """Return candidates for the move of the searching seat, by descending worth.

        If a turn can have several steps, the best `_LONGER` moves of each length are extended by
        one more step.
        """
        game = self.game
        lines = self._candidates(position, game.legal_moves(position))
        batch = sorted(lines, key=_worth, reverse=True)
        while batch:
            extensions = (game.extensions(position, line.move) for line in batch[:_LONGER])
            batch = self._candidates(position, [move for moves in extensions for move in moves])
            batch.sort(key=_worth, reverse=True)
            lines += batch
        lines.sort(key=_worth, reverse=True)
        return lines

    def _candidates(self, position: Any, moves: Sequence[Any]) -> list[Candidate]:
        """Return candidates for the moves, or for as many of them as the limit of plays allows.

        If the limit is too low for all moves, moves at equal distances in `moves` are used. Similar
        moves are next to each other in `moves`, so moves of all kinds are used.
        """
        room = self.effort.plays - self.plays
        if len(moves) > room:
            moves = [moves[index * len(moves) // room] for index in range(room)]
        return [self._line(position, move) for move in moves]

    def follow(self, lines: list[Candidate], ahead: int, worlds: Sequence[Any]) -> None:
        """Search the best `effort.wide` candidates `ahead` turns deep, and update their worth.

        The other candidates get a worth below the worth of the best searched candidate.

        Raises:
            _OutOfPlaysError: The limit of plays is reached. Candidates that were not searched until
                then keep their worth.
        """
        lines.sort(key=_worth, reverse=True)
        best, count = -_MOST, 0
        for line in lines[: self.effort.wide]:
            if self.effort.ends and line.worth <= best:
                break  # this move becomes better only if the game ends soon
            # One less, so that the search tells a move as good as the best from a worse one.
            line.worth = self._follow(worlds, line, ahead, best - 1)
            best, count = max(best, line.worth), count + 1
        for line in lines[count:]:
            line.worth = min(line.worth, best - 1)

    def _follow(self, worlds: Sequence[Any], line: Candidate, ahead: int, least: int) -> int:
        """Return the worth of a candidate, searched `ahead` turns deep, as the mean over `worlds`.

        `worlds` are guesses of the position; they are empty if the game hides nothing. A worth
        below `least` may be inexact. With `effort.ends`, the worth of the candidate changes only if
        the game ends within these turns.
        """
        # All moves are compared in the same worlds, and with the same luck.
        afters = [self._play(world, line.move) for world in worlds] if worlds else [line.after]
        least = -_MOST if self.effort.ends else least
        worths = [self._look_ahead(after, ahead - 1, least, _MOST) for after in afters]
        if not self.effort.ends:
            return sum(worths) // len(worths)
        return line.worth + sum(worth for worth in worths if abs(worth) > WON // 2) // len(worths)

    # --- below --------------------------------------------------------------------------------

    def _look_ahead(self, position: Any, ahead: int, least: int, most: int) -> int:
        """Return the worth of the position, searched `ahead` turns deep.

        A worth outside the bounds `least` and `most` may be inexact. The searching seat chooses its
        best move, and each other seat chooses the move that is worst for the searching seat.
        """
        position, turn = self._play_forced(position)
        match turn:
            case Chance():
                tries = range(self.effort.draws)
                afters = [self._draw(position, number) for number in tries]
                worths = [self._look_past_draw(after, ahead) for after in afters]
                return sum(worths) // len(worths)
            case Seats((seat, *_)) if ahead > 0:
                return self._best(position, least, most, ahead, own=seat == self.seat)
            case _:
                return self._worth(position)

    def _look_past_draw(self, position: Any, ahead: int) -> int:
        """Return the worth of a position after a random draw, searched `ahead` turns deep.

        There are no alpha-beta bounds, because a mean needs the exact worth after each result.
        """
        if isinstance(self.game.turn(position), Seats):
            return self._look_ahead(position, ahead, -_MOST, _MOST)
        return self._worth(position)

    def _best(self, position: Any, least: int, most: int, ahead: int, *, own: bool) -> int:
        """Return the worth of the best move for the seat to act, searched `ahead` turns deep.

        `own` is True if the searching seat is to act. Otherwise an opponent is to act, whose best
        move is the one with the lowest worth. `least` and `most` are alpha-beta bounds. If the
        worth of a move reaches `most` (`least` for an opponent), the search ends with this move.
        """
        best = -_MOST if own else _MOST
        for worth in self._replies(position, (least, most), ahead, own=own):
            best = max(best, worth) if own else min(best, worth)
            if best >= most if own else best <= least:
                break
        return best

    def _replies(
        self, position: Any, bounds: tuple[int, int], ahead: int, *, own: bool
    ) -> Iterator[int]:
        """Yield the worth of legal moves in the position, searched `ahead` turns deep.

        If `ahead` is 1, all legal moves are included. Otherwise, only the `effort.wide` moves that
        look best for the seat to act are included. Those are chosen by the worth of the position
        right after the move.

        Args:
            position: The position, in which a seat is to act.
            bounds: The alpha-beta bounds: the lowest and the highest worth that matter.
            ahead: The number of turns to search, at least 1.
            own: Whether the searching seat is to act.
        """
        moves = self.game.legal_moves(position)
        if ahead == 1:
            yield from (self._line(position, move).worth for move in moves)
            return
        least, most = bounds
        lines = [self._line(position, move) for move in moves]
        lines.sort(key=_worth, reverse=own)
        for line in lines[: self.effort.wide]:
            worth = self._look_ahead(line.after, ahead - 1, least, most)
            yield worth
            if own:
                least = max(least, worth)
            else:
                most = min(most, worth)

    def _play_forced(self, position: Any) -> tuple[Any, Any]:
        """Play all moves that are forced, and return the position after them and its turn.

        After `_FORCED` forced moves in a row, playing stops, and the turn is None.
        """
        for _ in range(_FORCED):
            turn = self.game.turn(position)
            if not isinstance(turn, Seats):
                return position, turn
            forced = self.game.forced_move(position)
            if forced is None:
                return position, turn
            position = self.game.play(position, forced)
        return position, None

    def _draw(self, position: Any, number: int) -> Any:
        """Play the random draws that are due, and return the position after them.

        Each draw is tried several times, and `number` is the number of the try. In the same try,
        all moves get the same random numbers, so that no move seems better by luck alone.
        """
        source = stream(b"%d %d" % (self.seed, number))
        for _ in range(_FORCED):
            position, turn = self._play_forced(position)
            if not isinstance(turn, Chance):
                break
            position = self._play(position, ChanceResult(sample(turn.draw, source)))
        return position

    # --- plays --------------------------------------------------------------------------------

    def _line(self, position: Any, move: Any) -> Candidate:
        after = self._play(position, move)
        return Candidate(move, after, self._worth(after))

    def _play(self, position: Any, move: Any) -> Any:
        if self.plays >= self.effort.plays:
            raise _OutOfPlaysError
        self.plays += 1
        return self.game.play(position, move)

    def _worth(self, position: Any) -> int:
        """Return the value for the searching seat minus the highest value for another seat."""
        values = self.game.evaluate(position)
        own = values[self.seat - 1]
        return own - max(value for seat, value in enumerate(values, 1) if seat != self.seat)


def _worth(line: Candidate) -> int:
    return line.worth
