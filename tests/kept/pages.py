"""All pages that can be reached from some, by following what they link to."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tests.kept.adapter import PUBLIC

if TYPE_CHECKING:
    import httpx

    from tests.kept.adapter import House
    from tests.kept.masks import Masks

_LINK: Final = re.compile(r'(?:href|src)="([^"#]+)(?:#[^"]*)?"')
_EVERYBODYS: Final = re.compile(r"/$|/rules/|/icon")
_ENDLESS: Final = "/live"
_OF_A_KIND: Final = 2
"""Of pages whose addresses differ only in numbers and in what is asked the first are looked at."""


async def reached(
    house: House, start: list[str], masks: Masks, *, of_club: bool
) -> list[tuple[str, httpx.Response]]:
    """The pages, each with the path that leads to it, in the order in which they are found.

    The board before the first move is the same everywhere, and is left out.
    `of_club`: those that everybody sees, too, which else are left out.
    """
    found: list[tuple[str, httpx.Response]] = []
    todo, known, kinds = list(start), set(start), dict[str, int]()
    while todo:
        path = todo.pop(0)
        answer = await house.get(path)
        found.append((path, answer))
        if "html" not in answer.headers.get("content-type", ""):
            continue
        for link in _LINK.findall(answer.text):
            to = unescape(link).removeprefix(PUBLIC)
            if not to.startswith(("/", "?")) or urlsplit(to).path.endswith(_ENDLESS):
                continue
            if not of_club and _EVERYBODYS.match(to):
                continue
            to = urlsplit(path).path + to if to.startswith("?") else to
            if "line=" in to and not to.endswith("?line="):
                continue  # of lines that are tried the begin is enough
            kind = re.sub(r"=[^&]*", "=", re.sub(r"\d+", "0", masks(to)))
            if to.endswith("?at=0") or to in known or kinds.get(kind, 0) >= _OF_A_KIND:
                continue
            kinds[kind] = kinds.get(kind, 0) + 1
            known.add(to)
            todo.append(to)
    return found
