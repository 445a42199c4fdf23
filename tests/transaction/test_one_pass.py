"""A turn by mail evolves each event once, and reads and plays each move once, in every game."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.bots.levels import lively_move
from pbem.games import GAMES, AnyGame
from pbem.matches import replay as matches
from pbem.matches.match import Match
from pbem.matches.replay import replay
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log
from pbem.store.people import roster
from pbem.transaction.installation import find_match, match_stream, secrets_of
from tests.clubs.club import ANN, BOB, Club, open_club

TURNS: Final = 5
OFFERED: Final = 8
"""Moves that a prompt offers, at most."""

ASKED: Final = ("parse", "read", "play")
"""What of a game costs most."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often events are evolved, and games asked, by name."""
    counted: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            counted[name] += 1
            return function(*given)

        return call

    evolve = matches.evolve
    for module in [*sys.modules.values()]:
        if getattr(module, "evolve", None) is evolve:
            monkeypatch.setattr(module, "evolve", counting("evolve", evolve))
    kept = [(game, name, getattr(game, name)) for game in GAMES.values() for name in ASKED]
    for game, name, function in kept:
        object.__setattr__(game, name, counting(name, function))
    yield counted
    for game, name, function in kept:
        object.__setattr__(game, name, function)


class Table:
    """Ann and Bob in a match, and what each turn of theirs cost."""

    def __init__(self, club: Club, calls: Counter[str]) -> None:
        """Nobody plays yet."""
        self.club = club
        self.calls = calls
        self.rng = random.Random(3)
        self.name = MatchId("")

    async def begin(self, game: AnyGame) -> None:
        """They play this game."""
        await self.club.write(ANN, f"new {game.title} with {BOB} time=slow")
        await self.club.answer(ANN, "yes")
        await self.club.answer(BOB, "accept")
        rows = await self.club.read(lambda conn: views.match_ids(conn, ("running",)))
        self.name = rows[0]  # type: ignore[index]

    async def match(self) -> Match:
        """The match as it is now, without a call that counts."""
        cache = self.club.house.cache
        loaded = await self.club.read(lambda conn: find_match(conn, self.name, cache))
        return loaded.match  # type: ignore[attr-defined, no-any-return]

    async def turn(self) -> tuple[Match, Match]:
        """Whoever is to move does; the match before and after it."""
        before = await self.match()
        player = before.player_at(before.to_act[0])
        move = lively_move(before.game, before.course.position, self.rng.randrange)
        people = await self.club.read(lambda conn: roster.players(conn, [player]))
        self.calls.clear()
        address = people[player].address  # type: ignore[index]
        await self.club.answer(address, before.game.notation(move))
        return before, await self.match()


def changes(before: Match, after: Match) -> int:
    """How often the position changed: plies, and draws within the game."""
    return len(after.course.steps) - len(before.course.steps)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
async def test_a_turn_is_one_pass(tmp_path: Path, game: AnyGame, calls: Counter[str]) -> None:
    table = Table(open_club(tmp_path), calls)
    await table.begin(game)
    drew = False
    for _ in range(TURNS):
        before, after = await table.turn()
        spent = Counter(calls)
        first_draw, drew = not drew and draws(before) < draws(after), draws(after) > draws(before)
        if first_draw and not draws(before):
            continue  # only then it shows that the game draws while it is played
        events, plies = after.version - before.version, changes(before, after)
        assert plies > 0
        # Each move that the prompt offers is read and played once, so that it can be told.
        offered = spent.pop("read", 0)
        assert offered <= OFFERED
        assert spent == Counter(parse=1, play=plies + offered, evolve=events)
    table.club.house.db.close()


def draws(match: Match) -> int:
    return len(match.chance.draws) - match.chance.seats_drawn + len(match.chance.sealed)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
async def test_a_move_that_is_held_is_read_once_and_goes_out_in_one_pass(
    tmp_path: Path, game: AnyGame, calls: Counter[str]
) -> None:
    table = Table(open_club(tmp_path, window=30), calls)
    await table.begin(game)
    for _ in range(TURNS):
        before, held = await table.turn()
        assert held.version == before.version + 1
        # It is tried when it is held, and again for the mail that shows it.
        assert calls == Counter(parse=1, read=1, play=2, evolve=1)
        calls.clear()
        await table.club.wait(minutes=31)
        after = await table.match()
        plies = changes(held, after)
        if draws(held) == draws(after) or draws(held):
            offered = calls.pop("read") - 1
            assert offered <= OFFERED
            assert calls == Counter(play=plies + offered, evolve=after.version - held.version)
    table.club.house.db.close()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
async def test_replay_makes_the_match_that_the_decisions_made(
    tmp_path: Path, game: AnyGame, calls: Counter[str]
) -> None:
    table = Table(open_club(tmp_path), calls)
    await table.begin(game)
    for _ in range(TURNS):
        await table.turn()
    decided = await table.match()

    def replayed(conn: Any) -> Match:
        recorded = event_log.load(conn, match_stream(table.name))
        events = event_log.match_events_of(recorded)
        return replay(table.name, events, secrets_of(conn, events))

    assert await table.club.read(replayed) == decided
    table.club.house.db.close()
