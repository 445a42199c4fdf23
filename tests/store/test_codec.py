"""Events to canonical JSON and back: nothing lost, nothing guessed."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.games.game import Ply, Seat
from pbem.matches.challenges import ChallengeClosed
from pbem.matches.events import ChanceDrawn, MovePlayed
from pbem.matches.replay import KINDS
from pbem.matches.seats import SeatTaken
from pbem.matches.table import MessageSaid
from pbem.names import Digest, PlayerId
from pbem.players import events as player_events
from pbem.store.codec import (
    TYPES,
    UPCASTS,
    Event,
    Unfit,
    canonical,
    decode,
    digests,
    encode,
    instant_of,
    instant_text,
    json_schema,
)
from pbem.tournaments import events as tournament_events

st.register_type_strategy(datetime, st.datetimes(timezones=st.just(UTC)))

CLASSES = [cls for named in TYPES.values() for cls in named.values()]


def test_every_event_of_all_streams_has_a_name_of_its_own() -> None:
    others = [*get_args(player_events.Event), *get_args(tournament_events.Event)]
    kinds = [*KINDS, *others]
    assert len({cls.__name__ for cls in CLASSES}) == len(CLASSES) == len(kinds)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=25)  # the types of fields are few, and stand in many classes
@given(data=st.data())
def test_every_event_comes_back_as_it_was(cls: type[Event], data: st.DataObject) -> None:
    event = data.draw(st.from_type(cls))
    form = encode(event)
    assert decode(form.type, form.schema, form.data) == event
    assert canonical(json.loads(form.data)) == form.data
    Draft202012Validator(json_schema(cls)).validate(json.loads(form.data))


def test_an_event_is_written_with_all_its_fields_sorted_and_unescaped() -> None:
    form = encode(SeatTaken(player=PlayerId("ann"), words='Glück "auf"\n', letter="ab"))
    assert (form.type, form.schema) == ("SeatTaken", 1)
    assert form.data == '{"letter":"ab","player":"ann","words":"Glück \\"auf\\"\\n"}'


@pytest.mark.parametrize(
    "event",
    [
        MovePlayed(seat=Seat(1), ply=1.0, notation="x"),  # type: ignore[arg-type]
        MovePlayed(seat=True, ply=Ply(1), notation="x"),  # type: ignore[arg-type]
        MovePlayed(seat=Seat(1), ply=Ply(1), notation=b"x"),  # type: ignore[arg-type]
        MovePlayed(seat=Seat(1), ply=Ply(1), notation="x", forced=1),  # type: ignore[arg-type]
        SeatTaken(player=None),  # type: ignore[arg-type]
        ChallengeClosed(reason="bored"),  # type: ignore[arg-type]
        ChanceDrawn(
            ply=Ply(1), index=1, link="", digest="", asked="", values=[1]  # type: ignore[arg-type]
        ),
    ],
    ids=repr,
)  # fmt: skip
def test_a_field_of_another_type_is_not_written(event: Event) -> None:
    with pytest.raises(Unfit):
        encode(event)


def _ended(placings: str) -> str:
    return f'{{"people":[],"placings":{placings},"record":[],"termination":"x","unrated":""}}'


def _deadline(due: str) -> str:
    return f'{{"bank":1,"due":"{due}","seat":1,"since":"2026-11-21T12:00:00.000000Z"}}'


@pytest.mark.parametrize(
    ("name", "schema", "data", "words"),
    [
        ("SeatTaken", 1, '{"letter":"","player":"ann"}', "words"),
        ("SeatTaken", 1, '{"letter":"","player":"ann","words":"","extra":1}', "extra"),
        ("SeatTaken", 1, '{"letter":"","player":1,"words":""}', "1 is no str"),
        ("SeatTaken", 1, "[]", "no object"),
        ("SeatTaken", 0, '{"player":"ann","words":""}', "no schema 0"),
        ("SeatTaken", 2, '{"player":"ann","words":""}', "no schema 2"),
        ("SeatGiven", 1, "{}", "no event is called SeatGiven"),
        ("ChallengeClosed", 1, '{"reason":"bored"}', "none of declined, withdrawn"),
        (
            "MatchEnded",
            1,
            _ended("1"),
            "1 is no list",
        ),
        (
            "MatchEnded",
            1,
            _ended("[true]"),
            "True is no int",
        ),
        ("MatchStarted", 1, '{"options":[],"players":[],"ruleset":"x"}', "no object"),
        ("DeadlineSet", 1, _deadline("2026-11-21T12:00:00+00:00"), "no time as it is stored"),
        ("DeadlineSet", 1, _deadline("2026-11-21T13:00:00.000000+01:00"), "no time as it is"),
        ("DeadlineSet", 1, _deadline("soon"), "no time as it is stored"),
    ],
)
def test_what_does_not_fit_is_not_read(name: str, schema: int, data: str, words: str) -> None:
    with pytest.raises(Unfit, match=words):
        decode(name, schema, data)


def test_an_old_shape_is_read_as_the_shape_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `words` had once been called `text`, and had been absent before that."""

    def add_text(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "text": ""}

    def text_to_words(data: dict[str, Any]) -> dict[str, Any]:
        return {"player": data["player"], "words": data["text"], "letter": ""}

    monkeypatch.setitem(UPCASTS, ("SeatTaken", 1), add_text)
    monkeypatch.setitem(UPCASTS, ("SeatTaken", 2), text_to_words)
    ann = PlayerId("ann")
    assert decode("SeatTaken", 1, '{"player":"ann"}') == SeatTaken(player=ann)
    old = decode("SeatTaken", 2, '{"player":"ann","text":"hi"}')
    assert old == SeatTaken(player=ann, words="hi")
    form = encode(old)
    assert (form.schema, form.data) == (3, '{"letter":"","player":"ann","words":"hi"}')


def test_an_event_names_its_sealed_texts() -> None:
    said = MessageSaid(author=PlayerId("ann"), text=Digest("d" * 64))
    assert list(digests(said)) == ["d" * 64]
    assert list(digests(SeatTaken(player=PlayerId("ann")))) == []


# --- canonical text ------------------------------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(PLAIN)
def test_canonical_text_says_the_same_and_is_stable(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), {"a": [1.5]}, {1: "a"}, b"x", {"a"}, datetime(2026, 1, 1, tzinfo=UTC)],
)
def test_what_has_no_canonical_text_gets_none(value: Any) -> None:
    with pytest.raises(Unfit):
        canonical(value)


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))])))
def test_times_come_back_in_utc_and_sort_as_texts(at: datetime) -> None:
    try:
        text = instant_text(at)
    except OverflowError:
        return  # the first and last hours of the calendar have no UTC
    assert len(text) == 27
    assert instant_of(text) == at
    assert instant_of(text).tzinfo is UTC
    later = at + timedelta(microseconds=1)
    assert instant_text(later) > text


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        instant_text(datetime(2026, 1, 1))  # noqa: DTZ001 - that is what is refused
