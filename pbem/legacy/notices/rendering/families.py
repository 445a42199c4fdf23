"""Families of templates: files whose blocks are rendered by themselves, compiled once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from gettext import NullTranslations
from typing import Any, Final, TypeAlias, cast

from jinja2 import Environment, Template, TemplateNotFound, TemplateRuntimeError, nodes
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer

from pbem.games import newest
from pbem.games.game import Options
from pbem.legacy.notices.views.scene import NoticeView

# --- compiling -----------------------------------------------------------------------------------
# A language has an environment of its own: its sentences are known when a template is compiled.

_MANY: Final = 200
"""Numbers by which a language's rule for plurals is known to be that of English, or not."""


class Sentences(NodeTransformer):
    """Puts translations in the place of calls of gettext, as its functions would give them.

    Filters that have nothing to do in the language are left out.
    """

    def __init__(self, words: NullTranslations, idle: AbstractSet[str]) -> None:
        """Take the words of a language, and the filters that leave everything as it is there."""
        self._words = words
        self._idle = idle
        form = getattr(words, "plural", lambda number: int(number != 1))
        self._as_english = all(form(number) == (number != 1) for number in range(_MANY))

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        """The translated text, with its values in it; any other call as it is."""
        self.generic_visit(node)
        said = self._said(node)
        if said is None or node.environment is None:
            return node
        return said.set_lineno(node.lineno).set_environment(node.environment)

    def visit_Filter(self, node: nodes.Filter) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        """What is filtered, where the filter is idle; else the filter as it is."""
        self.generic_visit(node)
        return node.node if self._is_idle(node) and node.node is not None else node

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> nodes.Node:  # noqa: N802 - the same
        """The block alone, where its filter is idle."""
        self.generic_visit(node)
        if not self._is_idle(node.filter):
            return node
        return nodes.Scope(node.body, lineno=node.lineno, environment=node.environment)

    def _is_idle(self, node: nodes.Filter) -> bool:
        """Whether a filter does nothing; where it is told how, it does."""
        return node.name in self._idle and not node.kwargs

    def _said(self, node: nodes.Call) -> nodes.Expr | None:
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        texts = [part.value for part in node.args if isinstance(part, nodes.Const)]
        values = [nodes.Pair(nodes.Const(pair.key), pair.value) for pair in node.kwargs]
        match name, texts, node.args[len(texts) :]:
            case "_" | "gettext", [text], []:
                return nodes.Mod(nodes.Const(self._words.gettext(text)), nodes.Dict(values))
            case "pgettext", [context, text], []:
                said = self._words.pgettext(context, text)
                return nodes.Mod(nodes.Const(said), nodes.Dict(values))
            case "ngettext", [first, second], [number] if self._as_english:
                one, many = (
                    nodes.Const(self._words.ngettext(first, second, count)) for count in (1, 2)
                )
                is_one = nodes.Compare(number, [nodes.Operand("eq", nodes.Const(1))])
                if not any(pair.key == "num" for pair in node.kwargs):
                    values.append(nodes.Pair(nodes.Const("num"), number))
                return nodes.Mod(nodes.CondExpr(is_one, one, many), nodes.Dict(values))
        return None


# --- families ------------------------------------------------------------------------------------
# Families of templates: files whose blocks are rendered by themselves, each under its own name.

TEXT: Final = ".txt.j2"
HTML: Final = ".html.j2"

USUAL: Final = f"usual{TEXT}"
"""The parts of a notice that has no block of its own for them."""

_Block: TypeAlias = Callable[[Context], Iterator[str]]


OF_OPTIONS: Final = ("rules", "howto")
"""Pieces that may say what the options of a match make of a game; else the usual ones."""


def _usual(key: str) -> Options:
    game = newest(key)
    return game.normal_options({}) if game is not None else {}


class Family:
    """The blocks of a file, with those of the files that it extends.

    What stands outside of its blocks (imports, macros, values) is carried out once, when the family
    is loaded.
    """

    def __init__(self, template: Template) -> None:
        """Carry out what stands outside of the blocks, and gather them."""
        self.name = template.name
        context = template.new_context()
        gathered = _Unrendered(context.blocks)
        context.blocks = gathered
        for _ in template.root_render_func(context):
            pass
        self._template = template
        self._blocks = {name: list(blocks) for name, blocks in gathered.items()}
        self._shared = context.get_all()

    def __contains__(self, name: str) -> bool:
        """Whether there is a block of this name."""
        return name in self._blocks

    def __iter__(self) -> Iterator[str]:
        """The names of all blocks."""
        return iter(self._blocks)

    def render(self, name: str, **values: object) -> str:
        """What one block says. Raises TemplateRuntimeError where there is no such block."""
        if name not in self._blocks:
            raise TemplateRuntimeError(f'{self.name} has no block "{name}"')
        context = self._template.new_context({**self._shared, **values}, shared=True)
        context.blocks = self._blocks
        return "".join(self._blocks[name][0](context))


class _Unrendered(dict[str, list[_Block]]):
    """Blocks as Jinja gathers them, of which none is rendered where it stands."""

    def __getitem__(self, name: str) -> list[_Block]:
        return [lambda _: iter(())]


class Templates(Environment):
    """An environment of a language, which knows families."""

    def __init__(self, words: NullTranslations, idle: AbstractSet[str], **settings: Any) -> None:
        """An environment as Jinja makes it, in a language; no family is loaded yet."""
        super().__init__(**settings)
        self._sentences = Sentences(words, idle)
        self._families: dict[str, Family] = {}
        self._notices: dict[str, tuple[Family, str]] = {}

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,  # noqa: FBT001, FBT002 - Jinja's signature
    ) -> str:
        if name is None or not name.endswith(HTML):
            source = self._sentences.visit(source)
        return super()._generate(source, name, filename, defer_init)

    def family(self, name: str) -> Family:
        """The family in a file. Raises TemplateError."""
        if name not in self._families:
            self._families[name] = Family(self.get_template(name))
        return self._families[name]

    def member(self, family: str, name: str, **values: object) -> str:
        """What a member of a family says; the file is named without its ending."""
        return self.family(family + TEXT).render(name, **values).strip()

    def piece(self, game: str, name: str, **facts: object) -> str:
        """What a game says of its facts; the file is named without folder and ending.

        Where its rules are away, what is said is true of any game.
        """
        if name in OF_OPTIONS:
            chosen = cast("Options", facts.get("options", {}))
            facts["options"] = {**_usual(game), **chosen}
        about: Any = facts.get("facts")
        if about is not None and about.get("away"):
            game = "any"
        return self.get_template(f"games/{game}/{name}{TEXT}").render(facts).strip("\n")

    def reason(self, game: str, one: object, names: Mapping[int, str], you: int | None) -> str:
        """What a move has changed, as a clause: `one` is as `bots.reasons.Reason`, `you` a seat."""
        said: Any = self.get_template(f"games/{game}/reasons{TEXT}").module
        return str(said.reason(one, names, you)).strip()

    def part(self, notice: NoticeView, name: str) -> str:
        """A part of a notice: its own block, else what `usual.txt.j2` has for all."""
        if notice.name not in self._notices:
            self._notices[notice.name] = self._place(notice)
        family, prefix = self._notices[notice.name]
        if prefix + name not in family and name in (usual := self.family(USUAL)):
            return usual.render(name, view=notice)
        return family.render(prefix + name, view=notice)

    def _place(self, notice: NoticeView) -> tuple[Family, str]:
        """The family of a notice, and what the names of its blocks begin with.

        It is a file of its own, or shared with others whose classes stand in the same module.
        """
        own = f"notices/{notice.name}{TEXT}"
        try:
            return self.family(own), ""
        except TemplateNotFound as missing:
            if missing.name != own:
                raise
        module = type(notice.notice).__module__.rpartition(".")[2]
        return self.family(f"notices/{module}{TEXT}"), f"{notice.name}_"
