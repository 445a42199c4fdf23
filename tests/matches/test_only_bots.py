"""Nothing came from outside only where every answer to a challenge was a bot's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.matches.chance import only_bots_answered


@pytest.mark.parametrize(
    ("players", "only"),
    [
        (["ann", "bot-random"], True),
        (["ann", "bot-random", "bot-greedy"], True),
        (["ann", "bot-random", "bob"], False),
        (["ann", "bob"], False),
    ],
)
def test_one_person_among_bots_is_enough(players: list[str], only: bool) -> None:  # noqa: FBT001 - a row
    table = SimpleNamespace(accepted=[(player, "", "") for player in players])
    match: Any = SimpleNamespace(table=table)
    assert only_bots_answered(match) == only
