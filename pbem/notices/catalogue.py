"""The languages of the templates: which there are, and the catalogue of each (gettext)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
"""The language that the templates are written in; it needs no catalogue."""

_CATALOGUE: Final = Path("LC_MESSAGES", "pbem.mo")


def catalogue(folders: Sequence[Path], lang: str) -> NullTranslations:
    """The translations of a language, those of the first folder first; English where none is."""
    return _catalogue(tuple(folders), lang)


@cache
def _catalogue(folders: tuple[Path, ...], lang: str) -> NullTranslations:
    first: NullTranslations | None = None
    for folder in folders:
        path = folder / "locale" / lang / _CATALOGUE
        if lang == ENGLISH or not lang.isalnum() or not path.is_file():
            continue
        with path.open("rb") as file:
            found = GNUTranslations(file)
        if first is None:
            first = found
        else:
            first.add_fallback(found)
    return first or NullTranslations()


def languages(folders: Sequence[Path]) -> tuple[str, ...]:
    """The codes of all languages that have a catalogue, English first."""
    found = {
        path.parent.parent.name
        for folder in folders
        for path in folder.glob(f"locale/*/{_CATALOGUE.as_posix()}")
    }
    return (ENGLISH, *sorted(found - {ENGLISH}))
