"""Packages of games that are found as if pip had installed them, and no others."""

from __future__ import annotations

import contextlib
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoints, distributions
from pathlib import Path

from pbem.games import GAMES, OURS, packages
from pbem.games.packages import list_packages

CHESS = Path(__file__).parents[1] / "packages" / "pbem-chess"
_SITES: list[str] = []  # folders with the entry points of packages that a test has installed


def hide_installed_packages() -> None:
    """Let tests find pbem's own games and no others, whatever is installed beside pbem."""
    vars(packages)["entry_points"] = _list_entry_points


def _list_entry_points(group: str) -> EntryPoints:
    found = (point for site in distributions(path=_SITES) for point in site.entry_points)
    return EntryPoints(point for point in found if point.group == group)


def reload_packages() -> None:
    """Forget the games of all packages, so that the next access looks for packages again."""
    list_packages.cache_clear()
    for ruleset in [ruleset for ruleset in GAMES._loaded if ruleset not in OURS]:
        del GAMES._loaded[ruleset]
    GAMES.faults.clear()


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
    _SITES.append(str(site))
    reload_packages()
    try:
        yield
    finally:
        for path in paths:
            sys.path.remove(path)
        _SITES.remove(str(site))
        reload_packages()
