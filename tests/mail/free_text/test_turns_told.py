"""Turns as newcomers told them in matches that were played: understood, asked about, or refused.

They stand in `phrasings/turns.txt`, with the positions and what is made of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.mail.verbs.playing import Move
from pbem.matches.match import Match, Status
from pbem.matches.replay import initial
from pbem.names import MatchId, PlayerId
from tests.mail.free_text.test_phrasings import FOLDER, settled


def told() -> Iterator[tuple[str, str, str, str]]:
    """The ruleset, the position, the text, and what is made of it."""
    ruleset = position = ""
    for line in (FOLDER / "turns.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[position] "):
            ruleset, position = line.removeprefix("[position] ").split(" | ")
        elif line and not line.startswith("#"):
            _, text, verdict = line.split(" | ")
            yield ruleset, position, text, verdict


def verdict(text: str, match: Match) -> str:
    said = settled(text.split("/"), match, match.table.players[0])
    for one in said.asked:
        return f"{'near' if one.near else 'ask'} {one.notation}"
    [typed] = [one for one in said.todo if isinstance(one.order, Move)]
    assert isinstance(typed.order, Move)
    if typed.refused is not None:
        return f"refused {typed.refused.code}"
    try:
        move = match.game.parse(typed.order.text, match.course.position, match.to_act[0])
    except Rejection as rejection:
        return f"refused {(typed.misread or rejection).code}"
    return f"play {match.game.notation(move)}"


@pytest.mark.parametrize(("ruleset", "position", "text", "wanted"), list(told()))
def test_a_turn_is_understood_as_it_was_told(
    ruleset: str, position: str, text: str, wanted: str
) -> None:
    match = initial(MatchId("K7QX2"))
    match = replace(
        match,
        status=Status.RUNNING,
        terms=replace(match.terms, ruleset=ruleset),
        table=replace(match.table, players=(PlayerId("p1"), PlayerId("p2"))),
        course=replace(match.course, position=GAMES[ruleset].load(position)),
    )
    assert verdict(text, match) == wanted
