"""The fair-play page, which explains how players can check that random draws are fair.

The page shows a summary, the protocol of the draws, and a program that checks the record of a
match. The protocol and the program are taken from docs/fairness.md.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pbem.files import find_shipped
from pbem.web.rendering import show
from pbem.web.rules import render_markdown

_PROGRAM: Final = re.compile(r"```python\n(.*?)```", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")  # links to files beside the document


@cache
def read_protocol() -> str:
    """Return the text of docs/fairness.md, from the package in a wheel or from the checkout."""
    return find_shipped("fairness.md", "docs/fairness.md").read_text(encoding="utf-8")


def read_program() -> str:
    """Return the Python program in docs/fairness.md, which checks the record of a match."""
    program = _PROGRAM.search(read_protocol())
    return program[1] if program is not None else ""


@cache
def _render_protocol() -> Markup:
    text = _LINK.sub(r"\1", _PROGRAM.sub("", read_protocol()))
    return render_markdown(text.partition("\n")[2])


async def show_fair_play(request: Request) -> Response:
    """Return the page that explains how players can check that random draws are fair."""
    return show(request, "fair_play", protocol=_render_protocol(), program=read_program())


async def send_program(_request: Request) -> Response:
    """Return the program that checks the record of a match, as a download."""
    headers = {"Content-Disposition": 'attachment; filename="check_record.py"'}
    return PlainTextResponse(read_program(), headers=headers)


routes = [
    Route("/fair-play", show_fair_play),
    Route("/fair-play/check_record.py", send_program),
]
