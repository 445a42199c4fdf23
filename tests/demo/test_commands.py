"""`pbem demo` and `pbem play` as they are typed."""

from __future__ import annotations

import re
import secrets
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pbem.games
from pbem.cli.games import choose_level
from pbem.cli.main import app
from pbem.games.naming import find_game


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def call(*words: str, typed: str = "", fails: int = 0) -> str:
    result = CliRunner().invoke(app, [*words], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == fails, result.output
    return re.sub(r"[\s│╭╮╰╯─]+", " ", result.output)


def test_the_weakest_bot_plays_if_none_is_named() -> None:
    assert choose_level(find_game("logger"), "") == "easy"


# --- demo ----------------------------------------------------------------------------------------


def test_automatic_demo_plays_and_checks_a_match(temporary_files: Path) -> None:
    shown = call("demo", "landrush", "--auto")
    assert "We found no errors in this game" in shown
    assert "is right: its chain, its draws, its moves, its result" in shown
    assert "Alice:" in shown
    assert "Bob:" in shown
    [files] = temporary_files.iterdir()  # the service is gone, the replay is not
    assert [path.suffix for path in files.iterdir()] == [".html"]


def test_folder_keeps_a_service_that_commands_open(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shown = call("demo", "logger", "--folder", str(folder), typed="place a1\n/quit\n")
    assert "Bob placed their logger" in shown
    listed = call("--config", str(folder / "config.toml"), "match", "list")
    assert "running" in listed.lower()
    assert "is not empty" in call("demo", "--folder", str(folder), fails=2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["demo", "loger"], "Did you mean Logger?"),
        (["demo", "stones", "--seats", "3"], "played by 2, not by 3"),
        (["demo", "landrush", "--bot", "strong"], "no bot 'strong', but easy, medium"),
        (["demo", "--language", "fr"], "is not one of 'en', 'de'"),
        (["demo", "--auto", "--web"], "does not go with --web"),
        (["play", "loger"], "Did you mean Logger?"),
        (["play", "logger", "--seats", "9"], "played by 2, 3, 4, not by 9"),
        (["play", "logger", "--option", "x=y"], "There is no option"),
        (["play", "logger", "--option", "tree_limit=7"], "Choose from: none, 20"),
        (["play", "logger", "--option", "x"], "Write NAME=VALUE"),
        (["play", "logger", "--position", "foo"], "The beginning is written so: loggers -, -;"),
        (["play", "logger", "--bot", "x"], "no bot 'x', but easy"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(words: list[str], said: str) -> None:
    shown = call(*words, fails=2)
    assert said in shown
    assert "{'" not in shown  # a dict


@pytest.mark.parametrize("command", ["demo", "play"])
def test_a_game_with_a_package_of_its_own_says_how_to_install_it(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.games, "list_packages", dict)  # nothing is installed
    assert "./run uv pip install -e packages/pbem-chess" in call(command, "Chess", fails=2)


# --- play ----------------------------------------------------------------------------------------


def test_a_game_is_named_by_several_words() -> None:
    assert "Looney Ludo." in call("play", "looney", "ludo", typed="quit\n")


def test_moves_are_played_refused_and_taken_back() -> None:
    typed = "undo\nplace b1\nundo\nplace a1\nundo\nplace e1\n?\nposition\n"
    shown = call("play", "logger", typed=typed)
    assert shown.count("There is no move to take back") == 2
    assert "b1 is not a corner. The free corners are a1, a5, e1 and e5" in shown
    assert "Alice placed their logger on a1 (place a1)" in shown
    assert "Write a move, or one of these" in shown
    assert "loggers e1, -;" in shown


def test_a_position_goes_on_with_its_number_of_seats() -> None:
    position = "loggers a1, e5; trees c3=1; scores 9, 0; hands 2, 2; to move 2"
    words = ("play", "logger", "--position", position)
    shown = call(*words, typed="e4; plant e5\nposition\n")
    assert "Bob" in shown
    assert "loggers a1, e4;" in shown
    assert "The position has 2 seats" in call(*words, "--seats", "3", fails=2)


def test_an_option_decides_who_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_bytes", bytes)  # with these draws Bob begins
    for option in ("seat_order=random", "starter=random"):
        assert "Bob (you)" in call("play", "logger", "--option", option, typed="quit\n")


def test_bots_answer_each_move() -> None:
    shown = call("play", "logger", "--bot", "easy", "--seats", "3", typed="place a1\nundo\nboard\n")
    assert "Bot 1 placed" in shown
    assert "Bot 2 placed" in shown
    assert "A Alice (you)" in shown
