"""What Jinja does at run time in a template of any kind, done once where ours allow it.

A language has an environment of its own: its sentences are known when a template is compiled.
All names of a template are its values and its globals, so that a context need copy neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from gettext import NullTranslations
from types import FunctionType, MethodType
from typing import Any, Final

from jinja2 import Template, nodes
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer

_MANY: Final = 200
"""Numbers by which a language's rule for plurals is known to be that of English, or not."""


class Sentences(NodeTransformer):
    """Puts translations in the place of calls of gettext, as its functions would give them."""

    def __init__(self, words: NullTranslations) -> None:
        """Take the words of a language."""
        self._words = words
        form = getattr(words, "plural", lambda number: int(number != 1))
        self._as_english = all(form(number) == (number != 1) for number in range(_MANY))

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        """The translated text, with its values in it; any other call as it is."""
        self.generic_visit(node)
        said = self._said(node)
        if said is None or node.environment is None:
            return node
        return said.set_lineno(node.lineno).set_environment(node.environment)

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


# --- contexts ------------------------------------------------------------------------------------


_PLAIN: Final = (FunctionType, MethodType, partial)
"""What is called as it is, unless it is marked to get the context or a part of it."""


class Values(Context):
    """A context that looks a name up in its values, then in the globals, and copies neither.

    `parent` has the values alone; where Jinja asks for all names at once, `get_all` has both.
    """

    def __init__(
        self,
        environment: Any,
        parent: dict[str, Any],
        name: str | None,
        blocks: Mapping[str, Any],
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - Jinja's signature
    ) -> None:
        """Take what Jinja's own contexts take; `parent` may be without the globals."""
        self.parent = parent
        self.vars = {}
        self.environment = environment
        self.eval_ctx = environment.eval_context(name)
        self.exported_vars = set()
        self.name = name
        self.globals_keys = _NONE
        self.blocks = {key: [block] for key, block in blocks.items()}
        self._globals = globals or {}

    def resolve_or_missing(self, key: str) -> Any:
        """The value of a name, Jinja's `missing` where it has none."""
        if key in self.vars:
            return self.vars[key]
        if key in self.parent:
            return self.parent[key]
        return self._globals.get(key, missing)

    def get_all(self) -> dict[str, Any]:
        """All names with their values."""
        return {**self._globals, **self.parent, **self.vars}

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:  # Jinja's own has other names
        """Call a macro or a function of a template; what wants a context gets one from Jinja."""
        if type(called) is Macro:
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
            if not (kwargs or called.caller or called.catch_kwargs or called.catch_varargs):
                lacking = len(called.arguments) - len(args)
                if lacking >= 0 and not self.eval_ctx.autoescape:
                    return called._func(*args, *[missing] * lacking)  # noqa: SLF001 - a tenth of the time
            return called(self.eval_ctx, *args, **kwargs)
        if type(called) in _PLAIN and not hasattr(called, "jinja_pass_arg"):
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
            return called(*args, **kwargs)
        return super().call(called, *args, **kwargs)


class Page(Template):
    """A template whose contexts are `Values`."""

    def new_context(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - Jinja's signature
        shared: bool = False,  # noqa: FBT001, FBT002 - the same
        locals: Mapping[str, Any] | None = None,  # noqa: A002 - the same
    ) -> Context:
        """A context with these values; `shared`: they have the globals already."""
        values = vars or {}
        if locals:
            values = {**values, **{key: one for key, one in locals.items() if one is not missing}}
        return Values(
            self.environment, values, self.name, self.blocks, None if shared else self.globals
        )


_NONE: Final[set[str]] = set()
"""No name is known of the globals of an importing template: those of all templates are the same."""
