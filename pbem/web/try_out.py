"""Try it now: a game against its easiest bot, on a page whose address is the match itself."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import RedirectResponse

from pbem.errors import Rejection
from pbem.mail.addresses import PageLink, Purpose
from pbem.replays.raster import key_of
from pbem.store.people.roster import PlayerRow
from pbem.web.access import Bounds, Bucket, Seen
from pbem.web.answers import NEVER, Fault
from pbem.web.asking import Asking
from pbem.web.begin import fields_of
from pbem.web.match_pages import Boards, ending_of, number_of
from pbem.web.playing import box_of
from pbem.web.rules_pages import games_today, mail_with
from pbem.web.trials import GUEST, LONGEST, SEED, Trial, begun, match_of, opened, played

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.notices.rendering.families import Templates
    from pbem.transaction.installation import House
    from pbem.web.answers import Pages

TRYING: Final = Bucket(room=40, a_second=2)
TRYING_ALL: Final = Bucket(room=120, a_second=10)
"""Moves of one visitor, and of all of them: each may have a bot think."""

AT_ONCE: Final = 2
"""Matches that are computed at the same time; others wait for their turn."""

_TEXT: Final = 2_000


class Tries:
    """The pages on which games are tried; of their matches nothing is kept."""

    def __init__(self, bounds: Bounds) -> None:
        """Bound what is asked for as the other pages are bounded."""
        self._bounds = bounds
        self._room = asyncio.Semaphore(AT_ONCE)

    async def begin(self, request: Request, pages: Pages) -> Response:
        """A new match of a game; its address is where it goes on."""
        key = request.path_params["game"].replace("-", "_")
        game = next((one for one in games_today() if one.key == key), None)
        if game is None or not pages.house.settings.web.try_out:
            raise Fault("no_game")
        self._bound(request)
        async with self._room:
            trial = await asyncio.to_thread(begun, game, pages.house.entropy(SEED))
        return _led_to(pages.house, trial)

    async def page(self, request: Request, pages: Pages) -> Response:
        """The board, with the help to move."""
        trial = _opened(request, pages.house)
        async with self._room:
            return await asyncio.to_thread(_shown, request, pages, trial)

    async def form(self, request: Request, pages: Pages) -> Response:
        """A move is played; the bot answers it, and the address of the match is another one."""
        trial = _opened(request, pages.house)
        text = (await fields_of(request, LONGEST)).get("text", "")[:_TEXT]
        self._bound(request)
        try:
            async with self._room:
                trial = await asyncio.to_thread(
                    played, trial, pages.house.words.game_text(trial.game, text)
                )
        except Rejection:
            return _led(f"{request.url.path}?text={quote(text, safe='')}")
        return _led_to(pages.house, trial)

    def _bound(self, request: Request) -> None:
        """Raises Fault where a visitor, or all of them, have bots think too often."""
        now = time.monotonic()
        visitor = request.scope["client"][0]
        wait = self._bounds.wait
        if wait(visitor, now, bucket=TRYING) or wait("", now, bucket=TRYING_ALL):
            raise Fault("busy", 429)


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
    seen = _seen(env, pages.house, trial)
    match = seen.match
    shown = Boards().shown(seen, env, lang, number_of(request, "at"))
    attempt = None
    if shown.at == shown.last and seen.viewpoint in match.to_act:
        asked = request.query_params
        # Links are short, since the address of the page is long: they lead to where it lies.
        asking = Asking(house=pages.house, seen=seen, env=env, path=_slug(trial))
        width = float(box_of(shown.picture).split()[2])
        attempt = asking.attempt(asked.get("text", "")[:_TEXT], asked.get("place", ""), width)
    picture = (attempt and attempt.picture) or shown.picture
    return pages.page(
        "seat",
        lang,
        trial=trial,
        seen=seen,
        shown=shown,
        attempt=attempt,
        picture=picture,
        key=key_of(env, match.game, picture),
        view_box=box_of(picture),
        ending=ending_of(seen, env),
        here=_slug(trial),
        person=mail_with(pages.house, f"new {match.game.title} open"),
        guard="",
        nonce="",
        made="",
        due=None,
        held=None,
        sent=None,
    )


def _seen(env: Templates, house: House, trial: Trial) -> Seen:
    """The match as its player sees it."""
    words = env.get_template("begins.txt.j2").module
    guest, bot = (str(getattr(words, name)()).strip() for name in ("guest", "opponent"))
    viewer = PlayerRow(
        id=GUEST, name=guest, address="", confirmed=False, generation=0, created_at=house.now()
    )
    link = PageLink(Purpose.ACT, "try")
    return Seen(match=match_of(trial), names=(guest, bot), link=link, viewer=viewer)
