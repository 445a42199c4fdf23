from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.demo.table import Table, make_rendering
from pbem.games import GAMES, AnyGame
from pbem.games.game import Chance, Hotspot, Marks, PartialMove, Seat, Seats
from pbem.games.looney_ludo.picture_symbols import CELL, LENGTH
from pbem.notifications.renderer import Renderer
from pbem.testing.random_games import answer_draw
from pbem.web.boards import link_targets
from pbem.web.composing import Composition, Target, compose
from pbem.web.turns import show_turn
from tests.games.logan_stones.test_lesson import THREAT
from tests.games.words import say

STONES = GAMES["logan_stones-1"]
LUDO = (  # LL-9.6
    "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
    "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; to move 1; dice 6 4 hop"
)
LONGEST_FREE_RING = CELL / 2 - LENGTH - 2  # an arrow lies 1.5 from the edge of its square


def settle(game: AnyGame, position: Any, rng: random.Random) -> Any:
    """Return a position after all that is drawn before a player acts."""
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, answer_draw(turn.draw, rng.randrange))
    return position


def begin(ruleset: str, seed: int) -> tuple[AnyGame, Any, random.Random]:
    game, rng = GAMES[ruleset], random.Random(seed)
    position = game.initial_position(min(game.seats), game.normalise_options({}))
    return game, settle(game, position, rng), rng


def find_seat(game: AnyGame, position: Any) -> Seat:
    turn = game.turn(position)
    assert isinstance(turn, Seats)
    return turn.seats[0]


def list_texts(composition: Composition) -> list[str]:
    texts = [text for target in composition.targets for text in target.texts]
    return [*texts, *(choice.text for choice in composition.choices)]


@pytest.mark.parametrize("ruleset", ["logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1"])
def test_any_taps_lead_to_a_legal_move_and_back(ruleset: str) -> None:
    game, position, rng = begin(ruleset, 5)
    for _ in range(25):
        if not isinstance(game.turn(position), Seats):
            break
        seat = find_seat(game, position)
        known = game.redact(position, seat)
        made = compose(game, known, seat, "")
        assert made.back is None
        for _ in range(12):
            texts = list_texts(made)
            if not texts or (made.is_complete and rng.random() < 0.5):
                break
            made = compose(game, known, seat, rng.choice(texts))
            assert made.rejection is None, made.text
            back = made.back
            assert back is None or len(back) < len(made.text)
        assert made.is_complete
        move = game.read_notation(made.text, position)
        assert made.partial_move.position is not None
        position = settle(game, game.play(position, move), rng)


def test_rings_on_free_squares_leave_the_arrows_to_be_seen() -> None:
    game, position, _ = begin("looney_ludo-1", 1)
    seat = find_seat(game, position)
    made = compose(game, position, seat, "S")
    ways = {place.ring for place in made.partial_move.hotspots}
    assert 0 < max(ways) < LONGEST_FREE_RING


def test_seven_points_of_looney_ludo_are_two_taps() -> None:
    begun = (begin("looney_ludo-1", seed) for seed in range(30))
    game, position, _ = next(one for one in begun if one[1].roll.points == 7)
    seat = find_seat(game, position)
    first = compose(game, position, seat, "")
    small = next(target for target in first.targets if target.place.name == "S")
    second = compose(game, position, seat, small.texts[0])
    farthest = max((text for target in second.targets for text in target.texts), key=len)
    made = compose(game, position, seat, farthest)
    assert made.is_complete
    assert made.partial_move.facts["points"] <= 2  # type: ignore[operator]  # a number
    assert len(farthest.split()[1]) >= 5


def test_what_is_no_move_is_refused_with_its_reason() -> None:
    game, position, _ = begin("logger-1", 1)
    seat = find_seat(game, position)
    for typed, code in {
        "place c3": "place_not_corner",
        "nonsense": "unreadable",
        "a" * 5000: "unreadable",
        "\x00": "unreadable",
        "b1; plant a1": "must_place",
    }.items():
        made = compose(game, position, seat, typed)
        assert made.rejection is not None
        assert made.rejection.code == code
        assert not made.is_complete
        assert list_texts(made)


@pytest.mark.parametrize(
    ("ruleset", "typed"),
    [("looney_ludo-1", "S"), ("logan_stones-1", "add 8"), ("landrush-1", "c4")],
)
def test_what_is_chosen_is_marked_and_another_tap_chooses_again(ruleset: str, typed: str) -> None:
    game, position, _ = begin(ruleset, 3)
    seat = find_seat(game, position)
    first, made = (compose(game, game.redact(position, seat), seat, one) for one in ("", typed))
    assert made.back is not None
    assert made.chosen is not None
    assert made.chosen.name == typed.rpartition(" ")[2]
    assert len(made.others) > 1
    assert {*made.others} <= {*first.targets}
    others = {target.place for target in made.others}
    assert made.chosen not in others
    assert others.isdisjoint(target.place for target in made.targets)
    assert others <= {*game.hotspots(made.partial_move.position, seat)}


def test_what_is_chosen_belongs_to_the_last_part_of_a_move() -> None:
    game = GAMES["logger-1"]
    position = game.load("loggers a1, e5; trees c3=1; scores 0, 0; hands 2, 2; to move 1")
    for typed, text, chosen in (
        ("b1;  plant", "b1; plant", None),
        ("b1; plant a1", "b1; plant a1", "a1"),
    ):
        made = compose(game, position, Seat(1), typed)
        assert made.text == text
        assert (made.chosen.name if made.chosen is not None else None) == chosen
    stones, known, _ = begin("logan_stones-1", 3)
    added = compose(stones, known, find_seat(stones, known), "add 8 L21").chosen
    assert added is not None
    assert added.name == "L21"


def test_places_are_large_and_those_that_go_on_lie_above_the_others() -> None:
    places = {name: Hotspot(name, 50.0, 60.0, 4.0) for name in ("S", "L")}
    small, large = (Target(place, ("move n", "move s"), "move") for place in places.values())
    half: PartialMove[Any, Any] = PartialMove(None, None, {}, ())
    made = Composition("move", half, False, (), (small,), None, places["L"], (large,))
    svg = link_targets(made, str)
    other, chosen, further = svg.partition('<circle class="chosen"')
    assert 'class="other" tabindex="-1" href="?m=move&amp;at=L"' in other
    assert chosen
    assert 'class="next" href="?m=move&amp;at=S"' in further
    assert 'width="30.0" height="30.0" rx="15.0"' in further
    outer = replace(made, targets=(replace(small, place=replace(places["S"], ring=27)),))
    assert 'class="ring" cx="50.0" cy="60.0" r="27.0"' in link_targets(outer, str)
    board = replace(places["S"], radius=87.0, is_square=True)
    framed = replace(made, targets=(replace(small, place=board),))
    assert '<rect class="ring" ' in link_targets(framed, str)
    square = replace(made, targets=(replace(small, place=replace(places["S"], is_square=True)),))
    assert 'rx="0"' in link_targets(square, str)


@pytest.mark.parametrize(("stone", "is_offered"), [(1, False), (3, True)])
def test_a_stone_is_turned_over_if_it_looks_different(stone: int, *, is_offered: bool) -> None:
    made = compose(STONES, THREAT, Seat(1), f"add {stone} M20")
    [choice] = made.choices
    word = say(STONES, "word", word=choice.word, facts=made.partial_move.facts)
    assert bool(word) is is_offered
    turned = compose(STONES, THREAT, Seat(1), choice.text)
    assert turned.back == made.text
    assert len({say(STONES, "back", text=text) for text in (made.text, turned.text)}) == 2


def test_a_tap_that_can_mean_several_moves_can_be_undone_and_changed() -> None:
    # With an empty hand a stone of the island is moved or flipped.
    game, position, rng = begin("logan_stones-1", 3)
    while position.hand:
        position = game.play(position, rng.choice(game.legal_moves(position)))
    seat = find_seat(game, position)
    known = game.redact(position, seat)
    stones = compose(game, known, seat, "").targets
    stone = next(target for target in stones if len(target.texts) > 1)
    made = compose(game, known, seat, "", stone.place.name)
    assert made.chosen == stone.place
    assert made.back == ""
    assert [choice.text for choice in made.choices] == [*stone.texts]
    assert {target.place for target in made.others} == {one.place for one in stones} - {stone.place}


def test_a_board_that_has_hopped_is_marked_where_it_lies() -> None:
    # LL-7.5: the slots keep their names until the end of the turn, also if column A has a board.
    game = GAMES["looney_ludo-1"]
    made = compose(game, game.load(LUDO), Seat(1), "hop Red to A3")
    places = game.hotspots(made.partial_move.position, Seat(1))
    assert made.partial_move.facts["board"] == "Red"  # which board else can turn
    assert made.chosen is not None
    assert made.chosen == next(place for place in places if place.name == "Red")
    assert not [place for place in places if re.fullmatch("[A-H][1-8]", place.name)]
    picture = game.picture(made.partial_move.position, Seat(1), Marks())
    assert 'href="#llt"' not in picture


def test_a_square_that_is_the_only_one_is_marked() -> None:
    game = GAMES["landrush-1"]
    # LR-10.4
    position = game.load("Red b7 M b8 S; Yellow b3 L b4 S b5 M; coin Suns 3")
    made = compose(game, position, Seat(1), "")
    assert (made.text, made.back, made.partial_move.facts["only"]) == ("a6", None, True)
    assert made.chosen is not None
    assert made.chosen.name == "a6"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_size_that_replaces_a_pyramid_is_told_before_it_is_played(language: str) -> None:
    # LR-10.1
    game, size = GAMES["landrush-1"], {"en": "Medium", "de": "Mittlere"}[language]
    position = game.load("Red b7 M b8 S; Yellow b5 M; coin Suns 3")
    made = compose(game, position, Seat(1), "b6 S")
    assert made.is_complete
    facts = made.partial_move.facts
    assert size in say(game, "next", language, facts=facts, is_complete=True, choices=[])


def test_the_third_die_stays_open_when_no_step_is_left() -> None:
    game = GAMES["looney_ludo-1"]
    position = game.load(
        "seats Red, Blue; boards Red D4 SE, Yellow E4 SW, Green D5 NE, Blue E5 NW; "
        "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; to move 1; dice 2 1 wild"
    )
    made = compose(game, position, Seat(1), "S wn")
    assert made.is_complete
    assert made.partial_move.facts["can_move"] is False
    assert {"tip", "dig", "swap", "hop", "aim"} <= {choice.word for choice in made.choices}


@pytest.mark.parametrize(
    ("scores", "typed", "wins"),
    [
        ("3, 9", "d4; c4>b4, e4>e3; chop e4", True),
        ("10, 9", "d4; c4>b4, e4>e3; chop e4", False),  # both have ten points then
        ("3, 9", "d4; c4>b4, e4>e3; plant d3", False),
        ("3, 9", "d4; c4>b4, e4>e3", False),
    ],
)
def test_a_move_that_wins_is_told(scores: str, typed: str, *, wins: bool) -> None:
    table = Table(GAMES["logger-1"], 2, {"starter": "given"})
    text = f"loggers a1, e5; trees e4=3 c4=3; scores {scores}; hands 2, 2; to move 2"
    table.set_position(table.match.game.load(text))
    view = table.view("")
    words = make_rendering(Renderer(), view)
    turn = show_turn(
        table.match, view, table.player, names=table.names, words=words, query={"m": typed}
    )
    assert turn.is_winning is wins
    assert bool(turn.description) is (typed != "d4; c4>b4, e4>e3")


def list_labels(ruleset: str, position: str, typed: str) -> list[str]:
    """Return what a reader who hears the page is told about the places to tap."""
    table = Table(GAMES[ruleset], 2, {"starter": "given"})
    table.set_position(table.match.game.load(position))
    view = table.view("")
    words = make_rendering(Renderer(), view)
    turn = show_turn(
        table.match, view, table.player, names=table.names, words=words, query={"m": typed}
    )
    assert turn.board is not None
    return re.findall(r'class="next"[^>]* aria-label="([^"]*)"', turn.board.svg)


@pytest.mark.parametrize(
    ("ruleset", "position", "typed", "label"),
    [
        ("looney_ludo-1", LUDO, "S", "Move Red Small from Green centre to Green west"),
        ("looney_ludo-1", LUDO, "", "Medium: move"),
        ("looney_ludo-1", LUDO, "hop", "Yellow board"),
        ("logger-1", "loggers e3, a3; b3=1 c3=3 d3=2", "d4; plant", "Walk to d4, plant on d5"),
    ],
)
def test_places_are_told_in_words(ruleset: str, position: str, typed: str, label: str) -> None:
    assert label in list_labels(ruleset, position, typed)
