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

from pbem.legacy.notices.rendering import html_markup, markup
from pbem.legacy.notices.rendering.environment import environment, template_folder
from pbem.legacy.notices.rendering.families import Templates
from pbem.legacy.notices.rendering.filters import Figures, Shown, writing
from pbem.legacy.notices.rendering.html_markup import Figure, Picture, to_html
from pbem.legacy.notices.rendering.languages import ENGLISH, MATCH_NAME, catalogue, order_in, tap_in
from pbem.legacy.notices.views.matches import mailto
from pbem.legacy.notices.views.scene import NoticeView, View


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
    """A notice in marked text, part by part; the layouts of a mail place them."""

    view: NoticeView
    headline: str
    action: str
    board: str
    since: str
    choices: str
    explanations: str
    in_words: str


PARTS: Final = _Section._fields[1:]
"""What a notice is made of; each is a block of its templates, or of those that all share."""


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
        self._marker = f"{markup.FIXED}{env.globals['marker']}\n"  # which the text alone has
        self._words = catalogue((*folders, template_folder()), lang)
        self._own_words = not folders
        self._how, self._footer, self._time, self._mail, self._page = (
            env.get_template(name)
            for name in (
                "how_to_answer.txt.j2",
                "footer.txt.j2",
                "time.txt.j2",
                "mail.txt.j2",
                "mail.html.j2",
            )
        )
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
            _Section(notice, *(part(notice, name).strip("\n") for name in PARTS))
            for notice in view.notices
        ]
        subject = " ".join(part(view.notices[0], "subject").split())
        small = {
            "time": self._time.render(view=view),
            "how": self._how.render(view=view),
            "footer": self._footer.render(view=view),
        }
        marks = self._mail.render(view=view, sections=sections, **small)
        marks = marks.replace(markup.TAP, "").replace(markup.TAP_END, "")
        text = markup.to_text(marks, view.width, view.order_words)
        if not view.html:
            return Rendered(subject, text, None)
        figures = {shown.name: self._figures.figure(shown) for shown in boards}
        html = self._html(view, subject, sections, small, figures)
        shown = marks.replace(self._marker, "")
        lines = tuple(html_markup.to_lines(shown, figures)) if self._own_words else None
        pictures = {one.picture.cid: one.picture for one in figures.values() if one.picture}
        return Rendered(subject, text, html, lines, tuple(pictures.values()))

    def _html(
        self,
        view: View,
        subject: str,
        sections: Sequence[_Section],
        small: Mapping[str, str],
        figures: Mapping[str, Figure],
    ) -> str:
        title = view.match.label if view.match is not None else view.site.title
        offered = partial(_offered, view, self._phrases, mailto(view.reply_address, title))
        taps = [self._taps(section.view) for section in sections]

        def shown(marks: str, number: int = 0) -> Markup:
            if not marks:  # most notices have few of the parts
                return Markup()
            return to_html(marks, self._tags, taps[number], figures, offered)

        footer = small["footer"].replace(markup.TAP, markup.TYPED)
        footer = footer.replace(markup.TAP_END, markup.TYPED_END)
        return self._page.render(
            view=view,
            subject=subject,
            headline=to_html(sections[0].headline, self._headline, taps[0], None, offered),
            sections=sections,
            shown=shown,
            tall=bool(figures) and next(iter(figures.values())).tall,
            time=small["time"],
            how=small["how"],
            footer=to_html(footer, self._small, None, None, offered),
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
