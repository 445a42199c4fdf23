"""Compile the German words when a wheel is built: gettext reads .mo files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path(__file__).parent / "pbem_chess" / "templates" / "locale"


class CatalogueHook(BuildHookInterface[Any]):
    """What hatchling calls before it builds a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Write a .mo beside each .po."""
        for source in LOCALE.glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parents[1].name)
            with source.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
