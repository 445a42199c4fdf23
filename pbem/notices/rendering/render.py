"""From a view to subject, text and HTML: a whole mail."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from pbem.notices.rendering import html_markup, markup
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.families import HTML, Templates
from pbem.notices.rendering.filters import Figures, Shown, writing
from pbem.notices.rendering.html_markup import Figure, Picture, to_html
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


class _Section(NamedTuple):
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
        with writing(view.tz) as boards:
            return writer.render(view, boards)


class _Writer:
    """Writes mails in one language."""

    def __init__(self, folders: tuple[Path, ...], lang: str) -> None:
        """Find the templates and the markup of blocks."""
        env = self._env = environment(folders, lang, wraps=False)
        self._lang = lang
        self._words = catalogue((*folders, template_folder()), lang)
        self._own_words = not folders
        self._how, self._footer, self._mail, self._page, self._notice = (
            env.get_template(name)
            for name in (
                "how_to_answer.txt.j2",
                "footer.txt.j2",
                "mail.txt.j2",
                "mail.html.j2",
                "notice.html.j2",
            )
        )
        self._notices = {  # in place of that of all notices
            name: env.get_template(name)
            for name in env.list_templates(extensions=[HTML.lstrip(".")])
            if name.startswith("notices/")
        }
        blocks = env.family("markup.html.j2")
        marked = {name: blocks.render(name, here="\n", label=markup.LABEL) for name in blocks}
        self._tags = html_markup.tags_of(marked)
        self._headline = {**self._tags, "text": self._tags["headline"]}
        self._small = {**self._tags, "offer": self._tags["verb"], "word": self._tags["verb"]}
        self._phrases = {order_in(self._words, phrase) for phrase in PHRASES}
        self._figures = Figures(env, self._words, lang)

    def render(self, view: View, boards: Sequence[Shown]) -> Rendered:
        """Subject, text and, if it is wanted, HTML: the same words, written once."""
        part = self._env.part
        sections = [
            _Section(notice, part(notice, "headline").strip("\n"), part(notice, "body"))
            for notice in view.notices
        ]
        subject = " ".join(part(view.notices[0], "subject").split())
        how, footer = self._how.render(view=view), self._footer.render(view=view)
        marks = self._mail.render(view=view, sections=sections, how=how, footer=footer)
        marks = marks.replace(markup.TAP, "").replace(markup.TAP_END, "")
        text = markup.to_text(marks, view.width, view.order_words)
        if not view.html:
            return Rendered(subject, text, None)
        figures = {shown.name: self._figures.figure(shown) for shown in boards}
        html = self._html(view, subject, sections, how, footer, figures)
        lines = tuple(html_markup.to_lines(marks, figures)) if self._own_words else None
        pictures = {one.picture.cid: one.picture for one in figures.values() if one.picture}
        return Rendered(subject, text, html, lines, tuple(pictures.values()))

    def _html(  # noqa: PLR0917 - all that a page is made of
        self,
        view: View,
        subject: str,
        sections: Sequence[_Section],
        how: str,
        footer: str,
        figures: Mapping[str, Figure],
    ) -> str:
        title = view.match.label if view.match is not None else view.site.title
        offered = partial(_offered, view, self._phrases, mailto(view.reply_address, title))
        first, shown = self._taps(sections[0].view), []
        for number, (notice, headline, body) in enumerate(sections):
            marks = f"{headline}\n\n{body}" if number else body
            taps = self._taps(notice) if number else first
            page = self._notices.get(f"notices/{notice.name}{HTML}", self._notice)
            said = to_html(marks, self._tags, taps, figures, offered)
            shown.append(Markup(page.render(view=notice, body=said)))  # noqa: S704 - an HTML template's own output
        answer = to_html(how, self._tags, first, None, offered)
        if view.page:
            link = Markup('<a href="{0}">{0}</a>').format(view.page)
            answer = answer.replace(view.page, link)
        small = footer.replace(markup.TAP, markup.TYPED).replace(markup.TAP_END, markup.TYPED_END)
        return self._page.render(
            view=view,
            subject=subject,
            headline=to_html(sections[0].headline, self._headline, first, None, offered),
            sections=shown,
            how=answer,
            footer=to_html(small, self._small, None, None, offered),
        )

    def _taps(self, view: NoticeView) -> dict[str, str]:
        """The ready-made answers of a notice, each by what the mail says of it."""
        if self._lang == ENGLISH:
            return {link.text: link.href for link in view.links}
        game = view.match.game if view.match is not None else ""
        return dict(tap_in(self._words, link.text, link.href, game) for link in view.links)


PHRASES: Final = ("never", "never again")
"""Orders that no verb begins."""


def _offered(
    view: View, phrases: AbstractSet[str], begins: str, orders: Collection[str]
) -> dict[str, str]:
    """The orders that a mail offers, each with the address of a ready-made mail.

    A move is none: without the number of the one that it is for it might be played at another time.
    """
    found: dict[str, str] = {}
    for text in orders:
        first, *rest = text.split() or [""]
        if rest and MATCH_NAME.fullmatch(first):
            first, *rest = rest
        known = first.casefold() in view.order_words or text in phrases
        finished = " ".join((first, *rest)).casefold() not in view.unfinished
        if known and finished and "@" not in text:
            found[text] = begins + quote(text, safe="")
    return found
