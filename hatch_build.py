"""Compiles the catalogues of templates/ for wheels and for editable installations.

`python hatch_build.py` does it by hand, as `./run` does whenever a catalogue has changed.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).parent
LOCALES: Final = (
    ROOT / "templates" / "locale",
    *sorted((ROOT / "packages").glob("*/*/templates/locale")),
)

FIXED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date of every header: a catalogue changes when its words do."""


class CatalogueHook(BuildHookInterface[Any]):
    """What hatchling calls before it builds a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile all catalogues."""
        compile_all()


def compile_all() -> None:
    """Write a .mo beside each .po, whole or not at all."""
    for locale in LOCALES:
        for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as file:
                catalog = read_po(file, locale=source.parents[1].name, abort_invalid=True)
            beside = source.with_suffix(f".{os.getpid()}")
            beside.write_bytes(compiled(catalog))
            beside.replace(source.with_suffix(".mo"))


def compiled(catalog: Catalog) -> bytes:
    """The bytes of a .mo file: the strings that have their whole translation."""
    done = Catalog(locale=catalog.locale, charset="utf-8", creation_date=FIXED, revision_date=FIXED)
    for message in catalog:
        if message.id and is_whole(message.string):
            done.add(message.id, message.string, context=message.context)
    out = BytesIO()
    write_mo(out, done)
    return out.getvalue()


def is_whole(string: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether a translation is there, with all its plurals."""
    return bool(string) and all(string or ())


if __name__ == "__main__":
    compile_all()
