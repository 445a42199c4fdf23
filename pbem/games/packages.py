"""Games of others: which are installed, and where their rules, words and rulebooks lie.

A distribution names them in the entry-point group `pbem.games`, a line a ruleset, as in
`nine-1 = "pbem_nine:GAME"` (docs/games/adding.md). Nothing of it is imported to know that.
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
    from importlib.metadata import EntryPoint

GROUP: Final = "pbem.games"
"""The entry-point group in which games are found."""

RULESET: Final = re.compile(r"(?P<key>[a-z][a-z0-9_]{1,30})-(?P<edition>[1-9][0-9]{0,3})")
"""The name of a ruleset: its game's key, and its edition."""


@dataclass(frozen=True, slots=True)
class Package:
    """What brings a ruleset: its object by name, and its folder.

    `folder` may have `templates/` and `rules.md`; it is empty if the module is not found.
    """

    ruleset: str
    target: str
    folder: str

    @property
    def key(self) -> str:
        """The key of its game."""
        return self.ruleset.rpartition("-")[0]


@cache
def packages() -> Mapping[str, Package]:
    """All that is installed, by ruleset, sorted; of two with one name the first one counts."""
    found: dict[str, Package] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        if RULESET.fullmatch(point.name) and point.name not in found:
            found[point.name] = _package(point)
    return found


def folder_of(key: str) -> str | None:
    """Where the words of a game of others lie, by its key: those of its newest edition."""
    found = [one for one in packages().values() if one.key == key and one.folder]
    newest = max(found, key=lambda one: int(one.ruleset.rpartition("-")[2]), default=None)
    return newest.folder if newest is not None else None


def _package(point: EntryPoint) -> Package:
    return Package(
        ruleset=point.name,
        target=point.value,
        folder=_folder(point.module),
    )


def _folder(module: str) -> str:
    """The folder of the package that a module is or lies in."""
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return ""
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), "") if places else ""
