"""Rendering of emails from views: subject, text and HTML in the reader's language.

Each kind of email has a template `email/KIND.txt.j2` with blocks such as `subject`,
`headline`, `message` and `taps`; `email/base.txt.j2` lists them all. Each block is rendered
once, and `layout.txt.j2` and `layout.html.j2` arrange the results, so no sentence is
written twice. A template offers a reply with `offer(command, label)` or
`offer_move(notation, label)`. The line that this returns stays in the text. In the HTML it
becomes a tap: a mailto link that prepares the reply. Commands and moves are written in the
reader's language; the filter `in_words` does this for other moves.

The texts of a game are in `games/KEY/`. They are always rendered as plain text, and escaped
when they are put into HTML. `games/default/` has neutral texts for those that a game lacks,
so a missing template breaks no email. The templates of a game get `words`, the macros of
its `words.txt.j2`.

Templates in an operator's folders take precedence over those of pbem. The folder
`templates` of a package that brings a game comes last. All have the same structure.

Each kind needs these facts, besides a view of the match:

| kind | facts |
|---|---|
| invitation, challenge, start, turn, news | none: the events are in the view of the match |
| end | `rating_change` of the reader, if the result counts for ratings |
| tournament | `topic`: entered, withdrawn, too_few or over; `tournament`, its name; if it is over |
| | its `standings`, and `group`, `number` and `place` of the reader |
| welcome | none, and no match |
| receipt | `sends_at`, if the view has a scheduled move |
| refusal | `typed`, `is_move`; `code` and `facts` of the rejection |
| question | `question` (a kind of `service.questions`), `commands` that `yes` executes, `expires` |
| message | `messages`: pairs of name and text |
| digest | `waiting`, how many matches wait for the reader; `watched`, each with `title`, `code`, |
| | `names`, `moves` and `result` |
| digest_board | a match of a digest: `has_moves` and `has_started`, if these are news; |
| | `is_one_of_many`, if there are several, so that a reply to the digest names none |
| account | `change` (address_added, address_removed, reply_addresses_replaced or deleted) with |
| | `address` (and `main`, the first address, if one was added) or `dropped_moves`; or |
| | `shown_to` |
| alarm | `faults`: pairs of a name and what is wrong |
| operator | `reporter`, `text`, `code`, `players`, `said` (each with `name`, `text` and `at`) |
| answer | `topic`; for help `commands` (each with `usage` and `help`), for verify `faults`, |
| | for games, started and lost `matches` (views); for settings `settings`, for messages `said`, |
| | for mutes and blocks `other`, for rules and rule what `rulebook` returns, for open |
| | `challenges` (each with `code`, `title`, `seats` and `names`), for bots `games` (each with |
| | `title` and `levels`), for hint `hint`, for other_address `player_name`; see the template |

Some facts are optional. A refusal or an answer can have `silent_until`, the time until
which we send no other email like it. Any kind can have `reason` (the operator's
explanation), `remarks` (text of the reader that was not used, quoted with a link that sends
it), `messages` (what other players say) and `shown_to` (players who have seen the reply
address).
"""

from __future__ import annotations

import gettext
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import css_inline
import structlog
from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    pass_context,
    select_autoescape,
)
from jinja2.runtime import Context
from markupsafe import escape

from pbem.games import find_newest
from pbem.games.packages import list_packages
from pbem.notifications.pictures import Picture, hash_picture
from pbem.notifications.views import MatchView, StepView

COLUMNS: Final = 72  # of the text part; mail programs then quote lines without breaking them
DEFAULT_LANGUAGE: Final = "en"

_PHRASES: Final = "email/phrases.txt.j2"
_REJECTIONS: Final = "email/rejections.txt.j2"
_BASE: Final = "email/base.txt.j2"
_TEXT: Final = "email/layout.txt.j2"
_HTML: Final = "email/layout.html.j2"
_DIGEST_BOARD: Final = "digest_board"  # the kind of the words about a match in a digest
MAX_SUBJECT: Final = 60  # characters: what lists of emails on a desk show of a subject
MAX_SUBJECT_NAME: Final = 16  # characters of a player's name in a subject

_DEFAULT_GAME: Final = "default"  # the folder of words for what a game does not say

_HEADING: Final = re.compile(r"\b([A-Z][a-z]{2,})(?!\w) *")
"""A word on a board, as in `Suns`, with the room behind it; pieces and squares are shorter."""

_PROPOSAL_WORDS: Final = frozenset({"with", "easy", "medium", "strong"})
"""The words of `new` that are translated; what else it has are names."""

_ABOUT_MOVES: Final = frozenset({"choice", "move"})
"""The templates of games that get the notation of a move."""

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
"""The templates of games that are one paragraph: their spaces and line ends do not matter."""


@dataclass(frozen=True, slots=True)
class Section:
    """An addition to an email, from another command or event: its kind and its template facts."""

    kind: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class EmailView:
    """The values that the templates need for one email.

    Attributes:
        facts: The facts of its kind, by the names that its template uses.
        also: Further sections of the email.
        tap_address: The address to which reply links write, which names the version of the
            match. If it is empty, they write to `reply_address`.
        timezone: The time zone for times in the email.
        site_address: The public address of the site.
        boards: The matches of a digest, each with its own texts and links.
        page_address: The URL of the page on which the reader plays or watches the match.
        join_address: The URL with which the challenger can invite friends to open seats.
        has_pictures: Whether the HTML shows boards as pictures.
        is_spoken: Whether boards are described in words.
    """

    site_title: str
    match: MatchView | None
    reader_name: str = ""
    reply_address: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    timezone: tzinfo = UTC
    also: tuple[Section, ...] = ()
    tap_address: str = ""
    site_address: str = ""
    boards: tuple[EmailView, ...] = ()
    page_address: str = ""
    join_address: str = ""
    has_pictures: bool = False
    is_spoken: bool = False


FALLBACK_TEXT: Final = """\
We could not write this email as usual, because one of our templates failed.
Your games are fine, and the operator will see it in the log. You can reply
with your move or with a command, such as "board", "history" or "help".
"""
"""What an email says if its templates fail."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RenderedEmail:
    """The subject, text and HTML of an email, with the pictures that its HTML names."""

    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderedReply:
    """A reply that a page shows instead of an email. Its `Offer` lines are offered replies."""

    kind: str
    headline: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tap:
    """A link in the HTML: a mailto link that prepares a reply, or a link to a page."""

    label: str
    href: str
    is_button: bool


@dataclass(frozen=True, slots=True)
class TapRow:
    """Several links that share one line of text, after a label."""

    label: str
    taps: tuple[Tap, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A reply that a template offers, with the text of the link that prepares it."""

    reply: str
    label: str
    is_button: bool


Line: TypeAlias = str | Tap | TapRow | Offer | tuple[str, ...]
"""A line of a block: words, what it offers, or the cells of a row."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of an email that form one element in the HTML.

    The kinds are `text`, `list`, `quote`, `taps` (links), `rows` (of links) and `table`, whose
    lines are tuples of cells.
    """

    kind: str
    lines: tuple[Line, ...]


def find_template_folder() -> Path:
    """Return the folder of templates, inside the package in a wheel or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def make_mailto(address: str, subject: str, body: str) -> str:
    """Return a mailto URI (RFC 6068), in which a space is %20 and a plus sign %2B."""
    fields = f"subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return f"mailto:{quote(address, safe='@')}?{fields}"


class Renderer:
    """Renderer of emails of all kinds in all languages.

    `languages` has the codes of the supported languages, English first.

    Args:
        folders: Folders of the operator, whose templates and catalogues take precedence over
            those of pbem.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Store the folders. Templates are loaded when they are first needed."""
        brought = {Path(one.folder) / "templates" for one in list_packages().values() if one.folder}
        self.folders = (*folders, find_template_folder(), *sorted(filter(Path.is_dir, brought)))
        self._environments: dict[str, Environment] = {}
        # Media queries cannot be inlined; dark mode needs them.
        self._inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
        found = {
            path.parent.parent.name
            for folder in self.folders
            for path in (folder / "locale").glob("*/LC_MESSAGES/pbem.mo")
        }
        self.languages = (DEFAULT_LANGUAGE, *sorted(found))

    def render(self, kind: str, view: EmailView, language: str) -> RenderedEmail:
        """Return an email of a kind in a language.

        If a template fails, the email is made without templates.

        Args:
            kind: The name of its template, such as `turn` or `receipt`.
            view: The values for the template.
            language: The reader's language. If there is no catalogue for it, English is used.
        """
        try:
            return self.open_words(view, language, kind).render()
        except Exception:
            # Templates of operators and packages may raise anything; a move must not wait for it.
            log.exception("template_failed", kind=kind, language=language)
            return self.render_plainly(view)

    def render_plainly(self, view: EmailView) -> RenderedEmail:
        """Return an email made without templates: game, last move and board, in English."""
        match = view.match
        if match is None:
            return RenderedEmail(view.site_title, FALLBACK_TEXT, _preformat(FALLBACK_TEXT))
        lines = [f"{match.game} {match.code}: {', '.join(match.names.values())}"]
        if match.history:
            lines.append(f"Last move: {match.history[-1].notation}")
        if match.to_move:
            lines.append(f"To move: {', '.join(match.to_move)}")
        text = "\n".join([*lines, "", *match.board, "", FALLBACK_TEXT])
        return RenderedEmail(f"{match.game} {match.code}", text, _preformat(text))

    def open_words(self, view: EmailView, language: str, kind: str = "answer") -> Rendering:
        """Return a `Rendering` that supplies texts about a match for a page or a test.

        In contrast to `render`, errors in templates are raised.
        """
        if language not in self.languages:
            language = DEFAULT_LANGUAGE
        return Rendering(self.environment(language), kind, view, language, self._inliner)

    def environment(self, language: str) -> Environment:
        """Return the Jinja2 environment for a language; English if there is no catalogue for it."""
        if language not in self.languages:
            language = DEFAULT_LANGUAGE
        environment = self._environments.get(language)
        if environment is None:
            environment = self._environments[language] = make_environment(self.folders, language)
        return environment


def make_environment(folders: Sequence[Path], language: str) -> Environment:
    """Return the Jinja2 environment for a language."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.j2"], default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    catalogue = gettext.NullTranslations()
    for folder in reversed(folders):  # the operator's come first
        found = gettext.translation("pbem", folder / "locale", [language], fallback=True)
        found.add_fallback(catalogue)
        catalogue = found
    environment.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]  # of the i18n extension
    word = partial(catalogue.pgettext, "word")
    environment.filters |= {
        "duration": _format_duration,
        "exactly": _format_exactly,
        "either": partial(_join, catalogue.gettext(" or ")),
        "in_list": partial(_join, catalogue.gettext(" and ")),
        "in_words": _say_move,
        "moment": _format_moment,
        "subject_names": _shorten_names,
        "time_of_day": _format_time_of_day,
        "proposal": partial(catalogue.pgettext, "proposal"),
        "word": word,
        "command": partial(_translate_command, catalogue.pgettext),
        "translate_headings": partial(_translate_headings, word),
    }
    return environment


def _preformat(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _strip_lines(text: str) -> str:
    """Return a text without blanks at line ends, and without empty lines at its start and end."""
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def _render_block(template: Template, name: str, variables: dict[str, Any]) -> str:
    # The globals of a template are a ChainMap, which is slow to copy.
    context = template.new_context(template.environment.globals | variables, shared=True)
    return "".join(template.blocks[name](context))


@pass_context
def _format_duration(context: Context, span: timedelta) -> str:
    """Return an approximate time span in words: in days, in hours, or to the minute."""
    minutes = span // timedelta(minutes=1)
    unit = 24 * 60 if minutes >= 3 * 24 * 60 else 60 if minutes >= 12 * 60 else 1
    minutes = round(minutes / unit) * unit
    return _say_span(context, minutes // (24 * 60), minutes // 60 % 24, minutes % 60)


@pass_context
def _format_exactly(context: Context, span: timedelta | int) -> str:
    """Return a number of whole hours in words, or in days if they are whole days.

    `span` is a timedelta or the number of hours.
    """
    hours = span if isinstance(span, int) else span // timedelta(hours=1)
    return _say_span(context, 0, hours, 0) if hours % 24 else _say_span(context, hours // 24, 0, 0)


def _say_span(context: Context, days: int, hours: int, minutes: int) -> str:
    template = context.environment.get_template(_PHRASES)
    variables = {"days": days, "hours": hours, "minutes": minutes}
    return _render_block(template, "duration", variables)


@pass_context
def _format_moment(context: Context, moment: datetime | str) -> str:
    """Return a date and time in the reader's time zone, with the name of the zone.

    A rejection has its times as ISO 8601 text, so that is accepted, too.
    """
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    at = at.astimezone(context["timezone"])
    template = context.environment.get_template(_PHRASES)
    return _render_block(template, "moment", {"at": at})


@pass_context
def _format_time_of_day(context: Context, at: datetime) -> str:
    """Return a time of the current day in the reader's time zone, with the name of the zone."""
    return at.astimezone(context["timezone"]).strftime("%H:%M %Z")


@pass_context
def _say_move(context: Context, notation: str) -> str:
    """Return a move as the reader can type it in their language."""
    say: Callable[[str], str] = context["say_move"]
    return say(notation)


def _translate_command(translate: Callable[[str, str], str], command: str) -> str:
    """Return a command in the reader's language: its verb, and the keywords of `new`."""
    if command == "new address":  # it is no proposal of a game "address"
        return translate("command", command)
    verb, *words = command.split(" ")
    if verb == "new":
        words = [translate("proposal", word) if word in _PROPOSAL_WORDS else word for word in words]
    return " ".join([translate("command", verb), *words])


def _translate_headings(word: Callable[[str], str], line: str) -> str:
    """Return a line of a board with its headings translated, where the translation fits."""

    def translate(found: re.Match[str]) -> str:
        heading, room = word(found[1]), len(found[0])
        fits = len(heading) <= room or found.end() == len(line)
        return heading.ljust(room) if fits else found[0]

    return _HEADING.sub(translate, line).rstrip()


def _join(last: str, items: Iterable[str]) -> str:
    """Return items joined for a sentence: `Ann, Bob and Cleo` or `d4, e3 or e5`.

    `last` is the separator before the last item, such as ` or `.
    """
    *first, final = [*items] or [""]
    return last.join(filter(None, (", ".join(first), final)))


def _shorten_names(names: Sequence[str]) -> str:
    """Return names shortened for a subject line: `Bob`, `Bob, Cleo` or `Bob +3`."""
    shown = [_shorten(name, MAX_SUBJECT_NAME) for name in names]
    joined = ", ".join(shown)
    return joined if len(joined) <= MAX_SUBJECT_NAME else f"{shown[0]} +{len(shown) - 1}"


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def split_blocks(
    text: str, taps: Mapping[str, Tap | TapRow] | Mapping[str, Offer]
) -> Iterator[Block]:
    """Yield the HTML blocks for one part of an email.

    Args:
        text: The part, as it is in the text version.
        taps: The links or offers of the part, by the line (or pair of lines) that shows them.
    """
    kind, found = "", list[Line]()
    lines = text.split("\n")
    while lines:
        line = lines[0]
        two = "\n".join(lines[:2])
        tap = taps.get(line) or taps.get(two)
        lines = lines[2:] if tap is not None and line not in taps else lines[1:]
        line_kind = _find_kind(line)
        if tap is not None:
            line_kind = "rows" if isinstance(tap, TapRow) else "taps"
        if line_kind != kind:
            if kind:
                yield Block(kind, tuple(found))
            kind, found = line_kind, []
        row = _TABLE_ROW.fullmatch(line) if kind == "table" else None
        found.append(tap or (row.groups() if row else line.removeprefix("- ").strip()))
    if kind:
        yield Block(kind, tuple(found))


_TABLE_ROW: Final = re.compile(r"(\d+\.) (.*\S) {2,}(\S.*)")
"""A place, a name and points, as in `1. Ann   12 points`."""


def _find_kind(line: str) -> str:
    """Return the kind of block that a line belongs to, or an empty string for an empty line."""
    if not line:
        return ""
    if line.startswith("- "):
        return "list"
    if _TABLE_ROW.fullmatch(line):
        return "table"
    return "quote" if line.startswith("  ") else "text"


def format_text(text: str) -> str:
    """Return a text wrapped at 72 columns, with at most one empty line in a row.

    No line begins with `>`, because mail programs would take it for a quote. A word that is
    longer than a line is not broken, and words joined by no-break spaces stay together.
    """
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        indent = "  " if line.startswith("- ") else line[: len(line) - len(line.lstrip())]
        wrapped = [line]
        if len(line) > COLUMNS:
            wrapped = textwrap.wrap(
                line,
                COLUMNS,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        for part in wrapped:
            if part or (lines and lines[-1]):
                shown = part.replace("\N{NO-BREAK SPACE}", " ")
                lines.append(f" {shown}" if shown.startswith(">") else shown)
    return "\n".join(lines).strip("\n") + "\n"


class Rendering:
    """An email while it is rendered. It collects the replies that the text offers.

    Pages use its methods for texts: `phrase`, `game_words`, `rejection`, `say_move`.
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
        self.offers: dict[str, Offer] = {}  # by their line in the text
        self.page_links: dict[str, Tap] = {}  # the same
        self.rows: dict[str, tuple[str, list[Offer]]] = {}  # label and offers of a line
        self.phrases: dict[str, str] = {}  # that were rendered; text and HTML have the same
        self.picture: Picture | None = None  # of the board, once a block has shown it
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
            "match": match,
            "facts": view.facts,
            "language": language,
            "reader_clock": next((clock for clock in clocks if clock.is_reader), None),
            "phrase": self.phrase,
            "game_words": self.game_words,
            "rejection": self.rejection,
            "offer": self.offer,
            "offer_move": self.offer_move,
            "open_page": self.open_page,
            "page_address": view.page_address,
            "join_address": view.join_address,
            "offer_row": self.offer_row,
            "split_blocks": split_blocks,
            "say_move": self.say_move,
            "show_board": self.show_board,
            "spoken": view.is_spoken,
        }

    def render(self) -> RenderedEmail:
        """Return the complete email."""
        parts, taps = self.render_parts()
        renderings = [self._begin(_DIGEST_BOARD, view) for view in self.view.boards]
        boards = [rendering.render_parts() for rendering in renderings]
        pictures = tuple(one.picture for one in (self, *renderings) if one.picture is not None)
        variables = self.variables | {"parts": parts, "taps": taps, "boards": boards}
        text = self.environment.get_template(_TEXT).render(variables)
        html = self.environment.get_template(_HTML).render(variables)
        html = self.inliner.inline(html)
        return RenderedEmail(parts["subject"], format_text(text), html, pictures)

    def render_reply(self, kind: str) -> RenderedReply:
        """Return what a page shows instead of an email of a kind: everything except the board."""
        rendering = self._begin(kind, self.view)
        try:
            parts, _ = rendering.render_parts()
        except Exception:
            log.exception("template_failed", kind=kind, language=self.variables["language"])
            return RenderedReply(kind, "", ())
        names = ("message", "remarks", "taps") if kind == "answer" else ("message", "remarks")
        shown = "\n\n".join(parts[name] for name in names if parts[name])
        return RenderedReply(kind, parts["headline"], tuple(split_blocks(shown, rendering.offers)))

    def render_replay(self, steps: Sequence[StepView]) -> str:
        """Return an HTML page with all boards of a match, which can be viewed offline."""
        template = self.environment.get_template("email/replay.html.j2")
        return template.render(self.variables, steps=steps)

    def _begin(self, kind: str, view: EmailView) -> Rendering:
        language: str = self.variables["language"]
        return Rendering(self.environment, kind, view, language, self.inliner)

    def render_parts(self) -> tuple[dict[str, str], dict[str, Tap | TapRow]]:
        """Return the rendered blocks by name, and the links by the line of text that shows them."""
        template = self.environment.get_template(f"email/{self.kind}.txt.j2")
        blocks = self.environment.get_template(_BASE).blocks | template.blocks
        context = template.new_context(dict(self.variables))
        parts = {name: _strip_lines("".join(block(context))) for name, block in blocks.items()}
        parts["message"] = "\n\n".join(filter(None, [parts["message"], *self.render_sections()]))
        parts["pieces"] = _strip_lines(self.phrase("pieces")) if self.has_shown_board else ""
        parts["picture"] = "" if self.picture is None else hash_picture(self.picture.svg)
        subject = " ".join((parts["subject"] or parts["headline"]).split())
        subject = parts["subject"] = _shorten(subject, MAX_SUBJECT)
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

    def _make_tap(self, offer: Offer, subject: str) -> Tap:
        address = self.view.tap_address or self.view.reply_address
        return Tap(
            offer.label, make_mailto(address, f"Re: {subject}", offer.reply), offer.is_button
        )

    def render_sections(self) -> Iterator[str]:
        """Yield the headline and the message of each additional section of the email."""
        for section in self.view.also:
            template = self.environment.get_template(f"email/{section.kind}.txt.j2")
            phrase = partial(self.phrase, facts=section.facts)
            variables = self.variables | {"facts": section.facts, "phrase": phrase}
            for name in ("headline", "message"):
                if name in template.blocks:
                    words = _strip_lines(_render_block(template, name, variables))
                    is_bare = name == "headline" and words[-1:].isalnum()
                    yield f"{words}." if is_bare else words

    def phrase(self, name: str, /, **variables: Any) -> str:
        """Return one block of the shared phrases, rendered with these variables."""
        if not variables and name in self.phrases:
            return self.phrases[name]
        template = self.environment.get_template(_PHRASES)
        text = _render_block(template, name, self.variables | variables).strip("\n")
        if not variables:
            self.phrases[name] = text
        return text

    def show_board(self, step: StepView | None = None) -> str:
        """Return the board of the match, or of one step of it, as text lines or in spoken form.

        If the reader wants pictures, the HTML shows the board of the match as a picture instead.
        """
        match = self.view.match
        shown = step or match
        if match is None or shown is None:
            return ""
        self.has_shown_board = shown is match and bool(match.names)
        if self.view.is_spoken:
            return self._say_board(match, shown)
        if self.view.has_pictures and shown is match:
            self.picture = self._draw_board(match)
        translate: Callable[[str], str] = self.environment.filters["translate_headings"]
        return "\n".join(map(translate, shown.board))

    def _say_board(self, match: MatchView, shown: MatchView | StepView) -> str:
        """Return a description of a board in words: everything that it shows, and who plays."""
        facts, lines = shown.board_facts, "\n".join(shown.board)
        return self.game_words("spoken", facts=facts, names=match.names, lines=lines)

    def _draw_board(self, match: MatchView) -> Picture | None:
        """Return the picture of the board, or None if its game has none or fails to draw it."""
        if match.draw_board is None:
            return None
        try:
            svg = match.draw_board(self.environment.filters["word"])
        except Exception:
            # Games of packages may raise anything; a move must not wait for it.
            log.exception("picture_failed", game=match.game, match=match.code)
            return None
        facts = match.board_facts
        rest = [
            self.game_words(name, facts=facts, names=match.names, spoken=True)
            for name in ("pieces", "status")
        ]
        words = " ".join(" ".join([self._say_board(match, match), *rest]).split())
        return Picture(svg, words) if svg else None

    def game_words(self, name: str, /, **variables: Any) -> str:
        """Return a rendered template of the match's game, or the default if the game lacks it."""
        names = [self._game_template(name), f"games/{_DEFAULT_GAME}/{name}.txt.j2"]
        template = self.environment.select_template(names)
        if name in _ABOUT_MOVES:
            variables["notation"] = self.say_move(variables["notation"])
        text = template.render(words=self.game_macros, say_move=self.say_move, **variables)
        return " ".join(text.split()) if name in _SENTENCES else text.strip("\n")

    def rejection(self, code: str, facts: Mapping[str, Any]) -> str:
        """Return the text for a rejection code, from the templates of the game or of all games."""
        names = [_REJECTIONS]
        variables = self.variables | {"facts": facts}
        if self.view.match is not None:
            default = f"games/{_DEFAULT_GAME}/rejections.txt.j2"
            names = [self._game_template("rejections"), default, *names]
            variables["words"] = self.game_macros
        for name in names:
            template = self._find_template(name)
            if template is not None and code in template.blocks:
                return " ".join(_render_block(template, code, variables).split())
        template = self.environment.get_template(_REJECTIONS)
        return _render_block(template, "unknown", variables).strip("\n")

    def offer(
        self,
        command: str,
        label: str,
        *,
        link: str = "",
        is_button: bool = False,
    ) -> str:
        """Return a line that offers a command, and register it as a link of the HTML.

        Args:
            command: The command that the reader can send, in English.
            label: What the command does, in words.
            link: The text of the link in the HTML, if it differs from the label.
            is_button: Whether the HTML shows it as a button; at most one in an email.
        """
        reply = self.environment.filters["command"](command)
        return self._offer(Offer(reply, link or label, is_button), label)

    def offer_move(self, notation: str, label: str, *, is_button: bool = False) -> str:
        """Return a line that offers a move, and register it as a link of the HTML."""
        return self._offer(Offer(self.say_move(notation), label, is_button), label)

    def open_page(self, address: str, label: str, *, is_button: bool = True) -> str:
        """Return a line with a link to a page, and register it as a link of the HTML.

        The HTML shows it as a button, unless an offered reply is the button of this email.
        """
        line = f"- {label}:\n  {address}"
        self.page_links[line] = Tap(label, address, is_button)
        return line

    def offer_row(self, label: str, offers: Mapping[str, str]) -> str:
        """Return a line that offers several commands, and register them as links of the HTML.

        Args:
            label: What the commands have in common.
            offers: The commands, in English, each with the text of its link. If that is empty, the
                link shows the command.
        """
        translate = self.environment.filters["command"]
        row = [Offer(translate(one), said or translate(one), False) for one, said in offers.items()]
        line = f"{label}: {', '.join(offer.label for offer in row)}"
        self.rows[line] = (f"{label}:", row)
        return line

    def _offer(self, offer: Offer, label: str) -> str:
        reply = f'"{offer.reply}..."' if offer.reply.endswith(" ") else f'"{offer.reply}"'
        line = f"- {label}: {reply}"
        if len(line) > COLUMNS:
            line = f"- {label}:\n  {reply}"
        self.offers[line] = offer
        return line

    def say_move(self, notation: str) -> str:
        """Return a move as its game writes it in the reader's language."""
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
        """Return the macros that the game's templates share, or None."""
        template = self._find_template(self._game_template("words"))
        return template.module if template is not None else None

    def _find_template(self, name: str) -> Template | None:
        try:
            return self.environment.get_template(name)
        except TemplateNotFound:
            return None
