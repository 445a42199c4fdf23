"""Games from separately installed packages: a list of them, and the folders of their files.

A distribution names its games in the entry-point group `pbem.games`, one line for each
ruleset, as in `nine-1 = "pbem_nine:GAME"` (docs/games/adding.md). Listing them imports no
package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP: Final = "pbem.games"  # entry-point group in which installed packages name their games

RULESET: Final = re.compile(r"(?P<key>[a-z][a-z0-9_]{1,30})-(?P<edition>[1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package that provides a ruleset.

    Attributes:
        ruleset: The name of the ruleset, such as `nine-1`.
        target: The entry point, such as `pbem_nine:GAME`.
        folder: The path of the package's folder; empty if the package is not found. The folder may
            contain `templates/` and `rules.md`.
    """

    ruleset: str
    target: str
    folder: str

    @property
    def key(self) -> str:
        """The key of the game: the ruleset without the edition, as in `nine`."""
        return self.ruleset.rpartition("-")[0]


@cache
def list_packages() -> Mapping[str, Package]:
    """Return the installed packages by ruleset, sorted by ruleset.

    If two distributions provide the same ruleset, the one that `entry_points` lists first is used.
    """
    packages: dict[str, Package] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if RULESET.fullmatch(point.name) and point.name not in packages:
            folder = _find_folder(point.module)
            packages[point.name] = Package(ruleset=point.name, target=point.value, folder=folder)
    return packages


def find_package_folder(key: str) -> str | None:
    """Return the folder of the package with the game's newest edition; None if there is none."""
    editions = {
        int(package.ruleset.rpartition("-")[2]): package.folder
        for package in list_packages().values()
        if package.key == key and package.folder
    }
    return editions[max(editions)] if editions else None


def _find_folder(module: str) -> str:
    """Return the path of the module's top-level package; empty if it is not found."""
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return ""
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), "") if places else ""
