"""What is played here: each game with a board of it, its rules in ten lines, in brief and whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.responses import FileResponse, Response

from pbem.legacy.bots.levels import level_unasked, levels, move_of
from pbem.bots.luck import seeded, stream
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Marks, Played, Seats
from pbem.legacy.matches.steps import StepKind
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.rendering.languages import ENGLISH
from pbem.legacy.notices.views.rulebook import book_of, rulebook_folder
from pbem.legacy.replays.frames import Change, telling
from pbem.legacy.replays.raster import key_whole
from pbem.legacy.transaction.statistics import statistics_of
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.trials import can_try

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.requests import Request

    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.web.answers import Pages


# --- games ----------------------------------------------------------------------------------------


_NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", *(f"Guest {n}" for n in range(7, 41)))
_EXAMPLE: Final = "a turn 3"
"""Whose chance decides what is drawn and played in the turn that a page shows."""


def games_today() -> list[AnyGame]:
    """The newest edition of each game."""
    newest: dict[str, AnyGame] = {}
    for game in GAMES.values():
        if game.key not in newest or newest[game.key].edition < game.edition:
            newest[game.key] = game
    return list(newest.values())


def game_today(key: str) -> AnyGame | None:
    """The newest edition of a game, by its key as addresses or forms have it."""
    wanted = key.replace("-", "_")
    return next((game for game in games_today() if game.key == wanted), None)


@cache
def picture_of(env: Templates, game: AnyGame) -> Markup:
    """The game's example as a picture."""
    if game.example is None:
        return Markup("")
    word = env.filters["word"]
    shown = game.load(game.example.position), game.example.viewpoint
    return Markup(game.picture(*shown, Marks(idle=True, word=word)))  # noqa: S704 - the games' own drawing


@cache
def first_board(env: Templates, game: AnyGame) -> Markup:
    """A board on which nobody has moved; what is drawn before the first move is drawn."""
    position = game.initial(min(game.seats), game.normal_options({}))
    chance = stream(_EXAMPLE.encode())
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, chance)))
    return _drawn(env, game, position)


def _drawn(env: Templates, game: AnyGame, position: Any, *since: Played[Any, Any]) -> Markup:
    names, word = _NAMES if since else (), env.filters["word"]
    marks: Marks[Any, Any] = Marks(since=since, names=names, idle=True, word=word)
    return Markup(game.picture(position, None, marks))  # noqa: S704 - the games' own drawing


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownTurn:
    """A turn as an example: the board after it, with its marks, and what was done."""

    picture: Markup
    told: str


@cache
def _turn_of(game: AnyGame) -> Change | None:
    """A turn that the best bot makes in the game's example."""
    if game.example is None:
        return None
    position = game.load(game.example.position)
    chance = stream(_EXAMPLE.encode())
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, chance)))
    move = move_of(level_unasked(game), game, position, seeded(_EXAMPLE))
    return Change(
        kind=StepKind.MOVE,
        seat=turn.seats[0] if isinstance(turn, Seats) else None,
        text=game.notation(move),
        move=move,
        before=position,
        after=game.play(position, move),
    )


def _shown_turn(game: AnyGame, env: Templates) -> ShownTurn | None:
    turn = _turn_of(game)
    if turn is None:
        return None
    picture = _drawn(env, game, turn.after, Played(turn.move, turn.before, turn.after))
    return ShownTurn(picture=picture, told=telling(game, _NAMES, env)(turn))


def ordered(env: Templates, what: str, *about: str) -> str:
    """An order as a reader of these templates would write it."""
    return str(getattr(env.get_template("begins.txt.j2").module, what)(*about))


def letter_of(pages: Pages, lang: str, order: str) -> str:
    """A letter with an order, and with the language where its words do not tell it."""
    if lang == ENGLISH or pages.house.words.language_of(order) == lang:
        return order
    return f"{order}\n{ordered(pages.templates(lang), 'language', lang)}"


def mail_with(pages: Pages, lang: str, order: str) -> str:
    """A mail to the service with an order in it."""
    address = quote(pages.house.settings.site.address, safe="@")
    body = letter_of(pages, lang, order).replace("\n", "\r\n")
    return f"mailto:{address}?subject={quote(order, safe='')}&body={quote(body, safe='')}"


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
    game = game_today(request.path_params["game"])
    if game is None:
        raise Fault("no_game")
    lang = pages.lang_of(request)
    env = pages.templates(lang)
    book, chapters = _rulebook(game.key)
    ten, brief, howto = (
        markup.unmarked(env.piece(game.key, name)) for name in ("ten", "rules", "howto")
    )
    turn = _shown_turn(game, env)
    told = await asyncio.wrap_future(pages.house.db.read(partial(statistics_of, game=game)))
    return pages.page(
        "rules",
        lang,
        keep="public, max-age=3600",
        indexed=True,
        game=game,
        ten=ten.splitlines(),
        turn=turn,
        key=key_whole(env, game, turn.picture if turn else ""),
        brief=blocks(brief),
        howto=blocks(howto),
        book=book,
        chapters=chapters,
        tries=pages.house.settings.web.try_out and can_try(game),
        begin=mail_with(pages, lang, ordered(env, "bot", game.title)) if levels(game) else "",
        statistics=told,
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

    text = book_of(key)
    text = text.replace("](pictures/", "](/rules/pictures/")
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    chapters = list(_lowered(tokens))
    book = reader.renderer.render(tokens, reader.options, {})
    for wide in ("pre", "table"):  # they scroll, which keys do only where something has the focus
        book = book.replace(f"<{wide}>", f'<{wide} tabindex="0">')
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


FAIR: Final = {"/fairness": "fairness", "/fair-play": "fair_play"}
"""Where is told what can be proved of chance and of the course of a match, and what playing fair
means: what help is allowed, what is rated, what the club does. Each is a template."""


async def fairness_page(request: Request, pages: Pages, template: str) -> Response:
    """One of the pages of `FAIR`."""
    lang = pages.lang_of(request)
    return pages.page(template, lang, keep="public, max-age=3600", indexed=True)


async def rules_picture(request: Request, _pages: Pages) -> Response:
    """A picture of a rulebook."""
    name = request.path_params["name"]
    file = rulebook_folder() / "pictures" / name
    if _PICTURE.fullmatch(name) is None or not file.is_file():
        raise Fault("no_page")
    return FileResponse(
        file, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"}
    )
