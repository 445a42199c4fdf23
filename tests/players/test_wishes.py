"""The table of wishes: what may be typed, what is kept of it, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.errors import Rejection
from pbem.games.game import Style
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.own import ChooseWish, StartMails
from pbem.names import PlayerId
from pbem.notices.views.footer import wishes_of
from pbem.players.decide import choose_wish
from pbem.players.events import WishChosen
from pbem.players.player import replay
from pbem.players.wishes import (
    BY_NAME,
    WISHES,
    Wish,
    near_zones,
    reminder_hours,
    window_minutes,
)
from tests.notices.test_templates import members

ANN = PlayerId("ann")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("width 60", "width", "60"),
        ("Width: 60", "width", "60"),
        ("set width 60", "width", "60"),
        ("set width = 60", "width", "60"),
        ("mail plain", "mail", "text"),
        ("MAIL spoken.", "mail", "spoken"),
        ("unicode", "glyphs", "unicode"),
        ("set ascii", "glyphs", "ascii"),
        ("lang en", "lang", "en"),
        ("tz europe/paris", "tz", "Europe/Paris"),
        ("tz America/Argentina/Buenos Aires", "tz", "America/Argentina/Buenos_Aires"),
        ("tz utc", "tz", "UTC"),
        ("thread no", "thread", "off"),
        ("remind 12h", "remind", "12h"),
        ("remind 2 days", "remind", "48h"),
        ("remind 36", "remind", "36h"),
        ("remind off", "remind", "off"),
        ("receipts off", "receipts", "off"),
        ("window 5m", "window", "5m"),
        ("window 10 minutes", "window", "10m"),
        ("window 90", "window", "90m"),
        ("window 2 hours", "window", "2h"),
        ("window 60", "window", "1h"),
        ("window 0", "window", "0"),
        ("window off", "window", "0"),
        ("window house", "window", "house"),
    ],
)
def test_a_wish_is_typed_in_many_ways_and_kept_in_one(line: str, name: str, value: str) -> None:
    (typed,) = read_orders([line], None).orders
    assert isinstance(typed.order, ChooseWish)
    assert (typed.order.name, BY_NAME[name].read(typed.order.value)) == (name, value)


@pytest.mark.parametrize(
    "line",
    [
        "mail me when you are back",
        "thread lightly, the ground is wet",
        "width of the river?",
        "remind me of the rules",
        "window seats are the best",
        "set them up again",
        "tz, tz, what a move that was",
    ],
)
def test_a_sentence_that_begins_like_a_wish_is_none(line: str) -> None:
    assert read_orders([line], None).orders == ()


@pytest.mark.parametrize(
    ("name", "typed", "near"),
    [
        ("width", "39", []),
        ("width", "73", []),
        ("tz", "Europe/Pari", ["tz Europe/Paris"]),
        ("tz", "new york", ["tz America/New_York"]),
        ("tz", "CEST", []),
        ("lang", "klingon", []),
        ("remind", "0", []),
        ("remind", "11 days", []),
        ("window", "25h", []),
        ("window", "1441", []),
        ("window", "5 days", []),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_can(
    name: str, typed: str, near: list[str]
) -> None:
    with pytest.raises(Rejection) as refused:
        BY_NAME[name].read(typed)
    assert refused.value.code == "bad_wish"
    assert refused.value.facts["near"] == near
    assert refused.value.facts["may"]


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish.name)
def test_every_value_is_read_as_it_is_written(wish: Wish) -> None:
    assert wish.read(wish.default) == wish.default
    for line in wish.choices:
        (typed,) = read_orders([line], None).orders
        if isinstance(typed.order, StartMails):
            continue  # more than a wish: it shows what waits
        assert isinstance(typed.order, ChooseWish)
        assert typed.order.name == wish.name
        assert wish.written(wish.read(typed.order.value)) == line


def test_every_wish_is_explained_and_nothing_else() -> None:
    assert members("wishes") == {wish.name for wish in WISHES}


def test_a_place_in_two_zones_is_named_with_both() -> None:
    assert near_zones("louisville") == ["America/Kentucky/Louisville", "America/Louisville"]


def test_a_reminder_is_hours_or_a_quarter_or_none() -> None:
    assert [reminder_hours(value) for value in ("on", "off", "12h")] == [None, 0, 12]


def test_a_wish_is_chosen_once_and_the_newest_counts() -> None:
    given = [WishChosen(name="width", value="60")]
    assert choose_wish(replay(ANN, given), NOW, name="width", value="60") == []
    assert choose_wish(replay(ANN, given), NOW, name="width", value="072") == [
        WishChosen(name="width", value="72")
    ]
    assert replay(ANN, [*given, WishChosen(name="width", value="50")]).wishes == {"width": "50"}
    assert choose_wish(replay(ANN, []), NOW, name="mail", value="html") == []


def test_wishes_become_what_mails_are_made_by() -> None:
    made = wishes_of({"mail": "spoken", "glyphs": "unicode", "width": "60", "thread": "off"})
    assert (made.spoken, made.html, made.style) == (True, True, Style.UNICODE)
    assert (made.width, made.thread, made.tz) == (60, False, "UTC")
    assert not wishes_of({"mail": "text"}).html


@pytest.mark.parametrize(
    ("value", "minutes"), [("house", None), ("0", 0), ("5m", 5), ("2h", 120), ("24h", 1440)]
)
def test_a_window_is_so_many_minutes(value: str, minutes: int | None) -> None:
    assert window_minutes(value) == minutes
