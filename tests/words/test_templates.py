"""No word of a template stands outside of what can be translated."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from jinja2 import nodes

from pbem.games import GAMES
from pbem.games.landrush import position as landrush
from pbem.games.looney_ludo import boards
from pbem.games.looney_ludo import position as ludo
from pbem.notices.rendering.environment import environment, template_folder

ENV = environment()
TEMPLATES = [
    name
    for name in ENV.list_templates(extensions=["j2"])
    if not name.startswith(("markup.", "cells."))
]
WORD = re.compile(r"[^\W\d_]{2,}")
TRANSLATED = re.compile(
    r"\{% trans .*?\{% endtrans %\}|\{% trans %\}.*?\{% endtrans %\}", re.DOTALL
)
JINJA = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
MARKUP = re.compile(r"<!?/?[a-zA-Z][^>]*>")
RULE = re.compile(r"\[L[GRSL]-\d+\.\d+\]")
GETTEXT = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
SHOWN_AS_THEY_ARE = {"ref", "xml", "version", "encoding", "utf"}


def outside(name: str) -> Iterator[str]:
    """The words of a template that no catalogue sees."""
    source = (template_folder() / name).read_text(encoding="utf-8")
    if name.endswith(".html.j2"):
        yield from WORD.findall(MARKUP.sub("", JINJA.sub("", TRANSLATED.sub("", source))))
        return
    tree = ENV.parse(source)
    for data in tree.find_all(nodes.TemplateData):
        yield from WORD.findall(RULE.sub("", data.data))
    for output in tree.find_all(nodes.Output):
        for node in output.nodes:
            yield from _said(node)
    yield from _given(tree)


def _given(tree: nodes.Template) -> Iterator[str]:
    """What stands between the parts of a list, and the texts that macros get."""
    joined = (found for found in tree.find_all(nodes.Filter) if found.name == "join")
    for argument in (argument for found in joined for argument in found.args):
        yield from _said(argument)
    for called in tree.find_all(nodes.Call):
        if not (isinstance(called.node, nodes.Name) and called.node.name in GETTEXT):
            texts = (text for argument in called.args for text in _consts(argument))
            yield from (text for text in texts if " " in text)


def _consts(node: nodes.Node) -> Iterator[str]:
    """Texts with words that are given to a macro or a function."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and WORD.search(node.value):
        yield node.value


def _said(node: nodes.Node) -> Iterator[str]:
    """The words of constants that an expression prints, but not of what it calls or compares."""
    match node:
        case nodes.Const(value=str(value)):
            yield from WORD.findall(RULE.sub("", value))
        case nodes.CondExpr():
            yield from _said(node.expr1)
            if node.expr2 is not None:
                yield from _said(node.expr2)
        case nodes.Concat():
            for part in node.nodes:
                yield from _said(part)
        case nodes.Add():
            yield from _said(node.left)
            yield from _said(node.right)
        case _:
            pass


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_sentence_can_be_translated(name: str) -> None:
    assert set(outside(name)) <= SHOWN_AS_THEY_ARE


def test_the_names_that_games_give_can_be_translated() -> None:
    source = (template_folder() / "games/names.txt.j2").read_text(encoding="utf-8")
    known = set(re.findall(r"pgettext\('word', '([^']+)'\)", source))
    said = {*landrush.COLOURS, *landrush.SIZES, *ludo.COLOURS, *ludo.SIZES}
    said |= {*boards.PLACES, *ludo.Face.__members__, *landrush.SUITS}
    said |= {value for value in landrush.VALUES if value.isalpha()}
    said.add("you")  # beside a name, in pictures
    assert known == said
    assert len({game.key for game in GAMES.values()}) == 4
