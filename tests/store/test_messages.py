"""Messages, blocks and the end of an account, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Connection

from pbem.store import messages, players
from pbem.store.messages import BLOCK, MUTE
from tests.match.test_match import ANN, BOB, CLEO, CODE, NOON
from tests.store.samples import add_match, add_players


@pytest.fixture(autouse=True)
def match(conn: Connection) -> None:
    add_players(conn)
    add_match(conn, CODE, (ANN, BOB))


def list_texts(conn: Connection, limit: int = 9) -> list[str]:
    return [row.text for row in messages.list_messages(conn, CODE, limit=limit)]


def test_the_newest_messages_come_oldest_first(conn: Connection) -> None:
    for text in ("one", "two", "three"):
        messages.add_message(conn, CODE, ANN, text, NOON)
    assert list_texts(conn, limit=2) == ["two", "three"]


@pytest.mark.parametrize("kind", [MUTE, BLOCK])
def test_who_is_muted_or_blocked_is_not_heard(conn: Connection, kind: str) -> None:
    messages.add_block(conn, BOB, ANN, kind)
    messages.add_block(conn, BOB, ANN, kind)
    assert messages.list_hearers(conn, ANN, [CLEO, BOB]) == [CLEO]
    assert messages.list_hearers(conn, CLEO, [ANN, BOB]) == [ANN, BOB]
    assert messages.has_blocked(conn, BOB, ANN) == (kind == BLOCK)
    assert not messages.has_blocked(conn, ANN, BOB)
    assert messages.remove_block(conn, BOB, ANN, kind)
    assert not messages.remove_block(conn, BOB, ANN, kind)
    assert messages.list_hearers(conn, ANN, [CLEO, BOB]) == [CLEO, BOB]


def test_another_address_becomes_the_main_one(conn: Connection) -> None:
    for address in ("B@work.example", "a@work.example"):
        players.add_address(conn, ANN, address, NOON)
    players.remove_address(conn, ANN, "ann@example.org", NOON)
    assert players.find_recipient(conn, ANN) == ("Ann", "a@work.example")
    assert players.list_addresses(conn, ANN) == ["a@work.example", "b@work.example"]
    assert players.find_by_address(conn, "ann@example.org") is None
    changes = [row.change for row in players.list_changes(conn, ANN)]
    assert changes == ["address_added", "address_added", "address_removed"]


def test_messages_of_silenced_players_wait_for_no_digest(conn: Connection) -> None:
    since = NOON + timedelta(minutes=1)
    messages.add_message(conn, CODE, BOB, "before", NOON)
    messages.add_message(conn, CODE, BOB, "heard", since)
    messages.add_message(conn, CODE, ANN, "my own", since + timedelta(minutes=1))
    [heard] = messages.list_recent_messages(conn, CODE, ANN, since)
    assert heard.text == "heard"
    messages.add_block(conn, ANN, BOB, MUTE)
    assert messages.list_recent_messages(conn, CODE, ANN, since) == []


def test_nothing_is_left_of_a_deleted_player_but_the_row(conn: Connection) -> None:
    messages.add_message(conn, CODE, ANN, "mine", NOON)
    messages.add_message(conn, CODE, BOB, "Bob's", NOON)
    messages.add_block(conn, ANN, BOB, MUTE)
    messages.add_block(conn, BOB, ANN, BLOCK)
    messages.add_watch(conn, ANN, CODE, NOON)
    messages.forget_player(conn, ANN)
    players.blank_player(conn, ANN, NOON)
    assert list_texts(conn) == ["Bob's"]
    assert not messages.list_blocks(conn, ANN)
    assert not messages.list_blocks(conn, BOB)
    assert not messages.list_watched_matches(conn, ANN)
    assert not players.list_addresses(conn, ANN)
    assert players.find_by_name(conn, "Ann") is None
    row = players.get_player(conn, ANN)
    assert (row.name, row.confirmed_at) == (players.DELETED_NAME, None)
