"""Lessons: what a match against the easiest bot teaches its player, one topic a turn.

A game names its topics in the order in which they are learnt (`pbem.games.lessons`). A turn teaches
the first topic that the player has not shown yet and that can be shown in it, by an example: the
move of that kind that seems best at first sight. The last topic is to choose alone; then the lesson
is over, and the match goes on as any other. All of it follows from the moves, so nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pbem.bots.luck import seeded
from pbem.bots.search import Effort, search
from pbem.games import AnyGame
from pbem.games.game import Seat
from pbem.games.lessons import Topic
from pbem.match.state import Match, PlayedPly

_Topic: TypeAlias = Topic[Any, Any]

LONGEST: Final = 10  # turns of a lesson, whether or not every topic came up
_LOOK: Final = Effort(plays=600, ahead=1, wide=1)  # for an example of each topic


@dataclass(frozen=True, slots=True)
class LessonTopic:
    """A topic, its number among all, and a move that shows it; None if the player is to choose."""

    topic: _Topic
    number: int
    count: int
    example: Any | None


def find_topic(match: Match, seat: Seat) -> LessonTopic | None:
    """Return what a player who is to move learns in this turn; None if it is no lesson, or over."""
    if not match.game.lesson or not match.terms.is_lesson:
        return None
    *topics, last = match.game.lesson
    count = len(topics) + 1
    turns = [played for played in match.plies if played.seat == seat]
    missing = _list_missing(topics, turns)
    if not missing:
        was_over = bool(turns) and not _list_missing(topics, turns[:-1])
        return None if was_over else LessonTopic(last, count, count, None)
    known = match.known_to(seat)
    moves = list(_list_moves(match.game, known, seat))
    for topic in missing:
        for move, after in moves:
            if topic.matches(move, known, after):
                return LessonTopic(topic, topics.index(topic) + 1, count, move)
    return None


def _list_missing(topics: Sequence[_Topic], turns: Sequence[PlayedPly]) -> list[_Topic]:
    """Return the topics that a player has not shown; none after the longest lesson.

    A move shows one topic only, the first that was missing: what it also shows was not explained.
    """
    if len(turns) >= LONGEST:
        return []
    missing = [*topics]
    for played in turns:
        for topic in missing:
            if topic.matches(played.move, played.before, played.after):
                done = {topic.name, *topic.includes}
                missing = [other for other in missing if other.name not in done]
                break
    return missing


def _list_moves(game: AnyGame, known: Any, seat: Seat) -> Iterator[tuple[Any, Any]]:
    """Yield moves with the positions after them, the best first, but none that ends the match."""
    for found in search(game, known, seat, seeded(f"lesson {game.key}"), _LOOK):
        after = game.play(known, found.move)
        if game.outcome(after) is None:
            yield found.move, after
