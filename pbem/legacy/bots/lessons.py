"""A first match that teaches: which topic a turn asks for, and what came of the last one.

It follows from the moves alone, so that it can be computed from any match, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pbem.bots.luck import seeded
from pbem.legacy.bots.reasons import Reason, differences
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat

TURNS: Final = 8
"""A lesson ends after so many turns of the learner, unless something vital has not come up."""

LONGEST: Final = 12
"""And then after so many, whatever has been shown by then."""

_LOOK: Final = Effort(plays=600, ahead=1, wide=1)
"""Of each kind of move the best at first sight is the example."""

_KEPT: Final = 512

_ASKED_TWICE: Final = 2

_IDLE: Final = 2
"""After so many turns in which nothing new could be shown, only what is vital is waited for."""

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

    `turns` the learner has had, `last` of them the newest, `idle` ones without a topic. `topic` is
    asked for, by a `move` that shows it, as `number` of `of`; it is empty where nothing new can be
    shown now, and the move is then one of a kind that is known; the last topic has none. `asked` is
    what the turn before asked for, by the move `missed` if it was not `followed`; it is empty where
    nothing was asked but to choose. `again`: the topic is asked for once more. `reasons` are what
    the last other move has brought whoever made it. Once the lesson is over there is no topic;
    `ends` in the turn in which that is so for the first time, with `untold` topics.
    """

    turns: int = 0
    idle: int = 0
    last: Turn | None = None
    topic: str = ""
    move: Any = None
    number: int = 0
    of: int = 0
    asked: str = ""
    followed: bool = False
    missed: Any = None
    again: bool = False
    reasons: tuple[Reason, ...] = ()
    over: bool = False
    ends: bool = False
    untold: tuple[str, ...] = ()


def lesson(
    game: AnyGame, turns: Sequence[Turn], position: Any, seat: Seat, *, over: bool = False
) -> Lesson:
    """Where a lesson stands, for the seat that learns, behind the turns so far.

    The seat is to act, or the match is `over`.
    """
    course = _Course(game, seat)
    for turn in turns:
        if turn.seat == seat:
            course.take(turn)
    if over:
        return course.ended()
    return course.now(position, _reasons(game, turns, seat))


def _reasons(game: AnyGame, turns: Sequence[Turn], seat: Seat) -> tuple[Reason, ...]:
    """What the last move of somebody else was good for, if it came after the learner's last.

    It is the weightiest that was not told of the move before.
    """
    others = [turn for turn in turns if turn.seat != seat][_FROM - 1 :]
    if not others or turns[-1].seat == seat:
        return ()
    told: Reason | None = None
    for one in others:
        before = (told.term, told.seat) if told is not None else None
        found = differences(game, one.before, one.after, one.seat)
        new = (one for one in found if one.worth > 0 and (one.term, one.seat) != before)
        told = next(new, None)
    return (told,) if told is not None else ()


class _Course:
    """A lesson as its turns go by."""

    def __init__(self, game: AnyGame, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.asked = dict.fromkeys((topic.name for topic in game.lesson), 0)
        self.vital = [topic.name for topic in game.lesson if topic.vital]
        self.shown: set[str] = set()
        self.turns = self.idle = 0
        self.last: Turn | None = None
        self.topic, self.followed, self.example = "", False, None
        self.ended_at = 0

    def is_over(self) -> bool:
        """Whether the last topic has had its turn."""
        return bool(self.asked[self.game.lesson[-1].name])

    def next(self, position: Any) -> tuple[str, Any]:
        """The topic that comes now, with an example; the last one only when all others are told."""
        *topics, last = self.asked
        open_topics = [one for one in topics if self._open(one)]
        waits = any(one in self.vital for one in open_topics)
        if self.turns >= self._most() - 1 or not open_topics:
            return last, None
        found = examples(self.game.ruleset, position, self.seat)
        for one in open_topics:
            if one in found:
                return one, found[one].move
        if self.idle >= _IDLE and not waits:
            return last, None
        known = [found[one] for one in self.shown if one in found]
        return "", min(known, key=lambda one: one.rank).move if known else None

    def take(self, turn: Turn) -> None:
        """The learner has had a turn."""
        name, example = self.next(turn.before) if not self.is_over() else ("", None)
        self.turns += 1
        self.last, self.topic, self.followed, self.example = turn, "", False, None
        if self.ended_at:
            return
        self.idle += not name
        self.asked |= {name: self.asked[name] + 1} if name else {}
        if self.is_over():
            self.ended_at = self.turns
        elif name:
            topic = next(one for one in self.game.lesson if one.name == name)
            self.topic, self.example = name, example
            self.followed = topic.shows(turn.move, turn.before, turn.after)
            self.shown |= {name, *topic.includes} if self.followed else set()

    def now(self, position: Any, reasons: tuple[Reason, ...]) -> Lesson:
        """What is told before the next turn."""
        if self.ended_at:
            return self.ended(reasons)
        name, move = self.next(position)
        topics = list(self.asked)
        told = sum(bool(self.asked[one]) or one in self.shown for one in topics)
        new = bool(name and not self.asked[name])
        return replace(
            self._came(),
            topic=name,
            move=move,
            number=told + new,
            of=len(topics),
            again=bool(name) and not new,
            reasons=reasons,
        )

    def ended(self, reasons: tuple[Reason, ...] = ()) -> Lesson:
        """What is told when the lesson is over, or the match."""
        ends = self.ended_at in (0, self.turns)
        if not ends:
            return Lesson(turns=self.turns, last=self.last, over=True)
        *topics, _ = self.asked
        untold = (one for one in topics if not self.asked[one] and one not in self.shown)
        return replace(self._came(), reasons=reasons, over=True, ends=True, untold=tuple(untold))

    def _came(self) -> Lesson:
        """What has come of the last turn."""
        return Lesson(
            turns=self.turns,
            idle=self.idle,
            last=self.last,
            asked=self.topic,
            followed=self.followed,
            missed=None if self.followed else self.example,
        )

    def _most(self) -> int:
        return LONGEST if any(map(self._open, self.vital)) else TURNS

    def _open(self, name: str) -> bool:
        return name not in self.shown and self.asked[name] < _ASKED_TWICE


class Shown(NamedTuple):
    """An example of a topic; `rank` is 0 for the best move at first sight."""

    move: Any
    rank: int


@lru_cache(maxsize=_KEPT)
def examples(ruleset: str, position: Any, seat: Seat) -> Mapping[str, Shown]:
    """The topics that can be shown in a position, each by the best move of its kind.

    Where others show it as well, it is none that ends the match, since that would end the lesson,
    none that is unwise, and none that shows what comes later.
    """
    game = GAMES[ruleset]
    known = game.known(position, seat)
    topics = game.lesson[:-1]
    found: dict[str, tuple[tuple[bool, int, int], Shown]] = {}
    looked_at = search(game, position, seat, seeded(f"lesson {ruleset}"), _LOOK)
    for rank, one in enumerate(looked_at):
        after = game.play(known, one.move)
        shown = [topic for topic in topics if topic.shows(one.move, known, after)]
        ends = game.outcome(after) is not None
        unwise = sum(topic.wise and topic not in shown for topic in topics)
        acts = [topic for topic in shown if not topic.wise]
        for topic in shown:
            later = acts[acts.index(topic) + 1 :] if topic in acts else acts
            here = (ends, unwise, len(later))
            if topic.name not in found or here < found[topic.name][0]:
                found[topic.name] = (here, Shown(one.move, rank))
    return {name: example for name, (_, example) in found.items()}
