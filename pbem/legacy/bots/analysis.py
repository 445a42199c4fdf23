"""A match that is over, looked at: who led at what time, and which turns decided it, and why.

It is looked at in pieces, a change of the board each, so that whoever computes it can stop between
any two. Who was to act is taken to have known what their seat could know, and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pbem.legacy.bots.leading import ALL, leads_of
from pbem.legacy.bots.levels import best_effort, knows_worth
from pbem.bots.luck import seeded
from pbem.legacy.bots.reasons import Reason, after_reply, differences
from pbem.bots.search import Effort, search, weighed
from pbem.games import AnyGame
from pbem.games.game import Drawn, Seat, Seats
from pbem.games.worth import WON

IN_ALL: Final = 600_000
"""Plays of a whole match with which turns are judged."""

LOOKED: Final = 2_000_000
"""Plays, times seats, with which it is looked who leads."""

DECIDED: Final = 3
"""Turns that are told."""

LITTLE: Final = 60
"""Who lost no more by a turn has decided nothing by it: half of a point, and a little."""

SURE: Final = 1_000
"""A win is at least as much as ten points more than the others."""

REASONS: Final = 3
"""Things that are said of one turn at once, and behind the answers to it."""

BESIDE: Final = 4
"""What weighs less than such a part of the weightiest reason is not said."""

ROUNDS: Final = 8
"""Times that two moves are compared, each time by other luck, where luck may say otherwise."""

ENOUGH: Final = 2
"""After so many it is seen that a turn has decided nothing."""

_FEW: Final = 20
"""Plays with which a turn is judged at least."""


class Passed(NamedTuple):
    """A change of the board: `move` is what a seat played, or what was drawn, None for what else.

    `ply` is the number of plies after it; `forced` where the rules left no choice.
    """

    ply: int
    seat: Seat | None
    move: Any
    before: Any
    after: Any
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A move that was played, or could have been, and by how much its seat leads behind it.

    `worth` is that in points, as far as the search sees; `sure` is in how many of a thousand cases
    it has won, less those in which it has lost, and those are not in `worth`. `replies` are the
    others' best answers at first sight. `ends`: the game is over with it; `won` by its seat alone,
    or its seat has `shared` the first place.
    """

    move: str
    worth: int
    sure: int = 0
    replies: tuple[tuple[Seat, str], ...] = ()
    ends: bool = False
    won: bool = False
    shared: bool = False

    @property
    def chances(self) -> int:
        """In how many of a hundred cases that were looked at it wins, below nothing: it loses."""
        return int(self.sure * 100 / ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that could have been better; `at` is the number of its change of the board, from 1.

    `reasons` are what is otherwise on the board behind the better move than behind the one that was
    played, `later` what is otherwise behind the others' answers to each.
    """

    at: int
    ply: int
    seat: Seat
    played: Side
    better: Side
    reasons: tuple[Reason, ...] = ()
    later: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A turn that decided, and how much it lost, in the points of an analysis.

    `chances`: most of that is chances to win.
    """

    turn: Turn
    lost: int
    chances: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What was found of one change: by how much each seat leads behind it, and what it lost.

    `leads` and `sure` are as `Led` has them.
    `drawn`: it is chance that answered. Behind its piece stands what it gave, and in the one before
    it what it gives on the average.
    """

    at: int
    ply: int
    leads: tuple[int, ...]
    sure: tuple[int, ...] = ()
    drawn: bool = False
    turn: Turn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """A whole match: all its pieces in their order, and the turns that decided, in theirs.

    `leads` is by how much each seat led behind each piece, and nobody by more than `most`, which is
    what a win is.
    """

    pieces: tuple[Piece, ...]
    leads: tuple[tuple[int, ...], ...]
    turns: tuple[Decided, ...]
    most: int


def can_analyse(game: AnyGame) -> bool:
    """Whether anybody knows what positions of a game are worth, and in which terms."""
    return knows_worth(game) and game.tells_terms


def analyse(game: AnyGame, passed: Sequence[Passed], seed: str) -> Analysis:
    """A whole match at once."""
    return put_together(
        [piece(game, one, at, len(passed), seed) for at, one in enumerate(passed, 1)]
    )


def put_together(pieces: Sequence[Piece]) -> Analysis:
    """The analysis of a match from its pieces."""
    worths = [both for one in pieces for both in _both(one)]
    worths += [
        (side.worth, side.sure)
        for one in pieces
        if one.turn
        for side in (one.turn.played, one.turn.better)
    ]
    # Points are those of the cases in which the match goes on: there they are as many as in all.
    going = [abs(worth) * ALL // (ALL - abs(sure)) for worth, sure in worths if abs(sure) < ALL]
    most = 1 + max([SURE, *going])
    found = [_decided(one.turn, most) for one in pieces if one.turn is not None]
    found = [one for one in found if one.lost > LITTLE]
    found.sort(key=lambda one: (-one.lost, one.turn.at))
    return Analysis(
        pieces=tuple(pieces),
        leads=tuple(tuple(_felt(*both, most) for both in _both(one)) for one in pieces),
        turns=tuple(sorted(found[:DECIDED], key=lambda one: one.turn.at)),
        most=most,
    )


def _both(one: Piece) -> list[tuple[int, int]]:
    """By how much each seat leads behind a piece, and how far it has won."""
    return list(zip(one.leads, one.sure or (0,) * len(one.leads), strict=True))


def _decided(turn: Turn, most: int) -> Decided:
    better, played = turn.better, turn.played
    lost = _felt(better.worth, better.sure, most) - _felt(played.worth, played.sure, most)
    chances = (better.sure - played.sure) * most // ALL
    return Decided(turn=turn, lost=lost, chances=2 * chances > lost)


def _felt(points: int, sure: int, most: int) -> int:
    """On the scale of a match: what is won in some cases is worth that part of a win."""
    return max(-most, min(most, points + sure * most // ALL))


def slim(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The same without turns that have decided nothing."""
    kept = {one.turn.at for one in put_together(pieces).turns}
    return tuple(one if one.at in kept else replace(one, turn=None) for one in pieces)


def piece(game: AnyGame, passed: Passed, at: int, of: int, seed: str) -> Piece:
    """What is found of one change of the board, the `at`th of so many of a match."""
    plays = LOOKED // (len(game.value(passed.after)) * of)
    led = leads_of(game, passed.after, plays, f"{seed} {at}")
    drawn = isinstance(passed.move, Drawn)
    found = Piece(at=at, ply=passed.ply, leads=led.leads, sure=led.sure, drawn=drawn)
    if drawn:
        return found
    return replace(found, turn=_judged(game, passed, at, of, f"{seed} {at}"))


# --- what a turn lost ----------------------------------------------------------------------------


def _judged(game: AnyGame, passed: Passed, at: int, of: int, seed: str) -> Turn | None:
    """What a turn lost against the best that the search sees; None where there was no choice."""
    seat, effort, before = passed.seat, best_effort(game), passed.before
    if seat is None or passed.move is None or passed.forced or effort is None:
        return None
    turn = game.turn(before)
    if not isinstance(turn, Seats) or len(game.legal(before)) <= 1:
        return None
    # One that is short looks less far; two moves that are compared are few enough.
    short = replace(effort, plays=max(_FEW, min(effort.plays, IN_ALL // (3 * of))))
    best = search(game, before, seat, seeded(seed), short)[0].move
    if game.notation(best) == game.notation(passed.move):
        return None
    compared = _compared(game, before, seat, seed, effort, (best, passed.move))
    if compared is None:
        return None
    was, could = (
        _tried(game, before, move, worth, seat, seed)
        for move, worth in zip((passed.move, best), reversed(compared), strict=True)
    )
    return Turn(
        at=at,
        ply=passed.ply,
        seat=seat,
        played=was.side,
        better=could.side,
        reasons=_said(game, was.after, could.after, seat),
        later=_said(game, was.behind, could.behind, seat)
        if was.side.replies or could.side.replies
        else (),
    )


class _Worth(NamedTuple):
    """What a move is worth: points, and how far it has won, as `Side` has them."""

    points: int
    sure: int

    @property
    def felt(self) -> int:
        """Both, where a win is as little as it can be."""
        return self.points + self.sure * SURE // ALL


def _compared(  # noqa: PLR0917 - what is compared, for whom, and how
    game: AnyGame, before: Any, seat: Seat, seed: str, effort: Effort, moves: tuple[Any, Any]
) -> tuple[_Worth, _Worth] | None:
    """What two moves are worth, None where the first is not better beyond luck.

    By other luck than that by which it was found to be the best: by that it would seem too good.
    """
    cases = effort.draws ** (effort.ahead - 1) * (effort.worlds if game.secrets else 1)
    found: list[tuple[_Worth, _Worth]] = []
    for number in range(ROUNDS):
        looked = weighed(game, before, seat, f"{seed} {number}", effort, moves)
        better, played = (_parted(one.worth, cases) for one in looked.found)
        found.append((better, played))
        little = len(found) == ENOUGH and _lost(found)[0] <= LITTLE // 2
        if little or not looked.lucky:
            break
    mean, error = _lost(found)
    if mean <= 0 or mean**2 <= 4 * error:
        return None
    better, played = (_mean([both[at] for both in found]) for at in range(2))
    return better, played


def _lost(found: Sequence[tuple[_Worth, _Worth]]) -> tuple[int, int]:
    """What the second of two moves loses against the first, and the square of its error."""
    lost = [better.felt - played.felt for better, played in found]
    mean, many = sum(lost) // len(lost), len(lost)
    return mean, sum((one - mean) ** 2 for one in lost) // max(1, many * (many - 1))


def _parted(worth: int, cases: int) -> _Worth:
    """What an average of so many cases says of points and of wins, each of which is WON."""
    if abs(worth) >= WON:
        return _Worth(0, ALL if worth > 0 else -ALL)
    won = (2 * worth * cases + WON) // (2 * WON)
    return _Worth(worth - won * WON // cases, won * ALL // cases)


def _mean(found: Sequence[_Worth]) -> _Worth:
    points, sure = zip(*found, strict=True)
    return _Worth(sum(points) // len(found), sum(sure) // len(found))


def _said(game: AnyGame, one: Any, other: Any, seat: Seat) -> tuple[Reason, ...]:
    """What is otherwise, the weightiest first, as far as its number alone says for whom it is good.

    A number may change for another reason than its worth does: a tract may be longer and another
    gone.
    """
    found = differences(game, one, other, seat)
    worth: dict[str, int] = {}
    for position in (one, other):
        for term in (term for terms in game.terms(position) for term in terms):
            worth[term.name] = worth.get(term.name, 0) + term.worth
    clear = [one for one in found if _is_clear(one, seat, more_is_better=worth[one.term] > 0)]
    most = max((abs(reason.worth) for reason in clear), default=0)
    return tuple(reason for reason in clear if BESIDE * abs(reason.worth) >= most)[:REASONS]


def _is_clear(reason: Reason, seat: Seat, *, more_is_better: bool) -> bool:
    """Whether the number of a term has become better for whom its worth has."""
    better = (reason.has > reason.had) == more_is_better
    return (reason.worth > 0) == (better == (reason.seat == seat))


class _Tried(NamedTuple):
    """A move with the position after it, and the one behind the answers to it."""

    side: Side
    after: Any
    behind: Any


def _tried(game: AnyGame, before: Any, move: Any, worth: _Worth, seat: Seat, seed: str) -> _Tried:  # noqa: PLR0917
    """What a move would bring about, by what its seat knew."""
    after = game.tried(before, move, seat)
    side = Side(move=game.notation(move), worth=worth.points, sure=worth.sure)
    outcome = game.outcome(after)
    if outcome is not None:
        first = outcome.placings[seat - 1] == 1
        alone = outcome.placings.count(1) == 1
        side = replace(side, ends=True, won=first and alone, shared=first and not alone)
        return _Tried(side, after, after)
    answered = after_reply(game, after, seat, seeded(seed))
    replies = tuple((who, game.notation(reply)) for who, reply in answered.moves)
    return _Tried(replace(side, replies=replies), after, answered.position)
