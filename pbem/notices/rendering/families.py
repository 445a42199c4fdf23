"""Families of templates: files whose blocks are rendered by themselves, each under its own name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from gettext import NullTranslations
from typing import Any, Final, TypeAlias

from jinja2 import Environment, Template, TemplateNotFound, TemplateRuntimeError, nodes
from jinja2.nodes import EvalContext
from jinja2.runtime import Context

from pbem.notices.rendering.compiling import Page, Sentences, Values
from pbem.notices.views.scene import NoticeView

TEXT: Final = ".txt.j2"
HTML: Final = ".html.j2"

_Block: TypeAlias = Callable[[Context], Iterator[str]]


_OF_DICTS: Final = frozenset(dir(dict))
"""What every dict has: `facts.items` is never a fact."""


def is_html(name: str | None) -> bool:
    """Whether what a template writes is HTML, in which values are escaped."""
    return name is not None and name.endswith(HTML)


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
        self._environment = template.environment
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
        context = Values(self._environment, values, self.name, {}, self._shared)
        context.blocks = self._blocks
        return "".join(self._blocks[name][0](context))


class _Unrendered(dict[str, list[_Block]]):
    """Blocks as Jinja gathers them, of which none is rendered where it stands."""

    def __getitem__(self, name: str) -> list[_Block]:
        return [lambda _: iter(())]


class Templates(Environment):
    """An environment that knows families, and in which a template's globals are one dict.

    Jinja's own is a chain of two, which each of the dozen contexts of a mail would walk through.
    """

    template_class = Page
    context_class = Values

    def __init__(self, words: NullTranslations, **settings: Any) -> None:
        """An environment as Jinja makes it, in a language; no family is loaded yet."""
        super().__init__(**settings)
        self._words = words
        self._eval_contexts: dict[str | None, EvalContext] = {}
        self._families: dict[str, Family] = {}
        self._notices: dict[str, tuple[Family, str]] = {}

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template that is loaded now."""
        return {**self.globals, **(d or {})}

    def eval_context(self, name: str | None) -> EvalContext:
        """How a template is evaluated: whether values are escaped in it."""
        if name not in self._eval_contexts:
            self._eval_contexts[name] = EvalContext(self, name)
        return self._eval_contexts[name]

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,  # noqa: FBT001, FBT002 - Jinja's signature
    ) -> str:
        if not is_html(name):
            source = Sentences(self._words).visit(source)
        return super()._generate(source, name, filename, defer_init)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute of a value. Facts are dicts, which Jinja would ask for attributes first."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_DICTS:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def family(self, name: str) -> Family:
        """The family in a file. Raises TemplateError."""
        if name not in self._families:
            self._families[name] = Family(self.get_template(name))
        return self._families[name]

    def member(self, family: str, name: str, **values: object) -> str:
        """What a member of a family says; the file is named without its ending."""
        return self.family(family + TEXT).render(name, **values).strip()

    def part(self, notice: NoticeView, name: str) -> str:
        """The subject, the headline or the body of a notice."""
        if notice.name not in self._notices:
            self._notices[notice.name] = self._place(notice)
        family, prefix = self._notices[notice.name]
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
