"""Lessons: what a match against the easiest bot teaches its player, one topic in each turn.

A topic is a kind of move. A game lists its topics in the order in which they are taught
(`pbem.games.lessons`). In each turn the player is asked for a move of the first topic for which
they have made no move yet. They also get an example: the move of that kind that a brief search
rates highest. If no legal move is of that kind, the topic is explained all the same, and the
example is another move. The player may make any move.

In the last topic the player chooses alone. Then the lesson is over, and the match continues
as usual. Everything follows from the moves, so nothing about the lesson is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pbem.bots.luck import seeded
from pbem.bots.search import Effort, search
from pbem.errors import Facts
from pbem.games import AnyGame
from pbem.games.game import GameOver, Seat, Seats
from pbem.games.lessons import Topic, is_any_move
from pbem.match.state import Match

_Topic: TypeAlias = Topic[Any, Any]

_LOOK: Final = Effort(max_plays=600, depth=1, breadth=1)  # for an example of a topic
_MAX_EXAMPLES: Final = 20  # limit of moves that are tried, to find one that lets the match go on


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonView:
    """One turn of a lesson, which is about one topic.

    Attributes:
        topic: The name of the topic.
        number: The number of the topic, from 1 to `count`.
        count: The number of topics in the lesson.
        facts: Data about the topic for the game's templates.
        is_possible: Whether a legal move of the topic's kind exists.
        is_done: Whether the player's last move was of the kind that was asked for in that turn.
        is_repeated: Whether the last move was not of that kind, although such a move was legal.
        is_waiting: Whether the topic was left open in that turn, because no such move was legal.
        example: The notation of an example move, of the topic's kind if possible; empty in the last
            topic, in which any move will do.
        topic_moves: The notations of all legal moves of the topic's kind; empty in the last topic.
    """

    topic: str
    number: int
    count: int
    facts: Facts
    is_possible: bool = True
    is_done: bool = False
    is_repeated: bool = False
    is_waiting: bool = False
    example: str = ""
    topic_moves: tuple[str, ...] = ()


def view_lesson(match: Match, seat: Seat) -> LessonView | None:
    """Return the turn of the lesson for a seat that is to move, or None.

    The result is None if the match is not a lesson, or if the lesson is over.
    """
    missing, is_done, is_repeated, is_waiting = _follow_lesson(match, seat)
    if not missing:
        return None
    game, topic, known = match.game, missing[0], match.visible_position(seat)
    moves = _list_topic_moves(game, topic, known, seat)
    example = ""
    if len(missing) > 1:
        matches = topic.matches if moves else is_any_move
        example = game.notation(_find_example(game, matches, known, seat))
    count = len(game.lesson)
    return LessonView(
        topic=topic.name,
        number=count + 1 - len(missing),
        count=count,
        facts=topic.facts(known),
        is_possible=bool(moves),
        is_done=is_done,
        is_repeated=is_repeated,
        is_waiting=is_waiting,
        topic_moves=tuple(map(game.notation, moves)) if len(missing) > 1 else (),
        example=example,
    )


def count_topics_left(match: Match, seat: Seat) -> int:
    """Return the number of topics that a lesson has left for a seat, not counting the last topic.

    The number is 0 if the match is not a lesson, or if the lesson is over.
    """
    return max(0, len(_follow_lesson(match, seat)[0]) - 1)


def _follow_lesson(match: Match, seat: Seat) -> tuple[list[_Topic], bool, bool, bool]:
    """Return the topics that are left, and `is_done`, `is_repeated` and `is_waiting` for a seat.

    These three values are about the seat's last move; LessonView explains them.
    """
    missing = list(match.game.lesson) if match.terms.is_lesson else []
    is_done = is_repeated = is_waiting = False
    for played in match.plies:
        if played.seat != seat or not played.is_chosen or not missing:
            continue
        topic = missing[0]
        is_possible = bool(_list_topic_moves(match.game, topic, played.before, seat))
        is_done = is_possible and topic.matches(played.move, played.before, played.after)
        is_repeated = is_possible and not is_done
        is_waiting = topic.waits and not is_possible
        if not (is_repeated or is_waiting):
            missing.remove(topic)
    return missing, is_done, is_repeated, is_waiting


def _list_topic_moves(game: AnyGame, topic: _Topic, position: Any, seat: Seat) -> list[Any]:
    """Return the legal moves of a seat in a position that are of the topic's kind."""
    known = game.redact(position, seat)
    moves = game.legal_moves(known)
    return [move for move in moves if topic.matches(move, known, game.play(known, move))]


def _find_example(
    game: AnyGame, matches: Callable[[Any, Any, Any], bool], known: Any, seat: Seat
) -> Any:
    """Return the move that a search rates highest among the moves that `matches` accepts.

    The match should not end soon after the example. So a move after which it is over, or could end
    with one more move, is returned only if the first `_MAX_EXAMPLES` accepted moves are all like
    that. At least one legal move must be accepted.

    Args:
        game: The game.
        matches: A function of a move and the positions before and after it: whether the move fits
            the topic.
        known: The position as the seat knows it.
        seat: The seat to act.
    """
    results = search(game, known, seat, seeded(f"lesson {game.key}"), _LOOK)
    examples = []
    for move in dict.fromkeys((*(result.move for result in results), *game.legal_moves(known))):
        after = game.play(known, move)
        if matches(move, known, after):
            if not _can_end(game, after):
                return move
            examples.append(move)
            if len(examples) == _MAX_EXAMPLES:
                break
    return examples[0]


def _can_end(game: AnyGame, position: Any) -> bool:
    """Return whether a match in this position is over, or could end with one more move."""
    turn = game.turn(position)
    if not isinstance(turn, Seats):
        return isinstance(turn, GameOver)
    positions = (game.play(position, move) for move in game.legal_moves(position))
    return any(game.outcome(after) is not None for after in positions)
