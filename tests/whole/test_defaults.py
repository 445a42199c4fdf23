"""Every game under the settings that an operator gets who changes none."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.bots.levels import random_move
from pbem.config.settings import Matches, Settings
from pbem.games import GAMES, AnyGame
from pbem.store import views
from pbem.store.mails import inbox
from pbem.store.people import roster
from pbem.transaction.installation import load_match
from tests.clubs.club import ANN, BOB, CLEO, open_club


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
async def test_a_match_begins_and_goes_on_under_the_default_settings(
    tmp_path: Path, game: AnyGame
) -> None:
    defaults = Settings().matches
    club = open_club(
        tmp_path,
        window=defaults.window_minutes,
        resign=defaults.resign_hours,
    )
    assert club.house.settings.matches == Matches()
    others = [BOB, CLEO] if 3 in game.seats else [BOB]
    await club.write(ANN, f"new {game.key} with {', '.join(others)}")
    await club.answer(ANN, "yes")
    for other in others:
        await club.answer(other, "accept")
    running: Any = await club.read(partial(views.match_ids, statuses=["running"]))
    [name] = running
    dice = random.Random(2)
    for _ in range(5):
        found: Any = await club.read(partial(load_match, match=name))
        match = found.match
        player: Any = await club.read(
            partial(roster.player, player=match.player_at(match.to_act[0]))
        )
        move = match.game.notation(random_move(match.game, match.course.position, dice.randrange))
        await club.answer(player.address, f"{name} {move}")
        await club.wait(minutes=6)
    found = await club.read(partial(load_match, match=name))
    assert found.match.course.ply >= 5
    assert found.match.clocks is not None
    assert await club.read(partial(inbox.listed, state="shunted")) == []
    club.house.db.close()
