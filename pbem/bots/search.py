"""The search for a good move, which works in any game by the functions of the `Game` record.

The *worth* of a position is its value for the searching seat (`Game.evaluate`) minus the highest
value for another seat. At first, legal moves are compared by the worth of the positions after them.
Then the best `Effort.breadth` moves are searched up to `Effort.depth` turns deep, by minimax with
alpha-beta bounds. Every other seat counts as an opponent of the searching seat.

A search is bounded by the number of moves played, not by time, so that the same seed gives the same
move on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.bots.luck import Choose, random_bytes
from pbem.games import AnyGame
from pbem.games.chance import sample
from pbem.games.evaluation import WON
from pbem.games.game import Chance, ChanceResult, Seat, Seats

_INFINITY: Final = 10**9  # a bound above the value of any position
_EXTENDED_COUNT: Final = 6  # best moves of each length that are extended by another step
_MAX_FORCED: Final = 20  # most forced moves, or random draws, that are played in a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The limits of a search."""

    max_plays: int  # most calls of `game.play`, apart from those for forced moves
    depth: int  # turns that are searched; 1 compares only the positions after the legal moves
    breadth: int  # best moves of each position that are searched deeper
    draw_samples: int = 3  # random results that are tried for each draw
    guess_count: int = 1  # guesses of the hidden parts of a position, in games with sealed draws
    counts_only_ends: bool = False  # whether later turns count only if the game ends in them


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
    they are guessed `effort.guess_count` times. The search takes the mean worth of a move over
    these guesses. `choose` is the source of random numbers.
    """
    searcher = _Search(game, seat, choose, effort)
    candidates = searcher.list_first_moves(game.redact(position, seat))
    guesses = [
        game.determinize(position, seat, choose)
        for _ in range(effort.guess_count if game.has_sealed_draws else 0)
    ]
    try:
        for depth in range(2, effort.depth + 1):
            searcher.follow(candidates, depth, guesses)
    except _OutOfPlaysError:
        pass
    candidates.sort(key=lambda candidate: candidate.worth, reverse=True)
    return candidates


class _Search:
    """A search for a move of one seat, with a limited number of calls of `game.play`."""

    __slots__ = ("effort", "game", "play_count", "seat", "seed")

    def __init__(self, game: AnyGame, seat: Seat, choose: Choose, effort: Effort) -> None:
        self.game, self.seat, self.effort = game, seat, effort
        self.play_count, self.seed = 0, choose(_INFINITY)

    # --- the root -----------------------------------------------------------------------------

    def list_first_moves(self, position: Any) -> list[Candidate]:
        """Return candidates for the move of the searching seat, by descending worth.

        If a turn can have several steps, the best `_EXTENDED_COUNT` moves of each length are
        extended by one more step.
        """
        game = self.game
        candidates = self._rate_all(position, game.legal_moves(position))
        batch = sorted(candidates, key=_get_worth, reverse=True)
        while batch:
            best = batch[:_EXTENDED_COUNT]
            extensions = (game.extensions(position, candidate.move) for candidate in best)
            batch = self._rate_all(position, [move for moves in extensions for move in moves])
            batch.sort(key=_get_worth, reverse=True)
            candidates += batch
        candidates.sort(key=_get_worth, reverse=True)
        return candidates

    def _rate_all(self, position: Any, moves: Sequence[Any]) -> list[Candidate]:
        """Return candidates for the moves, or for as many of them as the limit of plays allows.

        If the limit is too low for all moves, moves at equal distances in `moves` are used. Similar
        moves are next to each other in `moves`, so moves of all kinds are used.
        """
        room = self.effort.max_plays - self.play_count
        if len(moves) > room:
            moves = [moves[index * len(moves) // room] for index in range(room)]
        return [self._rate(position, move) for move in moves]

    def follow(self, candidates: list[Candidate], depth: int, guesses: Sequence[Any]) -> None:
        """Search the best `effort.breadth` candidates `depth` turns deep, and update their worth.

        The other candidates get a worth below the worth of the best searched candidate. With
        `effort.counts_only_ends`, the search ends before a candidate that cannot become the best.
        `guesses` are positions that the real one may be, as `search` guesses them.

        Raises:
            _OutOfPlaysError: The limit of plays is reached. Candidates that were not searched until
                then keep their worth.
        """
        candidates.sort(key=_get_worth, reverse=True)
        best, count = -_INFINITY, 0
        for candidate in candidates[: self.effort.breadth]:
            if self.effort.counts_only_ends and candidate.worth <= best:
                break  # this move becomes better only if the game ends soon
            # One less, so that the search tells a move as good as the best from a worse one.
            candidate.worth = self._follow(guesses, candidate, depth, best - 1)
            best, count = max(best, candidate.worth), count + 1
        for candidate in candidates[count:]:
            candidate.worth = min(candidate.worth, best - 1)

    def _follow(self, guesses: Sequence[Any], candidate: Candidate, depth: int, alpha: int) -> int:
        """Return the worth of a candidate, searched `depth` turns deep, as the mean over `guesses`.

        `guesses` are guesses of the position; they are empty if the game hides nothing. A worth
        below `alpha` may be inexact. With `effort.counts_only_ends`, the worth of the candidate
        changes only if the game ends within these turns.
        """
        # All moves are compared by the same guesses, and with the same luck.
        afters = [self._play(guess, candidate.move) for guess in guesses] or [candidate.after]
        alpha = -_INFINITY if self.effort.counts_only_ends else alpha
        worths = [self._look_ahead(after, depth - 1, alpha, _INFINITY) for after in afters]
        if not self.effort.counts_only_ends:
            return sum(worths) // len(worths)
        ends = sum(worth for worth in worths if abs(worth) > WON // 2)
        return candidate.worth + ends // len(worths)

    # --- below --------------------------------------------------------------------------------

    def _look_ahead(self, position: Any, depth: int, alpha: int, beta: int) -> int:
        """Return the worth of the position, searched `depth` turns deep.

        A worth outside the bounds `alpha` and `beta` may be inexact. The searching seat chooses its
        best move, and each other seat chooses the move that is worst for the searching seat.
        """
        position, turn = self._play_forced(position)
        match turn:
            case Chance():
                tries = range(self.effort.draw_samples)
                afters = [self._draw(position, number) for number in tries]
                worths = [self._look_past_draw(after, depth) for after in afters]
                return sum(worths) // len(worths)
            case Seats((seat, *_)) if depth > 0:
                return self._best_worth(position, alpha, beta, depth, is_own=seat == self.seat)
            case _:
                return self._rate_position(position)

    def _look_past_draw(self, position: Any, depth: int) -> int:
        """Return the worth of a position after a random draw, searched `depth` turns deep.

        There are no alpha-beta bounds, because a mean needs the exact worth after each result.
        """
        if isinstance(self.game.turn(position), Seats):
            return self._look_ahead(position, depth, -_INFINITY, _INFINITY)
        return self._rate_position(position)

    def _best_worth(self, position: Any, alpha: int, beta: int, depth: int, *, is_own: bool) -> int:
        """Return the worth of the best move for the seat to act, searched `depth` turns deep.

        `is_own` is True if the searching seat is to act. Otherwise an opponent is to act, whose
        best move is the one with the lowest worth. `alpha` and `beta` are the bounds. If the worth
        of a move reaches `beta` (`alpha` for an opponent), the search ends with this move.
        """
        best = -_INFINITY if is_own else _INFINITY
        for worth in self._reply_worths(position, (alpha, beta), depth, is_own=is_own):
            best = max(best, worth) if is_own else min(best, worth)
            if best >= beta if is_own else best <= alpha:
                break
        return best

    def _reply_worths(
        self, position: Any, bounds: tuple[int, int], depth: int, *, is_own: bool
    ) -> Iterator[int]:
        """Yield the worth of legal moves in the position, searched `depth` turns deep.

        If `depth` is 1, all legal moves are included. Otherwise, only the `effort.breadth` moves
        that look best for the seat to act are included. Those are chosen by the worth of the
        position right after the move.

        Args:
            position: The position, in which a seat is to act.
            bounds: The alpha-beta bounds: the lowest and the highest worth that matter.
            depth: The number of turns to search, at least 1.
            is_own: Whether the searching seat is to act.
        """
        moves = self.game.legal_moves(position)
        if depth == 1:
            yield from (self._rate(position, move).worth for move in moves)
            return
        alpha, beta = bounds
        candidates = [self._rate(position, move) for move in moves]
        candidates.sort(key=_get_worth, reverse=is_own)
        for candidate in candidates[: self.effort.breadth]:
            worth = self._look_ahead(candidate.after, depth - 1, alpha, beta)
            yield worth
            if is_own:
                alpha = max(alpha, worth)
            else:
                beta = min(beta, worth)

    def _play_forced(self, position: Any) -> tuple[Any, Any]:
        """Play all moves that are forced, and return the position after them and its turn.

        After `_MAX_FORCED` forced moves in a row, playing stops, and the turn is None.
        """
        for _ in range(_MAX_FORCED):
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
        source = random_bytes(b"%d %d" % (self.seed, number))
        for _ in range(_MAX_FORCED):
            position, turn = self._play_forced(position)
            if not isinstance(turn, Chance):
                break
            position = self._play(position, ChanceResult(sample(turn.draw, source)))
        return position

    # --- plays --------------------------------------------------------------------------------

    def _rate(self, position: Any, move: Any) -> Candidate:
        after = self._play(position, move)
        return Candidate(move, after, self._rate_position(after))

    def _play(self, position: Any, move: Any) -> Any:
        if self.play_count >= self.effort.max_plays:
            raise _OutOfPlaysError
        self.play_count += 1
        return self.game.play(position, move)

    def _rate_position(self, position: Any) -> int:
        """Return the value for the searching seat minus the highest value for another seat."""
        values = self.game.evaluate(position)
        own = values[self.seat - 1]
        return own - max(value for seat, value in enumerate(values, 1) if seat != self.seat)


def _get_worth(candidate: Candidate) -> int:
    return candidate.worth
