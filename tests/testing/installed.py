"""A game of others as if it were installed: what `pbem new-game` writes, with its entry point."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pbem.games import GAMES, AnyGame
from pbem.games.packages import packages
from pbem.notices.rendering import environment, languages
from pbem.notices.views import rulebook
from pbem.skeleton.package import Named, named, write
from pbem.testing import words
from tests.foreign.conftest import end_thinking

Edits = Mapping[str, "tuple[str, str] | str | None"]
"""By a file in the package: what is written for what, the whole text, or None to remove it."""

_REMEMBERED: Final = (
    packages,
    environment._environment,
    languages._catalogue,
    languages.order_in,
    languages.move_in,
    rulebook._rules,
    rulebook.boards,
    rulebook.example,
    words._texts,
)


def written(folder: Path, name: str = "nine", edits: Edits | None = None) -> tuple[Path, Named]:
    """A package in a folder, with its entry point beside it, as pip leaves it; and its names."""
    chosen = named(name)
    made = write(chosen, folder)
    for file, edit in (edits or {}).items():
        path = made / chosen.package / file
        match edit:
            case None:
                path.unlink()
            case str():
                path.write_text(edit, encoding="utf-8")
            case (old, new):
                text = path.read_text(encoding="utf-8")
                assert old in text, (file, old)
                path.write_text(text.replace(old, new), encoding="utf-8")
    beside = made / f"{chosen.package}-0.1.0.dist-info"
    beside.mkdir()
    (beside / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {chosen.distribution}\nVersion: 0.1.0\n", encoding="utf-8"
    )
    (beside / "entry_points.txt").write_text(
        f"[pbem.games]\n{chosen.key}-1 = {chosen.package}:GAME\n", encoding="utf-8"
    )
    return made, chosen


@contextmanager
def installed(folder: Path, name: str = "nine", edits: Edits | None = None) -> Iterator[AnyGame]:
    """The game of such a package, in this process."""
    made, chosen = written(folder, name, edits)
    sys.path.insert(0, str(made))
    _forget(chosen)
    try:
        yield GAMES[f"{chosen.key}-1"]
    finally:
        sys.path.remove(str(made))
        _forget(chosen)


def _forget(chosen: Named) -> None:
    importlib.invalidate_caches()
    end_thinking()
    for remembered in _REMEMBERED:
        remembered.cache_clear()
    ruleset = f"{chosen.key}-1"
    dict.pop(GAMES, ruleset, None)
    GAMES.faults.pop(ruleset, None)
    for module in [one for one in sys.modules if one.partition(".")[0] == chosen.package]:
        del sys.modules[module]
