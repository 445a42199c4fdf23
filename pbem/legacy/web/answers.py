"""What all answers have in common; what is said of a form by the mail that answers it."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar

import structlog
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from pbem.legacy.delivery.mail_writing import in_words
from pbem.legacy.delivery.material import Material, material, people_of
from pbem.legacy.notices.codec import dump, load
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.rendering.environment import template_folder
from pbem.legacy.notices.rendering.filters import named_in, writing
from pbem.legacy.notices.rendering.languages import ENGLISH, languages
from pbem.legacy.notices.replies import (
    Account,
    NoOrderFound,
    OrderRefused,
    QuestionAsked,
    RulesShown,
)
from pbem.legacy.notices.second_thoughts import MoveKept, MoveReceipt, PagePlayed
from pbem.legacy.notices.views.view import build
from pbem.legacy.store.mails import outbox

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.access import Seen


# --- answers -------------------------------------------------------------------------------------
# What all answers have in common: templates, languages, the headers that keep a page to itself.

STYLE: Final = "pages/site.css"
BOARDS: Final = "pages/boards.css"
SCRIPT: Final = "pages/site.js"

NEVER: Final = "no-store"
"""How long a page may be kept that only one person should see, or that changes."""

REVALIDATED: Final = "no-cache"
"""The same for what hardly changes: kept, and asked for each time (who plays may be forgotten)."""

_OF_KNOWN: Final = ("ETag", "Cache-Control", "X-Robots-Tag", "Vary", "Content-Security-Policy")
"""The headers of what a browser has already, which take the place of those that it has."""

_WISHED: Final = re.compile(r"([A-Za-z]{2,3})(?:-[A-Za-z0-9-]{1,20})?(?:;q=([0-9.]{1,5}))?")
_LONGEST: Final = 300
"""Characters of a header that are read."""


@dataclass(frozen=True, slots=True)
class Live:
    """Where a page hears of news, empty where there can be none, and what it knows already."""

    path: str = ""
    version: int = 0


class Fault(Exception):  # noqa: N818 - what a page tells, no bug
    """What somebody is told in place of a page: the name of the message, and the status."""

    def __init__(self, message: str, status: int = 404, lang: str | None = None) -> None:
        """Tell a message in a language, or in that of the browser."""
        super().__init__(message)
        self.message, self.status, self.lang = message, status, lang


class _OfMatch(Protocol):
    """A dataclass that shows a match, with the names at its table by seat."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def match(self) -> Match: ...

    @property
    def names(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=_OfMatch)


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Makes answers of templates."""

    house: House

    def templates(self, lang: str) -> Templates:
        """The templates of a language."""
        return self.house.renderer.templates(lang)

    def in_words(self, lang: str, shown: S) -> S:
        """What is shown of a match with the names that bots have in a language."""
        if lang == ENGLISH:
            return shown
        players = shown.match.table.players
        names = named_in(self.templates(lang), dict(zip(players, shown.names, strict=True)))
        return replace(shown, names=tuple(names.values()))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that pages can be in, English first."""
        own = self.house.settings.templates.folder
        return languages((*([own] if own else []), template_folder()))

    @cached_property
    def style(self) -> str:
        """The style sheet of all pages."""
        return self._source(STYLE) + self._source(BOARDS)

    @cached_property
    def script(self) -> str:
        """The script of all pages, without which they work as well."""
        return self._source(SCRIPT)

    @cached_property
    def policy(self) -> str:
        """What a browser may do for a page: show it, send its form, ask this server for more."""
        return "; ".join(
            (
                "default-src 'none'",
                f"style-src '{_hash(self.style)}'",
                f"script-src '{_hash(self.script)}'",
                "img-src 'self'",
                "connect-src 'self'",
                "form-action 'self'",
                "base-uri 'none'",
                "frame-ancestors 'none'",
            )
        )

    def _source(self, name: str) -> str:
        env = self.templates(ENGLISH)
        if env.loader is None:
            raise LookupError(name)
        return env.loader.get_source(env, name)[0]

    def lang_of(self, request: Request) -> str:
        """The language that a browser wishes for, as far as there are templates in it."""
        wished: list[tuple[float, str]] = []
        for one in request.headers.get("accept-language", "")[:_LONGEST].split(","):
            found = _WISHED.fullmatch("".join(one.split()))
            if found is not None and found[1].lower() in self.languages:
                wished.append((_quality(found[2]), found[1].lower()))
        return max(wished, key=lambda pair: pair[0])[1] if wished else ENGLISH

    def page(
        self,
        template: str,
        lang: str,
        *,
        status: int = 200,
        zone: str = "UTC",
        keep: str = NEVER,
        indexed: bool = False,
        live: Live | None = None,
        **values: object,
    ) -> Response:
        """A page; `keep` says how long it may be kept."""
        site = self.house.settings.site
        with writing(zone):
            text = (
                self.templates(lang)
                .get_template(f"pages/{template}.html.j2")
                .render(
                    lang=lang,
                    site=site,
                    style=Markup(self.style),  # noqa: S704 - a file of ours or the operator's
                    script=Markup(self.script),  # noqa: S704 - the same
                    indexed=indexed,
                    live=live or Live(),
                    **values,
                )
            )
        headers = {"Content-Security-Policy": self.policy, "Cache-Control": keep}
        headers["Vary"] = "Accept-Language"
        if not indexed:
            headers["X-Robots-Tag"] = "noindex, nofollow"
        return HTMLResponse(text, status, headers)

    def fault(self, fault: Fault, lang: str) -> Response:
        """A page that says what is so, and what to do."""
        return self.page("message", fault.lang or lang, status=fault.status, message=fault.message)


def unless_known(request: Request, answer: Response, tag: str) -> Response:
    """An answer with what it is known by (ETag), or that a browser has it already."""
    answer.headers["ETag"] = tag
    known = request.headers.get("if-none-match", "").split(",")
    # RFC 9110 13.1.2: compared weakly, since a proxy that compresses makes a tag weak on its way.
    if tag.removeprefix("W/") not in (one.strip().removeprefix("W/") for one in known):
        return answer
    kept = {name: answer.headers[name] for name in _OF_KNOWN if name in answer.headers}
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=kept)


def digest(data: bytes) -> str:
    """What a text is known by."""
    return sha256(data).hexdigest()[:32]


def _quality(text: str | None) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


# --- mail said -----------------------------------------------------------------------------------
# What is said of a form: of the mail that answers it, as much as concerns the seat of the page.

_MARKER: Final = "==="
"""How the line above which answers are written begins, in every language."""

_PARTS_OF: Final[dict[type[Notice], tuple[str, ...]]] = {
    OrderRefused: ("reason",),
    NoOrderFound: ("headline", "reason"),
    QuestionAsked: ("headline",),
}
"""The parts of a notice that say why something was not done, or what is asked before it is."""

_WIDTH: Final = 1_000
"""Columns of words that a browser wraps by itself."""

log = structlog.get_logger("pbem.legacy.web")


@dataclass(frozen=True, slots=True)
class Said:
    """The words of an answer that a page may show, and whether mails say more than those.

    `reasons` are the sentences of it that say why something was not done, a paragraph each;
    `receipt`: a mail tells of a move that the letter made; `asks`: it wants a yes or no first.
    """

    words: str = ""
    reasons: tuple[str, ...] = ()
    more: bool = False
    receipt: bool = False
    asks: bool = False


async def said(house: House, cause: str, seen: Seen) -> Said:
    """What the mails that a letter has caused say to the player of a seat of nothing but that seat.

    Without what stands above the line for answers, and below what was to be told.
    """
    try:
        unit = partial(_material, house=house, cause=cause, seen=seen)
        stuff, more, receipt = await asyncio.wrap_future(house.db.read(unit))
        if stuff is None:
            return Said(more=more, receipt=receipt)
        words, why = await asyncio.to_thread(_words, house, stuff)
    except Exception:
        log.exception("mail_not_shown", mail=cause)
        return Said(more=True)
    asks = QuestionAsked in map(type, stuff.notices)
    return Said(words, why, more, receipt, asks)


def of_seat(notices: Sequence[Notice], match: MatchId) -> Iterator[Notice]:
    """The notices that a page of a seat may show: each says so itself (`on_page`)."""
    for notice in notices:
        match notice:
            case Account():
                results = tuple(result for result in notice.results if result.of_seat)
                if results:
                    yield replace(notice, results=results)
            case OrderRefused():
                if notice.of_seat and notice.match in (None, match):
                    yield notice
            case RulesShown(match=None):
                yield notice
            case _:
                if notice.traits.on_page and getattr(notice, "match", match) == match:
                    yield notice


def _material(
    conn: Connection, *, house: House, cause: str, seen: Seen
) -> tuple[Material | None, bool, bool]:
    """What may be shown, if anything; whether there is more, and whether it is a receipt."""
    if seen.viewer is None:
        raise LookupError("nobody in particular is answered")
    player, home = seen.viewer.id, seen.match.id
    rows = outbox.of_cause(conn, cause, player)
    row = next((row for row in rows if row.key == f"{cause}:{player}:{home}"), None)
    if row is None:
        return None, bool(rows), False
    # The page is what such a notice speaks of.
    whole = tuple(one for one in load(row.notices) if not isinstance(one, PagePlayed))
    receipt = any(isinstance(one, MoveReceipt | MoveKept) for one in whole)
    if not whole:
        return None, len(rows) > 1, False
    shown = tuple(of_seat(whole, home))
    more = len(rows) > 1 or shown != whole
    if not shown:
        return None, more, receipt
    stuff = material(conn, house, replace(row, notices=dump(shown)), people_of(conn, [row]))
    # What was wished for everywhere is made so, and not told: it concerns more than a seat.
    wishes = replace(stuff.reader.wishes, html=False, chosen=())
    reader = replace(stuff.reader, wishes=wishes)
    scene = replace(stuff.scene, page="", reply_address="")
    return replace(stuff, reader=reader, scene=scene), more, receipt


def _words(house: House, stuff: Material) -> tuple[str, tuple[str, ...]]:
    """A mail without its head and foot, and why something was not done: the page has the rest."""
    view = build(stuff.notices, stuff.reader, in_words(house, stuff))
    text = house.renderer.render(view).text
    _, marker, told = text.partition(f"\n{_MARKER}")
    told = told.partition("\n")[2] if marker else text
    told = told.partition(stuff.scene.token_line)[0].strip()
    if _PARTS_OF.keys().isdisjoint(map(type, stuff.notices)):
        return told, ()
    env, why = house.renderer.templates(view.lang), []
    with writing(view.tz):
        for one in view.notices:
            why += [env.part(one, part) for part in _PARTS_OF.get(type(one.notice), ())]
    paragraphs = "\n\n".join(markup.to_text(one, _WIDTH, view.order_words) for one in why)
    reasons = (" ".join(one.split()) for one in paragraphs.split("\n\n"))
    return told, tuple(filter(None, reasons))
