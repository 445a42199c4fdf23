"""Rendering of one email: its subject, text and HTML in the reader's language.

Each kind of email has a template `email/KIND.txt.j2` with blocks such as `subject`,
`headline`, `message` and `taps`; `email/base.txt.j2` lists them all. Each block is rendered
once, and `layout.txt.j2` and `layout.html.j2` arrange the results, so no sentence is
written twice. A template offers a reply with `offer(command, label)` or
`offer_move(notation, label)`. The line that these functions return stays in the text. In the
HTML it becomes a tap: a mailto link that prepares the reply. Commands and moves in these lines
are written in the reader's language; the filter `in_words` does this for moves elsewhere.

The texts of a game are in `games/KEY/`. They are always rendered as plain text, and escaped when
they are put into HTML. `games/default/` has neutral texts in place of texts that a game lacks, so
that a missing template does not break an email. The templates of a game get `words`, the macros of
its `words.txt.j2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

import css_inline
import structlog
from jinja2 import Environment, Template, TemplateNotFound

from pbem.games import find_newest
from pbem.notifications.email_views import EmailView
from pbem.notifications.environment import PHRASES, render_block, render_template, shorten
from pbem.notifications.layout import (
    COLUMNS,
    Block,
    Offer,
    Tap,
    TapRow,
    format_text,
    make_mailto,
    split_blocks,
    strip_lines,
)
from pbem.notifications.pictures import Picture, hash_picture
from pbem.notifications.views import MatchView, StepView

_REJECTIONS: Final = "email/rejections.txt.j2"
_BASE: Final = "email/base.txt.j2"
_TEXT: Final = "email/layout.txt.j2"
_HTML: Final = "email/layout.html.j2"
_DIGEST_BOARD: Final = "digest_board"  # the kind of email for each match in a digest
_DEFAULT_GAME: Final = "default"  # the folder of texts for games without their own
MAX_SUBJECT: Final = 60  # characters of a subject that most mail programs show in a list

_ABOUT_MOVES: Final = frozenset({"choice", "move"})
"""The names of game templates that get a move as the variable `notation`."""

_SENTENCES: Final = frozenset(
    {
        "about",
        "choice",
        "draw",
        "ending",
        "lesson",
        "move",
        "next",
        "option",
        "points",
        "score",
        "word",
    }
)
"""The names of game templates whose text is one paragraph, so that line breaks are ignored."""


log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RenderedEmail:
    """The subject, text and HTML of an email, with the pictures that its HTML refers to."""

    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderedReply:
    """Our answer to a player's command, shown on a page instead of being emailed.

    `kind` is the kind of email. Lines of the type `Offer` in `blocks` are commands or moves that
    the player can send next.
    """

    kind: str
    headline: str
    blocks: tuple[Block, ...]


def say_about(environment: Environment, game: str, name: str = "about") -> str:
    """Return a text about the game with the key `game` that needs no match, such as its summary.

    `name` is the name of the text's template. The result is empty if the game has no such text.
    """
    names = [f"games/{game}/{name}.txt.j2", f"games/{_DEFAULT_GAME}/{name}.txt.j2"]
    return environment.select_template(names).render().strip()


class Rendering:
    """An email while it is rendered, which collects the replies that its text offers.

    Pages use its methods `phrase`, `game_words`, `rejection` and `say_move` for texts of their own.
    """

    def __init__(
        self,
        environment: Environment,
        kind: str,
        view: EmailView,
        language: str,
        inliner: css_inline.CSSInliner,
    ) -> None:
        self.environment = environment
        self.kind = kind
        self.view = view
        self.inliner = inliner
        self.offers: dict[str, Offer] = {}  # offers by their line in the text
        self.page_links: dict[str, Tap] = {}  # links to pages by their lines in the text
        self.rows: dict[str, tuple[str, list[Offer]]] = {}  # label and offers by line in the text
        self.asides = set[str]()  # notations of moves in brackets, which the HTML leaves out
        self.phrases: dict[str, str] = {}  # texts of phrases by name; text and HTML share them
        self.picture: Picture | None = None  # picture of the board, once a block has shown it
        self.has_shown_board = False
        match = view.match
        if match is not None:
            match = replace(match, title=environment.filters["word"](match.title))
        clocks = match.clocks if match is not None else ()
        self.variables: dict[str, Any] = {
            "reader_name": view.reader_name,
            "site_title": view.site_title,
            "site_address": view.site_address,
            "timezone": view.timezone,
            "now": view.now,
            "match": match,
            "facts": view.facts,
            "language": language,
            "reader_clock": next((clock for clock in clocks if clock.is_reader), None),
            "phrase": self.phrase,
            "drop_aside": self.drop_aside,
            "game_words": self.game_words,
            "rejection": self.rejection,
            "offer": self.offer,
            "offer_move": self.offer_move,
            "link_page": self.link_page,
            "page_address": view.page_address,
            "join_address": view.join_address,
            "offer_row": self.offer_row,
            "split_blocks": split_blocks,
            "say_about": partial(say_about, environment),
            "say_move": self.say_move,
            "show_board": self.show_board,
            "spoken": view.is_spoken,
            "is_on_page": False,  # whether a page shows the text instead of an email
        }

    def render(self) -> RenderedEmail:
        """Return the complete email."""
        parts, taps = self.render_parts()
        renderings = [self._begin(_DIGEST_BOARD, view) for view in self.view.boards]
        boards = [rendering.render_parts() for rendering in renderings]
        pictures = tuple(filter(None, (rendering.picture for rendering in (self, *renderings))))
        variables = self.variables | {"parts": parts, "taps": taps, "boards": boards}
        text = self.environment.get_template(_TEXT).render(variables)
        variables["parts"] = self.drop_asides(parts)
        variables["boards"] = [
            (rendering.drop_asides(board), links)
            for rendering, (board, links) in zip(renderings, boards, strict=True)
        ]
        html = self.environment.get_template(_HTML).render(variables)
        html = self.inliner.inline(html)
        return RenderedEmail(parts["subject"], format_text(text), html, pictures)

    def render_reply(self, kind: str) -> RenderedReply:
        """Return the text of an email of the kind `kind`, without the board, to show on a page.

        If a template raises an error, the headline and the blocks are empty.
        """
        rendering = self._begin(kind, self.view)
        rendering.variables["is_on_page"] = True
        try:
            parts, _ = rendering.render_parts()
        except Exception:
            log.exception("template_failed", kind=kind, language=self.variables["language"])
            return RenderedReply(kind, "", ())
        names = ("message", "remarks", "taps") if kind == "answer" else ("message", "remarks")
        text = "\n\n".join(parts[name] for name in names if parts[name])
        return RenderedReply(kind, parts["headline"], tuple(split_blocks(text, rendering.offers)))

    def render_replay(self, steps: Sequence[StepView]) -> str:
        """Return an HTML page that works offline, with the boards of the match in these steps."""
        template = self.environment.get_template("email/replay.html.j2")
        return template.render(self.variables, steps=steps)

    def _begin(self, kind: str, view: EmailView) -> Rendering:
        language: str = self.variables["language"]
        return Rendering(self.environment, kind, view, language, self.inliner)

    def render_parts(self) -> tuple[dict[str, str], dict[str, Tap | TapRow]]:
        """Return the rendered blocks of the email by name, and its links by their line in the text.

        A block is a part of the text, such as `subject` or `message`.
        """
        template = self.environment.get_template(f"email/{self.kind}.txt.j2")
        blocks = self.environment.get_template(_BASE).blocks | template.blocks
        context = template.new_context(dict(self.variables))
        parts = {name: strip_lines("".join(block(context))) for name, block in blocks.items()}
        parts["message"] = "\n\n".join(filter(None, [parts["message"], *self.render_sections()]))
        parts["pieces"] = strip_lines(self.phrase("pieces")) if self.has_shown_board else ""
        parts["picture"] = "" if self.picture is None else hash_picture(self.picture.svg)
        subject = " ".join((parts["subject"] or parts["headline"]).split())
        subject = parts["subject"] = shorten(subject, MAX_SUBJECT)
        taps: dict[str, Tap | TapRow] = {}
        for line, offer in self.offers.items():
            taps[line] = self._make_tap(offer, subject)
        has_button = any(offer.is_button for offer in self.offers.values())
        may_have_button = not (has_button or self.view.facts.get("is_one_of_many"))
        for line, (label, offers) in self.rows.items():
            taps[line] = TapRow(label, tuple(self._make_tap(offer, subject) for offer in offers))
        for line, link in self.page_links.items():
            taps[line] = replace(link, is_button=link.is_button and may_have_button)
        return parts, taps

    def drop_asides(self, parts: Mapping[str, str]) -> dict[str, str]:
        """Return the parts of an email, by name, each as `drop_aside` returns it."""
        return {name: self.drop_aside(part) for name, part in parts.items()}

    def drop_aside(self, text: str) -> str:
        """Return a text without the notations in brackets that follow moves described in words."""
        for aside in self.asides:
            text = text.replace(aside, "")
        return text

    def _make_tap(self, offer: Offer, subject: str) -> Tap:
        address = self.view.tap_address or self.view.reply_address
        href = make_mailto(address, f"Re: {subject}", offer.reply)
        return Tap(offer.label, href, offer.is_button, offer.quoted)

    def render_sections(self) -> Iterator[str]:
        """Yield the headline and the message of each section of the email."""
        for section in self.view.sections:
            template = self.environment.get_template(f"email/{section.kind}.txt.j2")
            phrase = partial(self.phrase, facts=section.facts)
            variables = self.variables | {"facts": section.facts, "phrase": phrase}
            context = template.new_context(variables)
            for name in ("headline", "message"):
                if name in template.blocks:
                    words = strip_lines("".join(template.blocks[name](context)))
                    is_bare = name == "headline" and words[-1:].isalnum()
                    yield f"{words}." if is_bare else words

    def phrase(self, name: str, /, **variables: Any) -> str:
        """Return the block `name` of the shared phrases (PHRASES), rendered with these variables.

        The block also gets the variables of the email.
        """
        if not variables and name in self.phrases:
            return self.phrases[name]
        template = self.environment.get_template(PHRASES)
        text = render_block(template, name, self.variables | variables).strip("\n")
        if not variables:
            self.phrases[name] = text
        return text

    def show_board(self, step: StepView | None = None) -> str:
        """Return the board of `step`, or without a step the current board, as lines of text.

        If the reader wants boards in words, return a description instead. If the reader wants
        pictures, the HTML shows a picture in place of the current board.
        """
        match = self.view.match
        view = step or match
        if match is None or view is None:
            return ""
        self.has_shown_board = view is match and bool(match.names)
        if self.view.is_spoken:
            return self._say_board(match, view)
        if self.view.has_pictures and view is match:
            self.picture = self._draw_board(match)
        translate: Callable[[str], str] = self.environment.filters["translate_headings"]
        return "\n".join(map(translate, view.board))

    def _say_board(self, match: MatchView, view: MatchView | StepView) -> str:
        """Return the board of `view` in words, with the names of the players."""
        facts, lines = view.board_facts, "\n".join(view.board)
        return self.game_words("spoken", facts=facts, names=match.names, lines=lines)

    def _draw_board(self, match: MatchView) -> Picture | None:
        """Return the picture of the current board; None if the game has none or raises an error."""
        if match.draw_board is None:
            return None
        try:
            svg = match.draw_board(self.environment.filters["word"])
        except Exception:
            # Games of packages may raise anything; a move must not wait for it.
            log.exception("picture_failed", game=match.game, match=match.code)
            return None
        facts = match.board_facts
        texts = [
            self.game_words(name, facts=facts, names=match.names, spoken=True)
            for name in ("pieces", "status")
        ]
        words = " ".join(" ".join([self._say_board(match, match), *texts]).split())
        return Picture(svg, words) if svg else None

    def game_words(self, name: str, /, **variables: Any) -> str:
        """Return the text `name` of the match's game, rendered with these variables.

        If the game has no template for this text, the default template is used.
        """
        names = [self._game_template(name), f"games/{_DEFAULT_GAME}/{name}.txt.j2"]
        template = self.environment.select_template(names)
        if name in _ABOUT_MOVES:
            variables["notation"] = self.say_move(variables["notation"])
        if name == "move":
            self.asides.add(f" ({variables['notation']})")
        variables |= {"words": self.game_macros, "say_move": self.say_move}
        text = render_template(template, variables)
        return " ".join(text.split()) if name in _SENTENCES else text.strip("\n")

    def rejection(self, code: str, facts: Mapping[str, Any]) -> str:
        """Return the text of the rejection with this code and these facts.

        The templates of the game take precedence over the templates for all games. If no template
        has the code, return the text of the block `unknown`.
        """
        names = [_REJECTIONS]
        variables = self.variables | {"facts": facts}
        if self.view.match is not None:
            default = f"games/{_DEFAULT_GAME}/rejections.txt.j2"
            names = [self._game_template("rejections"), default, *names]
            variables["words"] = self.game_macros
        for name in names:
            template = self._find_template(name)
            if template is not None and code in template.blocks:
                return " ".join(render_block(template, code, variables).split())
        template = self.environment.get_template(_REJECTIONS)
        return render_block(template, "unknown", variables).strip("\n")

    def offer(
        self,
        command: str,
        label: str,
        *,
        link: str = "",
        is_button: bool = False,
    ) -> str:
        """Return a line that offers a command as a reply, and make the line a link in the HTML.

        Args:
            command: The command that the reader can send, in English.
            label: The effect of the command, in words.
            link: The text of the link in the HTML. If it is empty, the link shows the label.
            is_button: Whether the HTML shows the link as a button; at most one in an email.
        """
        offer = Offer(self.environment.filters["command"](command), link or label, is_button)
        return self._offer(offer, self.phrase("offered", label=label, reply=offer.quoted))

    def offer_move(self, notation: str, label: str, *, is_button: bool = False) -> str:
        """Return a line that offers a move as a reply, and make the line a link in the HTML.

        `notation` is canonical, and `label` describes the move. `is_button` is as in `offer`.
        """
        offer = Offer(self.say_move(notation), label, is_button, is_move=True)
        return self._offer(offer, f"{label}: {offer.quoted}")

    def link_page(self, address: str, label: str, *, is_button: bool = True) -> str:
        """Return lines with the label and the URL `address` of a page; in the HTML they are a link.

        If `is_button` is True, the HTML shows the link as a button. But an email has only one
        button. If the email also offers a reply as a button, the page gets an ordinary link.
        """
        line = f"- {label}:\n  {address}"
        self.page_links[line] = Tap(label, address, is_button)
        return line

    def offer_row(self, label: str, offers: Mapping[str, str]) -> str:
        """Return a line that offers several commands, and make each command a link in the HTML.

        Args:
            label: The text before the commands.
            offers: The text of each link, by the command that it sends, in English. If a text is
                empty, the link shows the command.
        """
        translate = self.environment.filters["command"]
        texts = [(translate(command), text) for command, text in offers.items()]
        row = [Offer(reply, text or reply, False) for reply, text in texts]
        line = f"{label}: {', '.join(offer.label for offer in row)}"
        self.rows[line] = (f"{label}:", row)
        return line

    def _offer(self, offer: Offer, words: str) -> str:
        line = f"- {words}"
        if len(line) > COLUMNS:
            line = f"- {words.removesuffix(f' {offer.quoted}')}\n  {offer.quoted}"
        self.offers[line] = offer
        return line

    def say_move(self, notation: str) -> str:
        """Return a move, given in canonical notation, in the words of the reader's language."""
        game = find_newest(self.view.match.game) if self.view.match is not None else None
        if game is None:
            return notation
        return game.vocabulary.say(notation, self.variables["language"])

    def _game_template(self, name: str) -> str:
        if self.view.match is None:
            raise ValueError(f"an email of the kind {self.kind} needs a match")
        return f"games/{self.view.match.game}/{name}.txt.j2"

    @cached_property
    def game_macros(self) -> Any:
        """The macros that the templates of the match's game share, or None if it has none."""
        template = self._find_template(self._game_template("words"))
        return template.module if template is not None else None

    def _find_template(self, name: str) -> Template | None:
        try:
            return self.environment.get_template(name)
        except TemplateNotFound:
            return None
