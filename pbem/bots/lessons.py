"""A first match that teaches: which topic a turn asks for, and what came of the last one.

It follows from the moves alone, so that it can be computed from any match, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pbem.bots.luck import seeded
from pbem.bots.reasons import Reason, differences
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat

TURNS: Final = 8
"""A lesson ends after so many turns of the learner, whatever has been shown by then."""

REASONS: Final = 2
"""So many are told of the other's move."""

_LOOK: Final = Effort(plays=600, ahead=1, wide=1)
"""Of each kind of move the best at first sight is the example."""

_KEPT: Final = 512

_ASKED_TWICE: Final = 2

_IDLE: Final = 2
"""After so many turns in which nothing new could be shown the learner is left alone."""

_FROM: Final = 2
"""The other's first turn only begins the match."""


class Turn(NamedTuple):
    """A move that a seat chose, with the positions before and after it."""

    seat: Seat
    move: Any
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """What a learner is told before a turn.

    `turns` the learner has had. `topic` is asked for, by a `move` that shows it, as `number` of
    `of`; it is empty where nothing new can be shown now. `asked` is what the turn before asked for,
    `followed` whether it was shown then, `again` whether it is asked for once more. `reasons` are
    what the last other move has brought whoever made it. Once the lesson is over there is no topic;
    `ends` in the turn in which that is so for the first time, with `untold` topics.
    """

    turns: int = 0
    topic: str = ""
    move: Any = None
    number: int = 0
    of: int = 0
    asked: str = ""
    followed: bool = False
    again: bool = False
    reasons: tuple[Reason, ...] = ()
    over: bool = False
    ends: bool = False
    untold: tuple[str, ...] = ()


def lesson(game: AnyGame, turns: Sequence[Turn], position: Any, seat: Seat) -> Lesson:
    """Where a lesson stands, for the seat that learns and is to act, behind the turns so far."""
    course = _Course(game, seat)
    for turn in turns:
        if turn.seat == seat:
            course.take(turn)
    reasons = _reasons(game, [turn for turn in turns if turn.seat != seat], turns, seat)
    return course.now(position, reasons)


def _reasons(
    game: AnyGame, others: Sequence[Turn], turns: Sequence[Turn], seat: Seat
) -> tuple[Reason, ...]:
    """What the last move of somebody else was good for, if it came after the learner's last."""
    if len(others) < _FROM or turns[-1].seat == seat:
        return ()
    last = others[-1]
    found = differences(game, last.before, last.after, last.seat)
    return tuple(one for one in found if one.worth > 0)[:REASONS]


class _Course:
    """A lesson as its turns go by."""

    def __init__(self, game: AnyGame, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.asked = dict.fromkeys((topic.name for topic in game.lesson), 0)
        self.shown: set[str] = set()
        self.turns = self.idle = 0
        self.last, self.followed = "", False
        self.ended_at = 0

    def is_over(self) -> bool:
        """Whether the last topic has had its turn, or there were enough of them."""
        return self.turns >= TURNS or bool(self.asked[self.game.lesson[-1].name])

    def next(self, position: Any) -> tuple[str, Any]:
        """The topic that comes now, with an example; the last one only when all others are told."""
        found = examples(self.game.ruleset, position, self.seat)
        *topics, last = self.asked
        open_topics = [one for one in topics if self._open(one)]
        for one in open_topics:
            if one in found:
                return one, found[one]
        if not open_topics or self.turns == TURNS - 1 or self.idle >= _IDLE:
            return last, found[last]
        return "", None

    def take(self, turn: Turn) -> None:
        """The learner has had a turn."""
        if self.is_over():
            self.turns += 1
            self.last = ""
            return
        name, example = self.next(turn.before)
        topic = next((one for one in self.game.lesson if one.name == name), None)
        self.turns += 1
        self.last, self.followed = name, False
        if topic is None:
            self.idle += 1
            return
        self.asked[name] += 1
        # What was hidden may have come up, and it is another kind of move than it could seem.
        did = turn.move == example
        self.followed = did or topic.shows(turn.move, turn.before, turn.after)
        if self.followed:
            self.shown.add(name)
        if self.is_over():
            self.ended_at = self.turns

    def now(self, position: Any, reasons: tuple[Reason, ...]) -> Lesson:
        """What is told before the next turn."""
        topics = [topic.name for topic in self.game.lesson]
        if self.is_over():
            ends = self.ended_at == self.turns
            return Lesson(
                turns=self.turns,
                asked=self.last,
                followed=self.followed,
                reasons=reasons if ends else (),
                over=True,
                ends=ends,
                untold=tuple(one for one in topics if not self.asked[one]) if ends else (),
            )
        name, move = self.next(position)
        told = sum(map(bool, self.asked.values()))
        return Lesson(
            turns=self.turns,
            topic=name,
            move=move,
            number=told + (not self.asked[name]) if name else told,
            of=len(topics),
            asked=self.last,
            followed=self.followed,
            again=bool(name and self.asked[name]),
            reasons=reasons,
        )

    def _open(self, name: str) -> bool:
        return name not in self.shown and self.asked[name] < _ASKED_TWICE


@lru_cache(maxsize=_KEPT)
def examples(ruleset: str, position: Any, seat: Seat) -> Mapping[str, Any]:
    """The topics that can be shown in a position, each by the best move of its kind.

    Where others show it as well, it is none that ends the match, since that would end the lesson,
    and none that shows what comes later.
    """
    game = GAMES[ruleset]
    known = game.known(position, seat)
    *topics, last = game.lesson
    found: dict[str, tuple[tuple[bool, int], Any]] = {}
    for one in search(game, position, seat, seeded(f"lesson {ruleset}"), _LOOK):
        after = game.play(known, one.move)
        shown = [at for at, topic in enumerate(topics) if topic.shows(one.move, known, after)]
        ends = game.outcome(after) is not None
        for number, at in enumerate(shown):
            here = (ends, len(shown) - number)
            name = topics[at].name
            if name not in found or here < found[name][0]:
                found[name] = (here, one.move)
        found.setdefault(last.name, ((ends, 0), one.move))
    return {name: move for name, (_, move) in found.items()}
