"""The environment over templates/: where they are found, and how they are compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import css_inline
from jinja2 import (
    BaseLoader,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    select_autoescape,
)
from jinja2.ext import Extension
from markupsafe import Markup

from pbem.games.packages import folder_of
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.rendering.families import HTML, Templates
from pbem.legacy.notices.rendering.filters import equip
from pbem.legacy.notices.rendering.languages import ENGLISH, IN_THIS, catalogue, languages, order_in

if TYPE_CHECKING:
    from jinja2 import Environment

OURS: Final = "pbem/"
"""What the name of a template of ours begins with where an operator's own has taken its place."""

STYLES: Final = "styles.css"
"""The style sheet of the HTML part, in templates/."""

SCREENS: Final = "screens.css"
"""What of the style of a mail depends on the screen, and stands in its head."""

PAGES: Final = "pages/"
"""What the names of templates for browsers begin with."""

_OF_A_GAME: Final = re.compile(r"games/(?P<key>\w+)/(?P<file>\w+\.txt\.j2)")
"""The name of a template of a game's."""

_INSTEAD: Final = {"brief.txt.j2": "spoken.txt.j2", "ten.txt.j2": "about.txt.j2"}
"""What a game says where it has no words for something like it."""

_ANY: Final = "games/any/"
"""What the names of templates of games begin with that have no words of their own."""

_IN_ENGLISH: Final = frozenset({"move", "planned"})
"""Filters that leave what is English as it is."""

_WRAPPED: Final = frozenset({"wordwrap"})
"""The filter of prose; a game that says how to wrap writes lines of a table."""

_OPENING: Final = re.compile(
    r'<(\w+)((?:\s(?!class=)[\w-]+(?:="[^"{]*")?)*+\sclass="([\w -]+)"[^<>]*)>'
)


def template_folder() -> Path:
    """The folder of templates: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parents[3]
    inside = package / "templates" / "legacy"
    return inside if inside.is_dir() else package.parent / "templates" / "legacy"


def environment(
    folders: Sequence[Path] | None = None, lang: str = ENGLISH, *, wraps: bool = True
) -> Templates:
    """The Jinja2 environment over templates/, one a language.

    `folders` of the operator are searched first. `wraps`: whether `wordwrap` does so. Mails are
    wrapped as a whole, to the reader's width.
    """
    return _environment((*(folders or ()), template_folder()), lang, wraps=wraps)


@cache
def _environment(folders: tuple[Path, ...], lang: str, *, wraps: bool) -> Templates:
    words = catalogue(folders, lang)
    idle = _IN_ENGLISH if lang == ENGLISH else frozenset()
    env = Templates(
        words,
        idle if wraps else idle | _WRAPPED,
        loader=_Folders(folders),
        undefined=StrictUndefined,
        autoescape=select_autoescape([HTML], default_for_string=False),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", InlineStyles],
    )
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]  # the i18n extension's
    env.globals["other_languages"] = tuple(_other_languages(folders, lang))
    env.globals["language_lines"] = [f"lang {code}" for code in languages(folders)]
    env.globals["screens"] = Markup(env.get_template(SCREENS).render())  # noqa: S704 - a file of ours or the operator's
    return equip(env, lang, words)


class _Folders(FileSystemLoader):
    """Templates by name from the first folder that has them, and by `pbem/NAME` our own.

    So an operator's version of a file can extend ours. Games of others bring theirs; what one has
    not is said as of any game.
    """

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Source, path and whether it is still so. Raises TemplateNotFound."""
        if template.startswith(OURS):
            ours = FileSystemLoader(template_folder())
            return ours.get_source(environment, template.removeprefix(OURS))
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            named = _OF_A_GAME.fullmatch(template)
            if named is None:
                raise
        folder = folder_of(named["key"])
        if folder is not None:
            texts = FileSystemLoader(Path(folder, "texts"))
            for file in (named["file"], _INSTEAD.get(named["file"], "")):
                with suppress(TemplateNotFound):
                    return texts.get_source(environment, file)
        return super().get_source(environment, _ANY + named["file"])


def own_texts(key: str) -> dict[str, str]:
    """The texts that a game itself brings, as sources by the names of their files."""
    folder = folder_of(key)
    ours = template_folder() / "games" / key
    texts = Path(folder, "texts") if folder is not None and not ours.is_dir() else ours
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(texts.glob("*.txt.j2"))}


def _other_languages(folders: tuple[Path, ...], lang: str) -> Iterator[str]:
    """How to have mails in another language, in its own words, for who has not chosen.

    Mails that are not in English tell of English only: who reads one knows its language, most
    likely.
    """
    for code in languages(folders) if lang == ENGLISH else (ENGLISH,):
        words = catalogue(folders, code)
        sentence = words.pgettext("language", IN_THIS)
        if code != lang and (code == ENGLISH or sentence != IN_THIS):
            yield sentence % {"order": markup.typed(order_in(words, f"lang {code}"))}


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
        if name.startswith(PAGES):
            return source  # browsers have style sheets, and ours let nothing else style a page
        sheet, _, _ = loader.get_source(self.environment, STYLES)
        return _OPENING.sub(lambda tag: _inlined(tag, sheet), source)


def _inlined(tag: re.Match[str], sheet: str) -> str:
    # A bare div carries the class: an HTML parser would drop a td that stands outside a table.
    div = css_inline.inline_fragment(f'<div class="{tag[3]}"></div>', sheet)
    style = re.search(r'style="([^"]*)"', div)
    return f'<{tag[1]}{tag[2]} style="{style[1]}">' if style else tag[0]
