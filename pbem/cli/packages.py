"""The commands `pbem new-game` and `pbem check-game`, for games in separate packages."""

from __future__ import annotations

import re
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.cli.output import print_error, print_line

# The template files, and their paths in a new package. `nim` is replaced by the key of the game.
_FILES: Final = {
    "pyproject.txt": "pyproject.toml",
    "game.py": "pbem_nim/__init__.py",
    "test_game.txt": "test_nim.py",
    "README.txt": "README.md",
}

_TITLE: Final = re.compile(r"[^\W_][\w' -]{0,39}")


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The title of the game.")],
    *,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The new folder.", show_default="pbem-NAME"),
    ] = None,
) -> None:
    """Create a package for your own game, with a small example game."""
    from pbem.games import GAMES
    from pbem.games.packages import RULESET

    title = name.strip()
    key = make_key(title)
    if not _TITLE.fullmatch(title) or not RULESET.fullmatch(f"{key}-1"):
        raise typer.BadParameter(
            f"{name!r} cannot be the title of a game. Use 2 to 31 letters and digits, and begin"
            " with a letter.",
            param_hint="NAME",
        )
    if any(game.key == key for game in GAMES.values()):
        raise typer.BadParameter(f"There is a game {key!r} already.", param_hint="NAME")
    package = folder or Path(f"pbem-{key.replace('_', '-')}")
    if package.exists() and any(package.iterdir()):
        raise typer.BadParameter(f"{package} is not empty.", param_hint="--folder")
    write_package(package, key, title if title != key else key.replace("_", " ").title())
    print_line(f"{package} has a game that plays. In the environment that has pbem:\n")
    for command in (f"cd {package}", "pip install -e .", "pytest", f"pbem demo {key}"):
        print_line(f"    {command}")
    print_line("\nIts README says how to go on.")


def make_key(title: str) -> str:
    """Return the key for the title of a game, such as `liars_dice` for "Liar's Dice"."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return "_".join(re.findall(r"[a-z0-9]+", plain.lower().replace("'", "")))


def write_package(package: Path, key: str, title: str) -> None:
    """Write the files of a package for a new game into the folder `package`.

    The files are templates, in which the name of their example, Nim, is replaced by the key and the
    title of the new game.
    """
    names = {"pbem-nim": f"pbem-{key.replace('_', '-')}", "nim": key, "Nim": title}

    def rename(text: str) -> str:
        return re.sub(r"pbem-nim|(?<![a-z])nim(?![a-z])|Nim", lambda parsed: names[parsed[0]], text)

    for source, target in _FILES.items():
        text = (files("pbem.cli.new_game") / source).read_text(encoding="utf-8")
        path = package / rename(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rename(text), encoding="utf-8")


def check_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an installed game.")],
) -> None:
    """Check that an installed game meets the contract for games.

    The exit code is 1 if it does not. A missing picture or translation is only a warning.
    """
    from pbem.cli.games import choose_game
    from pbem.games import GAMES
    from pbem.games.packages import list_packages
    from pbem.testing import check_game as find_faults

    for ruleset, package in list_packages().items():
        if package.key == make_key(name) and (fault := GAMES.explain_fault(ruleset)):
            print_error(f"{ruleset} cannot be loaded: {fault}.")
            raise typer.Exit(1)
    game = choose_game(name)
    print_line(f"{game.title} ({game.ruleset}), for {', '.join(map(str, game.seats))} players:")
    is_well = True
    for finding in find_faults(game):
        is_well &= finding.is_warning
        print_line(f"{'warning' if finding.is_warning else 'WRONG':7}  {finding.text}")
    print_line("The game can be played." if is_well else "The game has faults.")
    if not is_well:
        raise typer.Exit(1)
