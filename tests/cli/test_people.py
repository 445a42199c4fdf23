"""What an operator does about people."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.mail.headers import mailbox_of
from pbem.store.database import Database
from pbem.store.mails import leases
from tests.cli.service import Service


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
