"""From a view to subject, text and HTML: the one module that knows templates/ and Jinja2."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import css_inline
from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import Extension
from jinja2.runtime import Context

from pbem.notices import prose
from pbem.notices.view import NoticeView, Told, View

STYLES: Final = "styles.css"
"""The style sheet of the HTML part, in templates/."""

_OPENING: Final = re.compile(r'<(\w+)((?:\s[\w-]+(?:="[^"{]*")?)*\sclass="([\w -]+)"[^>]*)>')
_REFLOW: Final = 72
"""Where the games' pieces are wrapped; we undo that and wrap to the reader's width."""


# --- the environment --------------------------------------------------------------------------------


def template_folder() -> Path:
    """The folder of templates: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def environment(folders: Sequence[Path] | None = None) -> Environment:
    """The Jinja2 environment over templates/; `folders` of the operator are searched first."""
    return _environment((*(folders or ()), template_folder()))


@cache
def _environment(folders: tuple[Path, ...]) -> Environment:
    env = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", InlineStyles],
    )
    env.install_null_translations(newstyle=True)  # type: ignore[attr-defined]  # the i18n extension's
    return env


class InlineStyles(Extension):
    """Writes the style sheet into the tags of HTML templates when they are compiled.

    Mailers that drop style sheets then still show the mail, and no mail pays for the inlining. Only
    opening tags whose class is written out are seen, which is every one in templates/.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's signature
        """The source with a style beside each class."""
        loader = self.environment.loader
        if name is None or not name.endswith(".html.j2") or not isinstance(loader, BaseLoader):
            return source
        sheet, _, _ = loader.get_source(self.environment, STYLES)
        return _OPENING.sub(lambda tag: _inlined(tag, sheet), source)


def _inlined(tag: re.Match[str], sheet: str) -> str:
    # A bare div carries the class: an HTML parser would drop a td that stands outside a table.
    div = css_inline.inline_fragment(f'<div class="{tag[3]}"></div>', sheet)
    style = re.search(r'style="([^"]*)"', div)
    return f'<{tag[1]}{tag[2]} style="{style[1]}">' if style else tag[0]
