"""What who watches is not told among the moves: who is away, who was late, who got time back."""

from __future__ import annotations

import pytest

from pbem.games.game import Seat
from pbem.matches.match import Match
from pbem.matches.steps import StepKind
from pbem.notices.views.matches import history, told
from tests.notices.clock_mails import AWAY, CLAIMED, CREDITED, LATE, SAVED
from tests.notices.scenes import scene


def news(match: Match, you: Seat | None) -> list[str]:
    steps = told(match, match.course.steps, scene(match), you)
    assert steps == history(match, scene(match), you)
    return [step.event for step in steps if step.kind == StepKind.NEWS.value]


@pytest.mark.parametrize("match", [AWAY, LATE, SAVED, CREDITED])
def test_news_of_clocks_are_for_who_plays(match: Match) -> None:
    assert news(match, Seat(2))
    assert news(match, None) == []


def test_the_end_opens_them() -> None:
    assert news(CLAIMED, None) == news(CLAIMED, Seat(2)) != []
