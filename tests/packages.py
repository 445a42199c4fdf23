"""Packages of games that are found as if pip had installed them."""

from __future__ import annotations

import contextlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pbem.games import GAMES

CHESS = Path(__file__).parents[1] / "packages" / "pbem-chess"


@contextlib.contextmanager
def installed_package(package: Path, site: Path) -> Iterator[None]:
    """Let the games of a package be found by their entry points, as if pip had installed it."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    games = project["entry-points"]["pbem.games"].items()
    lines = "".join(f"{ruleset} = {target}\n" for ruleset, target in games)
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{lines}")
    paths = [str(site), str(package)]
    sys.path[:0] = paths
    GAMES.forget_packages()
    try:
        yield
    finally:
        for path in paths:
            sys.path.remove(path)
        GAMES.forget_packages()
