"""What each word of a move means, where moves are offered: told to who is new to a game."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Style
from pbem.notices.news import MatchBegan, TurnPrompt
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.markup import ECHOED, TIE, TYPED_END
from pbem.notices.rendering.render import Renderer
from pbem.notices.replies import OrderRefused
from pbem.notices.views.matches import LEARNING
from pbem.notices.views.view import build
from tests.notices.game_mails import recorded
from tests.notices.scenes import ANN, begun, reader, scene

ENV: Final = environment()
QUOTED: Final = re.compile(f"{ECHOED}([^{TYPED_END}]*){TYPED_END}")
KEYS: Final = sorted({game.key: game for game in GAMES.values()}.values(), key=lambda one: one.key)


def key(game: AnyGame, facts: Any, said: list[str] | None) -> str:
    """The key of a game for some words."""
    path = f"games/{game.key}/key.txt.j2"
    return ENV.get_template(path).render(facts=facts, said=said)


def told(text: str) -> set[str]:
    """The words that a key speaks of."""
    return {
        one for found in QUOTED.findall(text) for word in found.split(TIE) for one in kinds(word)
    }


def kinds(word: str) -> set[str]:
    """What a word of a move is told as: itself, or the kind of thing that it names."""
    if re.fullmatch("[RYGBPOK][SML]", word):  # LL-7.2: a foreign piece
        return {"GM"}
    if re.fullmatch("[nesw]+", word):  # LL-7.3: a way
        return set(word)
    return {">"} if ">" in word else {word}


NAMES: Final = re.compile(
    r"[a-hA-Z]-?\d+|\d|to|dot|Red|Yellow|Green|Blue|Purple|Orange|Black|[a-h]\d+=[SML]"
)
"""Places, numbers and colours, which the board shows, and what only joins them."""


@pytest.mark.parametrize("game", KEYS, ids=lambda game: game.key)
def test_each_word_of_an_offered_move_has_a_meaning(game: AnyGame) -> None:
    chance, offered = random.Random(game.key), set()
    for seats in (game.seats[0], game.seats[-1]):
        position = game.initial(seats, game.normal_options({}))
        for _ in range(60):
            turn = game.turn(position)
            if isinstance(turn, Over):
                break
            if isinstance(turn, Chance):
                fall = iter(lambda: chance.randrange(256), None)
                move: Any = Drawn(answer(turn.draw, fall))
            else:
                facts = game.board(position, turn.seats[0], Style.ASCII).facts
                can: Any = facts["can"]
                said = ENV.filters["words"](can["samples"])
                words = {word for one in said for word in kinds(one) if not NAMES.fullmatch(one)}
                assert words <= told(key(game, facts, said)), can["samples"]
                offered |= words
                move = chance.choice(game.legal(position))
            position = game.play(position, move)
    every = told(key(game, {}, None))
    assert offered <= every


@pytest.mark.parametrize("face", ["TIP", "DIG", "SWAP", "HOP", "AIM", "WILD"])
def test_the_face_of_the_die_has_a_meaning_too(face: str) -> None:
    """LL-2.12: WILD names all five actions, whatever the examples use."""
    facts = {"dice": {"face": face}, "can": {"pieces": [], "actions": 3}}
    actions = {"tip", "dig", "swap", "hop", "aim"}
    found = told(key(ludo(), facts, ["pass"])) & actions
    assert found == (actions if face == "WILD" else {face.lower()})


def ludo() -> AnyGame:
    """The game of the die with the faces."""
    return next(game for game in KEYS if game.key == "looney_ludo")


@pytest.mark.parametrize("game", KEYS, ids=lambda game: game.key)
def test_who_knows_the_game_is_told_where_to_read(game: AnyGame) -> None:
    match = recorded(game.ruleset, 0.15)
    player = match.player_at(match.to_act[0])
    about = scene(match, names={player: "Ann"})
    refused = OrderRefused(code="must_act", facts={}, match=match.id, typed="x")
    for turns, code, defined in (
        (0, "must_act", True),
        (LEARNING, "must_act", False),
        (LEARNING, "unreadable", True),
    ):
        who = replace(reader(ANN), player=player, turns_elsewhere={match.id: turns})
        notice = replace(refused, code=code)
        (view,) = build((notice,), who, about).notices
        assert view.examples
        assert view.board.defines is defined


def test_help_on_moves_tells_all_words() -> None:
    game = ludo()
    assert {"tip", "dig", "swap", "hop", "aim", "S", "n", "cw"} <= told(key(game, {}, None))


def test_that_moves_can_be_tapped_is_told_once(tmp_path: Path) -> None:
    """At the first turn of a game, and in HTML alone: text has no buttons."""
    fresh = begun()
    prompt = TurnPrompt(match=fresh.id, seat=Seat(1), ply=fresh.course.ply)
    for turns, said in ((0, True), (1, False), (LEARNING, False)):
        who = replace(reader(ANN), turns_elsewhere={fresh.id: turns})
        mail = Renderer([tmp_path]).render(build((prompt,), who, scene(fresh)))
        assert ("tap here" in (mail.html or "")) is said
        assert "tap here" not in mail.text


def test_a_fact_stands_once(tmp_path: Path) -> None:
    """Whose move it is, how to answer, and the terms that everybody agreed to at the beginning."""
    fresh = begun()
    prompt = TurnPrompt(match=fresh.id, seat=Seat(1), ply=fresh.course.ply)
    notices = (MatchBegan(match=fresh.id), prompt)
    mail = Renderer([tmp_path]).render(build(notices, reader(ANN), scene(fresh))).text
    assert mail.count("Your turn in") == 1
    assert "your move as the first line" not in mail
    alone = Renderer([tmp_path]).render(build((prompt,), reader(ANN), scene(fresh))).text
    assert alone.count("eply with your move") == 1
    assert "Time: everybody begins" not in alone
