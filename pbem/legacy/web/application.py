"""The application: which address is which page, and what stands before all of them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.web import access
from pbem.legacy.web.access import Bounds, is_from_elsewhere, visitor
from pbem.legacy.web.answers import Fault, Pages
from pbem.legacy.web.begin import begin_form, begin_page
from pbem.legacy.web.checkpoint_pages import checkpoint_page, key_page
from pbem.legacy.web.club_pages import club_page, icon, robots
from pbem.legacy.web.invitations import join_form, join_page, preview
from pbem.legacy.web.live import Health, Streams, live
from pbem.legacy.web.match_pages import Boards, seat_page, watch_page
from pbem.legacy.web.people_pages import calendar, feed, player_page, stop_form, stop_page
from pbem.legacy.web.playing import act_form, act_page
from pbem.legacy.web.profile_pages import profile_page
from pbem.legacy.web.rules_pages import FAIR, fairness_page, rules_page, rules_picture
from pbem.legacy.web.tournament_pages import tournament_page
from pbem.legacy.web.try_out import Tries

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.access import Network


_Page = Callable[..., Awaitable[Response]]
_Endpoint = Callable[[Request], Awaitable[Response]]

_ALWAYS: Final = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=()"),
)
"""What every answer says, whatever it is; pages have a policy of their own."""

_LIVE: Final = {
    Purpose.PLAYER: "/player/{token}/{name}/live",
    **{one: f"/{one}/{{token}}/live" for one in (Purpose.VIEW, Purpose.SEAT, Purpose.ACT)},
}
"""Where pages of a match hear of news."""

_HEALTH: Final = ("/healthz", "/readyz")

AT_ONCE: Final = 250
"""Requests that are answered at once, streams among them; health is answered beyond that."""

_LENGTHS: Final = {b"content-length", b"transfer-encoding"}
"""Where a request says both, two readers of it may see two ends (RFC 9112 6.1)."""

_METHODS: Final = ("GET", "HEAD", "POST")

_MALFORMED: Final = "This is no request for a page.\n"
_CROWDED: Final = "Too many visitors: wait a moment, then load the page again.\n"
_TOO_MUCH: Final = "Too many requests: wait a moment, then load the page again.\n"

log = structlog.get_logger("pbem.legacy.web")


def application(house: House) -> ASGIApp:
    """The pages of an installation, as an ASGI application."""
    pages, boards, streams = Pages(house=house), Boards(), Streams()
    health, bounds = Health(house), Bounds()
    tries, played = Tries(bounds), _from_our_pages(act_form)

    def given(page: _Page, *more: object) -> _Endpoint:
        async def endpoint(request: Request) -> Response:
            return await page(request, pages, *more)

        return endpoint

    def streamed(purpose: Purpose) -> _Endpoint:
        async def endpoint(request: Request) -> Response:
            return await live(request, pages, purpose, streams)

        return endpoint

    def told(request: Request, error: Exception) -> Response:
        tries_out = request.url.path.startswith("/try/")
        return pages.fault(_fault(error, tries_out=tries_out), pages.lang_of(request))

    app = Starlette(
        routes=[
            Route("/", given(club_page)),
            *_both("/begin", given(begin_page), given(_from_our_pages(begin_form), bounds)),
            *_both("/join/{token}", given(join_page), given(_from_our_pages(join_form), bounds)),
            Route("/preview/{name}", given(preview)),
            *(Route(path, given(fairness_page, name)) for path, name in FAIR.items()),
            Route("/profile/{token}", given(profile_page)),
            Route("/tournament/{name}", given(tournament_page)),
            Route("/tournament/{name}/{season}", given(tournament_page)),
            Route("/try/{game}", given(tries.begin)),
            Route("/learn/{game}", given(tries.begin)),
            *_both("/try/{token}/{game}", given(tries.page), given(_from_our_pages(tries.form))),
            Route("/rules/pictures/{name}", given(rules_picture)),
            Route("/rules/{game}", given(rules_page)),
            Route("/view/{token}", given(watch_page, boards)),
            Route("/seat/{token}", given(seat_page, boards)),
            *_both("/act/{token}", given(act_page, boards), given(played, boards)),
            Route("/player/{token}", given(player_page)),
            *_both("/player/{token}/{name}", given(act_page, boards), given(played, boards)),
            *(Route(path, streamed(purpose)) for purpose, path in _LIVE.items()),
            Route("/calendar/{token}/calendar.ics", given(calendar)),
            Route("/feed/{token}/boards.atom", given(feed)),
            *_both("/stop/{token}", given(stop_page), given(stop_form)),
            Route("/checkpoint", given(checkpoint_page)),
            Route("/checkpoint/key", given(key_page)),
            Route("/robots.txt", robots),
            Route("/icon.svg", given(icon)),
            Route("/healthz", health.healthz),
            Route("/readyz", health.readyz),
        ],
        exception_handlers=dict.fromkeys((Fault, HTTPException, ClientDisconnect, Exception), told),
    )
    app.router.redirect_slashes = False  # it leads to whatever host the request names
    return _Guarded(app, house.settings.web.trusted, bounds)


def _both(path: str, page: _Endpoint, form: _Endpoint) -> tuple[Route, Route]:
    """A page, and what its form sends to the same address."""
    return Route(path, page), Route(path, form, methods=["POST"])


def _from_our_pages(form: _Page) -> _Page:
    async def taken(request: Request, pages: Pages, *more: object) -> Response:
        if is_from_elsewhere(request.headers, pages.house.settings.web.public_url):
            raise Fault("not_so", HTTPStatus.FORBIDDEN)
        return await form(request, pages, *more)

    return taken


def _fault(error: Exception, *, tries_out: bool) -> Fault:
    """What is told of an error: what somebody asked for, or that something here is wrong."""
    match error:
        case Fault():
            return error
        case HTTPException(status_code=HTTPStatus.NOT_FOUND):
            return Fault("no_page")
        case HTTPException(status_code=status):
            return Fault("not_so", status)
        case ClientDisconnect():
            return Fault("not_so", 400)  # nobody is there to read it
        case _ if fault_of_the_store(error):
            return Fault("away", HTTPStatus.SERVICE_UNAVAILABLE)
        case _:
            what = "broken_try" if tries_out else "broken"
            return Fault(what, HTTPStatus.INTERNAL_SERVER_ERROR)


class _Guarded:
    """Bounds what is asked, writes the headers that all answers have, and one line of log each.

    A line names the kind of a page, never its address: that has a token in it.
    """

    def __init__(self, app: Starlette, trusted: Collection[Network], bounds: Bounds) -> None:
        """Guard an application behind proxies."""
        self._app = app
        self._trusted = trusted
        self._bounds = bounds
        self._answering = 0
        self._kinds = {route.path.split("/")[1] for route in app.routes if isinstance(route, Route)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        began, status, whole, owed = time.monotonic(), 0, False, True

        async def received() -> Message:
            nonlocal owed
            if not owed:
                return await receive()
            with self._waiting():
                message = await receive()
            owed = message.get("more_body", False)
            return message

        async def sent(message: Message) -> None:
            nonlocal status, whole
            whole = message["type"] == "http.response.body" and not message.get("more_body")
            if message["type"] == "http.response.start":
                status = int(message["status"])  # an enum has another text
                known = {name for name, _ in message["headers"]}
                extra = [header for header in _ALWAYS if header[0] not in known]
                message = {**message, "headers": [*message["headers"], *extra]}
            with self._waiting():
                await send(message)

        refused = self._refused(scope, began)
        self._answering += 1
        try:
            await (refused or self._app)(scope, received, sent)
        except Exception as error:
            if fault := fault_of_the_store(error):
                log.error("database_fails", why=fault)  # noqa: TRY400 - it says all
            else:
                log.exception("page_failed")
            if not whole:
                raise  # half of an answer is out: the connection is closed
        finally:
            self._answering -= 1
        took = round((time.monotonic() - began) * 1000, 1)
        kind = scope["path"].partition("/")[2].partition("/")[0]
        log.info(
            "page",
            kind=kind if kind in self._kinds else "other",
            method=scope["method"] if scope["method"] in _METHODS else "other",
            status=status,
            milliseconds=took,
        )

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        """Answer nothing while a visitor owes the rest of a request, or does not take the answer.

        How long they may is for their connection to know (connections.py).
        """
        self._answering -= 1
        try:
            yield
        finally:
            self._answering += 1

    def _refused(self, scope: Scope, now: float) -> Response | None:
        """What is said in place of an answer, if the request has none."""
        framed = {name for name, _ in scope["headers"]} & _LENGTHS
        if not scope["path"].startswith("/") or framed == _LENGTHS:
            return _refusal(_MALFORMED, 400, {"Connection": "close"})
        if scope["path"] in _HEALTH:
            return None
        if self._answering >= AT_ONCE:
            return _refusal(_CROWDED, 503, {"Retry-After": "5"})
        scope["client"] = (visitor(scope, self._trusted), 0)
        bucket = access.READING if scope["method"] in ("GET", "HEAD") else access.WRITING
        wait = self._bounds.wait(scope["client"][0], now, bucket)
        return _refusal(_TOO_MUCH, 429, {"Retry-After": str(int(wait) + 1)}) if wait else None


def _refusal(words: str, status: int, headers: dict[str, str]) -> Response:
    return PlainTextResponse(words, status, headers={**headers, "Cache-Control": "no-store"})
