"""What an operator does about people."""

from __future__ import annotations

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
