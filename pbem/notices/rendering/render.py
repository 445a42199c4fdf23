"""From a view to subject, text and HTML: a whole mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import Template
from markupsafe import Markup

from pbem.notices.rendering import html_markup, markup
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.families import Templates
from pbem.notices.rendering.filters import Figures, Shown, gathering_figures, in_zone
from pbem.notices.rendering.html_markup import Figure, Offer, Picture
from pbem.notices.rendering.languages import ENGLISH, MATCH_NAME, catalogue, order_in, tap_in
from pbem.notices.views.matches import mailto
from pbem.notices.views.scene import NoticeView, View


@dataclass(frozen=True, slots=True)
class Rendered:
    """The words of one mail; `html` is None for readers who want none.

    `html_lines` are the lines that the HTML shows, None where an operator's template may say more;
    `pictures` are those that it shows, to be drawn and sent with it.
    """

    subject: str
    text: str
    html: str | None
    html_lines: tuple[str, ...] | None = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """A notice in marked text."""

    view: NoticeView
    headline: str
    body: str


class Renderer:
    """Renders mails from templates/; `folders` of the operator are searched first."""

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        """Make the templates ready in English; other languages wait until they are read."""
        self._folders = tuple(folders or ())
        self._writers = {ENGLISH: _Writer(self._folders, ENGLISH)}

    def templates(self, lang: str) -> Templates:
        """The templates of a language, for what is no mail."""
        return environment(self._folders, lang, wraps=False)

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
        self._env = environment(folders, lang, wraps=False)
        self._lang = lang
        self._words = catalogue(everywhere, lang)
        self._own_words = not folders
        blocks = self._env.family("markup.html.j2")
        self._tags = {name: blocks.render(name, here="\n", label=markup.LABEL) for name in blocks}
        self._pages: dict[str, Template] = {}
        self._figures = Figures(self._env, self._words, lang)

    def render(self, view: View) -> Rendered:
        """Subject, text and, if it is wanted, HTML: the same words, written once."""
        with gathering_figures() as boards:
            return self._render(view, boards)

    def _render(self, view: View, boards: Sequence[Shown]) -> Rendered:
        sections = [self._section(notice) for notice in view.notices]
        subject = " ".join(self._env.part(view.notices[0], "subject").split())
        how = self._page("how_to_answer.txt.j2", view=view)
        footer = self._page("footer.txt.j2", view=view)
        marks = self._page("mail.txt.j2", view=view, sections=sections, how=how, footer=footer)
        text = markup.to_text(marks, view.width, view.order_words)
        if not view.html:
            return Rendered(subject, text, None)
        figures = self._figures.of(boards)
        html = self._html(view, subject, sections, how, footer, figures=figures)
        lines = tuple(html_markup.to_lines(marks, figures)) if self._own_words else None
        pictures = {one.picture.cid: one.picture for one in figures.values() if one.picture}
        return Rendered(subject, text, html, lines, tuple(pictures.values()))

    def _section(self, notice: NoticeView) -> _Section:
        headline = self._env.part(notice, "headline").strip("\n")
        return _Section(notice, headline, self._env.part(notice, "body"))

    def _page(self, name: str, **values: object) -> str:
        return self._env.get_template(name).render(**values)

    def _html(
        self,
        view: View,
        subject: str,
        sections: Sequence[_Section],
        how: str,
        footer: str,
        *,
        figures: Mapping[str, Figure],
    ) -> str:
        taps = self._taps(view.notices[0])
        offer = _offer(view, {order_in(self._words, phrase) for phrase in PHRASES})
        pages = [
            self._html_section(section, figures, offer, first=number == 0)
            for number, section in enumerate(sections)
        ]
        return self._page(
            "mail.html.j2",
            view=view,
            subject=subject,
            headline=self._markup(sections[0].headline, taps, offer, block="headline"),
            sections=pages,
            how=_linked(self._markup(how, taps, offer), view.page),
            footer=self._markup(self._with_verbs(footer, view), {}, offer, "verb"),
        )

    def _html_section(
        self, section: _Section, figures: Mapping[str, Figure], offer: Offer, *, first: bool
    ) -> Markup:
        body = section.body if first else f"{section.headline}\n\n{section.body}"
        page = self._page_of(section.view.name)
        body = self._markup(body, self._taps(section.view), offer, figures=figures)
        return Markup(page.render(view=section.view, body=body))  # noqa: S704 - an HTML template's own output

    def _page_of(self, name: str) -> Template:
        """The HTML template of a notice: one of its own, or that of all."""
        if name not in self._pages:
            own = f"notices/{name}.html.j2"
            self._pages[name] = self._env.select_template([own, "notice.html.j2"])
        return self._pages[name]

    def _with_verbs(self, footer: str, view: View) -> str:
        """The footer, in which the verbs that it lists can be typed, but for those unfinished."""
        said = [str(self._env.filters["verb"](verb)) for verb in view.verbs]
        ties: Callable[[Sequence[str]], str] = self._env.filters["alternatives"]
        offered = [
            said_so if verb in view.unfinished else markup.typed(said_so)
            for verb, said_so in zip(view.verbs, said, strict=True)
        ]
        return footer.replace(ties(said), ties(offered)) if said else footer

    def _taps(self, view: NoticeView) -> dict[str, str]:
        """The ready-made answers of a notice, each by what the mail says of it."""
        if self._lang == ENGLISH:
            return {link.text: link.href for link in view.links}
        game = view.match.game if view.match is not None else ""
        return dict(tap_in(self._words, link.text, link.href, game) for link in view.links)

    def _markup(
        self,
        marks: str,
        taps: Mapping[str, str],
        offer: Offer,
        offered: str = "offer",
        *,
        block: str = "text",
        figures: Mapping[str, Figure] | None = None,
    ) -> Markup:
        tags = {**self._tags, "text": self._tags[block]}
        if offered != "offer":
            tags |= {"offer": self._tags[offered], "word": self._tags[offered]}
        return Markup(html_markup.to_html(marks, tags, taps, figures, offer))  # noqa: S704 - to_html escaped all of it


PHRASES: Final = ("never", "never again")
"""Orders that no verb begins."""


def _offer(view: View, phrases: AbstractSet[str]) -> Offer:
    """What makes a ready-made mail of an order that this mail offers.

    A move is none: without the number of the one that it is for it might be played at another time.
    """
    title = view.match.label if view.match is not None else view.site.title

    def offer(text: str) -> str | None:
        first, *rest = text.split() or [""]
        if rest and MATCH_NAME.fullmatch(first):
            first, *rest = rest
        order = " ".join((first, *rest)).casefold()
        known = first.casefold() in view.order_words or text in phrases
        if "@" in text or not known or order in view.unfinished:
            return None
        return mailto(view.reply_address, title, text)

    return offer


def _linked(html: Markup, page: str) -> Markup:
    """HTML in which the address of a page of ours can be tapped."""
    if not page:
        return html
    link = Markup('<a href="{0}">{0}</a>').format(page)
    return Markup(str(html).replace(page, str(link)))  # noqa: S704 - what was escaped, and a link of ours
