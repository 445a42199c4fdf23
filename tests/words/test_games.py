"""What games say in every language: nothing is too wide, whoever plays, whatever happens."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2.filters import do_wordwrap

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Style
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.languages import languages

WIDEST = 72
SOMEBODY_LEAVES = 25
NAMES = {seat: f"Maximiliane Schönf. {seat}{seat}" for seat in range(1, 7)}
GAME = sorted({game.key: game for game in GAMES.values()}.values(), key=lambda game: game.key)
FOREIGN = [code for code in languages([template_folder()]) if code != "en"]
NONSENSE = ("bleibe fälle z9", "groß auf", "wende Q7", "springe Rot", "9 Stein", "passe", "Hallo")


class Teller:
    """The pieces of one game in one language."""

    def __init__(self, game: AnyGame, lang: str) -> None:
        self.game = game
        self.env = environment(lang=lang)

    def say(self, name: str, **facts: Any) -> str:
        path = f"games/{self.game.key}/{name}.txt.j2"
        return self.env.get_template(path).render(names=NAMES, **facts).strip("\n")

    def refuse(self, refused: Rejection) -> str:
        family = f"games/{self.game.key}/rejections"
        text = self.env.member(family, refused.code, facts=dict(refused.facts), names=NAMES)
        return do_wordwrap(self.env, text, 72, break_on_hyphens=False)

    def situation(self, position: Any) -> Iterator[str]:
        """All that is said of a position."""
        turn = self.game.turn(position)
        acting = () if isinstance(turn, Chance | Over) else turn.seats
        for seat in acting or (Seat(1),):
            facts = self.game.board(position, seat, Style.ASCII).facts
            for name in ("legend", "can", "spoken"):
                yield self.say(name, facts=facts)
            for text in NONSENSE if acting else ():
                try:
                    self.game.parse(text, position, seat)
                except Rejection as refused:
                    yield self.refuse(refused)

    def step(self, move: Any, before: Any, after: Any) -> str:
        """A step in words."""
        facts = self.game.facts(move, before, after)
        notation = "" if isinstance(move, Drawn) else self.game.notation(move)
        # As parts.txt.j2 does.
        notation = self.env.filters["move"](notation, self.game.key)
        return self.say("told", facts=facts, seat=facts.get("seat", 1), notation=notation)


def pages(game: AnyGame, seats: int, lang: str) -> Iterator[str]:
    """What is said in the course of a match of chance moves."""
    teller, chance = Teller(game, lang), random.Random(f"{game.key}{seats}")
    yield teller.say("rules")
    yield teller.say("howto")
    position, playing = game.initial(seats, game.normal_options({})), seats
    for ply in range(70):
        turn = game.turn(position)
        if isinstance(turn, Over):
            break
        move: Any
        if isinstance(turn, Chance):
            move = Drawn(answer(turn.draw, iter(lambda: chance.randrange(256), None)))
        else:
            move = chance.choice(game.legal(position))
        after = game.play(position, move)
        yield teller.step(move, position, after)
        position = after
        drawing = isinstance(game.turn(position), Chance | Over)
        if ply >= SOMEBODY_LEAVES and playing > 2 and not drawing:
            position, playing = game.leave(position, Seat(playing)), 2
        if ply % 6 == 0:
            yield from teller.situation(position)
    yield from teller.situation(position)


@pytest.mark.parametrize("lang", FOREIGN)
@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_nothing_that_a_game_says_is_too_wide(game: AnyGame, lang: str) -> None:
    for seats in {game.seats[0], game.seats[-1]}:
        for page in pages(game, seats, lang):
            assert max(map(len, page.split("\n"))) <= WIDEST, page


@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_another_language_says_other_words_and_the_same_facts(game: AnyGame) -> None:
    for lang in FOREIGN:
        ours, theirs = pages(game, game.seats[0], "en"), pages(game, game.seats[0], lang)
        differ = [english != foreign for english, foreign in zip(ours, theirs, strict=True)]
        assert sum(differ) > len(differ) * 0.9
