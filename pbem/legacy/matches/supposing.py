"""What somebody supposes of a match: conditions read against positions that have not come yet.

Only what is public is asked. Where a position cannot be known (after `any` move, after a draw, in a
game with secrets) the words are kept as typed, and looked at when their time has come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games.game import Chance, Over, Seat, Seats
from pbem.games.still import rules_away
from pbem.legacy.matches.branches import ANY, DRAWN, MOST, RESIGN, Branch, added, by_itself, is_named
from pbem.legacy.matches.conditions import others_moved, standing
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.steps import Step, StepKind, since_own_move
from pbem.legacy.matches.window import held_text

LINKS: Final = 10
"""Conditions and answers in a row, in one branch."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move or draw that is supposed; `move` is None where it is not known to be possible."""

    text: str
    seat: Seat | None = None
    move: Any = None
    before: Any = None
    after: Any = None


@dataclass(frozen=True, slots=True)
class Supposed:
    """A branch as it was understood: a ply for each condition, the answer, what follows it."""

    branch: Branch
    conditions: tuple[Ply, ...]
    answer: Ply
    then: tuple[Supposed, ...]


@dataclass(frozen=True, slots=True)
class _At:
    """A place in what is supposed: the position, None if it is not known.

    `made` are the steps that have followed it already.
    """

    position: Any = None
    made: tuple[Step, ...] = ()


_UNKNOWN: Final = _At()


def with_another(match: Match, seat: Seat, typed: Branch) -> tuple[Branch, ...]:
    """The conditions of a seat with another branch. Raises Rejection where it cannot come true."""
    supposed = _Supposing(match, seat).branch(typed, _start(match, seat))
    branches = added(standing(match, seat), supposed.branch)
    if sum(one.size for one in branches) > MOST:
        raise Rejection("too_many_conditions", most=MOST)
    return branches


def supposed(match: Match, seat: Seat) -> tuple[Supposed, ...]:
    """What may still come true of a seat's conditions, ply by ply; for nobody but that seat."""
    reader, found = _Supposing(match, seat), []
    for branch in standing(match, seat):
        try:
            found.append(reader.branch(branch, _start(match, seat)))
        except Rejection:
            continue  # somebody has played something else already
    return tuple(found)


def _start(match: Match, seat: Seat) -> _At:
    if seat in match.pending.held:
        return _after_held(match, seat)
    if seat in match.to_act and not others_moved(match, seat):
        raise Rejection("condition_on_turn")
    made = match.course.steps[since_own_move(match.course.steps, seat) :]
    return _At(made[0].before if made else match.course.position, made)


def _after_held(match: Match, seat: Seat) -> _At:
    """The place after the seat's own move, which has not gone out yet."""
    text = held_text(match, match.pending.held[seat].move)
    if text is None or match.game.secrets:
        return _UNKNOWN
    move = match.game.read(text.notation, match.course.position)
    return _At(match.game.play(match.course.position, move))


class _Supposing:
    """Reads branches for one seat."""

    def __init__(self, match: Match, seat: Seat) -> None:
        self.game = match.game
        self.seat = seat
        self.position = match.course.position

    def branch(self, branch: Branch, at: _At, depth: int = 1) -> Supposed:
        """A branch in canonical form, as far as that can be known. Raises Rejection."""
        if depth > LINKS or len(branch.conditions) > LINKS:
            raise Rejection("too_many_conditions", most=LINKS)
        plies = [Ply(ANY)]
        if branch.conditions != (ANY,):
            plies = []
            for text in branch.conditions:
                at, ply = self._condition(text, at)
                plies.append(ply)
        answer = self._answer(branch, self._own_turn(at, branch.conditions[-1]))
        then = tuple(self.branch(one, _At(answer.after), depth + 1) for one in branch.then)
        known = answer.move is not None and all(ply.move is not None for ply in plies)
        canonical = replace(
            branch,
            conditions=tuple(ply.text for ply in plies),
            answer=answer.text,
            then=tuple(one.branch for one in then),
            checked=known,
        )
        return Supposed(canonical, tuple(plies), answer, then)

    def _condition(self, text: str, at: _At) -> tuple[_At, Ply]:
        at = self._passed(text, at)
        if at.position is None:
            return _UNKNOWN, Ply(self._spelled(text))
        if at.made:
            step = at.made[0]
            if not is_named(text, step, self.game):
                raise Rejection("condition_too_late", seat=step.seat or 0, notation=step.text)
            word = text if text == ANY else self._word(step)
            ply = Ply(word, step.seat, step.move, step.before, step.after)
            return _At(step.after, at.made[1:]), ply
        return self._imagined(text, at.position)

    def _word(self, step: Step) -> str:
        return f"{DRAWN}{step.text}" if step.kind is StepKind.DRAW else step.text

    def _imagined(self, text: str, position: Any) -> tuple[_At, Ply]:
        """A move that somebody may make, or something that may be drawn."""
        match self.game.turn(position):
            case Over():
                raise Rejection("condition_after_end")
            case Chance():
                drawn = self.game.read_chance(text.removeprefix(DRAWN), position)
                after = self.game.play(position, drawn)
                word = f"{DRAWN}{self.game.chance_notation(position, drawn)}"
                return _At(after), Ply(word, None, drawn, position, after)
            case Seats(()):
                raise rules_away(self.game.title)
            case Seats(seats):
                if self.seat in seats:
                    raise Rejection("condition_too_many")
                if text == ANY or self.game.secrets:
                    return _UNKNOWN, Ply(self._spelled(text), seats[0])
                move = self.game.parse(text, position, seats[0])
                after = self.game.play(position, move)
                return _At(after), Ply(self.game.notation(move), seats[0], move, position, after)

    def _spelled(self, text: str) -> str:
        """Words whose position is not known; where secrets would decide, the words must."""
        if text == ANY or text.startswith(DRAWN) or not self.game.secrets:
            return text
        move = self.game.spelled(text)
        if move is None:
            raise Rejection("condition_in_full", typed=text)
        return self.game.notation(move)

    def _passed(self, text: str, at: _At) -> _At:
        """The place where a condition is asked for: what needs none is passed over."""
        while at.position is not None:
            if at.made:
                step = at.made[0]
                chosen = step.kind is StepKind.MOVE and not by_itself(step)
                if chosen or is_named(text, step, self.game):
                    return at
                at = _At(step.after, at.made[1:])
                continue
            after = self._by_itself(text, at.position)
            if after is at.position:
                return at
            at = _At(after)
        return at

    def _by_itself(self, text: str, position: Any) -> Any:
        """The position after what happens by itself, None if nobody knows it; else the same."""
        match self.game.turn(position):
            case Chance():
                return position if not text or text.startswith(DRAWN) else None
            case Seats(seats) if self.seat not in seats and not self.game.secrets:
                move = self.game.forced(position)
                if move is None or text == ANY or self._is(text, move, position, seats[0]):
                    return position
                return self.game.play(position, move)
            case _:
                return position

    def _is(self, text: str, move: Any, position: Any, seat: Seat) -> bool:
        try:
            return bool(self.game.parse(text, position, seat) == move)
        except Rejection:
            return False

    def _own_turn(self, at: _At, last: str) -> _At:
        """The place of the answer. Raises Rejection where it would not be the seat's turn."""
        if last == ANY:
            return _UNKNOWN
        at = self._passed("", at)
        if at.position is None:
            return _UNKNOWN
        if at.made:
            raise Rejection("condition_too_few", seat=at.made[0].seat or 0)
        match self.game.turn(at.position):
            case Over():
                raise Rejection("condition_after_end")
            case Chance():
                raise Rejection("condition_draws", game=self.game.title)
            case Seats(seats) if self.seat not in seats:
                raise Rejection("condition_too_few", seat=seats[0])
            case _:
                return at

    def _answer(self, branch: Branch, at: _At) -> Ply:
        text = branch.answer
        if text == RESIGN:
            if branch.then:
                raise Rejection("condition_after_end")
            return Ply(text, self.seat)
        if text == ANY or text.casefold() in _RESIGN:
            raise Rejection("condition_answer", typed=text)
        if at.position is None:
            self._require_readable(text)
            return Ply(text, self.seat)
        move = self.game.parse(text, at.position, self.seat)
        after = self.game.play(at.position, move)
        return Ply(self.game.notation(move), self.seat, move, at.position, after)

    def _require_readable(self, text: str) -> None:
        """What is a move nowhere is refused now, not when its time has come."""
        if self.game.words.search(text.casefold()):
            return
        try:
            self.game.parse(text, self.position, self.seat)
        except Rejection as rejection:
            raise Rejection("condition_answer", typed=text) from rejection


_RESIGN: Final = ("resign", "concede", "withdraw")


def lines(branches: Sequence[Branch]) -> tuple[str, ...]:
    """The branches as one types them, a line each; what follows an answer stands behind it."""
    return tuple(line for branch in branches for line in _lines(branch, ""))


def _lines(branch: Branch, before: str) -> list[str]:
    ifs = " ".join(f"if {text}" for text in branch.conditions)
    here = f"{before}{ifs} then {branch.answer}"
    if not branch.then:
        return [here]
    return [line for one in branch.then for line in _lines(one, f"{here}, ")]
