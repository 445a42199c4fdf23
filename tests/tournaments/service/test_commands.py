"""`pbem tournament ...`: what an operator can do to tournaments."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.service import Service, make, run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Service:
    return make(tmp_path_factory.mktemp("service"))


@pytest.fixture
def service(made: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    for name in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(name)
    return Service(Path(shutil.copytree(made.folder, tmp_path / "service")))


def ordered(service: Service, *words: str) -> str:
    """What a command says; it must have worked."""
    result = run("--config", str(service.config), *words)
    assert result.exit_code == 0, result.output
    return result.output


def refused(service: Service, *words: str) -> str:
    result = run("--config", str(service.config), *words)
    assert result.exit_code == 1, result.output
    return result.output


def test_a_tournament_is_opened_listed_and_shown(service: Service) -> None:
    said = ordered(service, "tournament", "open", "spring-league", "logger", "--as", "otto")
    assert "players write `enter spring-league`" in said
    [row] = json.loads(ordered(service, "tournament", "list", "--json"))
    assert (row["name"], row["kind"], row["status"], row["entered"]) == (
        "spring-league", "league", "open", 0,
    )  # fmt: skip
    assert "entered: nobody" in ordered(service, "tournament", "show", "spring-league")
    assert "all is as it should be" in ordered(service, "verify", "spring-league")
    # In any case, as players may type it.
    assert "entered: nobody" in ordered(service, "tournament", "show", "Spring-League")
    assert "all is as it should be" in ordered(service, "verify", "Spring-league")
    assert "tournaments" in run("--config", str(service.config), "check").output


def test_with_too_few_it_does_not_begin(service: Service) -> None:
    ordered(service, "tournament", "open", "cup", "logger", "--kind", "cup", "--as", "otto")
    said = refused(service, "tournament", "begin", "cup", "--as", "otto")
    assert "it has 0 entries, and needs 2" in " ".join(said.split())
    assert "begins" in ordered(service, "tournament", "begin", "cup", "--at", "2d", "--as", "otto")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Spring", "logger"), "no name"),
        (("spring", "chess"), "no game chess"),
        (("spring", "logger", "--seats", "9"), "no tables of 9"),
        (("spring", "logger", "--time", "none"), "needs a time control"),
        (("spring", "logger", "--kind", "cup", "--seats", "3"), "3 cannot be"),
        (("spring", "logger", "--group", "9"), "Groups of 9 cannot be"),
    ],
)
def test_what_cannot_be_opened(service: Service, words: tuple[str, ...], why: str) -> None:
    said = refused(service, "tournament", "open", *words, "--as", "otto")
    assert why in " ".join(said.split())


def test_it_is_closed(service: Service) -> None:
    ordered(service, "tournament", "open", "spring", "logger", "--as", "otto")
    closed = ("tournament", "end", "spring", "--close", "--reason", "enough", "--as", "otto")
    assert "is closed" in ordered(service, *closed, "--yes")
    assert json.loads(ordered(service, "tournament", "list", "--json")) == []
    assert len(json.loads(ordered(service, "tournament", "list", "--all", "--json"))) == 1
    assert "already" in " ".join(
        refused(service, "tournament", "open", "spring", "logger", "--as", "otto").split()
    )
