"""A match for whoever has its address: a board of it with what made it, and nothing asked."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from pbem.games.game import Marks, Played, Style
from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import StepKind
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.views.comments import beside
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.notices.views.match_view import points_of
from pbem.legacy.notices.views.matches import since_own_turn, with_nobody_to_move
from pbem.legacy.replays.frames import Replay, placed, replay_of_match, telling
from pbem.legacy.replays.page import picture
from pbem.legacy.replays.raster import key_whole
from pbem.legacy.transaction.statistics import played_here
from pbem.legacy.web.access import Seen, seated, watched
from pbem.legacy.web.answers import NEVER, REVALIDATED, Fault, Live, digest, unless_known
from pbem.legacy.web.letters import FEW, is_comment, new_marks

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.steps import Step
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.notices.views.comments import CommentLine
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transaction.statistics import PlayedHere
    from pbem.legacy.web.answers import Pages
    from pbem.legacy.web.letters import Form


# --- boards --------------------------------------------------------------------------------------
# What a page shows of a match: a board of it with what made it, in a picture, words and signs.

_KEPT: Final = 50
"""Replays that are kept, of those that were looked at last."""

_WIDTH: Final = 1_000
"""Columns of words that a browser wraps by itself."""

_VIEW_BOX: Final = re.compile(r'viewBox="([0-9. -]{7,60})"')
"""The part of the plane that a picture shows, in which the places lie as well."""

_RULE: Final = re.compile(r" ?\[[A-Z]{2}-[0-9.]+\]")
"""Where the rulebook has what is said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InWords:
    """A board in words and in signs, as its picture shows it."""

    spoken: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One board of a match.

    `at` is its number, `last` that of the newest; `position` is the game's; `picture` is SVG,
    `told` what made the board, in lines; `spoken` is the board in words, `lines` in signs; `result`
    says who came where. `ply` is the last one played, `comments` what was said of it, `commented`
    how much of which board.
    """

    at: int
    last: int
    position: Any
    picture: Markup
    told: tuple[str, ...]
    spoken: str
    lines: tuple[str, ...]
    moves: tuple[str, ...]
    result: str
    ply: int
    comments: tuple[CommentLine, ...] = ()
    commented: Mapping[int, int] = field(default_factory=dict)


class Boards:
    """The boards of matches, as somebody may see them."""

    def __init__(self) -> None:
        """Nothing has been looked at yet."""
        self._replays: OrderedDict[tuple[Any, ...], Replay] = OrderedDict()
        self._lock = Lock()

    def replay(self, seen: Seen, env: Templates, lang: str) -> Replay:
        """All boards of a match for a viewer."""
        match = seen.match
        key = (match.id, match.version, seen.viewpoint, lang, seen.names, seen.signs)
        with self._lock:
            if key in self._replays:
                self._replays.move_to_end(key)
                return self._replays[key]
        told = telling(match.game, seen.names, env)
        replay = replay_of_match(
            match,
            seen.title,
            seen.names,
            told,
            seen.viewpoint,
            signs=seen.signs,
            word=env.filters["word"],
        )
        with self._lock:
            self._replays[key] = replay
            if len(self._replays) > _KEPT:
                self._replays.popitem(last=False)
        return replay

    def shown(self, seen: Seen, env: Templates, lang: str, at: int | None) -> Shown:
        """A board by its number; the newest one with all that has happened since the viewer moved.

        A number that there is not is that of the newest.
        """
        replay = self.replay(seen, env, lang)
        last = len(replay.frames) - 1
        number = last if at is None or not 0 <= at <= last else at
        frame = replay.frames[number]
        if number == last:
            since = since_own_turn(seen.match, seen.match.course.ply, seen.viewpoint)
            drawn = _drawn_since(seen, env, since)
            told = tuple(one.told for one in replay.frames[_first(seen.match, since) + 1 :])
        else:
            drawn, told = picture(replay, number), (frame.told,) if frame.told else ()
        idle = number < last or not seen.match.to_act
        return Shown(
            at=number,
            last=last,
            position=frame.position,
            picture=Markup(drawn),  # noqa: S704 - the games' own drawing, in which texts are escaped
            told=told,
            spoken=in_words(seen, env, frame.position, idle=idle).spoken,
            lines=replay.lines(number),
            moves=tuple(one.told for one in replay.frames[1:]),
            result=placed(seen.match.course.outcome, seen.names),
            ply=frame.ply,
            comments=beside(seen.comments, frame.ply, last=number == last) if seen.comments else (),
            commented=_counted(replay, seen.comments) if seen.comments else {},
        )


def _counted(replay: Replay, comments: Sequence[CommentLine]) -> dict[int, int]:
    """How many comments stand beside the boards that have any, by number."""
    whole = replace(replay, comments=tuple(comments))
    counts = {at: len(whole.comments_from(at)) for at in range(len(replay.frames))}
    return {at: count for at, count in counts.items() if count}


def _first(match: Match, since: Sequence[Step]) -> int:
    """The number of the first of some steps, as frames count them."""
    frames = [step for step in match.course.steps if step.kind is not StepKind.NEWS]
    numbers = (number for number, step in enumerate(frames) if since and step is since[0])
    return next(numbers, len(frames))


def _drawn_since(seen: Seen, env: Templates, since: Sequence[Step]) -> str:
    """The newest board with what has happened since the viewer's last turn."""
    match = seen.match
    done = tuple(Played(step.move, step.before, step.after) for step in since)
    marks = _marks(seen, env, done, idle=not match.to_act)
    return match.game.picture(match.course.position, seen.viewpoint, marks)


def _marks(
    seen: Seen, env: Templates, since: tuple[Played[Any, Any], ...], *, idle: bool
) -> Marks[Any, Any]:
    word = env.filters["word"]
    return Marks(since=since, names=seen.names, signs=seen.signs, idle=idle, plain=True, word=word)


def drawn_as(seen: Seen, env: Templates, done: Played[Any, Any], *, idle: bool) -> Markup:
    """A board that is only tried, with the move that makes it, if it is one already."""
    marks = _marks(seen, env, (done,) if done.move is not None else (), idle=idle)
    drawn = seen.match.game.picture(done.after, seen.viewpoint, marks)
    return Markup(drawn)  # noqa: S704 - the games' own drawing, in which texts are escaped


def box_of(picture: str) -> str:
    """The part of the plane that a picture shows."""
    found = _VIEW_BOX.search(picture)
    return found[1] if found else "0 0 1 1"


def example_of(seen: Seen, env: Templates, position: Any, *, example: bool) -> Markup:
    """A board that nobody plays on: as the match begins, or an example, which has no names."""
    marks: Marks[Any, Any] = Marks(
        names=() if example else seen.names, signs=seen.signs, idle=True, word=env.filters["word"]
    )
    game = seen.match.game
    drawn = game.picture(
        position, game.example.viewpoint if example and game.example else None, marks
    )
    return Markup(drawn)  # noqa: S704 - the games' own drawing, in which texts are escaped


def in_words(seen: Seen, env: Templates, position: Any, *, idle: bool) -> InWords:
    """A board in words, for whoever has it read aloud, and in signs."""
    game = seen.match.game
    board = game.board(position, seen.viewpoint, Style.UNICODE, seen.signs)
    facts = with_nobody_to_move(board.facts) if idle else board.facts
    text = env.piece(game.key, "spoken", names=dict(enumerate(seen.names, 1)), facts=facts)
    return InWords(spoken=markup.to_text(text, _WIDTH).strip(), lines=board.lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """How a match ended: its winners, the points of the first two, and why it was over.

    `ranking` has places with names and points, None where the game has none; `you` says whether the
    viewer is among the winners, None for who did not play. `reckoned` has the lines of how the game
    came to that, `aim` what it is won by.
    """

    winners: tuple[str, ...]
    you: bool | None
    score: tuple[int, int] | None
    ranking: tuple[tuple[int, str, int | None], ...]
    why: str
    reckoned: tuple[str, ...]
    aim: str


def ending_of(seen: Seen, env: Templates) -> Ending | None:
    """How a match ended, None while it runs."""
    match, outcome = seen.match, seen.match.course.outcome
    if match.status is not Status.ENDED or outcome is None or match.course.position is None:
        return None
    seat = seen.viewpoint
    points: tuple[int | None, ...] = points_of(match) or (None,) * len(seen.names)
    ranked = sorted(zip(outcome.placings, seen.names, points, strict=True), key=lambda one: one[0])
    (_, _, most), (_, _, next_) = ranked[:2]
    two = len(ranked) == len(ranked[:2]) and most is not None and next_ is not None
    facts = {"termination": outcome.termination, "placings": ()}
    folder = f"games/{match.game.key}"
    voided, why = outcome.termination == "voided", ""
    if not voided and outcome.termination != "adjudicated":
        family = f"{folder}/rejections"
        why = env.member(family, "game_over", facts=facts, names=dict(enumerate(seen.names, 1)))
    return Ending(
        winners=tuple(name for place, name, _ in ranked if place == 1 and not voided),
        you=None if seat is None else outcome.placings[seat - 1] == 1,
        score=(most, next_) if two and most != next_ else None,  # type: ignore[arg-type]
        ranking=tuple(ranked),
        why=_RULE.sub("", markup.to_text(why, _WIDTH)).strip(),
        reckoned=() if voided else _reckoned(seen, env, match.course.position),
        aim=markup.to_text(env.get_template(f"{folder}/aim.txt.j2").render(), _WIDTH).strip(),
    )


def _reckoned(seen: Seen, env: Templates, position: Any) -> tuple[str, ...]:
    """How the points of the end came about, or what has won, in lines."""
    game = seen.match.game
    facts = game.board(position, seen.viewpoint, Style.UNICODE, seen.signs).facts
    names = dict(enumerate(seen.names, 1))
    text = markup.to_text(env.piece(game.key, "reckoning", facts=facts, names=names), _WIDTH)
    return tuple(filter(None, (_RULE.sub("", line).strip() for line in text.splitlines())))


# --- commenting ----------------------------------------------------------------------------------
# The form beside a board of a match that is over, and what becomes of what is written into it.


@dataclass(frozen=True, kw_only=True, slots=True)
class Commenting:
    """The form for a comment: its marks, what it begins with, and what became of the last one."""

    nonce: str
    made: int
    again: str = ""
    became: str = ""


def commenting(
    house: House, seen: Seen, sent: Form | None = None, became: str = ""
) -> Commenting | None:
    """The form, for whoever may use it; what was refused stands in it, to be mended."""
    if not seen.may_comment:
        return None
    nonce, made = new_marks(house)
    if sent is None or not is_comment(sent.text):
        return Commenting(nonce=nonce, made=made)
    again = sent.text.partition(": ")[2] if became == "refused" else ""
    return Commenting(nonce=nonce, made=made, again=again, became=became)


# --- match pages ---------------------------------------------------------------------------------
# A match for whoever has its address: everybody's board, or that of a seat; nothing is asked.


async def watch_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """A match as everybody may see it."""
    token = request.path_params["token"]
    unit = partial(watched, house=pages.house, token=token)
    seen = await asyncio.wrap_future(pages.house.db.read(unit))
    if seen is None:
        raise Fault("no_match")
    return await board_page(request, pages, boards, seen, pages.lang_of(request))


async def seat_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """A match as one seat sees it; whoever has this address cannot move."""
    token = request.path_params["token"]
    unit = partial(seated, house=pages.house, purpose=Purpose.SEAT, token=token)
    seen = await asyncio.wrap_future(pages.house.db.read(unit))
    if seen is None:
        raise Fault("old_link", 410)
    lang = wishes_of(seen.viewer.wishes).lang if seen.viewer is not None else pages.lang_of(request)
    if seen.match.course.position is None:
        raise Fault("not_begun", 409, lang)
    return await board_page(request, pages, boards, seen, lang)


async def board_page(
    request: Request,
    pages: Pages,
    boards: Boards,
    seen: Seen,
    lang: str,
    *,
    form: Commenting | None = None,
) -> Response:
    """One board of a match, with the way to all others, and a form where there may be one."""
    at = number_of(request, "at")
    env, seen = pages.templates(lang), pages.in_words(lang, seen)
    final = seen.match.status is Status.ENDED and seen.link.purpose is Purpose.VIEW
    keeps = final and at is not None
    shown = await asyncio.to_thread(boards.shown, seen, env, lang, at)
    answer = pages.page(
        "match",
        lang,
        keep=REVALIDATED if keeps else NEVER,
        seen=seen,
        shown=shown,
        key=key_whole(env, seen.match.game, shown.picture),
        here=request.url.path,
        live=live_of(request, seen),
        ending=ending_of(seen, env),
        others=await _played_by_others(pages, seen, shown),
        commenting=form,
    )
    return unless_known(request, answer, f'"{digest(bytes(answer.body))}"') if keeps else answer


async def _played_by_others(pages: Pages, seen: Seen, shown: Shown) -> PlayedHere | None:
    """What others played there; while a match runs, only where the club wants that."""
    house = pages.house
    if seen.match.status is not Status.ENDED and not house.settings.matches.opening_book:
        return None
    wanted = partial(played_here, match=seen.match, position=shown.position)
    return await asyncio.wrap_future(house.db.read(wanted))


async def spectators_page(
    request: Request,
    pages: Pages,
    boards: Boards,
    seen: Seen,
    *,
    sent: Form | None = None,
    became: str = "",
) -> Response:
    """A match as everybody may see it, with a form for comments when it is over."""
    lang = wishes_of(seen.viewer.wishes).lang if seen.viewer is not None else ""
    form = commenting(pages.house, seen, sent, became)
    return await board_page(request, pages, boards, seen, lang, form=form)


def live_of(request: Request, seen: Seen) -> Live:
    """Where a page of a match that runs hears of news."""
    running = seen.match.status is Status.RUNNING
    return Live(f"{request.url.path}/live?since={seen.told}", seen.told) if running else Live()


def number_of(request: Request, name: str) -> int | None:
    """A number of the path or the query, None where there is none."""
    text = request.path_params.get(name) or request.query_params.get(name, "")
    # Of very many digits Python makes no number, but an error.
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= FEW else None
