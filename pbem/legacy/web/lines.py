"""Lines of several turns that are only tried: nothing is sent or stored, and nothing hidden told.

A line is its page's address: from a board of the match as its seat knows it, the turns of all seats
one after another, and what is supposed to be drawn. Nobody judges it; what may be played is what
the game itself says is legal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from pbem.errors import Rejection
from pbem.games.chance import Dice, OneOf, Permutation, possible
from pbem.games.game import Chance, Drawn, Over, Played, Seats
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.replays.frames import placed
from pbem.legacy.replays.raster import key_whole
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.asking import Answer, Asking, told
from pbem.legacy.web.match_pages import box_of, drawn_as, in_words, number_of

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games import AnyGame
    from pbem.games.chance import Draw
    from pbem.games.game import Seat
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.web.access import Seen
    from pbem.legacy.web.answers import Pages
    from pbem.legacy.web.asking import Attempt
    from pbem.legacy.web.match_pages import Boards

MOST: Final = 20
"""Turns and draws of a line."""

LONGEST: Final = 2_000
"""Characters of them in an address."""

SUPPOSED: Final = 24
PARTS: Final = 4
"""Possibilities of a value that can be supposed, and values of such a draw; not of a whole deal."""

DRAWN: Final = "* "
"""What stands before something drawn, as in a record."""


@dataclass(frozen=True, slots=True)
class Line:
    """How far a line goes: its texts, and each change with whose it was, None for chance.

    `seat` is who is to move in its last position, or `draw` what is drawn there; else `end` says
    why it ends: `over`, `hidden`, `chance`, `long`, `not_so`.
    """

    position: Any
    texts: tuple[str, ...] = ()
    done: tuple[tuple[Seat | None, Played[Any, Any]], ...] = ()
    seat: Seat | None = None
    draw: Draw | None = None
    end: str = ""


def followed(game: AnyGame, known: Any, own: Seat, texts: Sequence[str]) -> Line:
    """A line from what a seat knows of a position, as far as the rules and its knowledge go."""
    position, rest, end = known, list(texts), ""
    done: list[tuple[Seat | None, Played[Any, Any]]] = []
    while not (end := _end(game, position, own, done)):
        turn = game.turn(position)
        seat = turn.seats[0] if isinstance(turn, Seats) else None
        move = game.forced(position) if seat is not None else None
        if move is None and not rest:
            draw = turn.draw if isinstance(turn, Chance) else None
            return Line(position, tuple(texts), tuple(done), seat, draw)
        try:
            move = _read(game, position, rest.pop(0)) if move is None else move
            after = game.play(position, move)
        except Rejection:
            end = "not_so"
            break
        done.append((seat, Played(move, position, after)))
        position = after
    return Line(position, tuple(texts[: len(texts) - len(rest)]), tuple(done), end=end)


def _end(
    game: AnyGame, position: Any, own: Seat, done: Sequence[tuple[Seat | None, Played[Any, Any]]]
) -> str:
    """Why a line ends in a position, empty where it goes on."""
    if done and game.reveals(done[-1][1].before, position, own):
        return "hidden"
    turn = game.turn(position)
    if isinstance(turn, Over):
        return "over"
    if turn == Seats(()):
        return "not_so"  # its rules are not there: whose turn it is nobody knows
    if isinstance(turn, Chance) and not _can_be_supposed(turn.draw):
        return "chance"
    return "long" if len(done) >= MOST else ""


def _read(game: AnyGame, position: Any, text: str) -> Any:
    """A turn, or what is supposed to be drawn. Raises Rejection."""
    turn = game.turn(position)
    if not isinstance(turn, Chance):
        return game.read(text, position)
    if not text.startswith(DRAWN):
        raise Rejection("unreadable", word=text)
    drawn = game.read_chance(text.removeprefix(DRAWN), position)
    if not possible(turn.draw, drawn.values):
        raise Rejection("unreadable", word=text)
    return drawn


def _can_be_supposed(draw: Draw) -> bool:
    values = [*_values(draw)]
    return not draw.secret and 0 < len(values) <= PARTS and len(max(values, key=len)) <= SUPPOSED


def _values(draw: Draw) -> Iterator[range]:
    """What each value of a draw may be."""
    for part in draw.parts:
        match part:
            case Dice(count, sides):
                yield from [range(1, sides + 1)] * count
            case OneOf(size):
                yield range(size)
            case Permutation(size):
                yield range(size**size)  # more than anybody chooses among


# --- the page ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Links:
    """Addresses of lines from one board: the page's own, and the board where it is no newest."""

    path: str
    at: int | None

    def line(self, texts: Sequence[str]) -> str:
        """The page of a line."""
        return f"{self.path}?{self.before(texts)}".removesuffix("&")

    def before(self, texts: Sequence[str]) -> str:
        """What stands before the rest of an address."""
        at = "" if self.at is None else f"at={self.at}&"
        return at + "".join(f"line={quote(text, safe='')}&" for text in texts or ("",))


async def line_page(request: Request, pages: Pages, boards: Boards, seen: Seen) -> Response:
    """The board at the end of a line, and what may come next."""
    return await asyncio.to_thread(_page, request, pages, boards, seen)


def _page(request: Request, pages: Pages, boards: Boards, seen: Seen) -> Response:
    own = seen.viewpoint
    if own is None or seen.viewer is None:
        raise Fault("old_link", 410)
    lang = wishes_of(seen.viewer.wishes).lang
    game, env = seen.match.game, pages.templates(lang)
    frames, at = boards.replay(seen, env, lang).frames, number_of(request, "at")
    at = None if at is None or at >= len(frames) - 1 else at
    known = game.known(seen.match.course.position if at is None else frames[at].position, own)
    line = followed(game, known, own, _texts(request.query_params))
    links = _Links(request.url.path, at)
    last = line.done[-1][1] if line.done else Played(None, known, known)
    drawn = drawn_as(seen, env, last, idle=line.seat is None)
    attempt: Attempt | None = None
    supposed: tuple[Answer, ...] = ()
    asked = request.query_params.get("text", "")[:LONGEST]
    if line.seat is not None:
        asking = Asking(
            house=pages.house,
            seen=seen,
            env=env,
            path=links.path,
            stands=(line.seat, line.position),
            before=links.before(line.texts),
        )
        width = float(box_of(drawn).split()[2])
        attempt = asking.attempt(asked, request.query_params.get("place", ""), width)
    elif line.draw is not None:
        supposed = tuple(_supposed(game, env, line, asked, links))
    picture = (attempt and attempt.picture) or drawn
    board = attempt.board if attempt is not None else None
    board = board or in_words(seen, env, line.position, idle=line.seat is None)
    return pages.page(
        "line",
        lang,
        seen=seen,
        line=line,
        most=MOST,
        told=[told(seen, env, played, seat) for seat, played in line.done],
        attempt=attempt,
        supposed=supposed,
        picture=picture,
        key=key_whole(env, game, picture),
        view_box=box_of(picture),
        spoken=board.spoken,
        outcome=placed(game.outcome(line.position), seen.names) if line.end == "over" else "",
        here=links.path,
        at=at,
        further=links.line((*line.texts, attempt.text)) if attempt and attempt.whole else "",
        back=_back(line, links, attempt, asked),
        anew=links.line(()),
        first=_first(seen, own, line, at),
    )


def _texts(asked: QueryParams) -> list[str]:
    """What an address says of a line, within its bounds."""
    texts = [" ".join(text.split()) for text in asked.getlist("line")[: MOST + 1]]
    texts = list(filter(None, texts))
    ends = accumulate(map(len, texts))
    return [text for text, end in zip(texts, ends, strict=True) if end <= LONGEST]


def _supposed(
    game: AnyGame, env: Templates, line: Line, asked: str, links: _Links
) -> Iterator[Answer]:
    """What may be supposed to be drawn: a value after the other, the last with what comes of it."""
    if line.draw is None:
        return
    values = [*_values(line.draw)]
    chosen = [int(one) for one in asked.split(".") if one.isdecimal() and one.isascii()]
    if len(chosen) >= len(values) or any(
        one not in among for one, among in zip(chosen, values, strict=False)
    ):
        chosen = []
    word = env.filters["word"]
    for value in values[len(chosen)]:
        so_far = [*chosen, value]
        if len(so_far) == len(values):
            text = game.chance_notation(line.position, Drawn(tuple(so_far)))
            label = " ".join(word(one) for one in text.split())
            yield Answer(label, links.line((*line.texts, DRAWN + text)))
        else:
            asks = ".".join(map(str, so_far))
            yield Answer(
                " ".join(map(str, so_far)), f"{links.path}?{links.before(line.texts)}text={asks}"
            )


def _back(line: Line, links: _Links, attempt: Attempt | None, asked: str) -> str:
    """The page one step before, empty at the beginning."""
    if attempt is not None and attempt.back is not None:
        return attempt.back
    if asked:
        return links.line(line.texts)
    return links.line(line.texts[:-1]) if line.texts else ""


def _first(seen: Seen, own: Seat, line: Line, at: int | None) -> str:
    """The first turn of a line where it is the player's to make now, empty where it is not."""
    match = seen.match
    now = at is None and match.status is Status.RUNNING and own in match.to_act
    free = now and own not in match.pending.held
    return line.texts[0] if free and line.texts and line.done and line.done[0][0] == own else ""
