"""Every notice in every other language: the laws of mails hold there, too (PLAY 2, MAIL 7)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from pbem.games.record_text import tag_of
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.playing import Move
from pbem.notices.rendering.environment import template_folder
from pbem.notices.rendering.languages import languages
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.views.view import build
from pbem.wiring.words import words_of
from tests.notices.test_golden import MAILS
from tests.notices.test_mails import LOGGER, PLACES, Page, playable

FOREIGN: Final = [code for code in languages([template_folder()]) if code != "en"]
WORDS: Final = words_of()
RENDERER: Final = Renderer()


@cache
def written(name: str, lang: str, width: int) -> Rendered:
    notices, about, who = MAILS[name]
    about = replace(about, order_words=WORDS.first_words)
    wishes = replace(who.wishes, width=width, html=width == 72, lang=lang)
    return RENDERER.render(build(notices, replace(who, wishes=wishes), about))


def does_something(line: str) -> bool:
    """Whether a line alone would do something, in any language."""
    return any(
        not isinstance(typed.order, Move)
        or any(playable(typed.order.text, match) for match in PLACES)
        for typed in read_orders([line.strip()], LOGGER, words=WORDS).orders
    )


@pytest.mark.parametrize("lang", FOREIGN)
@pytest.mark.parametrize("name", MAILS)
def test_a_mail_keeps_the_laws_of_mails(name: str, lang: str) -> None:
    for width in (72, 40):
        mail = written(name, lang, width)
        for line in mail.text.split("\n"):
            assert line == line.rstrip()
            assert not line.startswith((">", "From ", "."))
            assert line.isprintable()
            assert len(line) <= 72 or tag_of(line) is not None
            assert not does_something(line), line
        assert "{" not in mail.subject
    for line in Page(written(name, lang, 72).html or "").lines:
        assert not does_something(line), line


@pytest.mark.parametrize("name", MAILS)
def test_no_line_of_an_english_mail_is_an_order_in_another_language(name: str) -> None:
    for line in written(name, "en", 72).text.split("\n"):
        assert not does_something(line), line
