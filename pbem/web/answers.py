"""What all answers have in common: templates, languages, the headers that keep a page to itself."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from pbem.notices.rendering.catalogue import ENGLISH, languages
from pbem.notices.rendering.environment import template_folder
from pbem.notices.rendering.filters import in_zone

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.notices.rendering.families import Templates
    from pbem.transaction.installation import House

STYLE: Final = "pages/site.css"
SCRIPT: Final = "pages/site.js"

NEVER: Final = "no-store"
"""How long a page may be kept that only one person should see, or that changes."""

REVALIDATED: Final = "no-cache"
"""The same for what hardly changes: kept, and asked for each time (who plays may be forgotten)."""

_OF_KNOWN: Final = ("ETag", "Cache-Control", "X-Robots-Tag")
"""The headers of what a browser has already."""

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


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Makes answers of templates."""

    house: House

    def templates(self, lang: str) -> Templates:
        """The templates of a language."""
        return self.house.renderer.templates(lang)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that pages can be in, English first."""
        own = self.house.settings.templates.folder
        return languages((*([own] if own else []), template_folder()))

    @cached_property
    def style(self) -> str:
        """The style sheet of all pages."""
        return self._source(STYLE)

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
        with in_zone(zone):
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
        if not indexed:
            headers["X-Robots-Tag"] = "noindex, nofollow"
        return HTMLResponse(text, status, headers)

    def fault(self, fault: Fault, lang: str) -> Response:
        """A page that says what is so, and what to do."""
        return self.page("message", fault.lang or lang, status=fault.status, message=fault.message)


def unless_known(request: Request, answer: Response, tag: str) -> Response:
    """An answer with what it is known by (ETag), or that a browser has it already."""
    answer.headers["ETag"] = tag
    known = [one.strip() for one in request.headers.get("if-none-match", "").split(",")]
    if tag not in known:
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
