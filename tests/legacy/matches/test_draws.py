"""Draws by agreement: offers, answers, what ends an offer, what the agreement ends."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.agreements import DrawAccepted, DrawDeclined, DrawOffered, answer_draw, offer_draw
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.events import ChanceRevealed, MatchEnded
from pbem.legacy.matches.match import Offer, Status, StepKind
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.unfolding import Act
from pbem.legacy.matches.verify import verify
from pbem.names import PlayerId
from tests.legacy.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story, begun, challenge, names, started


def stones(offers: str = "on") -> Story:
    """A match of Logan Stones, Ann in seat 1."""
    options = {"starter": "given", "draw_offers": offers}
    return begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1", **options))


def three(*players: PlayerId) -> Story:
    """A match of Tiny, whose offers follow LL-4.3."""
    return begun(Story(), challenge(*(players or (ANN, BOB, CLEO)), ruleset="tiny-1"))


def offer_of(story: Story) -> Offer | None:
    """The offer that stands."""
    return story.match.pending.offer


def turn(story: Story) -> None:
    """Whoever is to act plays the first legal turn."""
    match = story.match
    story.play(match.game.notation(match.game.legal(match.course.position)[0]))


def accept(player: PlayerId) -> Act:
    return partial(answer_draw, player=player, accept=True)


def decline(player: PlayerId) -> Act:
    return partial(answer_draw, player=player, accept=False)


# --- two seats: LS-4.8 ---------------------------------------------------------------------------


@pytest.mark.parametrize("offering", [ANN, BOB])
def test_either_seat_may_offer_at_any_time(offering: PlayerId) -> None:
    story = stones()
    seat = Seat((ANN, BOB).index(offering) + 1)
    assert story.when(partial(offer_draw, player=offering)) == [DrawOffered(seat=seat, ply=Ply(0))]
    assert offer_of(story) == Offer(seat, Ply(0))
    assert story.match.to_act == (1,)


def test_acceptance_ends_the_match_and_opens_the_faces() -> None:
    story = stones()
    turn(story)
    story.when(partial(offer_draw, player=ANN))
    accepted, ended, revealed = story.when(accept(BOB))
    assert accepted == DrawAccepted(seat=Seat(2))
    assert isinstance(ended, MatchEnded)
    assert (ended.placings, ended.termination) == ((1, 1), "agreement")
    assert isinstance(revealed, ChanceRevealed)
    assert story.match.status is Status.ENDED
    assert story.match.course.steps[-1].kind is StepKind.AGREED
    assert replay(MATCH, story.events, story.match.secrets) == story.match
    assert verify(MATCH, story.stream).findings == ()


def test_declining_ends_the_offer_and_the_match_goes_on() -> None:
    story = stones()
    story.when(partial(offer_draw, player=ANN))
    assert story.when(decline(BOB)) == [DrawDeclined(seat=Seat(2))]
    assert offer_of(story) is None
    story.refuses(accept(BOB), "no_draw_offer")
    turn(story)


def test_an_offer_is_not_answered_by_who_made_it_and_not_where_there_is_none() -> None:
    story = stones()
    for answer in (accept(ANN), decline(BOB)):
        story.refuses(answer, "no_draw_offer")
    story.when(partial(offer_draw, player=ANN))
    story.refuses(accept(ANN), "no_draw_offer")
    story.refuses(decline(ANN), "no_draw_offer")
    story.refuses(accept(CLEO), "not_seated")


def test_an_offer_stands_until_the_other_seat_plays_a_turn() -> None:
    story = stones()
    story.when(partial(offer_draw, player=ANN))
    turn(story)
    assert offer_of(story) == Offer(Seat(1), Ply(0))  # the own turn leaves it as it is
    turn(story)
    assert offer_of(story) is None
    story.refuses(accept(BOB), "no_draw_offer")


def test_an_offer_made_with_a_turn_stands_until_the_answer() -> None:
    story = stones()
    turn(story)
    story.when(partial(offer_draw, player=ANN))
    assert names(story.when(accept(BOB)))[:2] == ["DrawAccepted", "MatchEnded"]


def test_an_offer_may_be_repeated_only_after_the_own_next_turn() -> None:
    story = stones()
    turn(story)
    story.when(partial(offer_draw, player=ANN))
    story.refuses(partial(offer_draw, player=ANN), "draw_already_offered", seat=1, ply=1)
    story.when(decline(BOB))
    story.refuses(partial(offer_draw, player=ANN), "draw_already_offered")
    turn(story)
    story.refuses(partial(offer_draw, player=ANN), "draw_already_offered")
    turn(story)
    assert story.when(partial(offer_draw, player=ANN)) == [DrawOffered(seat=Seat(1), ply=Ply(3))]


def test_an_offer_against_an_offer_accepts_it() -> None:
    story = stones()
    story.when(partial(offer_draw, player=BOB))
    assert names(story.when(partial(offer_draw, player=ANN)))[:2] == ["DrawAccepted", "MatchEnded"]


def test_who_declined_may_offer() -> None:
    story = stones()
    story.when(partial(offer_draw, player=ANN))
    story.when(decline(BOB))
    assert names(story.when(partial(offer_draw, player=BOB))) == ["DrawOffered"]
    assert names(story.when(accept(ANN)))[:2] == ["DrawAccepted", "MatchEnded"]


# --- who may, at all -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [partial(offer_draw, player=ANN), accept(ANN), decline(ANN)])
def test_games_without_draws_refuse_offers_and_answers(command: Act) -> None:
    # LG-8.12
    started(ANN, BOB).refuses(command, "no_draw_offers", game="Logger")


@pytest.mark.parametrize("command", [partial(offer_draw, player=ANN), accept(ANN), decline(ANN)])
def test_the_option_turns_draws_off(command: Act) -> None:
    # LS-8.5
    stones("off").refuses(command, "draw_offers_off", game="Logan Stones")


def test_nothing_is_offered_before_the_start_or_after_the_end() -> None:
    story = Story()
    story.when(challenge(ANN, BOB, ruleset="logan_stones-1"))
    story.refuses(partial(offer_draw, player=ANN), "match_not_started")
    story = stones()
    story.when(partial(offer_draw, player=ANN))
    story.when(partial(resign, player=BOB))
    story.refuses(accept(BOB), "game_over")
    story.refuses(partial(offer_draw, player=ANN), "game_over")


# --- more seats: LL-4.3 --------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_all_other_seats_must_accept() -> None:
    story = three()
    story.when(partial(offer_draw, player=BOB))
    assert story.when(accept(CLEO)) == [DrawAccepted(seat=Seat(3))]
    story.refuses(accept(CLEO), "no_draw_offer")
    accepted, ended = story.when(accept(ANN))
    assert accepted == DrawAccepted(seat=Seat(1))
    assert isinstance(ended, MatchEnded)
    assert (ended.placings, ended.termination) == ((1, 1, 1), "agreement")
    assert replay(MATCH, story.events) == story.match


@pytest.mark.usefixtures("tiny")
def test_one_who_declines_declines_for_all() -> None:
    story = three()
    story.when(partial(offer_draw, player=BOB))
    story.when(accept(CLEO))
    story.when(decline(ANN))
    assert offer_of(story) is None
    story.refuses(decline(CLEO), "no_draw_offer")
    story.when(
        partial(offer_draw, player=BOB)
    )  # it does not stand any more, so another can be made
    assert offer_of(story) == Offer(Seat(2), Ply(0))  # and is accepted by nobody yet


@pytest.mark.usefixtures("tiny")
def test_only_one_offer_stands_and_a_second_does_not_accept_it() -> None:
    story = three()
    story.when(partial(offer_draw, player=BOB))
    story.refuses(partial(offer_draw, player=ANN), "draw_already_offered", seat=2, ply=0)
    story.refuses(partial(offer_draw, player=BOB), "draw_already_offered", seat=2, ply=0)


@pytest.mark.usefixtures("tiny")
def test_an_offer_lapses_with_the_next_turn_of_its_seat_and_not_before() -> None:
    story = three()
    story.when(partial(offer_draw, player=BOB))
    story.play("go")
    story.when(accept(CLEO))
    assert offer_of(story) == Offer(Seat(2), Ply(0), (Seat(3),))
    story.play("go")
    assert offer_of(story) is None
    story.refuses(accept(ANN), "no_draw_offer")
    assert names(story.when(partial(offer_draw, player=BOB))) == ["DrawOffered"]


@pytest.mark.usefixtures("tiny")
def test_a_decision_within_the_turn_does_not_end_an_offer() -> None:
    story = three()
    while story.match.course.position.phase != "choose":
        story.play("roll")
    decider = story.match.player_at(story.match.to_act[0])
    seat = story.match.to_act[0]
    story.when(partial(offer_draw, player=decider))
    while story.match.course.position.phase == "choose":
        story.when(partial(play, player=decider, text="again"))
        assert story.match.to_act == (seat,)
        assert offer_of(story) is not None
    story.when(
        partial(play, player=decider, text="roll")
    )  # that ends the turn, and the next seat's die lies
    assert story.match.to_act != (seat,)
    assert offer_of(story) is None


@pytest.mark.usefixtures("tiny")
def test_the_offer_of_a_seat_that_leaves_leaves_with_it() -> None:
    story = three()
    story.when(partial(offer_draw, player=BOB))
    story.when(partial(resign, player=BOB))
    assert offer_of(story) is None
    story.refuses(accept(ANN), "no_draw_offer")


@pytest.mark.usefixtures("tiny")
def test_who_leaves_needs_not_accept_any_more() -> None:
    story = three(ANN, BOB, CLEO, DAN)
    story.when(partial(resign, player=DAN))
    story.refuses(accept(DAN), "seat_left")
    story.when(partial(offer_draw, player=BOB))
    story.when(accept(ANN))
    assert names(story.when(partial(resign, player=CLEO))) == ["SeatResigned", "MatchEnded"]
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.termination == "agreement"
    assert verify(MATCH, story.stream).findings == ()


@pytest.mark.usefixtures("tiny")
def test_a_resignation_that_ends_the_game_is_no_agreement() -> None:
    story = three(ANN, BOB)
    story.when(partial(offer_draw, player=BOB))
    assert names(story.when(partial(resign, player=ANN))) == ["SeatResigned", "MatchEnded"]
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.termination == "last_seat"
    assert verify(MATCH, story.stream).findings == ()


def test_looney_ludo_follows_the_same_rules_with_its_dice() -> None:
    story = begun(Story(), challenge(ANN, BOB, CLEO, ruleset="looney_ludo-1"))
    assert len(story.match.chance.draws) > 1  # the setup and the first dice
    first, second, third = story.match.table.players
    while story.match.to_act != (1,):
        turn(story)
    story.when(partial(offer_draw, player=first))
    story.refuses(partial(offer_draw, player=second), "draw_already_offered", seat=1)
    story.when(accept(second))
    while story.match.to_act == (1,):  # its own turn ends the offer, decisions about doubles do not
        assert offer_of(story) is not None
        turn(story)
    assert offer_of(story) is None
    story.refuses(accept(third), "no_draw_offer")
    story.when(partial(offer_draw, player=first))
    story.when(accept(third))
    assert names(story.when(accept(second))) == ["DrawAccepted", "MatchEnded"]
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.placings == (1, 1, 1)
    assert verify(MATCH, story.stream).findings == ()
