"""The legend of a board names every sign that the board is drawn with, in every language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from string import ascii_letters
from typing import Any, Final

import pytest

from pbem.games import AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Style
from pbem.games.hexes import row_letters, row_number
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.languages import languages
from tests.words.test_games import GAME, NAMES

LANGUAGES: Final = languages([template_folder()])
PLIES: Final = 60
TOKENS: Final[Mapping[str, str]] = {
    "logger": r"[A-Za-z▲]\*?|\d+|\S",
    "landrush": r"[A-Za-z]+\d*|\d+|##|\S",
    "logan_stones": r"(?<=\[)[^\[\]]|-?[A-Z]+(?=[ ])|-?\d+|\.\.|\S",
    "looney_ludo": r"\[[A-Z]\]|[A-Z][sml]|\.\.|[a-zA-Z]|\d+|\S",
}
"""What the eye takes for one sign."""

RANGE: Final = re.compile(r"(\S+) (?:to|bis) (\S+)")


def positions(game: AnyGame, seats: int) -> Iterator[Any]:
    chance = random.Random(f"signs of {game.key} {seats}")
    position = game.initial(seats, game.normal_options({}))
    for _ in range(PLIES):
        turn = game.turn(position)
        yield position
        match turn:
            case Over():
                return
            case Chance(draw=draw):
                draws = iter(lambda: chance.randrange(256), None)
                position = game.play(position, Drawn(answer(draw, draws)))
            case _:
                position = game.play(position, chance.choice(game.legal(position)))


def named(legend: str) -> set[str]:
    """The signs that a legend explains: what stands before the signs of equality."""
    signs: set[str] = set()
    for line in legend.split("\n"):
        entries = re.split(r" {2,}", line.strip())
        for number, entry in enumerate(entries):
            assert " = " in entry or number < len(entries) - 1, line
            left = entry.rpartition(" = ")[0] if " = " in entry else entry
            for first, last in RANGE.findall(left):
                signs |= between(first, last)
            signs |= set(RANGE.sub("", left).split())
    return signs


def between(first: str, last: str) -> set[str]:
    if first.lstrip("-").isdigit():
        return {str(number) for number in range(int(first), int(last) + 1)}
    if first.isupper() or first.startswith("-"):
        return {row_letters(row) for row in range(row_number(first), row_number(last) + 1)}
    return set(ascii_letters[ascii_letters.index(first) : ascii_letters.index(last) + 1])


def drawn(game: AnyGame, lines: tuple[str, ...]) -> set[str]:
    return {token for line in lines for token in re.findall(TOKENS[game.key], line)}


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_every_sign_of_a_board_stands_in_its_legend(game: AnyGame, style: Style) -> None:
    pages = [environment(lang=lang) for lang in LANGUAGES]
    for seats in {game.seats[0], game.seats[-1]}:
        for position in positions(game, seats):
            board = game.board(position, Seat(1), style)
            for page in pages:
                signs = drawn(game, tuple(map(page.filters["pictured"], board.lines)))
                signed = page.get_template(f"games/{game.key}/signs.txt.j2")
                legend = signed.render(facts=board.facts, names=NAMES).strip("\n")
                assert signs <= named(legend), legend
                assert max(map(len, legend.split("\n"))) <= 72


def test_a_legend_without_a_sign_is_found() -> None:
    assert named("  A = Ann (you)\n  i = seed  Y = tree\n  a to c  1 to 2 = names") == {*"AiYabc12"}
