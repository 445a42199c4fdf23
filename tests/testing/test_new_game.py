"""`pbem new-game`: names become packages, and nothing is ever written over."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import ConfigError
from pbem.games import GAMES
from pbem.skeleton import package
from pbem.skeleton.package import Named, commands, files, named
from pbem.testing.every import CHECKS, found
from pbem.testing.tables import Table
from tests.testing.installed import installed


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("nine", Named("Nine", "nine", "NI")),
        ("Liar's Dice", Named("Liar's Dice", "liars_dice", "LD")),
        ("liars_dice", Named("Liars Dice", "liars_dice", "LD")),
        ("Go-Moku", Named("Go Moku", "go_moku", "GM")),
        ("Mühle", Named("Mühle", "muhle", "MU")),
        ("Logic Game", Named("Logic Game", "logic_game", "LO")),  # LG is Logger's
        ("pig2", Named("Pig2", "pig2", "PI")),
    ],
)
def test_a_name_becomes_a_title_a_key_and_letters(typed: str, chosen: Named) -> None:
    assert named(typed) == chosen


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("9 lives", "is no name of a game"),
        ("x", "is no name of a game"),
        ("", "is no name of a game"),
        ("囲碁", "is no name of a game"),
        ("a" * 40, "is no name of a game"),
        ("../../etc", ""),
        ("logger", "there is a game Logger already"),
        ("Looney Ludo", "there is a game Looney Ludo already"),
        ("open", "means something else in mails"),
        ("resign", "means something else in mails"),
        ("any", "means something else in mails"),
        ("class", "means something else in mails"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(typed: str, why: str, tmp_path: Path) -> None:
    if not why:  # nothing of it leads out of the folder
        assert named(typed).distribution == "pbem-etc"
        return
    told = CliRunner().invoke(app, ["new-game", "--into", str(tmp_path), "--", typed])
    assert told.exit_code == 1
    assert why in told.output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pbem-nine").mkdir()
    told = CliRunner().invoke(app, ["new-game", "nine", "--into", str(tmp_path)])
    assert told.exit_code == 1
    assert "nothing is written over it" in told.output
    assert list((tmp_path / "pbem-nine").iterdir()) == []


def test_what_is_written_is_told_and_can_be_begun_with(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["new-game", "Liar's Dice", "--into", str(tmp_path)])
    assert told.exit_code == 0
    install, play, test = commands(named("Liar's Dice"), tmp_path / "pbem-liars-dice")
    assert all(f"\n  {one}\n" in told.output for one in (install, play, test))
    assert (tmp_path / "pbem-liars-dice" / "pbem_liars_dice" / "rules.py").is_file()


@pytest.mark.parametrize("checkout", ["checkout", ""])
@pytest.mark.parametrize("pip", ["pip", ""])
def test_the_commands_are_those_of_this_environment(
    pip: str, checkout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(package.__file__).parents[2]
    monkeypatch.setattr(sys, "prefix", str(root / ".venv" if checkout else tmp_path))
    monkeypatch.setattr(package, "find_spec", lambda _: object() if pip else None)
    monkeypatch.chdir(root)
    install, play, test = commands(named("Pig Out"), tmp_path / "pbem-pig-out")
    made = tmp_path.resolve() / "pbem-pig-out"
    into = f"pip install --python {sys.executable} --no-deps -e {made}"
    if checkout:  # its environment has no pip, and that of the system is another
        assert (install, play) == (f"./run uv {into}", "./run play pig_out")
        assert test == f"./run dev pytest {made}"
    else:
        own = f"{sys.executable} -m pip install --no-deps -e {made}"
        assert (install, play) == (own if pip else f"uv {into}", "pbem play pig_out")
        assert test == f"pytest {made}"


def test_nothing_of_the_small_games_name_is_left() -> None:
    for path, text in files(Named("Pig Out", "pig_out", "PO")):
        assert not re.search(r"\bnine\b|Nine|\bNI-|skeleton", f"{path}\n{text}"), path


def test_under_another_name_it_keeps_the_contract_as_well(tmp_path: Path) -> None:
    with installed(tmp_path, "Pig Out") as game:
        assert (game.title, game.ruleset) == ("Pig Out", "pig_out-1")
        assert {name: told for name in CHECKS if (told := found(name, Table(game, 2)))} == {}
    assert "pig_out-1" not in GAMES


def test_a_name_that_is_there_already_is_told(tmp_path: Path) -> None:
    with installed(tmp_path), pytest.raises(ConfigError, match="there is a game Nine already"):
        named("NINE")
