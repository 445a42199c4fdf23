"""Compiles the catalogues of templates/locale/ for wheels and for editable installations.

`python hatch_build.py` does it by hand, as `./run` does whenever a catalogue has changed.

With `PBEM_COMPILED=1` a wheel also holds what bots think with as machine code, for the Python and
the machine that build it (`compiled` in pyproject.toml; docs/bots.md). The same modules are there
as Python, too, which Python leaves alone then.
"""

from __future__ import annotations

import os
from contextlib import chdir
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, Final

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).parent
LOCALE: Final = ROOT / "templates" / "legacy" / "locale"

FIXED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date of every header: a catalogue changes when its words do."""


class CatalogueHook(BuildHookInterface[Any]):
    """What hatchling calls before it builds a wheel, and after it."""

    work: TemporaryDirectory[str] | None = None
    """Where machine code lies until it is in the wheel."""

    def dependencies(self) -> list[str]:
        """What this build needs besides what each build does."""
        return ["mypy[mypyc]>=2.4,<3"] if is_compiled() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all catalogues, and modules if that is asked for."""
        compile_all()
        if version == "standard" and is_compiled():  # what is edited runs as it stands
            self.work = TemporaryDirectory(prefix="pbem-compiled-")
            build_data.update(pure_python=False, infer_tag=True)
            found = machine_code(Path(self.work.name), self.config["compiled"])
            build_data["force_include"].update(found)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Remove what lies beside the wheel now."""
        if self.work is not None:
            self.work.cleanup()


def is_compiled() -> bool:
    """Whether whoever builds wants machine code."""
    return os.environ.get("PBEM_COMPILED") == "1"


def machine_code(work: Path, patterns: list[str]) -> dict[str, str]:
    """Compile modules in an empty folder: the files, and where each belongs in the wheel."""
    # A pure wheel is built without them.
    from mypyc.build import mypycify
    from setuptools import Distribution

    copytree(ROOT / "pbem", work / "pbem", ignore=lambda *_: {"__pycache__"})
    with chdir(work):  # names of modules and of what is made follow from it
        paths = sorted(str(path) for pattern in patterns for path in Path().glob(pattern))
        # The project's own settings are those of its checks.
        modules = mypycify(["--config-file", os.devnull, *paths], group_name="pbem")
        command = Distribution({"name": "pbem", "ext_modules": modules}).get_command_obj(
            "build_ext"
        )
        command.build_lib = "out"
        command.build_temp = "made"
        command.ensure_finalized()
        command.run()
    out = work / "out"
    return {str(path): str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}


def compile_all() -> None:
    """Write a .mo beside each .po, whole or not at all."""
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
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
