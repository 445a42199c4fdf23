"""A board that is read out: few words, the pieces first, and the rest on request (PLAY 1)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.games import AnyGame
from pbem.games.game import Seat, Style
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.markup import shortened
from tests.clubs.club import ANN, BOB, open_club
from tests.words.test_games import GAME, NAMES
from tests.words.test_signs import LANGUAGES, positions

MOST: Final = 120
CALLED: Final = {
    "logger": "logger",
    "landrush": "landrush",
    "logan_stones": "logan stones",
    "looney_ludo": "looney ludo",
}


def pieces(game: AnyGame, facts: Any) -> set[str]:
    """The places of all pieces, as the words name them."""
    match game.key:
        case "logger":
            trees = (facts[kind] for kind in ("mature", "protested", "saplings", "seedlings"))
            cells = (seat["cell"] for seat in facts["seats"])
            return {*(cell for cell in cells if cell), *(cell for kind in trees for cell in kind)}
        case "landrush":
            tracts = (tract for seat in facts["seats"] for tract in seat["tracts"])
            return {one["square"] for tract in tracts for one in tract["pyramids"]}
        case "logan_stones":
            return {stone["space"] for row in facts["rows"] for stone in row["stones"]}
        case _:
            return {piece["place"] for piece in facts["own"]} - {"centre"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_a_board_that_is_told_has_few_words_and_all_pieces(game: AnyGame, lang: str) -> None:
    env = environment(lang=lang)
    page, said = env.get_template(f"games/{game.key}/brief.txt.j2"), env.filters["word"]
    for seats in game.seats:
        for position in positions(game, seats):
            facts = game.board(position, Seat(seats), Style.ASCII).facts
            text = shortened(page.render(facts=facts, names=NAMES))
            assert len(text.split()) <= MOST - 6, text  # a sentence says how to have the rest
            places = {said(place) for place in pieces(game, facts)}
            assert places <= set(re.findall(r"[\w-]+", text)), text


def told(text: str) -> str:
    """The board in a spoken mail: the paragraph that ends with the way to the rest."""
    return next(part for part in text.split("\n\n") if '"board all"' in part)


@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
async def test_the_rest_is_told_to_who_asks_for_it(game: AnyGame, tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new {CALLED[game.key]} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "mail spoken")
    await club.answer(ANN, f"{re.findall('[A-Z0-9]{5}', club.mails(BOB)[0].subject)[-1]} board")
    brief = told(club.last(ANN).text.replace("\r", ""))
    assert len(brief.split()) <= MOST
    await club.answer(ANN, "board all")
    whole = club.last(ANN).text
    assert '"board all"' not in whole.partition("Any time:")[0]
    assert len(whole.split()) > len(brief.split())
    if game.key == "looney_ludo":
        assert "Centre:" in whole  # the squares with their exits
    club.house.db.close()
