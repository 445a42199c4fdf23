"""Matches as lists show them, players and where they get mail."""

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy.exc import IntegrityError

from pbem.names import MatchId, PlayerId, bot_id
from pbem.store import views
from pbem.store.database import Database
from pbem.store.people import personal, roster
from pbem.store.people.roster import PlayerRow
from pbem.store.views import MatchRow
from tests.store.given import ANN, BOB, MINUTE, NOW, read, write

CLEO = PlayerId("cleo")
OPEN = ("challenge", "running")


def match(name: str, *players: PlayerId, status: str = "running", waiting: int = 0) -> MatchRow:
    return MatchRow(
        id=MatchId(name),
        ruleset="logger-1",
        status=status,
        players=players,
        to_act=players[:1],
        ply=3,
        version=7,
        updated_at=NOW,
        waiting_since=NOW + waiting * MINUTE,
    )


def put(db: Database, *rows: MatchRow) -> None:
    for row in rows:
        write(db, partial(views.put_match, row=row))


def of(db: Database, player: PlayerId, *statuses: str) -> list[str]:
    found = read(db, lambda conn: views.matches_of(conn, player, statuses or OPEN))
    return [row.id for row in found]


def test_a_match_is_shown_as_it_was_put_last(db: Database) -> None:
    row = match("A", ANN, BOB)
    put(db, row)
    assert read(db, lambda conn: views.match_row(conn, MatchId("A"))) == row
    moved = replace(row, to_act=(BOB,), ply=4, version=8, updated_at=NOW + MINUTE)
    put(db, moved)
    assert read(db, lambda conn: views.match_row(conn, MatchId("A"))) == moved
    ended = replace(moved, status="ended", to_act=(), waiting_since=None)
    put(db, ended)
    assert read(db, lambda conn: views.match_row(conn, MatchId("A"))) == ended
    assert read(db, lambda conn: views.match_row(conn, MatchId("B"))) is None


def test_players_find_their_matches_the_longest_waited_for_first(db: Database) -> None:
    nobody = replace(match("D", ANN, CLEO), waiting_since=None)
    put(db, nobody, match("A", ANN, BOB, waiting=9), match("B", BOB, ANN, waiting=5))
    put(db, match("C", BOB, CLEO), match("E", ANN, BOB, status="ended"))
    assert of(db, ANN) == ["B", "A", "D"]
    assert of(db, ANN, "ended") == ["E"]
    assert of(db, CLEO) == ["C", "D"]
    assert of(db, PlayerId("dan")) == []
    assert read(db, lambda conn: views.matches_of(conn, ANN, ())) == []
    assert read(db, lambda conn: views.count_matches(conn, ANN, OPEN)) == 3
    assert read(db, lambda conn: views.count_matches(conn, ANN, ("off",))) == 0


def test_another_order_or_set_of_players_is_followed(db: Database) -> None:
    put(db, match("A", ANN, BOB, status="challenge"))
    put(db, match("A", BOB, ANN))
    row = read(db, lambda conn: views.match_row(conn, MatchId("A")))
    assert row is not None
    assert row.players == (BOB, ANN)
    put(db, match("A", BOB, CLEO))
    assert (of(db, ANN), of(db, BOB), of(db, CLEO)) == ([], ["A"], ["A"])


def test_all_matches_are_listed_the_newest_change_first(db: Database) -> None:
    put(db, match("A", ANN, BOB), match("B", ANN, BOB, status="ended"))
    put(db, replace(match("C", ANN, BOB), updated_at=NOW + MINUTE))
    assert [row.id for row in read(db, views.matches)] == ["C", "B", "A"]
    running = read(db, lambda conn: views.matches(conn, ("running",), limit=1))
    assert [row.id for row in running] == ["C"]


# --- players -------------------------------------------------------------------------------------


@pytest.fixture
def ann(db: Database) -> PlayerRow:
    return write(
        db, lambda conn: roster.add_player(conn, ANN, address="Ann@X.org", name="Ann Ö", now=NOW)
    )


def test_a_new_player_is_not_confirmed(db: Database, ann: PlayerRow) -> None:
    assert ann == PlayerRow(ANN, "Ann Ö", "Ann@X.org", False, 0, NOW)
    assert read(db, lambda conn: roster.player(conn, ANN)) == ann
    assert read(db, lambda conn: roster.player(conn, BOB)) is None
    write(db, lambda conn: roster.confirm(conn, ANN))
    assert read(db, lambda conn: roster.player(conn, ANN)) == replace(ann, confirmed=True)


def test_an_address_is_found_in_any_case_and_belongs_to_one(db: Database, ann: PlayerRow) -> None:
    assert read(db, lambda conn: roster.player_by_address(conn, "aNN@x.ORG")) == ann
    assert read(db, lambda conn: roster.player_by_address(conn, "bob@x.org")) is None
    with pytest.raises(IntegrityError):
        write(db, lambda conn: roster.add_player(conn, BOB, address="ann@x.org", name="", now=NOW))
    assert read(db, lambda conn: roster.player(conn, BOB)) is None


def test_names_are_found_in_any_case_and_spacing(db: Database, ann: PlayerRow) -> None:
    bob = write(
        db, lambda conn: roster.add_player(conn, BOB, address="b@x.org", name="ANN  ö", now=NOW)
    )
    assert read(db, lambda conn: roster.players_named(conn, " ann ö")) == [ann, bob]
    write(db, lambda conn: roster.rename(conn, BOB, "Straße"))
    assert read(db, lambda conn: roster.players_named(conn, "ann ö")) == [ann]
    assert read(db, lambda conn: roster.players_named(conn, "STRASSE")) == [
        replace(bob, name="Straße")
    ]


def test_players_are_found_together(db: Database, ann: PlayerRow) -> None:
    assert read(db, lambda conn: roster.players(conn, {ANN, BOB})) == {ANN: ann}
    assert read(db, lambda conn: roster.players(conn, ())) == {}
    assert read(db, roster.all_players) == [ann]


def test_new_reply_addresses_are_of_the_next_generation(db: Database, ann: PlayerRow) -> None:
    for generation in (1, 2):
        renewed = write(db, lambda conn: personal.renew(conn, ANN, NOW + MINUTE))
        assert renewed == generation
    assert read(db, lambda conn: roster.player(conn, ANN)) == replace(ann, generation=2)


# --- tables --------------------------------------------------------------------------------------


def test_open_seats_are_found_the_longest_waiting_first(db: Database) -> None:
    late = replace(match("A", ANN, status="challenge", waiting=9), to_act=(), open_seats=1)
    early = replace(match("B", BOB, status="challenge", waiting=5), to_act=(), open_seats=2)
    full = match("C", BOB, ANN, status="challenge")
    begun = replace(match("D", ANN, BOB), open_seats=1)
    put(db, late, early, full, begun)
    assert read(db, lambda conn: views.open_matches(conn, 9)) == [early, late]
    assert read(db, lambda conn: views.open_matches(conn, 1)) == [early]
    put(db, replace(early, players=(BOB, CLEO), open_seats=1))
    [first, _] = read(db, lambda conn: views.open_matches(conn, 9))
    assert (first.open_seats, first.players) == (1, (BOB, CLEO))


def test_spectators_find_what_they_watch_until_it_is_over(db: Database) -> None:
    a, b = match("A", ANN, BOB), match("B", ANN, BOB)
    put(db, a, b, match("C", CLEO, ANN))

    def watched() -> list[str]:
        return list(read(db, lambda conn: views.watched(conn, CLEO)))

    for name in ("A", "B", "B", "C"):
        write(db, partial(views.begin_watch, match=MatchId(name), player=CLEO))
    assert watched() == ["A", "B"]  # in C Cleo plays by now
    put(db, replace(a, status="ended"))
    assert watched() == ["B"]
    write(db, partial(views.end_watch, match=MatchId("B"), player=CLEO))
    assert watched() == []


def test_finished_matches_are_counted_for_each_player(db: Database) -> None:
    put(db, match("A", ANN, BOB), match("B", ANN, BOB))
    write(db, partial(views.finish, match=MatchId("A"), players=(ANN,)))
    write(db, partial(views.finish, match=MatchId("B"), players=(ANN, BOB)))
    counted = [read(db, partial(views.count_finished, player=one)) for one in (ANN, BOB, CLEO)]
    assert counted == [2, 1, 0]


def test_a_bot_is_a_player_without_an_address(db: Database) -> None:
    bot = bot_id("random", 1)
    write(db, partial(roster.add_bot, player=bot, name="Robot (random)", now=NOW))
    row = read(db, lambda conn: roster.player(conn, bot))
    assert row is not None
    assert (row.name, row.address, row.confirmed) == ("Robot (random)", "", True)
    assert read(db, lambda conn: roster.players_named(conn, "robot random")) == [row]
    assert read(db, lambda conn: roster.player_by_address(conn, "")) is None
