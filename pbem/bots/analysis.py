"""A match that is over, looked at: who led at what time, and which turns decided it, and why.

It is looked at in pieces, a change of the board each, so that whoever computes it can stop between
any two. Who was to act is taken to have known what their seat could know, and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pbem.bots.levels import JUDGED, best_effort
from pbem.bots.luck import seeded, stream
from pbem.bots.reasons import Reason, after_reply, differences
from pbem.bots.search import Effort, search, weighed
from pbem.games import AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Seat, Seats
from pbem.games.worth import WON

IN_ALL: Final = 600_000
"""Plays of a whole match: so many take less than half a minute of one core."""

DECIDED: Final = 3
"""Turns that are told."""

LITTLE: Final = 60
"""Who lost no more by a turn has decided nothing by it: half of a point, and a little."""

SURE: Final = 1_000
"""A win is at least as much as ten points more than the others."""

_NEARLY: Final = WON // 50
"""More than games that go on are worth, and less than a win in one of the answers of chance."""

REASONS: Final = 3
"""Things that are said of one turn at once, and behind the answers to it."""

BESIDE: Final = 4
"""What weighs less than such a part of the weightiest reason is not said."""

_TRIES: Final = 4
"""Answers of chance with which a position is compared."""

_SIGHT: Final = 300
_FEW: Final = 20
"""Plays of a turn at first sight: in long matches fewer, but so many."""


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

    `worth` is that as far as the search sees. `replies` are the others' best answers at first
    sight. `ends`: the game is over with it, `won` by its seat.
    """

    move: str
    worth: int
    replies: tuple[tuple[Seat, str], ...] = ()
    ends: bool = False
    won: bool = False

    @property
    def chances(self) -> int:
        """In how many of a hundred cases that were looked at it wins, below nothing: it loses."""
        if abs(self.worth) < _NEARLY:
            return 0
        return max(-100, min(100, int(100 * self.worth / WON)))


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
    """A turn that decided, and how much it lost, in the points of an analysis."""

    turn: Turn
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What was found of one change: by how much each seat leads behind it, and what it lost.

    `drawn`: it is chance that answered. Behind its piece stands what it gave, and in the one before
    it what it gives on the average.
    """

    at: int
    ply: int
    leads: tuple[int, ...]
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
    """Whether anybody knows what positions of a game are worth."""
    return game.key in JUDGED


def analyse(game: AnyGame, passed: Sequence[Passed], seed: str) -> Analysis:
    """A whole match at once."""
    return put_together(
        [piece(game, one, at, len(passed), seed) for at, one in enumerate(passed, 1)]
    )


def put_together(pieces: Sequence[Piece]) -> Analysis:
    """The analysis of a match from its pieces."""
    worths = [lead for one in pieces for lead in one.leads]
    worths += [
        side.worth for one in pieces if one.turn for side in (one.turn.played, one.turn.better)
    ]
    most = 1 + max([SURE, *(abs(one) for one in worths if abs(one) < _NEARLY)])
    found = [
        Decided(turn=turn, lost=_felt(turn.better.worth, most) - _felt(turn.played.worth, most))
        for one in pieces
        if (turn := one.turn) is not None
    ]
    found = [one for one in found if one.lost > LITTLE]
    found.sort(key=lambda one: (-one.lost, one.turn.at))
    return Analysis(
        pieces=tuple(pieces),
        leads=tuple(tuple(_felt(lead, most) for lead in one.leads) for one in pieces),
        turns=tuple(sorted(found[:DECIDED], key=lambda one: one.turn.at)),
        most=most,
    )


def _felt(worth: int, most: int) -> int:
    """A worth on the scale of a match: where some answers of chance win, by how many of them do."""
    if abs(worth) < _NEARLY:
        return worth
    return max(-most, min(most, worth * most // WON))


def slim(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The same without turns that have decided nothing."""
    kept = {one.turn.at for one in put_together(pieces).turns}
    return tuple(one if one.at in kept else replace(one, turn=None) for one in pieces)


def piece(game: AnyGame, passed: Passed, at: int, of: int, seed: str) -> Piece:
    """What is found of one change of the board, the `at`th of so many of a match."""
    leads = leads_of(game, passed.after, of, f"{seed} {at}")
    drawn = isinstance(passed.move, Drawn)
    found = Piece(at=at, ply=passed.ply, leads=leads, drawn=drawn)
    if drawn:
        return found
    return replace(found, turn=_judged(game, passed, at, of, f"{seed} {at}"))


# --- who leads -----------------------------------------------------------------------------------


def leads_of(game: AnyGame, position: Any, of: int, seed: str) -> tuple[int, ...]:
    """By how much each seat leads, or is behind whoever leads, when all is taken that is at hand.

    Everybody has had a turn by then, so that it is not the one whose turn it is who seems to lead.
    `of` is how many changes of the board are looked at in all.
    """
    afters = [position]
    if isinstance(game.turn(position), Chance):
        afters = [_drawn(game, position, f"{seed} {number}") for number in range(_TRIES)]
    plays = max(_FEW, min(_SIGHT, IN_ALL // (2 * _TRIES * of)))
    found = [_quiet(game, one, plays, seed) for one in afters]
    values = [sum(column) // len(found) for column in zip(*found, strict=True)]
    return tuple(
        own - max(value for at, value in enumerate(values) if at != seat)
        for seat, own in enumerate(values)
    )


def _drawn(game: AnyGame, position: Any, seed: str) -> Any:
    """The position behind all that chance is asked, with one answer."""
    source = stream(seed.encode())
    while isinstance(due := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(due.draw, source)))
    return position


def _quiet(game: AnyGame, position: Any, plays: int, seed: str) -> tuple[int, ...]:
    """What a position is worth to each seat, the average over a round of turns at first sight."""
    values: list[tuple[int, ...]] = []
    turn = game.turn(position)
    choose, round_of = seeded(seed), len(game.value(position))
    sight = Effort(plays=plays, ahead=1, wide=1)
    while isinstance(turn, Seats) and len(values) < round_of:
        seat = turn.seats[0]
        move = game.forced(position)
        if move is None:
            move = search(game, position, seat, choose, sight)[0].move
        position = game.play(position, move)
        values.append(game.value(position))
        turn = game.turn(position)
    if not values or (game.outcome(position) is not None):
        return game.value(position)
    return tuple(sum(column) // len(values) for column in zip(*values, strict=True))


# --- what a turn lost ----------------------------------------------------------------------------


def _judged(game: AnyGame, passed: Passed, at: int, of: int, seed: str) -> Turn | None:
    """What a turn lost against the best that the search sees; None where there was no choice."""
    seat, effort, before = passed.seat, best_effort(game), passed.before
    if seat is None or passed.move is None or passed.forced or effort is None:
        return None
    turn = game.turn(before)
    if not isinstance(turn, Seats) or len(game.legal(before)) <= 1:
        return None
    # The search, and two moves that are looked at once more; one that is short looks less far.
    effort = replace(effort, plays=max(_FEW, min(effort.plays, IN_ALL // (3 * of))))
    best = search(game, before, seat, seeded(seed), effort)[0].move
    if game.notation(best) == game.notation(passed.move):
        return None
    better, played = weighed(game, before, seat, seed, effort, (best, passed.move))
    if better.worth <= played.worth:
        return None
    was, could = (_tried(game, before, one.move, one.worth, seat, seed) for one in (played, better))
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


def _tried(game: AnyGame, before: Any, move: Any, worth: int, seat: Seat, seed: str) -> _Tried:  # noqa: PLR0917
    """What a move would bring about, by what its seat knew."""
    after = game.tried(before, move, seat)
    side = Side(move=game.notation(move), worth=worth)
    outcome = game.outcome(after)
    if outcome is not None:
        side = replace(side, ends=True, won=outcome.placings[seat - 1] == 1)
        return _Tried(side, after, after)
    answered = after_reply(game, after, seat, seeded(seed))
    replies = tuple((who, game.notation(reply)) for who, reply in answered.moves)
    return _Tried(replace(side, replies=replies), after, answered.position)
