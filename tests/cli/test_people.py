"""What an operator does about people."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, update

from pbem.cli import ratings as cli_ratings
from pbem.cli.ratings import remade
from pbem.mail.headers import mailbox_of
from pbem.standing import book
from pbem.store import ratings, scopes, tables
from pbem.store.database import Database
from pbem.store.mails import leases
from pbem.store.people import roster
from pbem.wiring.process import clock
from tests.cli.service import Service
from tests.store.ratings.league import Year, end, rows


def test_a_player_is_forgotten_after_a_question(service: Service) -> None:
    said = service.run("forget", "ann@example.net", typed="n\n", code=1)
    assert "Ann <ann@example.net>, in 0 running matches" in said
    assert "Ann - Bob" in service.run("matches", "--all")
    said = service.run("forget", "Ann", typed="y\n")
    assert "is forgotten" in said
    assert "? - Bob" in service.run("matches", "--all")
    assert "nobody here is called Ann" in service.run("forget", "Ann", code=1)
    assert service.run("verify", "K7QX2").endswith("all is as it should be\n")
    assert "all is well" in service.run("check", "--offline")


def test_without_anybody_to_ask_nothing_is_done(service: Service) -> None:
    said = service.run("forget", "Ann", typed="", code=1)
    assert "there is nobody to ask: say --yes" in said
    assert "Ann - Bob" in service.run("matches", "--all")
    service.run("forget", "Ann", "--yes", "--as", "caretaker")
    assert "? - Bob" in service.run("matches", "--all")


def test_who_wanted_no_mail_may_change_their_mind(service: Service) -> None:
    zoe = "Zoe+games@example.com"
    assert f"{zoe} has not answered `never`" in service.run("welcome", zoe, "--yes", code=1)
    assert "is no mail address" in service.run("welcome", "zoe", code=1)
    db = Database.open(service.database)
    now = datetime(2026, 11, 22, tzinfo=UTC)
    db.write(lambda conn: leases.add(conn, mailbox_of("zoe@example.com"), now)).result()
    db.close()
    service.run("welcome", zoe, typed="n\n", code=1)
    assert "mail may go to" in service.run("welcome", zoe, "--yes")
    assert "has not answered" in service.run("welcome", zoe, "--yes", code=1)


# --- ratings -------------------------------------------------------------------------------------


def played(db: Database, *matches: tuple[str, str], game: str = "logger") -> None:
    """These matches end, each with its winner first; none is too soon after the one before."""

    def unit(conn: Connection) -> None:
        ids = {row.name: row.id for row in roster.all_players(conn)}
        for number, people in enumerate(matches):
            at = clock() - timedelta(days=11 * (len(matches) - number))
            end(conn, f"{game[:3]}{number}", [ids[one] for one in people], (1, 2), at, game=game)
        ratings.follow(conn)

    db.write(unit).result()


def test_ratings_are_listed_and_made_anew(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Nobody has played enough rated matches" in service.run("ratings")
    db = Database.open(service.database)
    played(db, *[("Ann", "Bob"), ("Bob", "Ann")] * 7, game="landrush")
    monkeypatch.setattr(book, "SURE", 200.0)
    listed = json.loads(service.run("ratings", "--json"))
    assert [(one["game"], one["place"]) for one in listed] == [("Landrush", 1), ("Landrush", 2)]
    assert {one["name"] for one in listed} == {"Ann", "Bob"}
    assert all((one["played"], one["won"]) == (14, 7) for one in listed)
    shown = service.run("ratings")
    db.write(lambda conn: conn.execute(update(tables.rating).values(rating=1.0))).result()
    assert service.run("ratings") != shown
    assert "the ratings are made anew: 15 matches of people in " in service.run(
        "ratings", "--rebuild"
    )
    assert service.run("ratings") == shown
    assert db.read(ratings.unsound).result() == 0
    db.close()


def test_pairs_are_listed_whose_results_are_one_sided(service: Service) -> None:
    db = Database.open(service.database)
    played(db, *[("Ann", "Bob"), ("Bob", "Ann")] * 3)
    assert "No pair has one-sided results." in service.run("ratings", "--pairs")
    played(db, *[("Bob", "Ann")] * 4, game="landrush")
    assert "No pair" in service.run("ratings", "--pairs")  # too few to say anything
    played(db, *[("Bob", "Ann")] * 5, game="looney_ludo")
    [pair] = json.loads(service.run("ratings", "--pairs", "--json"))
    won = {pair["one"]: pair["won"], pair["other"]: pair["lost"]}
    assert (pair["game"], pair["matches"], won) == ("looney_ludo", 5, {"Bob": 5, "Ann": 0})
    assert (pair["timed_out"], pair["short"]) == (0, 0)
    assert re.search(r"looney_ludo +(Ann - Bob|Bob - Ann) +5", service.run("ratings", "--pairs"))
    db.close()


@pytest.mark.parametrize("before_our", range(1, 9))
def test_a_build_in_which_a_service_takes_part_is_the_same(
    service: Service, monkeypatch: pytest.MonkeyPatch, before_our: int
) -> None:
    db = Database.open(service.database)
    year = Year(11)
    db.write(lambda conn: [year.play(conn) for _ in range(60)]).result()
    db.write(lambda conn: ratings.follow(conn, 100)).result()
    before = db.read(rows).result()
    for name, size in (("CHUNK", 20), ("PART", 15), ("SLOWLY", 9)):
        monkeypatch.setattr(cli_ratings, name, size)
    real, units, alone = db.write, list[int](), list[bool]()

    def write(unit: Any, scope: scopes.Scope = scopes.ALL) -> Any:
        """Beside us, before one of our units, the service enters some."""
        if len(units) == before_our:
            alone.append(real(lambda conn: ratings.go_on(conn, 4)).result())
        units.append(1)
        return real(unit, scope)

    monkeypatch.setattr(db, "write", write)
    assert "61 matches of people" in remade(db)
    assert alone == [False]
    assert real(rows).result() == before
    assert db.read(ratings.unsound).result() == 0
    db.close()
