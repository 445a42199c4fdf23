"""The rules of a game: in brief and how a move is written, in the reader's words, then the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from starlette.responses import FileResponse, Response

from pbem.notices.rendering import markup
from pbem.notices.views.rulebook import rulebook_folder
from pbem.replays.picture_key import key_of
from pbem.web.answers import Fault
from pbem.web.club_pages import games_today, mail_with, picture_of

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.requests import Request

    from pbem.web.answers import Pages

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
