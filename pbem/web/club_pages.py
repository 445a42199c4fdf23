"""What everybody may see: the club, its games and matches, and their rules."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.responses import FileResponse, Response

from pbem.games import GAMES, AnyGame
from pbem.games.game import Marks
from pbem.matches.match import Status
from pbem.notices.rendering import markup
from pbem.notices.views.rulebook import rulebook_folder
from pbem.replays.frames import placed
from pbem.replays.raster import key_of
from pbem.store import views
from pbem.transaction.installation import find_match
from pbem.web.access import names_of, view_path
from pbem.web.answers import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.matches.match import Match
    from pbem.notices.rendering.families import Templates
    from pbem.transaction.installation import House
    from pbem.web.answers import Pages


# --- club pages ----------------------------------------------------------------------------------
# What everybody may see: the club, its games and its matches.

_WIDTH: Final = 1_000
_LOOKED_AT: Final = 60
_SHOWN: Final = 12
"""Matches of a kind that the club's page lists, of at most so many that are looked at."""

_BEST: Final = 10
"""People who stand in the standings of a game."""

_BRIEFLY: Final = "public, max-age=60"


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownGame:
    """A game with a board of it, and the mail that begins a match with a bot."""

    game: AnyGame
    picture: Markup
    about: str
    begin: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownMatch:
    """A match that anybody may look at."""

    match: Match
    names: tuple[str, ...]
    path: str
    result: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenMatch:
    """A match in which a seat is open, who has sat down, and the mail that takes a seat."""

    match: Match
    names: tuple[str, ...]
    take: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Winner:
    """Somebody in the standings of a game."""

    name: str
    played: int
    won: int


async def club_page(request: Request, pages: Pages) -> Response:
    """What is played here, by whom, and how one begins."""
    house = pages.house
    lang = pages.lang_of(request)
    running, ended = await asyncio.wrap_future(house.db.read(partial(_public_matches, house=house)))
    seats = await asyncio.wrap_future(house.db.read(partial(_open_matches, house=house)))
    won = await asyncio.wrap_future(house.db.read(_standings))
    env = pages.templates(lang)
    games = [
        ShownGame(
            game=game,
            picture=picture_of(game),
            about=_about(env, game),
            begin=mail_with(house, f"new {game.title} with bot"),
        )
        for game in games_today()
    ]
    return pages.page(
        "club",
        lang,
        keep=_BRIEFLY,
        indexed=True,
        games=games,
        running=running,
        ended=ended,
        begin=mail_with(house, "help"),
        open=mail_with(house, "open"),
        seats=seats,
        standings=won,
    )


def _about(env: Templates, game: AnyGame) -> str:
    text = env.get_template(f"games/{game.key}/about.txt.j2").render()
    return markup.to_text(text, _WIDTH).strip()


def mail_with(house: House, text: str) -> str:
    """A mail to the service with a word in it."""
    address = quote(house.settings.site.address, safe="@")
    return f"mailto:{address}?subject={quote(text, safe='')}&body={quote(text, safe='')}"


def _public_matches(conn: Connection, *, house: House) -> tuple[list[ShownMatch], ...]:
    """Those that run and those that are over, as many as are shown."""
    return tuple(
        list(islice(_shown(conn, house, status), _SHOWN))
        for status in (Status.RUNNING, Status.ENDED)
    )


def _shown(conn: Connection, house: House, status: Status) -> Iterator[ShownMatch]:
    for row in views.matches(conn, (status.value,), limit=_LOOKED_AT):
        found = find_match(conn, row.id, house.cache)
        if found is None or not found.match.is_public:
            continue
        house.cache.keep(found)
        match = found.match
        seated = names_of(conn, match.table.players)
        yield ShownMatch(
            match=match,
            names=seated,
            path=view_path(house, match.id),
            result=placed(match.course.outcome, seated),
        )


def _open_matches(conn: Connection, *, house: House) -> list[OpenMatch]:
    """The longest waiting first; those are left out that are nobody's business but the players'."""
    shown = []
    for row in views.open_matches(conn, _SHOWN):
        found = find_match(conn, row.id, house.cache)
        if found is not None and not found.match.table.private:
            names = names_of(conn, found.match.table.players)
            take = mail_with(house, f"join {row.id}")
            shown.append(OpenMatch(match=found.match, names=names, take=take))
    return shown


def _standings(conn: Connection) -> list[tuple[AnyGame, list[Winner]]]:
    """The best of each game in which somebody has won."""
    shown = []
    for game in games_today():
        best = views.best_players(conn, game.key, _BEST)
        names = names_of(conn, (one.player for one in best))
        winners = [
            Winner(name=name, played=one.played, won=one.won)
            for name, one in zip(names, best, strict=True)
        ]
        if winners:
            shown.append((game, winners))
    return shown


# --- games ----------------------------------------------------------------------------------------


def games_today() -> list[AnyGame]:
    """The newest edition of each game."""
    newest: dict[str, AnyGame] = {}
    for game in GAMES.values():
        if game.key not in newest or newest[game.key].edition < game.edition:
            newest[game.key] = game
    return list(newest.values())


@cache
def picture_of(game: AnyGame) -> Markup:
    """The game's example as a picture."""
    if game.example is None:
        return Markup("")
    marks: Marks[Any, Any] = Marks(idle=True)
    drawn = game.picture(game.load(game.example.position), None, marks)
    return Markup(drawn)  # noqa: S704 - the games' own drawing


ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="6" fill="#1f5fa8"/>'
    '<path d="M4 9h24v15H4z" fill="#fff"/>'
    '<path d="M4 9l12 9 12-9" fill="none" stroke="#1f5fa8" stroke-width="2"/></svg>\n'
)


async def icon(_request: Request, _pages: Pages) -> Response:
    """The sign on the tab of a browser: a letter."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(ICON, media_type="image/svg+xml", headers=headers)


# --- rules pages ---------------------------------------------------------------------------------
# The rules of a game: in brief and how a move is written, in the reader's words, then the book.

_PICTURE: Final = re.compile(r"[a-z0-9_-]{1,60}\.svg")
_GAP: Final = re.compile(r"(?<=:) | {2}")
"""In a line of a list: between a term and what is said of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list of terms with what is said of each."""

    said: str = ""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a rulebook, and the anchor at which it begins."""

    anchor: str
    title: str


async def rules_page(request: Request, pages: Pages) -> Response:
    """How a game is played, with a board, and its rulebook below."""
    key = request.path_params["game"].replace("-", "_")
    game = next((one for one in games_today() if one.key == key), None)
    if game is None:
        raise Fault("no_game")
    lang = pages.lang_of(request)
    env = pages.templates(lang)
    book, chapters = _rulebook(key)
    brief, howto = (
        blocks(markup.quoted(env.get_template(f"games/{key}/{name}.txt.j2").render()))
        for name in ("rules", "howto")
    )
    return pages.page(
        "rules",
        lang,
        keep="public, max-age=3600",
        indexed=True,
        game=game,
        picture=picture_of(game),
        key=key_of(env, game, picture_of(game)),
        brief=brief,
        howto=howto,
        book=book,
        chapters=chapters,
        begin=mail_with(pages.house, f"new {game.title} with bot"),
    )


def blocks(text: str) -> tuple[Block, ...]:
    """The paragraphs and lists of a text that was filled by hand."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    said: list[str] = []
    rows: list[tuple[str, str]] = []
    for line in [*text.split("\n"), ""]:
        listed = line.startswith(" ")
        if said and (listed or not line):
            yield Block(said=" ".join(said))
            said = []
        if rows and not listed:
            yield Block(rows=tuple(rows))
            rows = []
        if listed:
            _list(rows, line)
        elif line:
            said.append(line)


def _list(rows: list[tuple[str, str]], line: str) -> None:
    """Add a line to a list: a term, or what goes on with what was said of the last."""
    found = _GAP.search(line, 3) if line.startswith("  ") and line[2:3].strip() else None
    said = line[found.end() :].strip() if found is not None else ""
    if found is None or not said:
        if rows and line.startswith("   "):
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
        else:
            rows.append((line.strip(), ""))
        return
    term = line[: found.start()].strip()
    if rows and not rows[-1][1]:  # a term of two lines
        rows[-1] = (f"{rows[-1][0]} {term}", said)
    else:
        rows.append((term, said))


@cache
def _rulebook(key: str) -> tuple[Markup, Sequence[Chapter]]:
    """The book with its headings one lower, since the page has a title, and its chapters."""
    from markdown_it import MarkdownIt

    text = (rulebook_folder() / f"{key}.md").read_text(encoding="utf-8")
    text = text.replace("](pictures/", "](/rules/pictures/")
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    chapters = list(_lowered(tokens))
    book = reader.renderer.render(tokens, reader.options, {})
    return Markup(book), chapters  # noqa: S704 - a book of ours, read without HTML


def _lowered(tokens: Sequence[Token]) -> Iterator[Chapter]:
    for place, token in enumerate(tokens):
        if token.type not in ("heading_open", "heading_close"):
            continue
        begins_chapter = token.tag == "h2" and token.type == "heading_open"
        token.tag = f"h{int(token.tag[1:]) + 1}"
        if begins_chapter:
            title = tokens[place + 1].content
            chapter = Chapter(f"rules-{title.split()[0]}", title)
            token.attrSet("id", chapter.anchor)
            yield chapter


async def rules_picture(request: Request, _pages: Pages) -> Response:
    """A picture of a rulebook."""
    name = request.path_params["name"]
    file = rulebook_folder() / "pictures" / name
    if _PICTURE.fullmatch(name) is None or not file.is_file():
        raise Fault("no_page")
    return FileResponse(
        file, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"}
    )
