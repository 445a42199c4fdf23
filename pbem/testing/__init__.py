"""The contract that every game must meet, as tests for authors of games in separate packages.

Put this test into the package of a game. It runs each check for each number of seats:

    from pbem.testing import GameContract
    from pbem_nim import GAME

    class TestNim(GameContract):
        games = (GAME,)

`pbem check-game nim` runs the same checks on an installed game. The checks play random games, and
report each problem with the name of the function that must be fixed. A missing picture or
translation is only a warning, because the game can still be played.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from pbem.games import GAMES, AnyGame
from pbem.testing.checks import CHECKS, Check, Finding
from pbem.testing.emails import EMAIL_CHECKS
from pbem.testing.random_games import BrokenGameError, RandomGames
from pbem.testing.secrets import SECRET_CHECKS

__all__ = ["ALL_CHECKS", "Finding", "GameContract", "GameWarning", "check_game"]

ALL_CHECKS: Final[dict[str, Check]] = CHECKS | SECRET_CHECKS | EMAIL_CHECKS


class GameWarning(UserWarning):
    """A warning that a game lacks something, such as a translation, but can be played."""


@cache
def play_games(game: AnyGame, seats: int) -> RandomGames:
    """Return the random games of `game` with `seats` seats, the same for all checks."""
    return RandomGames(game, seats)


def run_check(name: str, game: AnyGame, seats: int) -> list[Finding]:
    """Run the check `name` of ALL_CHECKS on a game, and return the distinct problems found.

    Raises:
        Exception: A function of the game raises an exception; it may be of any type.
    """
    findings: dict[str, Finding] = {}
    try:
        with GAMES.including(game):
            for finding in ALL_CHECKS[name](play_games(game, seats)):
                problem = Finding(finding) if isinstance(finding, str) else finding
                findings.setdefault(problem.text, problem)
    except BrokenGameError as error:
        findings.setdefault(str(error), Finding(str(error)))
    return [*findings.values()]


def check_game(game: AnyGame) -> Iterator[Finding]:
    """Run all checks for each number of seats of a game, and yield the distinct problems found.

    An exception in a function of the game counts as a problem, too.
    """
    seen = set[Finding]()
    for seats in game.seats:
        for name in ALL_CHECKS:
            try:
                findings = run_check(name, game, seats)
            except Exception as error:  # noqa: BLE001 - games may raise anything by mistake
                frame = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{frame.name}() in {Path(frame.filename).name}, line {frame.lineno}"
                findings = [Finding(f"{place}: raises {type(error).__name__}: {error}.")]
            for finding in findings:
                if finding not in seen:
                    seen.add(finding)
                    yield finding


class GameContract:
    """A base class for pytest tests of the games that a subclass lists in `games`.

    There is one test case for each check, game and number of seats.
    """

    games: ClassVar[tuple[AnyGame, ...]] = ()

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Create a test case of `test_contract` for each check, game and number of seats."""
        if metafunc.function.__name__ != "test_contract":
            return
        cases = [
            (game, seats, name)
            for game in self.games
            for seats in game.seats
            for name in ALL_CHECKS
        ]
        ids = [f"{game.ruleset}-{seats}-{name}" for game, seats, name in cases]
        metafunc.parametrize(("game", "seats", "check"), cases, ids=ids)

    def test_contract(self, game: AnyGame, seats: int, check: str) -> None:
        """Run one check, and fail if it finds problems; issue a GameWarning for each warning."""
        findings = run_check(check, game, seats)
        for finding in findings:
            if finding.is_warning:
                warnings.warn(f"{game.ruleset}: {finding.text}", GameWarning, stacklevel=2)
        faults = [finding.text for finding in findings if not finding.is_warning]
        if faults:
            raise AssertionError("\n  - ".join([str(ALL_CHECKS[check].__doc__), *faults]))
