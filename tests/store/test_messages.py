"""Messages, blocks and the end of an account, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection

from pbem.names import MatchId, PlayerId
from pbem.store import matches, messages, players
from pbem.store.database import Database
from pbem.store.messages import BLOCK, MUTE
from pbem.store.retention import delete_old

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ANN, BOB, CLEO = map(PlayerId, ("ann", "bob", "cleo"))
MATCH = MatchId("K7QX2")


@pytest.fixture
def filled(database: Database) -> Database:
    """A database with three players and a match."""

    def fill(conn: Connection) -> None:
        for player in (ANN, BOB, CLEO):
            address = f"{player}@example.org"
            players.add_player(conn, player, name=player.title(), address=address, now=NOON)
            players.confirm_player(conn, player, NOON)
        record = matches.new_record(MATCH, NOON, None)
        matches.save_record(conn, record, is_new=True)

    database.run(fill)
    return database


def test_the_newest_messages_come_oldest_first(filled: Database) -> None:
    def unit(conn: Connection) -> list[str]:
        for text in ("one", "two", "three"):
            messages.add_message(conn, MATCH, ANN, text, NOON)
        return [row.text for row in messages.list_messages(conn, MATCH, limit=2)]

    assert filled.run(unit) == ["two", "three"]


@pytest.mark.parametrize("kind", [MUTE, BLOCK])
def test_who_is_muted_or_blocked_is_not_heard(filled: Database, kind: str) -> None:
    def unit(conn: Connection) -> None:
        messages.add_block(conn, BOB, ANN, kind)
        messages.add_block(conn, BOB, ANN, kind)
        assert messages.list_hearers(conn, ANN, [CLEO, BOB]) == [CLEO]
        assert messages.list_hearers(conn, CLEO, [ANN, BOB]) == [ANN, BOB]
        assert messages.has_blocked(conn, BOB, ANN) == (kind == BLOCK)
        assert not messages.has_blocked(conn, ANN, BOB)
        assert messages.remove_block(conn, BOB, ANN, kind)
        assert not messages.remove_block(conn, BOB, ANN, kind)
        assert messages.list_hearers(conn, ANN, [CLEO, BOB]) == [CLEO, BOB]

    filled.run(unit)


def test_another_address_becomes_the_main_one(filled: Database) -> None:
    def unit(conn: Connection) -> None:
        for address in ("B@work.example", "a@work.example"):
            players.add_address(conn, ANN, address, NOON)
        players.remove_address(conn, ANN, "ann@example.org", NOON)
        assert players.find_recipient(conn, ANN) == ("Ann", "a@work.example")
        assert players.list_addresses(conn, ANN) == ["a@work.example", "b@work.example"]
        assert players.find_by_address(conn, "ann@example.org") is None
        assert [row.change for row in players.list_changes(conn, ANN)] == [
            "address_added",
            "address_added",
            "address_removed",
        ]

    filled.run(unit)


def test_messages_of_silenced_players_wait_for_no_digest(filled: Database) -> None:
    def unit(conn: Connection) -> list[str]:
        messages.add_message(conn, MATCH, BOB, "before", NOON)
        messages.add_message(conn, MATCH, BOB, "heard", NOON + timedelta(minutes=1))
        messages.add_message(conn, MATCH, ANN, "my own", NOON + timedelta(minutes=2))
        since = NOON + timedelta(minutes=1)
        heard = messages.list_unseen_messages(conn, MATCH, ANN, since)
        messages.add_block(conn, ANN, BOB, MUTE)
        return [row.text for row in heard + messages.list_unseen_messages(conn, MATCH, ANN, since)]

    assert filled.run(unit) == ["heard"]


def test_changes_of_an_account_are_kept_for_a_year(filled: Database) -> None:
    def unit(conn: Connection) -> list[str]:
        players.note_change(conn, ANN, "old", NOON)
        players.note_change(conn, ANN, "new", NOON + timedelta(days=365))
        delete_old(conn, NOON + timedelta(days=366))
        return [row.change for row in players.list_changes(conn, ANN)]

    assert filled.run(unit) == ["new"]


def test_nothing_is_left_of_a_deleted_player_but_the_row(filled: Database) -> None:
    def unit(conn: Connection) -> None:
        messages.add_message(conn, MATCH, ANN, "mine", NOON)
        messages.add_message(conn, MATCH, BOB, "Bob's", NOON)
        messages.add_block(conn, ANN, BOB, MUTE)
        messages.add_block(conn, BOB, ANN, BLOCK)
        messages.add_watch(conn, ANN, MATCH, NOON)
        messages.forget_player(conn, ANN)
        players.blank_player(conn, ANN, NOON)
        assert [row.text for row in messages.list_messages(conn, MATCH, limit=9)] == ["Bob's"]
        assert not messages.list_blocks(conn, ANN)
        assert not messages.list_blocks(conn, BOB)
        assert not messages.list_watched(conn, ANN)
        assert not players.list_addresses(conn, ANN)
        assert players.find_by_name(conn, "Ann") is None
        row = players.get_player(conn, ANN)
        assert (row.name, row.confirmed_at) == (players.DELETED_NAME, None)

    filled.run(unit)
