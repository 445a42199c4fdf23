"""From a view to subject, text and HTML: the one module that knows templates/ and Jinja2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import css_inline
from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import Extension
from jinja2.filters import do_wordwrap
from markupsafe import Markup

from pbem.errors import Facts
from pbem.notices.rendering import markup, moments
from pbem.notices.rendering.catalogue import (
    ENGLISH,
    IN_THIS,
    catalogue,
    languages,
    move_in,
    names_of,
    order_in,
    picture_in,
    plan_in,
    tap_in,
)
from pbem.notices.replies import OrderRefused, OrderResult
from pbem.notices.views.scene import MARKER, NoticeView, View

STYLES: Final = "styles.css"
"""The style sheet of the HTML part, in templates/."""

_DATES_KEPT: Final = 1024
"""Times of a kind whose words are remembered: most mails of a day say the same few."""

_ZONE: Final[ContextVar[tzinfo]] = ContextVar("zone", default=UTC)
"""The time zone of whoever reads the mail that is being written."""

_OPENING: Final = re.compile(
    r'<(\w+)((?:\s(?!class=)[\w-]+(?:="[^"{]*")?)*+\sclass="([\w -]+)"[^<>]*)>'
)


# --- the environment -----------------------------------------------------------------------------


def template_folder() -> Path:
    """The folder of templates: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def environment(folders: Sequence[Path] | None = None, lang: str = ENGLISH) -> Environment:
    """The Jinja2 environment over templates/; `folders` of the operator are searched first."""
    return _environment((*(folders or ()), template_folder()), lang, wraps=True)


class _Environment(Environment):
    """An environment whose templates have their globals in one dict, made when they are loaded.

    Jinja's own is a chain of two, which each of the dozen contexts of a mail would walk through.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template that is loaded now."""
        return {**self.globals, **(d or {})}


@cache
def _environment(folders: tuple[Path, ...], lang: str, *, wraps: bool) -> Environment:
    """One a language. `wraps`: whether `wordwrap` does so.

    Mails are wrapped as a whole, to the reader's width.
    """
    env = _Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=_is_html,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", InlineStyles],
    )
    words = catalogue(folders, lang)
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]  # the i18n extension's
    if not wraps:
        env.filters["wordwrap"] = partial(_wrapped_if_fixed, env)
    env.globals["other_languages"] = tuple(_other_languages(folders, lang))
    env.globals["language_lines"] = [f"lang {code}" for code in languages(folders)]
    return _equip(env, lang, words)


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


def _wrapped_if_fixed(env: Environment, text: str, width: int, **wishes: Any) -> str:
    """Prose is wrapped later; a game that says how to wrap writes lines of a table."""
    return do_wordwrap(env, text, width, **wishes) if wishes else text


def _is_html(name: str | None) -> bool:
    return name is not None and name.endswith(".html.j2")


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


# --- what templates may call ---------------------------------------------------------------------


def _equip(env: Environment, lang: str, words: NullTranslations) -> Environment:
    """Marks as filters, the games' pieces, and the macros that all notices share."""
    env.filters |= {
        "typed": markup.typed if lang == ENGLISH else partial(_typed, words),
        "quoted": markup.typed,
        "pattern": lambda text: markup.noted(order_in(words, text)),
        "move": (lambda text, _: text) if lang == ENGLISH else partial(move_in, words),
        "planned": (lambda text, _: text) if lang == ENGLISH else partial(plan_in, words),
        "verb": lambda name: names_of(words, name, ())[0],
        "word": lambda text, context="word": words.pgettext(context, text),
        "pictured": partial(picture_in, words),
        "tied": markup.tied,
        "noted": markup.noted,
        "barred": markup.barred,
        "heading": lambda text: markup.HEADING + text,
        "label": lambda text: markup.LABEL + " ".join(text.split()),
        "board": lambda lines: markup.marked(lines, markup.BOARD),
        "fixed": _fixed,
        "reflowed": markup.reflowed,
        "shortened": markup.shortened,
        "alternatives": _alternatives,
        "with_typed_samples": _with_typed_samples,
        "moment": _dated(env, "moment", lambda at: moments.moment(at, _ZONE.get())),
        "clock": _dated(env, "clock", lambda at: moments.moment(at, _ZONE.get())),
        "day": _dated(env, "day", lambda at: moments.day(at, _ZONE.get())),
        "weekday": _dated(env, "weekday", lambda number: number),
        "duration": _dated(env, "duration", moments.span),
    }
    env.globals |= {
        "names_of": lambda verb: names_of(words, verb.name, verb.also),
        "marker": words.pgettext("marker", MARKER),
        "piece": _piece_of(env),
        "rejection": _rejection_of(env),
        "result": lambda result: _line(env, f"results/{result.outcome or result.status}", result),
        "section": partial(_block, env),
        "holding": lambda name: _line(env, f"holdings/{name}"),
        "meaning": lambda verb: _line(env, f"orders/{verb.replace(' ', '_')}"),
    }
    env.globals["parts"] = env.get_template("parts.txt.j2").module
    return env


def _fixed(text: str | Sequence[str]) -> str:
    return markup.marked(text.split("\n") if isinstance(text, str) else text, markup.FIXED)


def _alternatives(words: Sequence[str]) -> str:
    """Words between strokes, each tied to what is before it, so that no line begins with one."""
    first, *rest = words
    return " ".join([f"{markup.TIE}{first}", *(markup.tied(f"/ {word}") for word in rest)])


def _typed(words: NullTranslations, text: str) -> str:
    """What could be typed, in the reader's words."""
    return markup.typed(order_in(words, text))


def _dated(env: Environment, name: str, facts: Callable[[Any], object]) -> Callable[[Any], str]:
    """A filter that says a time or a length of time in the words of dates.txt.j2."""

    @lru_cache(maxsize=_DATES_KEPT)
    def words(known: object) -> str:
        macro = getattr(env.get_template("dates.txt.j2").module, name)
        return str(macro(known)).strip()

    def said(value: datetime | timedelta | float | str) -> str:
        return words(facts(value))

    return said


def _with_typed_samples(facts: Facts, prefix: str = "") -> Facts:
    """Board facts whose samples are marked as something to type, so that none is broken."""
    can = cast("Mapping[str, Any]", facts["can"])
    return {
        **facts,
        "can": {**can, "samples": [markup.typed(prefix + text) for text in can["samples"]]},
    }


def _piece_of(env: Environment) -> Callable[..., str]:
    def piece(game: str, name: str, **facts: object) -> str:
        return env.get_template(f"games/{game}/{name}.txt.j2").render(**facts).strip("\n")

    return piece


def _rejection_of(env: Environment) -> Callable[[NoticeView], str]:
    """Why something was refused: in the game's words, where it has words for this code."""

    def rejection(view: NoticeView) -> str:
        refused = cast("OrderRefused", view.notice)
        names = [f"rejections/{refused.code}.txt.j2"]
        if refused.game is not None and not refused.facts.get("overruled"):
            names.insert(0, f"games/{refused.game}/{names[0]}")
        seats = view.match.names if view.match is not None else {}
        facts = dict(refused.facts)
        if isinstance(example := facts.get("example"), str):
            facts["example"] = markup.typed(example)
        text = env.select_template(names).render(facts=facts, names=seats, match=view.match)
        return text.strip("\n")

    return rejection


def _block(env: Environment, notice: NoticeView, name: str) -> str:
    """What the template of a notice says in one of its blocks."""
    template = env.get_template(f"notices/{notice.name}.txt.j2")
    return "".join(template.blocks[name](template.new_context({"view": notice})))


def _line(env: Environment, name: str, result: OrderResult | None = None) -> str:
    facts = result.facts if result is not None else {}
    return env.get_template(f"{name}.txt.j2").render(facts=facts).strip()


# --- rendering -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rendered:
    """The words of one mail; `html` is None for readers who want none.

    `html_lines` are the lines that the HTML shows, None where an operator's template may say more.
    """

    subject: str
    text: str
    html: str | None
    html_lines: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """A notice in marked text."""

    view: NoticeView
    headline: str
    body: str


@contextmanager
def in_zone(name: str) -> Iterator[None]:
    """What is written here is for somebody in a time zone, by its IANA name."""
    before = _ZONE.set(ZoneInfo(name))
    try:
        yield
    finally:
        _ZONE.reset(before)


class Renderer:
    """Renders mails from templates/; `folders` of the operator are searched first."""

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        """Make the templates ready in English; other languages wait until they are read."""
        self._folders = tuple(folders or ())
        self._writers = {ENGLISH: _Writer(self._folders, ENGLISH)}

    def render(self, view: View) -> Rendered:
        """Subject, text and, if it is wanted, HTML: the same words, written once."""
        writer = self._writers.get(view.lang)
        if writer is None:
            writer = self._writers[view.lang] = _Writer(self._folders, view.lang)
        with in_zone(view.tz):
            return writer.render(view)


class _Writer:
    """Writes mails in one language."""

    def __init__(self, folders: tuple[Path, ...], lang: str) -> None:
        """Find the templates and the markup of blocks."""
        everywhere = (*folders, template_folder())
        self._env = _environment(everywhere, lang, wraps=False)
        self._words = catalogue(everywhere, lang)
        self._own_words = not folders
        blocks = self._env.get_template("blocks.html.j2")
        context = blocks.new_context({"here": "\n", "label": markup.LABEL})
        self._tags = {name: "".join(block(context)) for name, block in blocks.blocks.items()}
        self._pages: dict[str, Template] = {}

    def render(self, view: View) -> Rendered:
        """Subject, text and, if it is wanted, HTML: the same words, written once."""
        sections = [self._section(notice) for notice in view.notices]
        subject = " ".join(_block(self._env, view.notices[0], "subject").split())
        how = self._page("how.txt.j2", view=view)
        footer = self._page("footer.txt.j2", view=view)
        marks = self._page("mail.txt.j2", view=view, sections=sections, how=how, footer=footer)
        text = markup.to_text(marks, view.width, view.order_words)
        if not view.html:
            return Rendered(subject, text, None)
        html = self._html(view, subject, sections, how, footer)
        return Rendered(
            subject, text, html, tuple(markup.to_lines(marks)) if self._own_words else None
        )

    def _section(self, notice: NoticeView) -> _Section:
        headline = _block(self._env, notice, "headline").strip("\n")
        return _Section(notice, headline, _block(self._env, notice, "body"))

    def _page(self, name: str, **values: object) -> str:
        return self._env.get_template(name).render(**values)

    def _html(
        self, view: View, subject: str, sections: Sequence[_Section], how: str, footer: str
    ) -> str:
        taps = self._taps(view.notices[0])
        pages = [
            self._html_section(section, first=number == 0)
            for number, section in enumerate(sections)
        ]
        return self._page(
            "mail.html.j2",
            view=view,
            subject=subject,
            headline=self._markup(sections[0].headline, taps, "headline"),
            sections=pages,
            how=self._markup(how, taps),
            footer=self._markup(footer, {}),
        )

    def _html_section(self, section: _Section, *, first: bool) -> Markup:
        body = section.body if first else f"{section.headline}\n\n{section.body}"
        page = self._page_of(section.view.name)
        taps = self._taps(section.view)
        return Markup(page.render(view=section.view, body=self._markup(body, taps)))  # noqa: S704 - an HTML template's own output

    def _page_of(self, name: str) -> Template:
        """The HTML template of a notice: one of its own, or that of all."""
        if name not in self._pages:
            own = f"notices/{name}.html.j2"
            self._pages[name] = self._env.select_template([own, "notice.html.j2"])
        return self._pages[name]

    def _taps(self, view: NoticeView) -> dict[str, str]:
        """The ready-made answers of a notice, each by what the mail says of it."""
        game = view.match.game if view.match is not None else ""
        return dict(tap_in(self._words, link.text, link.href, game) for link in view.links)

    def _markup(self, marks: str, taps: Mapping[str, str], block: str = "text") -> Markup:
        tags = self._tags if block == "text" else {**self._tags, "text": self._tags[block]}
        return Markup(markup.to_html(marks, tags, taps))  # noqa: S704 - to_html escaped all of it
