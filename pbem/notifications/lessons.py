"""Lessons: what a match against the easiest bot teaches its player, one topic in each turn.

A game lists its topics in the order in which they are taught (`pbem.games.lessons`). A turn
asks for the first topic that the player has not shown yet and that a legal move can show.
It gives an example: the move of that kind that a brief search rates best. If no legal move
shows a remaining topic, the turn explains the first one. The player may then make any move,
or is told what to wait for.

In the last topic the player chooses alone. Then the lesson is over, and the match continues
as usual. Everything follows from the moves, so nothing is stored, and a match can become a
lesson at any turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pbem.bots.luck import seeded
from pbem.bots.search import Effort, search
from pbem.errors import Facts
from pbem.games import AnyGame
from pbem.games.game import GameOver, Seat, Seats
from pbem.games.lessons import Topic
from pbem.match.state import Match, PlayedPly

_Topic: TypeAlias = Topic[Any, Any]
_Moves: TypeAlias = Sequence[tuple[Any, Any]]

_LOOK: Final = Effort(plays=600, ahead=1, wide=1)  # for an example of each topic
_MOST_EXAMPLES: Final = 20  # moves that are tried as an example after which the match continues


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonView:
    """One turn of a lesson: its topic, the topic's number, and facts for the game's templates.

    `is_possible` is False if no legal move shows the topic. `is_done` means that the player's
    last turn showed its own topic, `is_repeated` that it could have and did not. `example` is
    the notation of a move that shows the topic, empty if there is none or the player is to
    choose alone. `asked` has the notations of all such moves.
    """

    topic: str
    number: int
    count: int
    facts: Facts
    is_possible: bool = True
    is_done: bool = False
    is_repeated: bool = False
    example: str = ""
    asked: tuple[str, ...] = ()


def view_lesson(match: Match, seat: Seat) -> LessonView | None:
    """Return the lesson of a turn for the player to move, or None if the match is no lesson."""
    if not match.game.lesson or not match.terms.is_lesson:
        return None
    *missing, last = match.game.lesson
    count = len(missing) + 1
    is_done = is_repeated = False
    for played in match.plies:
        if played.seat != seat:
            continue
        if not missing:
            return None
        topic, is_possible = _choose_topic(missing, _list_moves(match.game, played.before, seat))
        is_shown = is_possible and _shows(topic, played)
        is_done, is_repeated = is_shown, is_possible and not is_shown
        if is_shown or not (is_possible or topic.waits):
            missing.remove(topic)
    number, known = count - len(missing), match.known_to(seat)
    if not missing:
        facts = last.facts(known)
        return LessonView(topic=last.name, number=number, count=count, facts=facts, is_done=is_done)
    moves = _list_moves(match.game, known, seat)
    topic, is_possible = _choose_topic(missing, moves)
    example = _find_example(match.game, topic, known, seat) if is_possible else None
    return LessonView(
        topic=topic.name,
        number=number,
        count=count,
        facts=topic.facts(known),
        is_possible=is_possible,
        is_done=is_done,
        is_repeated=is_repeated,
        example=match.game.notation(example) if is_possible else "",
        asked=tuple(
            match.game.notation(move)
            for move, positions in moves
            if topic.matches(move, *positions)
        ),
    )


def _shows(topic: _Topic, played: PlayedPly) -> bool:
    return topic.matches(played.move, played.before, played.after)


def _choose_topic(missing: Sequence[_Topic], moves: _Moves) -> tuple[_Topic, bool]:
    """Return the topic of a turn, and whether a legal move shows it.

    Args:
        missing: The topics that the player has not shown.
        moves: The legal moves, each with the positions before and after it.
    """
    for topic in missing:
        if any(topic.matches(move, *positions) for move, positions in moves):
            return topic, True
    return missing[0], False


def _list_moves(game: AnyGame, position: Any, seat: Seat) -> _Moves:
    """Return the legal moves of a turn, each with the positions before and after it."""
    known = game.redact(position, seat)
    return [(move, (known, game.play(known, move))) for move in game.legal_moves(known)]


def _find_example(game: AnyGame, topic: _Topic, known: Any, seat: Seat) -> Any:
    """Return the best move that shows a topic, preferably one that does not end the match soon."""
    found = search(game, known, seat, seeded(f"lesson {game.key}"), _LOOK)
    shown = []
    for move in dict.fromkeys((*(one.move for one in found), *game.legal_moves(known))):
        after = game.play(known, move)
        if topic.matches(move, known, after):
            if not _can_end(game, after):
                return move
            shown.append(move)
            if len(shown) == _MOST_EXAMPLES:
                break
    return shown[0]


def _can_end(game: AnyGame, position: Any) -> bool:
    """Return whether the match is over, or could end with one more move."""
    match game.turn(position):
        case GameOver():
            return True
        case Seats():
            after = (game.play(position, move) for move in game.legal_moves(position))
            return any(game.outcome(one) is not None for one in after)
        case _:
            return False
