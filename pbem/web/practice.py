"""Practice games and lessons against a bot, without an email address and without storage.

    GET  /try/logger, /learn/logger    a new game; the query may have the `level` of the bot
    GET  /try/logger/STATE             the game after some moves; `pbem.web.turns` lists the query
    POST /try/logger/STATE             a move, which the bot answers

STATE is signed. It contains the moves of both sides, the level of the bot, and a number from which
the random draws are computed. Each request rebuilds the match from these moves and discards it
afterwards. The number is not secret, but random draws are computed with our key, too, so visitors
cannot predict them. A practice game can become a lesson at any turn, and a lesson can become a
practice game, because both have the same moves and the same random draws.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hmac import compare_digest, digest
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbem.bots.levels import EASY, TEACHER, choose_notation, is_quick, list_levels
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Style
from pbem.match.automatic import apply_unit, commit_draws
from pbem.match.events import MatchEvent, Source
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import STARTER, Proposal, issue_challenge
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId, bot_id, bot_level, is_bot
from pbem.notifications.views import build_match_view
from pbem.service.app import App
from pbem.web.examples import link_game_picture, link_new_game, require_game
from pbem.web.forms import read_form
from pbem.web.rendering import choose_language, find_web, show
from pbem.web.turns import show_turn
from pbem.web.words import make_visitor_rendering

VISITOR: Final = PlayerId("visitor")
CODE: Final = MatchId("TRY")  # code of a match that is not stored
NUMBER_BYTES: Final = 8  # bytes of the number from which random draws are computed
MAC_BYTES: Final = 12
MAX_STATE: Final = 6_000  # characters in an address; most browsers and proxies take 8,000
MAX_BYTES: Final = 20_000  # bytes of the uncompressed moves
MAX_ANSWERS: Final = 50  # most moves of bots after a move of the visitor

_STATE: Final = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{16})")


@dataclass(frozen=True, slots=True)
class Practice:
    """A practice game or lesson.

    Attributes:
        game: The game.
        is_lesson: Whether it is a lesson.
        number: The number from which random draws are computed.
        moves: All moves, each as seat and notation, such as `1 place a1`.
        level: The level of the bot.
    """

    game: AnyGame
    is_lesson: bool
    number: bytes
    moves: tuple[str, ...] = ()
    level: str = EASY

    @property
    def path(self) -> str:
        """Return the URL path that begins a new practice game or lesson of the same game."""
        return f"/{'learn' if self.is_lesson else 'try'}/{self.game.key}"


def write_state(app: App, practice: Practice) -> str:
    """Return a practice game as a signed part of a URL."""
    text = "\n".join((f"{practice.number.hex()} {practice.level}", *practice.moves))
    data = zlib.compress(text.encode(), 9)
    return f"{_encode(data)}.{_encode(_sign(app, practice.path, data))}"


def read_state(app: App, game: AnyGame, state: str, *, is_lesson: bool) -> Practice | None:
    """Return the practice game in `state`, a signed part of a URL.

    The result is None if `state` is malformed. It is also None if `state` was signed for another
    game, or with another value of `is_lesson`.
    """
    parsed = _STATE.fullmatch(state) if len(state) <= MAX_STATE else None
    if parsed is None:
        return None
    empty = Practice(game, is_lesson, b"")
    try:
        data, mac = _decode(parsed[1]), _decode(parsed[2])
    except Error:
        return None
    if not compare_digest(mac, _sign(app, empty.path, data)):
        return None
    first, *moves = zlib.decompressobj().decompress(data, MAX_BYTES).decode().split("\n")
    number, _, level = first.partition(" ")
    return Practice(game, is_lesson, bytes.fromhex(number), tuple(moves), level)


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _sign(app: App, path: str, data: bytes) -> bytes:
    key = app.keys.secrets[app.keys.current]
    return digest(key, b"\0".join((b"practice", path.encode(), data)), "sha256")[:MAC_BYTES]


class _Replay:
    """A match that is rebuilt from the moves of a practice game and can be continued."""

    def __init__(self, app: App, practice: Practice, now: datetime) -> None:
        key = app.keys.secrets[app.keys.current]
        self._secret = digest(key, b"practice draws\0" + practice.number, "sha256")
        self._now = now
        self.moves: list[str] = []
        self.match = Match(id=CODE)
        game = practice.game
        opponents = [bot_id(practice.level, number) for number in range(1, game.seats[0])]
        proposal = Proposal(
            game=game,
            opponents=opponents,
            options={STARTER: "given", "time": "none"},
            is_lesson=practice.is_lesson,
        )
        self._append(issue_challenge(proposal, VISITOR, commit_draws(self._secret), now))
        for move in practice.moves:
            seat, _, notation = move.partition(" ")
            self.play(self.match.players[int(seat) - 1], notation)

    def _append(self, events: Sequence[MatchEvent]) -> None:
        self.match, _ = apply_unit(self.match, events, self._secret, self._now)

    def play(self, player: PlayerId, text: str) -> None:
        """Play a move of the visitor or of a bot.

        Raises:
            Rejection: Any rejection by `play_move`.
        """
        move = SubmittedMove(text=text, source=Source.PAGE, received=self._now)
        [event] = events = play_move(self.match, player, move, self._now)
        self._append(events)
        self.moves.append(f"{event.seat} {event.notation}")  # type: ignore[attr-defined]

    def answer(self) -> None:
        """Play the moves of bots until the visitor is to move or the game is over."""
        for _ in range(MAX_ANSWERS):
            match = self.match
            seats = [seat for seat in match.to_move if is_bot(match.player_at(seat))]
            if not seats:
                return
            bot, seed = match.player_at(seats[0]), f"{self._secret.hex()} {match.ply}"
            level = TEACHER if match.terms.is_lesson else bot_level(bot)
            ruleset = match.terms.ruleset
            self.play(bot, choose_notation(level, ruleset, match.position, seats[0], seed))


async def begin(request: Request) -> Response:
    """Redirect to the URL of a new practice game.

    If the URL of the request has the state of a game, we could not read it, and the page says so.
    """
    app = find_web(request).app
    game, is_lesson = _find_game(request)
    level = request.query_params.get("level", "")
    level = level if level in _list_levels(game) and not is_lesson else EASY
    practice = Practice(game, is_lesson, app.entropy(NUMBER_BYTES), level=level)
    headers = {"Cache-Control": "no-store"}
    query = "?lost=1" if "state" in request.path_params else ""
    address = f"{practice.path}/{write_state(app, practice)}{query}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER, headers=headers)


def _list_levels(game: AnyGame) -> list[str]:
    """Return the levels of bots that are quick enough for a page. Others play only by email."""
    return [level for level in list_levels(game) if is_quick(level, game)]


def _find_game(request: Request) -> tuple[AnyGame, bool]:
    game, is_lesson = require_game(request), request.url.path.startswith("/learn/")
    if not list_levels(game) or (is_lesson and not game.lesson):
        raise HTTPException(404)
    return game, is_lesson


def _open(request: Request) -> Practice | None:
    game, is_lesson = _find_game(request)
    state = request.path_params["state"]
    return read_state(find_web(request).app, game, state, is_lesson=is_lesson)


async def show_practice(request: Request) -> Response:
    """Return the page of a practice game. A URL with a wrong signature begins a new game."""
    practice = _open(request)
    if practice is None:
        return await begin(request)
    return await asyncio.to_thread(_show, request, practice)


async def play(request: Request) -> Response:
    """Play the visitor's move and the bots' answers, and redirect to the page that shows them.

    If the move is refused, the page before the move is shown again, with the reason.
    """
    practice, form = _open(request), await read_form(request)
    if practice is None:
        return await begin(request)
    app, text = find_web(request).app, form.get("text", "")

    def run() -> str:
        replay = _Replay(app, practice, app.now())
        replay.play(VISITOR, text)
        replay.answer()
        after = replace(practice, moves=tuple(replay.moves))
        return f"{practice.path}/{write_state(app, after)}"

    try:
        address = await asyncio.to_thread(run)
    except Rejection:
        # The page reads the same text again, and says why it is not a legal move.
        page = request.url.include_query_params(m=text)
        return RedirectResponse(f"{page.path}?{page.query}", HTTPStatus.SEE_OTHER)
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


def _show(request: Request, practice: Practice) -> Response:
    web = find_web(request)
    app, game = web.app, practice.game
    word = app.renderer.environment(choose_language(request)).filters["word"]
    match = _Replay(app, practice, app.now()).match
    names = {player: word("Bot") if is_bot(player) else word("Guest") for player in match.players}
    view = build_match_view(
        match, VISITOR, names, head="", now=app.now(), style=Style.UNICODE, marks_moves=False
    )
    words = make_visitor_rendering(request, view)
    turn = show_turn(match, view, VISITOR, names=names, words=words, query=request.query_params)
    undone = _drop_last_turn(practice, match)
    variant = replace(practice, is_lesson=not practice.is_lesson)
    language = choose_language(request)
    quick = _list_levels(game)
    return show(
        request,
        "practice",
        words=words,
        practice=practice,
        is_lost="lost" in request.query_params,
        turn=turn,
        ply=match.ply,
        end=None if view.result is None else words.render_reply("end"),
        other=f"{variant.path}/{write_state(app, variant)}" if game.lesson else "",
        topics_left=view.topics_left,
        levels=quick,
        slow_levels=[
            (level, link_new_game(web, game, f"with {level} bot", language))
            for level in list_levels(game)
            if level not in quick
        ],
        undo="" if undone is None else f"{practice.path}/{write_state(app, undone)}",
        about=words.game_words("about"),
        picture=link_game_picture(web, game),
        invite=link_new_game(web, game, "link", language),
    )


def _drop_last_turn(practice: Practice, match: Match) -> Practice | None:
    """Return the practice game before the visitor's last move, or None if they have not moved."""
    seat = f"{match.seat_of(VISITOR)} "
    indexes = [index for index, move in enumerate(practice.moves) if move.startswith(seat)]
    return replace(practice, moves=practice.moves[: indexes[-1]]) if indexes else None


routes = [
    route
    for kind in ("try", "learn")
    for route in (
        Route(f"/{kind}/{{key}}", begin, methods=["GET"]),
        Route(f"/{kind}/{{key}}/{{state}}", show_practice, methods=["GET"]),
        Route(f"/{kind}/{{key}}/{{state}}", play, methods=["POST"]),
    )
]
