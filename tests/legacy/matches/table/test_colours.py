"""Colours that players choose before the start (LL-1.2, LR-1.6)."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.games import GAMES
from pbem.legacy.matches.challenges import ColourChosen
from pbem.legacy.matches.events import MatchStarted
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.seats import accept, decline, join
from pbem.legacy.matches.verify import Caused, verify
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge, names

GIVEN = {"ruleset": "looney_ludo-1", "starter": "given"}
WITH_COLOURS = [game for game in GAMES.values() if game.colours is not None]


def asked(**options: str) -> Story:
    story = Story()
    story.when(challenge(ANN, BOB, **{**GIVEN, **options}))
    return story


def options_of(story: Story) -> str:
    (began,) = (event for event in story.events if isinstance(event, MatchStarted))
    return began.options["colours"]


def test_who_chooses_has_the_colour_and_the_others_get_what_is_left() -> None:
    story = asked()
    happened = story.when(partial(accept, player=BOB, colour="red"))
    assert names(happened)[:3] == ["SeatTaken", "ColourChosen", "MatchStarted"]
    assert happened[1] == ColourChosen(player=BOB, colour="Red")
    assert options_of(story) == "yrgbpo"
    assert story.match.course.position.setting.colours[:2] == (1, 0)
    assert verify(MATCH, story.stream).findings == ()
    assert replay(MATCH, story.events, story.match.secrets) == story.match


@pytest.mark.parametrize("game", WITH_COLOURS, ids=lambda game: game.key)
def test_every_colour_of_a_game_may_be_chosen(game: object) -> None:
    found = next(one for one in WITH_COLOURS if one is game)
    assert found.colours is not None
    for name, letter in zip(found.colours.names, found.colours.default, strict=True):
        for typed in (name, name.upper(), letter):
            story = Story()
            story.when(challenge(ANN, BOB, ruleset=found.ruleset))
            story.when(partial(accept, player=BOB, colour=typed))
            place = story.match.table.players.index(BOB)
            assert story.match.terms.options["colours"][place] == letter
            assert sorted(story.match.terms.options["colours"]) == sorted(found.colours.default)
            assert verify(MATCH, story.stream).findings == ()


def test_without_a_choice_the_options_stay_as_they_were() -> None:
    # Also where the challenge names more colours than there are seats.
    story = asked(colours="obg")
    story.when(partial(accept, player=BOB))
    assert options_of(story) == "obgryp"


def test_who_has_not_chosen_gets_what_is_left_in_the_order_of_the_challenge() -> None:
    story = asked(colours="ob")
    story.when(partial(accept, player=BOB, colour="orange"))
    assert options_of(story) == "borygp"


def test_a_colour_has_one_player() -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB, **GIVEN), colours={ANN: "green"}, open_seats=1))
    left = ["Red", "Yellow", "Blue", "Purple", "Orange"]
    story.refuses(
        partial(accept, player=BOB, colour="green"), "colour_taken", colour="Green", free=left
    )
    story.refuses(
        partial(accept, player=BOB, colour="pink"), "no_such_colour", colour="pink", free=left
    )
    story.when(partial(accept, player=BOB, colour="blue"))
    story.refuses(partial(join, player=CLEO, colour="Blue"), "colour_taken")
    assert story.match.status is Status.CHALLENGE


def test_a_choice_may_be_changed_before_the_start_and_frees_the_other() -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB, **GIVEN), colours={ANN: "green"}))
    assert names(story.when(partial(accept, player=ANN, colour="red"))) == ["ColourChosen"]
    assert story.when(partial(accept, player=ANN, colour="red")) == []
    story.when(partial(accept, player=BOB, colour="green"))
    assert options_of(story)[:2] == "rg"
    story.refuses(partial(accept, player=BOB, colour="blue"), "match_has_started")


def test_who_leaves_leaves_the_colour() -> None:
    story = Story()
    story.when(partial(challenge(ANN, **GIVEN), open_seats=2))
    story.when(partial(join, player=BOB, colour="red"))
    story.when(partial(decline, player=BOB))
    assert not story.match.table.colours
    story.when(partial(join, player=CLEO, colour="red"))


def test_where_there_are_no_colours_none_is_chosen() -> None:
    story = Story()
    story.when(challenge(ANN, BOB))
    story.refuses(partial(accept, player=BOB, colour="red"), "no_colours", game="Logger")


@pytest.mark.parametrize(
    "forged",
    [
        ColourChosen(player=CLEO, colour="Red"),
        ColourChosen(player=BOB, colour="Green"),
        ColourChosen(player=BOB, colour="Pink"),
    ],
)
def test_a_choice_that_nobody_could_make_is_found(forged: ColourChosen) -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB, **GIVEN), colours={ANN: "green"}))
    stream = [*story.stream, Caused(event=forged, cause="2")]
    assert verify(MATCH, stream).findings


def test_other_colours_than_were_chosen_are_found() -> None:
    story = asked()
    story.when(partial(accept, player=BOB, colour="red"))
    stream = [one for one in story.stream if not isinstance(one.event, ColourChosen)]
    assert verify(MATCH, stream).findings
