"""What lessons say: many of them, played to the end, in the words of their pages and mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from pbem.bots.lessons import LONGEST, Lesson
from pbem.games import GAMES, AnyGame
from pbem.matches.match import Match, Status
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.families import Family
from pbem.notices.views.lessons import lesson_part
from pbem.notices.views.scene import BoardPart, LessonPart
from pbem.web.teaching import Taught, taught_to
from pbem.web.trials import Trial, begun, match_of, played
from pbem.web.try_out import seen_by_guest

ALL: Final = [pytest.param(game, id=game.key) for game in GAMES.values()]
LANGUAGES: Final = ("en", "de")
HOUSE: Final[Any] = SimpleNamespace(now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
NAMES: Final = {1: "Ann", 2: "Robot"}

BY_EXAMPLES, AT_RANDOM = True, False
REACH_ALL: Final = {
    "logger": ((12, BY_EXAMPLES), (13, AT_RANDOM)),
    "looney_ludo": ((0, BY_EXAMPLES), (12, AT_RANDOM)),
    "logan_stones": ((15, BY_EXAMPLES), (13, BY_EXAMPLES), (11, AT_RANDOM)),
    "landrush": ((2, BY_EXAMPLES), (3, AT_RANDOM)),
}
"""Few seeds of matches in which, together, all is said that a lesson can say.

Where its words or its search change, others may do so: any of sixteen are as good.
"""


def lessons(game: AnyGame, seed: int, *, follows: bool) -> Iterator[Match]:
    """The positions of a first match in which something is told, and its end."""
    trial, rng = begun(game, bytes([seed] * 16), teaches=True), Random(seed)
    for _ in range(LONGEST + 2):
        match = match_of(trial)
        yield match
        if not match.to_act:
            break
        trial = _gone_on(trial, match, rng, follows=follows)


def _gone_on(trial: Trial, match: Match, rng: Random, *, follows: bool) -> Trial:
    part = lesson_part(match, NAMES)
    if follows and part is not None and part.offered:
        return played(trial, part.offered[0])
    return played(trial, trial.game.notation(rng.choice(trial.game.legal(match.course.position))))


def on_the_page(match: Match, lang: str) -> Taught | None:
    env = environment(lang=lang)
    return taught_to(seen_by_guest(env, HOUSE, match), env)


def in_the_mail(match: Match, part: LessonPart, lang: str) -> str:
    view = SimpleNamespace(
        board=BoardPart(lesson=part),
        match=SimpleNamespace(game=match.game.key, names=NAMES, you=1, status=match.status.value),
    )
    parts: Any = environment(lang=lang).get_template("parts.txt.j2").module
    return str(parts.good_for(view)) + str(parts.lesson(view))


@pytest.mark.parametrize("game", ALL)
def test_no_stage_of_a_lesson_lacks_words(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    render = Family.render

    def heard(family: Family, name: str, **values: object) -> str:
        text = render(family, name, **values)
        assert text.strip(), name
        if family.name == f"games/{game.key}/lesson.txt.j2":
            said.add(name)
        return text

    monkeypatch.setattr(Family, "render", heard)
    ends = 0
    _resigned_at_once(game)
    for seed, follows in REACH_ALL[game.key]:
        for match in lessons(game, seed, follows=follows):
            ends += _told_everywhere(match)
    assert ends == len(REACH_ALL[game.key])
    words = {*environment(lang="en").family(f"games/{game.key}/lesson.txt.j2")}
    assert words == said


def _told_everywhere(match: Match) -> bool:
    """What a stage says in every language, on its page and in its mail; whether it is the end."""
    part = lesson_part(match, NAMES)
    assert part is not None
    for lang in LANGUAGES:
        told = on_the_page(match, lang)
        assert (told is None) == (part.stage.over and not part.stage.ends)
        lines = [*told.came, *told.asks, *told.untold] if told is not None else []
        assert bool(lines) == (told is not None)
        for line in lines:
            assert re.fullmatch(r"[^\x00-\x09\x0b-\x1f]+", line)
            assert not re.search(r"[{}\[\]]|%\(|\bNone\b|\(\)", line)
        in_the_mail(match, part, lang)
    return part.stage.ends


def _resigned_at_once(game: AnyGame) -> None:
    """Nothing has come up."""
    match = replace(match_of(begun(game, bytes(16), teaches=True)), status=Status.ENDED)
    part = lesson_part(match, NAMES)
    assert part is not None
    assert len(part.stage.untold) == len(game.lesson) - 1
    for lang in LANGUAGES:
        told = on_the_page(match, lang)
        assert told is not None
        assert told.untold
        assert all(line in in_the_mail(match, part, lang) for line in told.untold)


def test_what_a_lesson_praises_is_so_on_the_board() -> None:
    [game] = [one for one in GAMES.values() if one.key == "logan_stones"]
    praised: dict[str, int] = {}
    for seed in (*range(6), 13, 15):
        for match in lessons(game, seed, follows=True):
            part = lesson_part(match, NAMES)
            assert part is not None
            if _is_praise(part.stage):
                praised[part.stage.asked] = praised.get(part.stage.asked, 0) + 1
                _require_true(game, part)
    assert praised.keys() >= {"lay", "beat", "turn", "guard", "line", "flip", "shift"}


def _is_praise(stage: Lesson) -> bool:
    # Who plays what the lesson shows has always done what it asks for.
    assert not stage.asked or stage.followed
    return bool(stage.asked)


def _require_true(game: AnyGame, part: LessonPart) -> None:
    assert part.stage.last is not None
    _, move, before, after = part.stage.last
    match part.stage.asked:
        case "beat":
            assert part.came["over"]
        case "guard":
            threes = [term for of in game.terms(after) for term in of if term.name == "threes"]
            assert not any(term.number for term in threes)
        case "line":
            assert after.winner == before.to_act
        case _:
            kind = {"lay": "add", "turn": "add", "flip": "flip", "shift": "move"}
            assert game.facts(move, before, after)["kind"] == kind[part.stage.asked]
