"""Bring the catalogues up to date: `python -m tests.words.accept`, translate, and run it again.

All strings are gathered from templates/ and from the tables of words that players may type; what
stands in a catalogue stays, what nobody says any more goes, and it is compiled. The command tells
what waits for a translation; docs/german.md says how German is written. A new language begins
with `python -m tests.words.accept CODE`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from hatch_build import FIXED, compile_all, is_whole
from pbem.games import GAMES
from pbem.mail.verbs.verb_table import VERBS
from pbem.mail.verbs.vocabulary import HEADERS, IN_ENGLISH, OWN_NAME, TELLTALES, TYPED
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.languages import IN_THIS
from pbem.notices.views.scene import MARKER

LOCALE: Final = template_folder() / "locale"
NAMES: Final = {verb.name for verb in VERBS}
REFERENCE: Final = template_folder().parent / "docs" / "players-reference.md"
ROWS: Final = "| write | for |\n|---|---|\n"


class String(NamedTuple):
    """One string to translate: where it stands, its plural if it has one, its context if any."""

    place: str
    text: str
    plural: str | None = None
    context: str | None = None


def strings() -> Iterator[String]:
    """Every string that a catalogue has, in the order of the files."""
    env = environment()
    for name in sorted(env.list_templates(extensions=["j2"])):
        source = (template_folder() / name).read_text(encoding="utf-8")
        yield from _said(env, name, source)
        yield from _typed(env, name, source)
    yield String("pbem/notices/views/scene.py", MARKER, context="marker")
    yield String("pbem/notices/rendering/languages.py", IN_THIS, context="language")
    for name in (OWN_NAME, IN_ENGLISH, TELLTALES):
        yield String("pbem/mail/verbs/vocabulary.py", name, context="language")
    yield String("pbem/mail/verbs/vocabulary.py", HEADERS, context="header")
    for verb in VERBS:
        yield String("pbem/mail/verbs/verb_table.py", verb.name, context="verb")
        for example in (text.format(move="MOVE", answer="MOVE") for text in verb.examples):
            if example not in NAMES:
                yield String("pbem/mail/verbs/verb_table.py", example, context="order")
    for phrase in TYPED:
        yield String("pbem/mail/verbs/vocabulary.py", phrase, context="phrase")
    for game in GAMES.values():
        for word in (*game.keywords, *game.letters):
            yield String(f"pbem/games/{game.key}", word, context=game.key)


def _said(env: Environment, name: str, source: str) -> Iterator[String]:
    """The strings of {% trans %} and of the gettext functions."""
    for _, function, message in env.extract_translations(source):  # type: ignore[attr-defined]  # the i18n extension's
        parts = [message] if isinstance(message, str) else [part for part in message if part]
        context = parts.pop(0) if "p" in function.removesuffix("gettext") else None
        yield String(name, parts[0], parts[1] if len(parts) > 1 else None, context)


def _typed(env: Environment, name: str, source: str) -> Iterator[String]:
    """What templates quote for somebody to type; a verb alone has its translation anyway."""
    for found in env.parse(source).find_all(nodes.Filter):
        if found.name not in ("typed", "pattern") or found.node is None:
            continue
        for text in _written(found.node):
            if text not in NAMES:
                yield String(name, text, context="order")


def _written(node: nodes.Node) -> Iterator[str]:
    """The orders that an expression has as constants, behind the name of a match or alone."""
    match node:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr():
            yield from _written(node.expr1)
            if node.expr2 is not None:
                yield from _written(node.expr2)
        case nodes.Concat(nodes=[nodes.Getattr(attr="prefix"), last]):
            yield from _written(last)
        case _:
            pass


def template() -> Catalog:
    """All strings as a catalogue without translations."""
    catalog = Catalog(project="pbem", charset="utf-8")
    for string in strings():
        text = string.text if string.plural is None else (string.text, string.plural)
        catalog.add(text, locations=[(string.place, 0)], context=string.context)
    return catalog


def catalogue_file(lang: str) -> Path:
    """Where the catalogue of a language stands; what it compiles to is beside it."""
    return LOCALE / lang / "LC_MESSAGES" / "pbem.po"


def catalogues() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/pbem.po"))


def read(lang: str) -> Catalog:
    """The catalogue of a language as it stands."""
    with catalogue_file(lang).open("rb") as file:
        return read_po(file, locale=lang, abort_invalid=True)


def updated(lang: str) -> Catalog:
    """The catalogue with exactly today's strings."""
    path = catalogue_file(lang)
    catalog = read(lang) if path.exists() else Catalog(locale=lang, charset="utf-8")
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.project, catalog.version, catalog.fuzzy = "pbem", "1", False
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "none"
    catalog.creation_date = catalog.revision_date = FIXED
    name = catalog.locale.english_name
    catalog.header_comment = f"# The words of pbem in {name}."
    guide = f"docs/{name.lower()}.md"
    if (LOCALE.parents[1] / guide).exists():
        catalog.header_comment += f"\n# {guide} says how they are chosen."
    return catalog


def write(lang: str, catalog: Catalog) -> None:
    """Write the catalogue."""
    path = catalogue_file(lang)
    path.parent.mkdir(parents=True, exist_ok=True)
    out = BytesIO()
    write_po(out, catalog, width=100, sort_by_file=True, include_lineno=False)
    # What wrote the file is no news about its words.
    path.write_bytes(re.sub(rb'"Generated-By: .*\n', b"", out.getvalue()))


def missing(catalog: Catalog) -> list[str]:
    """The strings without a translation."""
    return [str(message.id) for message in catalog if message.id and not is_whole(message.string)]


def listed(page: str) -> str:
    """The players' reference with a row of each verb; of one that has none, as `help` has it."""
    head, title, below = page.partition(ROWS)
    rows, end, after = below.partition("\n\n")
    lines = rows.split("\n")
    helped = environment().get_template("orders.txt.j2")
    at = 0
    for verb in VERBS:
        own = [number for number, line in enumerate(lines) if f"`{verb.name}" in line]
        if not own:
            block = helped.blocks[verb.name.replace(" ", "_")]
            said = "".join(block(helped.new_context())).strip().removesuffix(".")
            examples = (text.format(move="MOVE", answer="MOVE") for text in verb.examples)
            typed = ", ".join(f"`{text}`" for text in examples)
            lines.insert(at + 1, f"| {typed} | {said} |")
            own = [at + 1]
        at = own[-1]
    return f"{head}{title}{chr(10).join(lines)}{end}{after}"


def main() -> None:
    """Write all catalogues and the list of orders anew, and say what is missing."""
    REFERENCE.write_text(listed(REFERENCE.read_text(encoding="utf-8")), encoding="utf-8")
    for lang in sys.argv[1:] or catalogues():
        catalog = updated(lang)
        write(lang, catalog)
        for text in missing(catalog):
            print(f"{lang}: {text!r}")  # noqa: T201 - a command's answer
    compile_all()


if __name__ == "__main__":
    main()
