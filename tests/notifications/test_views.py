"""What each reader sees of a match, and what they must not see."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match.endings import answer_draw, offer_draw, resign
from pbem.match.events import ExtensionReason
from pbem.match.takeback import answer_takeback, request_takeback
from pbem.match.timing import credit_time
from pbem.names import PlayerId
from pbem.notifications import views
from pbem.notifications.views import find_near_moves
from pbem.testing.matches import start_match
from tests.match.test_match import ANN, BOB, CLEO, NOON, Table, running
from tests.notifications.samples import FELLING, NAMES, play, see

OPENING = ((ANN, "place a1"), (BOB, "place e5"))


def test_only_its_player_sees_a_scheduled_move() -> None:
    match = play(*OPENING).match
    own = see(match, ANN, scheduled="b1; plant a1")
    assert own.scheduled is not None
    assert own.scheduled.notation == "b1; plant a1"
    assert "  1  |  i  |  A  |" in "\n".join(own.board)
    assert own.to_move == ("Bob",)
    assert not own.is_reader_to_move
    assert own.choices == ()
    bank, minute = timedelta(days=10), timedelta(minutes=1)
    assert [(clock.left, clock.deadline) for clock in own.clocks] == [
        (bank - minute, None),
        (bank, None),
    ]
    for reader in (BOB, None):
        other = see(match, reader)
        assert "b1; plant a1" not in repr(other)
        assert "  1  |  A  |     |" in "\n".join(other.board)
        with pytest.raises(ValueError, match="no move to make"):
            see(match, reader, scheduled="b1; plant a1")


@pytest.mark.parametrize(
    ("ruleset", "typed", "shown"),
    [
        ("logger-1", {}, {}),
        ("logger-1", {"tree_limit": "20"}, {"tree_limit": "20"}),
        ("logger-1", {"starter": "given"}, {}),
        ("landrush-1", {"colours": "red-blue"}, {"colours": "red-blue"}),
    ],
)
def test_options_are_shown_as_they_are_typed(
    ruleset: str, typed: dict[str, str], shown: dict[str, str]
) -> None:
    match, _ = start_match(GAMES[ruleset], 2, 1, **typed)
    assert see(match, ANN).options == shown
    assert see(match, ANN).first == (NAMES[ANN] if "starter" in typed else None)


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("b1 a2 plant a1", ["b1; plant a1", "a2; plant a1"]),
        ("B1", ["b1; plant a1", "b1; plant b2"]),
        ("stay", ["stay; plant b1"]),
        ("chop c3", []),
        ("", []),
    ],
)
def test_near_moves_have_the_words_that_were_typed(typed: str, near: list[str]) -> None:
    legal = ["b1; plant a1", "a2; plant a1", "b1; plant b2", "stay; plant b1"]
    assert find_near_moves(legal, typed)[:2] == near


def test_a_refused_move_offers_moves_that_are_like_it() -> None:
    view = see(play(*OPENING).match, ANN, typed="b1 a2 plant a1")
    assert [choice.notation for choice in view.choices] == ["a2; plant a1", "b1; plant a1"]


@pytest.mark.parametrize(
    ("plies", "reader", "recent"),
    [
        (0, ANN, []),
        (3, CLEO, ["place a1"]),  # the reader's own, if it is the newest
        (3, ANN, ["place a5", "place a1"]),
        (5, CLEO, ["e3; plant d3", "a3; plant b3"]),
        (5, None, ["place a1", "e3; plant d3", "a3; plant b3"]),
        (2, CLEO, ["place e5", "place a5"]),
    ],
)
def test_recent_moves_are_those_since_the_readers_own(
    plies: int, reader: PlayerId | None, recent: list[str]
) -> None:
    match = play(*FELLING[:plies], players=3).match
    assert [move.notation for move in see(match, reader).recent] == recent


def test_recent_moves_are_limited_for_a_player_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_RECENT", 2)
    table = play(*FELLING[:3], players=3)
    table.execute(resign(table.match, ANN, NOON))
    for player, text in ((BOB, "a3; plant b3"), (CLEO, "b1; plant a1")):
        table.move(player, text)
    recent = [move.notation for move in see(table.match, ANN).recent]
    assert recent == ["a3; plant b3", "b1; plant a1"]


def test_a_player_who_left_has_no_clock() -> None:
    table = play(players=3)
    table.execute(resign(table.match, BOB, NOON))
    assert [clock.name for clock in see(table.match, CLEO).clocks] == ["Ann <& Co>", "Cleo"]


def test_a_match_without_time_control_has_no_clocks() -> None:
    assert see(running(time="none").match, ANN).clocks == ()


def test_placings_are_in_order() -> None:
    result = see(play(*FELLING, players=3).match, None).result
    assert result is not None
    assert result.placings == ((1, "Bob", 2), (2, "Ann <& Co>", 1), (2, "Cleo", 3))


@pytest.mark.parametrize(
    ("reason", "is_told"),
    [
        (ExtensionReason.LATE_EMAIL, False),
        (ExtensionReason.DOWNTIME, False),
        (ExtensionReason.OPERATOR, True),
    ],
)
def test_time_that_the_service_gives_back_is_not_told(
    reason: ExtensionReason, *, is_told: bool
) -> None:
    table = running(time="fast")
    events = table.execute(
        credit_time(table.match, NOON, NOON + timedelta(hours=5), reason, now=NOON, seat=Seat(1))
    )
    assert events
    assert bool(see(table.match, ANN, events=events).happened) is is_told


def test_a_match_that_has_only_thrown_dice_is_at_its_opening() -> None:
    match, _ = start_match(GAMES["looney_ludo-1"], 2, 1)
    assert match.plies
    assert see(match, ANN).is_opening
    assert [move.is_reader for move in see(match, None).recent] == [False] * len(match.plies)


def test_a_challenge_shows_who_is_waited_for() -> None:
    table = Table(BOB, CLEO)
    events = table.accept(BOB)
    view = see(table.match, ANN, events=events)
    assert view.news.accepted == ("Bob",)
    assert view.waiting_for == ("Cleo",)
    assert view.board == ()
    assert view.head == "0123456789abcdef0123456789abcdef"


def test_a_takeback_names_the_moves_of_the_reader_that_go_with_it() -> None:
    table = play(*OPENING)
    asked = table.execute(request_takeback(table.match, ANN, NOON))
    [happening] = see(table.match, BOB, events=asked).happened
    moves = [(move.name, move.notation, move.is_reader) for move in happening.facts["moves"]]
    assert moves == [(NAMES[ANN], "place a1", False), ("Bob", "place e5", True)]
    [own] = see(table.match, ANN, events=asked).happened
    assert own.is_reader
    assert [see(table.match, player).own_offer for player in (ANN, BOB)] == ["takeback", None]
    view = see(table.match, BOB)
    assert (view.offer, view.offering_player) == ("takeback", NAMES[ANN])
    assert view.does_move_decline
    answered = answer_takeback(table.match, BOB, agrees=True, now=NOON)
    view = see(table.match, ANN, events=(*asked, *table.execute(answered)))
    assert [happening.code for happening in view.happened] == ["match_rolled_back"]
    assert not view.is_opening


def test_a_draw_offer_is_of_one_player() -> None:
    table = play(players=3, ruleset="looney_ludo-1")
    table.execute(offer_draw(table.match, ANN, NOON))
    assert (see(table.match, ANN).offer, see(table.match, ANN).own_offer) == (None, "draw")
    view = see(table.match, BOB)
    assert (view.offer, view.offering_player, view.own_offer) == ("draw", NAMES[ANN], None)
    assert not view.does_move_decline  # it lasts until Ann's next move
    assert view.opponents == (NAMES[ANN], NAMES[CLEO])
    table.execute(answer_draw(table.match, BOB, agrees=True, now=NOON))
    assert [see(table.match, player).offer for player in (ANN, BOB, CLEO)] == [None, None, "draw"]
    table.execute(resign(table.match, BOB, NOON))
    table.execute(offer_draw(table.match, CLEO, NOON))
    assert [see(table.match, player).offer for player in (ANN, BOB, CLEO)] == ["draw", None, None]
