"""The page of a seat, on which its player composes moves, plays them, and sends messages.

    GET  /act/TAG          the board, and what the player can do
    POST /act/TAG          a command; we execute it, and redirect to the page with the reply
    GET  /act/TAG/state    a short text that changes when the page has news

The query of the page may contain:

    m       the move so far
    at      the place that was tapped, if a tap there can mean several moves
    step    the number of an earlier board to show
    done    the id of the command whose reply is shown

The tag is a capability for one seat of one match: anyone who has it can play there. Opening
the page changes nothing. A player's first command in a browser sets a cookie by which we recognise
the browser later, on the pages of all their matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pbem.errors import Rejection
from pbem.games import find_newest
from pbem.mail.addresses import PlayerAddress, Purpose, make_tag, read_tag
from pbem.match.endings import offer_draw
from pbem.match.state import Match, Status
from pbem.match.takeback import request_takeback
from pbem.names import MatchId, PlayerId
from pbem.notifications.rendering import Rendering
from pbem.service.app import App
from pbem.service.conditions import MAX_CONDITION_SEATS, list_conditions
from pbem.service.links import find_seat, link_match, link_seat
from pbem.service.pages import PageCommand, PageReply, execute_page_command, find_page_reply
from pbem.service.talk import list_messages
from pbem.store import matches, messages, players
from pbem.store.matches import MatchRecord
from pbem.store.tables import PlayerRow, SeatRow
from pbem.web.examples import draw_example
from pbem.web.forms import read_form
from pbem.web.loading import ShownMatch, load_match_for_player
from pbem.web.rendering import Web, add_cache_headers, find_web, show
from pbem.web.turns import show_turn

BROWSER: Final = "browser"  # begins the name of a cookie; the player's id ends it
BROWSER_COOKIE_LIFETIME: Final = timedelta(days=180)  # lifetime of that cookie
ID_BYTES: Final = 16  # random bytes in the id of a form

_ID: Final = re.compile(r"[0-9a-f]{32}")
_NUMBER: Final = re.compile(r"\d{1,6}")
_EMPTY_LINES: Final = re.compile(r"\n\s*\n")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Player:
    """The player of a seat page, found by the tag in its URL."""

    seat: SeatRow
    row: PlayerRow

    @property
    def id(self) -> PlayerId:
        return PlayerId(self.row.id)

    @property
    def match_id(self) -> MatchId:
        return MatchId(self.seat.match)

    @property
    def browser(self) -> PlayerAddress:
        """The data in the cookie by which we recognise a browser that this player has used.

        The URL of the page with all boards of the player contains the same data. But its signature
        is different, so neither is valid in place of the other.
        """
        return PlayerAddress(self.id, self.row.generation)

    def is_known(self, request: Request, app: App) -> bool:
        """Return whether the browser that sent the request has the player's cookie."""
        cookie = request.cookies.get(f"{BROWSER}-{self.id}", "")
        return read_tag(app.keys, cookie, Purpose.BROWSER) == self.browser


def _find_player(conn: Connection, app: App, tag: str) -> _Player | str:
    """Return the player of a seat page, or the URL to which an old link redirects.

    A link is old if the player has got a new reply address for the match since, because others
    may know the old link. It redirects to the public page of the match. But if the player has
    replaced all their reply addresses, old links must not reveal anything, not even the match.

    Raises:
        HTTPException: The tag is unknown, or its page may no longer be shown (404).
    """
    pair = find_seat(conn, app, tag)
    if pair is None:
        raise HTTPException(404)
    seat, is_current = pair
    row = players.get_player(conn, PlayerId(seat.player))
    # If the account was deleted, `confirmed_at` is None, too.
    is_player = row.confirmed_at is not None and row.banned_at is None
    if is_current and is_player:
        return _Player(seat, row)
    if row.generation or not is_player:
        raise HTTPException(404)
    return link_match(app, MatchId(seat.match))


async def show_seat(request: Request) -> Response:
    """Return the page of a seat, or a redirect if the link is old."""
    web = find_web(request)

    def load(conn: Connection) -> Response:
        player = _find_player(conn, web.app, request.path_params["tag"])
        if isinstance(player, str):
            return RedirectResponse(player, HTTPStatus.SEE_OTHER)
        return _SeatPage(request, conn, web, player).show()

    return await web.app.database.read(load)


async def show_state(request: Request) -> Response:
    """Return a text that changes if a seat's page has news. The page polls this text."""
    web = find_web(request)

    def load(conn: Connection) -> Response:
        player = _find_player(conn, web.app, request.path_params["tag"])
        if isinstance(player, str):
            raise HTTPException(404)
        return PlainTextResponse(find_state(conn, web, player.match_id, player.id))

    return add_cache_headers(request, await web.app.database.read(load), is_private=True)


def find_state(conn: Connection, web: Web, match_id: MatchId, player: PlayerId) -> str:
    """Return a text that changes with each event and message of a match, and with its rematch.

    The text reveals nothing about other matches, because the link to a seat may have been passed
    on.
    """
    version, last = matches.find_version(conn, match_id), messages.find_last_id(conn, match_id)
    rematch = find_rematch(conn, web, match_id, player)
    return f"{version}.{last}.{'' if rematch is None else rematch[0].status}"


def find_rematch(
    conn: Connection, web: Web, match_id: MatchId, player: PlayerId
) -> tuple[Match, MatchRecord] | None:
    """Return the open rematch of a match that has ended, with its database rows.

    The result is None if the match has not ended, or if `player` has no seat in a proposed or
    running rematch.
    """
    if web.matches.load(conn, match_id)[0].status is Status.ENDED:
        for other_id in matches.list_open_matches(conn, player):
            loaded = web.matches.load(conn, other_id)
            if loaded[0].terms.rematch_of == match_id:
                return loaded
    return None


async def execute_command(request: Request) -> Response:
    """Execute the command in a form, and redirect to the seat page, which shows the reply."""
    web, tag = find_web(request), request.path_params["tag"]
    form = await read_form(request)
    text, command_id = _read_text(form), form.get("id", "")
    numbers = [form.get(name, "") for name in ("ply", "version")]
    if not _ID.fullmatch(command_id) or not all(map(_NUMBER.fullmatch, numbers)):
        raise HTTPException(400)
    path = f"/act/{tag}"
    if not text:
        return RedirectResponse(path, HTTPStatus.SEE_OTHER)
    bits = form.get("bits", "")

    def unit(conn: Connection) -> PlayerAddress | None:
        """Execute the command, and return the data for a new cookie; None if none is needed."""
        player = _find_player(conn, web.app, tag)
        if isinstance(player, str):
            return None
        is_known = player.is_known(request, web.app)
        execute_page_command(
            conn,
            web.app,
            PageCommand(
                id=command_id,
                match_id=player.match_id,
                player_id=player.id,
                text=text,
                ply=int(numbers[0]),
                version=int(numbers[1]),
                bits=bits if _ID.fullmatch(bits) else "",
                is_new_browser=not is_known,
            ),
        )
        return None if is_known else player.browser

    browser = await web.app.database.write(unit)
    response = RedirectResponse(f"{path}?done={command_id}", HTTPStatus.SEE_OTHER)
    if browser is not None:
        response.set_cookie(
            f"{BROWSER}-{browser.player}",
            make_tag(web.app.keys, browser, Purpose.BROWSER),
            max_age=int(BROWSER_COOKIE_LIFETIME.total_seconds()),
            path=f"/{Purpose.SEAT}",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
    return response


def _read_text(form: dict[str, str]) -> str:
    """Return the command that a form contains, as a player would write it in an email."""
    if form.get("say", "").strip():
        # An empty line would end the message.
        return f"say {_EMPTY_LINES.sub(chr(10), form['say'].strip())}"
    expected, answer = form.get("if", "").strip(), form.get("then", "").strip()
    if expected or answer:  # one of both alone is refused, so that it isn't lost
        return f"if {expected} then {answer}"
    return form.get("text", "").strip()


class _SeatPage:
    """The builder of the page of a seat, for one request."""

    def __init__(self, request: Request, conn: Connection, web: Web, player: _Player) -> None:
        self.request, self.conn, self.web, self.player = request, conn, web, player
        self.shown: ShownMatch = load_match_for_player(
            conn, web.app, web.matches, player.match_id, player.id
        )
        self.words: Rendering = web.app.make_player_rendering(self.shown.view, player.row)

    def show(self) -> Response:
        match, view = self.shown.match, self.shown.view
        is_alone = match.has_only_bots_against(self.player.id)
        game = find_newest(match.game.key)
        said = self._list_messages()
        is_running = match.status is Status.RUNNING
        turn = show_turn(
            match,
            view,
            self.player.id,
            names=self.shown.names,
            words=self.words,
            query=self.request.query_params,
        )
        return show(
            self.request,
            "seat",
            language=self.player.row.language,
            timezone=ZoneInfo(self.player.row.timezone),
            is_private=True,
            words=self.words,
            tag=self.request.path_params["tag"],
            state=find_state(self.conn, self.web, self.player.match_id, self.player.id),
            end=None if view.result is None else self.words.render_reply("end"),
            rematch=self._find_rematch(),
            is_alone=is_alone,
            is_computing=is_alone and is_running and not view.is_reader_to_move,
            ply=match.ply,
            form_id=self.web.app.entropy(ID_BYTES).hex(),
            next_ply=match.ply + 1,
            turn=turn,
            example=None if game is None or view.names else draw_example(game, self.words),
            reply=self._find_reply(),
            said=said,
            unread=said[-1] if said and self._is_unread(said[-1]) else None,
            conditions=self._list_conditions(),
            can_draw=not is_alone and self._can(offer_draw),
            can_undo=self._can(request_takeback),
            can_hint=is_alone and turn.composition is not None,
        )

    def _find_rematch(self) -> str:
        """Return the URL of the proposed or agreed rematch of this match, or an empty string.

        A link to a seat is valid for its own match only, because it may have been passed on. So the
        player's link to the rematch is shown only in a browser that the player has used. Other
        browsers get the link to the public page, once the rematch has started.
        """
        app = self.web.app
        rematch = find_rematch(self.conn, self.web, self.player.match_id, self.player.id)
        if rematch is None:
            return ""
        match, record = rematch
        seat = record.find_seat(self.player.id)
        if seat is not None and self.player.is_known(self.request, app):
            return link_seat(app, seat)
        is_shown = match.status is Status.RUNNING and not match.terms.is_private
        return link_match(app, match.id) if is_shown else ""

    def _find_reply(self) -> PageReply | None:
        reply_id = self.request.query_params.get("done", "")
        if not _ID.fullmatch(reply_id):
            return None
        return find_page_reply(self.conn, self.player.match_id, self.player.id, reply_id)

    def _list_messages(self) -> list[dict[str, Any]]:
        return [
            {
                "name": self.shown.names.get(PlayerId(row.player), ""),
                "is_reader": row.player == self.player.id,
                "text": row.text,
                "at": row.sent_at,
            }
            for row in list_messages(self.conn, self.player.match_id, self.player.id)
        ]

    def _is_unread(self, message: dict[str, Any]) -> bool:
        """Return whether the newest message may be news: the player has not moved since."""
        match, seat = self.shown.match, self.shown.view.seat
        own = [ply.event.at for ply in match.plies if ply.seat == seat and ply.is_chosen]
        return not (message["is_reader"] or (own and own[-1] >= message["at"]))

    def _list_conditions(self) -> list[dict[str, str]] | None:
        """Return the player's conditional moves, or None if none are possible now."""
        match, view = self.shown.match, self.shown.view
        is_waiting = match.status is Status.RUNNING and not view.is_reader_to_move
        is_alone = match.has_only_bots_against(self.player.id)
        if view.seat is None or not is_waiting or is_alone or match.seats > MAX_CONDITION_SEATS:
            return None
        return list_conditions(self.conn, match.id, view.seat)

    def _can(self, decide: Callable[[Match, PlayerId, datetime], object]) -> bool:
        """Return whether the player can now take the action for which `decide` makes the events.

        `decide` is a function such as `offer_draw`. The player can take the action if the match is
        running, and `decide` returns events and raises no Rejection.
        """
        match = self.shown.match
        with suppress(Rejection):
            return match.status is Status.RUNNING and bool(
                decide(match, self.player.id, self.web.app.now())
            )
        return False


routes = [
    Route("/act/{tag}", show_seat, methods=["GET"]),
    Route("/act/{tag}", execute_command, methods=["POST"]),
    Route("/act/{tag}/state", show_state),
]
