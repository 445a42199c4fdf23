"""The page about games of one's own is true: its commands, fields, picture and words."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
import typer

from pbem.cli.main import app
from pbem.cli.packages import write_package
from pbem.games.game import Game
from pbem.testing import check_game
from tests.packages import installed_package

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "games" / "adding.md").read_text(encoding="utf-8")


def list_blocks(language: str = "") -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return [text for of_language, text in blocks if of_language == language]


@pytest.fixture
def package(tmp_path: Path) -> Iterator[Path]:
    """A new game that is installed."""
    folder = tmp_path / "pbem-tally"
    write_package(folder, "tally", "Tally")
    with installed_package(folder, tmp_path / "site"):
        yield folder / "pbem_tally"
    for name in [name for name in sys.modules if name.partition(".")[0] == "pbem_tally"]:
        del sys.modules[name]


def test_picture_words_and_translations(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = package / "__init__.py"
    [picture], [move] = list_blocks("python"), list_blocks("jinja")
    source = module.read_text().replace("\n# --- bots", f"\n{picture}\n# --- bots")
    module.write_text(source.replace("    board=board,\n", "    board=board, picture=picture,\n"))
    templates = package / "templates"
    words = templates / "games" / "tally"
    words.mkdir(parents=True)
    for name in ("about", "howto", "ending"):
        (words / f"{name}.txt.j2").write_text("Heaps.")
    (words / "move.txt.j2").write_text(move)
    game = importlib.import_module("pbem_tally").GAME
    [finding] = check_game(game)
    assert finding.is_warning
    assert "2 texts have no translation (de): 'You take %(count)s from %(heap)s.'" in finding.text

    cfg = ROOT / "packages" / "pbem-chess" / "pbem_chess" / "templates" / "babel.cfg"
    (templates / "babel.cfg").write_text(cfg.read_text())
    monkeypatch.chdir(templates)
    extract, init, compile_ = list_blocks()[-1].splitlines()
    run(extract)
    run(init)
    catalogue = templates / "locale" / "de" / "LC_MESSAGES" / "pbem.po"
    translated = catalogue.read_text().replace('"\nmsgstr ""', '"\nmsgstr "%(count)s %(heap)s"')
    catalogue.write_text(translated)
    run(compile_)
    assert [*check_game(game)] == []


def run(command: str) -> None:
    program, *words = command.split()
    subprocess.run([Path(sys.executable).parent / program, *words], check=True, capture_output=True)


def test_fields_and_commands_exist() -> None:
    known = {field.name for field in fields(Game)}
    for table in ("## Rules", "## Notation", "## More"):
        section = PAGE.partition(table)[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        names = {name for row in rows for name in re.findall(r"`(\w+)", row)}
        assert names
        assert names - {"field"} <= known
    commands = typer.main.get_group(app).list_commands(None)  # type: ignore[arg-type]
    used = {line.split()[1] for line in list_blocks()[0].splitlines() if line.startswith("pbem ")}
    assert used == {"new-game", "demo"}
    assert used <= {*commands}
