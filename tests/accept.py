"""Write again all files that programs write: `./run accept`.

Read the difference before you commit it.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po, write_po

from hatch_build import LOCALES, ROOT, compile_all, is_whole
from pbem.service.registry import COMMANDS
from tests.docs.accept import REFERENCE, write_reference
from tests.events.accept import write_events

COMMAND_WORDS: Final = ROOT / "templates" / "email" / "commands.txt.j2"
NAMES: Final = re.compile(
    r"(?<=`./run accept` writes them. #}\n).*?(?=\{# end of the names)", re.DOTALL
)
WIDTH: Final = 100  # characters of a line in a catalogue
HELP: Final = ROOT / "pbem" / "service"  # the help of commands, which is marked with `N_`


def write_command_names() -> str:
    """Return the template with the names of all commands that are one word."""
    names = sorted(name for name in COMMANDS if " " not in name)
    lines = "".join(f"{{{{ pgettext('command', '{name}') }}}}\n" for name in names)
    return NAMES.sub(lambda _: lines, COMMAND_WORDS.read_text(encoding="utf-8"))


def update_catalogues(templates: Path) -> None:
    """Write the sentences of a folder into its catalogues, and print those to translate."""
    sources = [templates, HELP] if templates.parent == ROOT else [templates]
    with NamedTemporaryFile(suffix=".pot") as extracted:
        _run_babel(
            *("extract", "-F", templates / "babel.cfg", "--no-location", "--sort-output"),
            *("-o", extracted.name, *sources),
        )
        _run_babel(
            *("update", "-N", "--ignore-obsolete", "--ignore-pot-creation-date", "-w", WIDTH),
            *("-D", "pbem", "-d", templates / "locale", "-i", extracted.name),
        )
    for path in templates.glob("locale/*/LC_MESSAGES/pbem.po"):
        language = path.parts[-3]
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
        for message in catalogue:
            if message.context == "command" and message.id in COMMANDS:
                message.string = COMMANDS[message.id].find_name(language)
            elif message.id and not is_whole(message.string):
                print(f"{path.relative_to(ROOT)}: to translate: {message.id}")  # noqa: T201
        with path.open("wb") as file:
            write_po(file, catalogue, width=WIDTH)


def _run_babel(*words: object) -> None:
    CommandLineInterface().run(["pybabel", "-q", *map(str, words)])  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    COMMAND_WORDS.write_text(write_command_names(), encoding="utf-8")
    REFERENCE.write_text(write_reference(), encoding="utf-8")
    write_events()
    for locale in LOCALES:
        update_catalogues(locale.parent)
    compile_all()
