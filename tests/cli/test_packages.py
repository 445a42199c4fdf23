"""Games in packages of their own: a new one plays at once, and faults of others are told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from pbem.store.database import Database
from pbem.testing import ALL_CHECKS
from tests.cli.conftest import Commands
from tests.packages import installed_package
from tests.server.test_health import run_match

ROOT = Path(__file__).parents[2]


def test_a_new_game_passes_its_own_tests(pbem: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    output = pbem("new-game", "Liar's Dice", "--folder", str(folder))
    assert "pbem demo liars_dice" in output
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert files == [
        "README.md",
        "pbem_liars_dice/__init__.py",
        "pyproject.toml",
        "test_liars_dice.py",
    ]
    texts = [(folder / file).read_text() for file in files]
    assert not [text for text in texts if re.search(r"(?i)(?<![a-z])nim(?![a-z])", text)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(ALL_CHECKS) + 1} passed" in done.stdout


def test_a_new_game_is_found_once_it_is_installed(pbem: Commands, tmp_path: Path) -> None:
    pbem("new-game", "hex", "--folder", str(tmp_path / "mine"))
    with installed_package(tmp_path / "mine", tmp_path / "site"):
        output = pbem("check-game", "Hex")
        assert "Hex (hex-1), for 2 players:" in output
        assert "warning  picture(): there is none." in output
        assert "WRONG" not in output
        assert "There is a game 'hex' already." in pbem("new-game", "HEX", fails=2)


def test_what_is_wrong_with_a_game_is_told(pbem: Commands, tmp_path: Path) -> None:
    pbem("new-game", "Broken", "--folder", str(tmp_path / "mine"))
    module = tmp_path / "mine" / "pbem_broken" / "__init__.py"
    source = module.read_text()
    module.write_text(source.replace('sign = "o"', 'sign = "o" * 30'))
    with installed_package(tmp_path / "mine", tmp_path / "site"):
        assert "WRONG    board(): a line has" in pbem("check-game", "broken", fails=1)
    sys.modules.pop("pbem_broken", None)
    module.write_text("import nothing_of_that_name\n")
    with installed_package(tmp_path / "mine", tmp_path / "site2"):
        output = pbem("check-game", "broken", fails=1)
        pbem("init", "--yes", "--maildir", str(tmp_path / "mail"))
        assert "WRONG  games     broken-1 cannot be loaded: Module" in pbem("check", fails=1)
        with closing(Database(f"sqlite:///{tmp_path / 'pbem.db'}")) as database:
            database.run(lambda conn: run_match(conn, "broken-1"))
        status = pbem("status", fails=1)
        assert "rules of broken-1 are missing. ModuleNotFoundError: " in status
    assert "broken-1 cannot be loaded: ModuleNotFoundError" in output


def test_names_and_folders_that_cannot_be_used(pbem: Commands, tmp_path: Path) -> None:
    for name in ("X", "9 men", '"; rm', "Logger"):
        pbem("new-game", name, "--folder", str(tmp_path / "mine"), fails=2)
    assert not (tmp_path / "mine").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept").touch()
    assert "is not empty" in pbem("new-game", "Hex", "--folder", str(tmp_path / "mine"), fails=2)
