"""Lessons: which kind of move each turn asks for, what came of it, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from pbem.bots.lessons import LONGEST, Lesson, Turn, examples, lesson
from pbem.bots.levels import EASY, PATIENT, move_of
from pbem.bots.luck import seeded, stream
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Seats
from pbem.games.worth import WON
from pbem.notices.rendering.environment import environment

ALL = [pytest.param(game, id=game.key) for game in GAMES.values()]
LEARNER = Seat(1)

Choosing = Callable[[AnyGame, Any, Lesson], Any]


def followed(_game: AnyGame, _position: Any, told: Lesson) -> Any:
    return told.move


def taught(game: AnyGame, seed: str, choosing: Choosing) -> Iterator[tuple[Any, Lesson]]:
    """A first match against a teacher: the learner's positions, with what is told there."""
    chance, position = seeded(seed), game.initial(2, game.normal_options({}))
    turns: list[Turn] = []
    while not isinstance(turn := game.turn(position), Over):
        if isinstance(turn, Chance):
            drawn = answer(turn.draw, iter(lambda: chance(256), -1))
            position = game.play(position, Drawn(drawn))
            continue
        [seat], move = turn.seats, game.forced(position)
        if move is None and seat == LEARNER:
            told = lesson(game, turns, position, LEARNER)
            yield position, told
            move = choosing(game, position, told)
            move = move_of(EASY, game, position, chance) if move is None else move
        elif move is None:
            move = move_of(PATIENT, game, position, chance)
        after = game.play(position, move)
        if game.forced(position) is None:
            turns.append(Turn(seat, move, position, after))
        position = after


@pytest.mark.parametrize("game", ALL)
def test_who_follows_is_led_through_topics_to_the_end(game: AnyGame) -> None:
    met: set[str] = set()
    for seed in "abcdefghij":
        told: list[Lesson] = []
        for position, one in taught(game, seed, followed):
            told.append(one)
            if one.over:
                break
            if one.topic == game.lesson[-1].name:
                assert one.move is None  # who has come so far chooses alone
            elif one.topic:
                topic = next(topic for topic in game.lesson if topic.name == one.topic)
                known = game.known(position, LEARNER)
                assert one.move in game.legal(known) or game.parse(
                    game.notation(one.move), position, LEARNER
                )
                assert topic.shows(one.move, known, game.play(known, one.move))
        *before, end = told
        topics = [one.topic for one in before if one.topic]
        assert len(topics) == len(set(topics))  # who does it is not asked again
        numbers = [one.number for one in before if one.topic]
        assert numbers == sorted({*numbers})
        assert numbers[-1] <= len(game.lesson)
        assert all(one.followed for one in told if one.asked)
        assert all(
            one.asked == last.topic * (last.topic != game.lesson[-1].name)
            for last, one in pairwise(told)
        )
        if end.over:  # else the match was over before
            assert end.ends
            assert topics[-1] == game.lesson[-1].name
            included = {part for one in game.lesson if one.name in topics for part in one.includes}
            assert {*topics, *end.untold, *included} == {topic.name for topic in game.lesson}
            assert not {*end.untold} & {*topics, *included}
            assert len(before) > 4
        assert len(before) <= LONGEST
        met |= {*topics}
    assert len(met) >= len(game.lesson) - 1


@pytest.mark.parametrize("game", ALL)
def test_who_plays_something_else_is_asked_once_more_and_no_more(game: AnyGame) -> None:
    def contrary(game: AnyGame, position: Any, told: Lesson) -> Any:
        topic = next((topic for topic in game.lesson if topic.name == told.topic), None)
        for move in game.legal(position):
            if topic is not None and not topic.shows(move, position, game.play(position, move)):
                return move
        return None

    again = 0
    for seed in "abcdefgh":
        asked: list[str] = []
        for _, told in taught(game, seed, contrary):
            if told.over:
                assert told.ends
                break
            assert told.again == (bool(told.topic) and told.topic in asked)
            assert not told.again or not told.followed or told.asked != told.topic
            asked.append(told.topic)
        assert len(asked) <= LONGEST
        assert all(asked.count(topic) <= 2 for topic in asked if topic)
        again += len([one for one in asked if one]) - len({*asked} - {""})
        if again:
            break
    assert again > 0


@pytest.mark.parametrize("game", ALL)
def test_every_topic_has_its_words_in_every_language(game: AnyGame) -> None:
    topics = [topic.name for topic in game.lesson]
    kinds = [f"{topic}_{kind}" for topic in topics[:-1] for kind in ("done", "later")]
    wanted = {"meanwhile", "missed", *topics, *kinds}
    for lang in ("en", "de"):
        family = environment(lang=lang).family(f"games/{game.key}/lesson.txt.j2")
        assert {*family} == wanted


@pytest.mark.parametrize("game", [one for one in GAMES.values() if one.secrets])
def test_what_is_hidden_changes_no_example(game: AnyGame) -> None:
    told = 0
    for position, _ in taught(game, "a", followed):
        worlds = {game.worlds(position, LEARNER, seeded(f"{number}")) for number in range(4)}
        asked = [examples(game.ruleset, world, LEARNER) for world in (position, *worlds)]
        assert all(one == asked[0] for one in asked)
        told += len(worlds) > 1
    assert told > 2


def test_a_teacher_wins_only_where_nothing_else_is_left() -> None:
    [game] = [one for one in GAMES.values() if one.key == "logan_stones"]
    could = 0
    for number in range(12):
        choose, source = seeded(f"teacher {number}"), stream(b"deal %d" % number)
        position = game.initial(2, game.normal_options({}))
        while isinstance(turn := game.turn(position), Chance):
            position = game.play(position, Drawn(answer(turn.draw, source)))
        while isinstance(turn := game.turn(position), Seats):
            found = search(
                game, position, turn.seats[0], choose, Effort(plays=900, ahead=1, wide=1)
            )
            wins = [one for one in found if one.worth > WON // 2]
            move = move_of(PATIENT, game, position, choose)
            after = game.play(position, move)
            if wins and len(wins) < len(found):
                could += 1
                assert game.outcome(after) is None
            if game.outcome(after) is not None or could > 20:
                break
            position = after
    assert could > 5


def test_what_a_turn_was_good_for_is_told_from_the_second_on() -> None:
    game = GAMES["logger-1"]
    told = [one for _, one in taught(game, "b", followed)]
    assert not told[0].reasons
    assert not told[1].reasons
    later = [one for one in told[2:] if not one.over or one.ends]
    assert any(one.reasons for one in later)
    for one in later:
        assert len(one.reasons) <= 1
        assert all(reason.worth > 0 and reason.had != reason.has for reason in one.reasons)
    assert not any(one.reasons for one in told if one.over and not one.ends)
    reasons = [(one.term, one.seat) for lesson in told for one in lesson.reasons]
    assert len(reasons) > 2
    assert all(one != then for one, then in pairwise(reasons))
