"""Try it now: a game against its easiest bot, on a page whose address is the match itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote

from starlette.responses import RedirectResponse

from pbem.errors import Rejection
from pbem.legacy.mail.addresses import PageLink, Purpose
from pbem.legacy.replays.raster import key_whole
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.web.access import Bounds, Bucket, Seen
from pbem.legacy.web.answers import NEVER, Fault
from pbem.legacy.web.asking import Asking
from pbem.legacy.web.letters import fields_of
from pbem.legacy.web.match_pages import Boards, box_of, ending_of, number_of
from pbem.legacy.web.rules_pages import game_today, mail_with, ordered
from pbem.legacy.web.teaching import taught_to
from pbem.legacy.web.trials import (
    GUEST,
    LONGEST,
    SEAT,
    SEED,
    Trial,
    begun,
    can_try,
    match_of,
    opened,
    played,
)

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.legacy.matches.match import Match
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.answers import Pages

TRYING: Final = Bucket(room=40, a_second=2)
TRYING_ALL: Final = Bucket(room=120, a_second=10)
"""Moves of one visitor, and of all of them: each may have a bot think."""

LOOKING: Final = Bucket(room=80, a_second=4)
LOOKING_ALL: Final = Bucket(room=240, a_second=20)
"""Looks at boards of one visitor, and of all of them: a move takes a few."""

AT_ONCE: Final = 2
MOST_WAIT: Final = 20
"""Matches that are computed at the same time; so many others wait for their turn."""

LEARN: Final = "/learn/"
"""Where a match begins that teaches a game."""

KEPT: Final = 20
"""Matches that are remembered with their boards, of those that were looked at last."""

_TEXT: Final = 2_000
_Made = TypeVar("_Made")


class Tries:
    """The pages on which games are tried; of their matches nothing is stored."""

    def __init__(self, bounds: Bounds) -> None:
        """Bound what is asked for as the other pages are bounded."""
        self._bounds = bounds
        self._room = asyncio.Semaphore(AT_ONCE)
        self._inside = 0

    async def begin(self, request: Request, pages: Pages) -> Response:
        """A new match of a game, or one that teaches it; its address is where it goes on."""
        game = game_today(request.path_params["game"])
        teaches = request.url.path.startswith(LEARN)
        if (
            game is None
            or not pages.house.settings.web.try_out
            or not can_try(game)
            or (teaches and not game.lesson)
        ):
            raise Fault("no_game")
        self._bound(request, TRYING, TRYING_ALL)
        trial = await self._computed(begun, game, pages.house.entropy(SEED), teaches)
        return _led_to(pages.house, trial)

    async def page(self, request: Request, pages: Pages) -> Response:
        """The board, with the help to move."""
        trial = _opened(request, pages.house)
        self._bound(request, LOOKING, LOOKING_ALL)
        return await self._computed(_shown, request, pages, trial)

    async def form(self, request: Request, pages: Pages) -> Response:
        """A move is played; the bot answers it, and the address of the match is another one."""
        trial = _opened(request, pages.house)
        text = (await fields_of(request, LONGEST)).get("text", "")[:_TEXT]
        self._bound(request, TRYING, TRYING_ALL)
        try:
            text_read = pages.house.words.game_text(trial.game, text)
            trial = await self._computed(played, trial, text_read)
        except Rejection:
            return _led(f"{request.url.path}?text={quote(text, safe='')}")
        return _led_to(pages.house, trial)

    def _bound(self, request: Request, own: Bucket, of_all: Bucket) -> None:
        """Raises Fault where a visitor, or all of them, ask for too much."""
        now = time.monotonic()
        visitor = request.scope["client"][0]
        wait = self._bounds.wait
        if wait(visitor, now, own) or wait("", now, of_all):
            raise Fault("busy", 429)

    async def _computed(self, work: Callable[..., _Made], *given: object) -> _Made:
        """What is computed when there is room for it. Raises Fault where many wait already."""
        if self._inside >= AT_ONCE + MOST_WAIT:
            raise Fault("busy", 429)
        self._inside += 1
        try:
            async with self._room:
                return await asyncio.to_thread(work, *given)
        finally:
            self._inside -= 1


def _opened(request: Request, house: House) -> Trial:
    """The match in an address. Raises Fault where it has none that is still good."""
    trial = opened(house.keys, request.path_params["token"], int(house.now().timestamp()))
    if (
        trial is None
        or not house.settings.web.try_out
        or _slug(trial) != request.path_params["game"]
    ):
        raise Fault("old_try", 410)
    return trial


def _slug(trial: Trial) -> str:
    return trial.game.key.replace("_", "-")


def _led_to(house: House, trial: Trial) -> Response:
    sealed = trial.sealed(house.keys, int(house.now().timestamp()))
    return _led(f"/try/{sealed}/{_slug(trial)}")


def _led(path: str) -> Response:
    return RedirectResponse(path, 303, headers={"Cache-Control": NEVER})


def _shown(request: Request, pages: Pages, trial: Trial) -> Response:
    lang = pages.lang_of(request)
    env = pages.templates(lang)
    match, boards = looked_at(trial)
    seen = seen_by_guest(env, pages.house, match)
    shown = boards.shown(seen, env, lang, number_of(request, "at"))
    attempt = None
    if shown.at == shown.last and seen.viewpoint in match.to_act:
        asked = request.query_params
        # Links are short, since the address of the page is long: they lead to where it lies.
        asking = Asking(house=pages.house, seen=seen, env=env, path=_slug(trial))
        width = float(box_of(shown.picture).split()[2])
        attempt = asking.attempt(asked.get("text", "")[:_TEXT], asked.get("place", ""), width)
    picture = (attempt and attempt.picture) or shown.picture
    begins = not trial.teaches and not any(step.seat == SEAT for step in match.course.steps)
    return pages.page(
        "seat",
        lang,
        trial=trial,
        seen=seen,
        shown=shown,
        attempt=attempt,
        picture=picture,
        key=key_whole(env, match.game, picture),
        view_box=box_of(picture),
        ending=ending_of(seen, env),
        taught=taught_to(seen, env) if trial.teaches else None,
        aim=env.piece(match.game.key, "aim") if begins else "",
        here=_slug(trial),
        person=mail_with(pages, lang, ordered(env, "open", match.game.title)),
        guard="",
        nonce="",
        made="",
        due=None,
        held=None,
        hint=None,
        sent=None,
    )


@lru_cache(maxsize=KEPT)
def looked_at(trial: Trial) -> tuple[Match, Boards]:
    """A match with its boards, which its player looks at a few times before each move."""
    return match_of(trial), Boards()


def seen_by_guest(env: Templates, house: House, match: Match) -> Seen:
    """The match as its player sees it."""
    words = env.get_template("begins.txt.j2").module
    guest, bot = (str(getattr(words, name)()).strip() for name in ("guest", "opponent"))
    viewer = PlayerRow(
        id=GUEST, name=guest, address="", confirmed=False, generation=0, created_at=house.now()
    )
    link = PageLink(Purpose.ACT, "try")
    return Seen(match=match, names=(guest, bot), link=link, viewer=viewer)
