"""Answers that quote our mails as they look with pictures, buttons and chips, as ten clients do."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.mail.free_text import order_lines
from pbem.mail.html import html_lines
from pbem.mail.lines import OwnText
from pbem.mail.reply_text import fingerprints, typed_text
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from tests.mail.clients import ADDRESS, CLIENTS, NAME, Mail
from tests.notices.test_golden import MAILS

QUOTED: Final = (
    ("late_in_logger", "en"),
    ("late_in_logger", "de"),
    ("early_in_looney_ludo", "en"),
    ("late_in_looney_ludo", "de"),
    ("late_in_logan_stones", "en"),
    ("late_in_landrush", "en"),
    ("match_over_in_landrush", "de"),
    ("invitation_newcomer", "en"),
    ("move_kept", "en"),
    ("order_refused", "de"),
    ("reminder", "en"),
)
TEN: Final = (
    "Gmail en",
    "Gmail Android",
    "Apple iOS de",
    "Apple macOS",
    "Outlook desktop de",
    "Outlook web en",
    "Thunderbird HTML",
    "Thunderbird bottom",
    "K-9",
    "GMX",
)
TYPED: Final = {
    "e1 plant d1": ("e1 plant d1",),
    "Hallo Bob,\n\nyes\n\nGruß, Ann": ("Hallo Bob,", "", "yes", "", "Gruß, Ann"),
    "": (),
}
PAGE: Final = "https://play.example.org/seat/0-TOKEN/"


@cache
def sent(name: str, lang: str) -> Mail:
    """A mail with its picture, and with the button that leads to its page."""
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=True, pictures="on", lang=lang)
    view = build(notices, replace(who, wishes=wishes), replace(about, page=PAGE))
    mail = Renderer().render(view)
    assert mail.html is not None
    assert mail.pictures or name == "move_kept"
    return Mail(mail.text, mail.html)


def unmarked(mail: Mail) -> str:
    """The page as text, as clients quote it that mark no quote; a picture is what it says."""
    said = re.sub(r'<img[^>]*alt="([^"]*)"[^>]*>', r"\1<br>", mail.html)
    return "\n".join(line.text for line in html_lines(said))


@pytest.mark.parametrize("client", TEN)
@pytest.mark.parametrize(("name", "lang"), QUOTED)
def test_what_was_typed_is_read_and_nothing_of_the_quote(name: str, lang: str, client: str) -> None:
    mail = sent(name, lang)
    own = OwnText(frozenset({ADDRESS}), NAME, fingerprints(mail.text, mail.html))
    for body, wanted in TYPED.items():
        reply = CLIENTS[client](body, mail)
        typed = typed_text(reply.text, reply.html, own, lambda _: True)
        assert (typed.lines, typed.conflict) == (wanted, False)


@pytest.mark.parametrize(("name", "lang"), QUOTED)
def test_a_page_that_comes_back_without_marks_gives_no_order(name: str, lang: str) -> None:
    mail = sent(name, lang)
    own = OwnText(frozenset({ADDRESS}), NAME, fingerprints(mail.text, mail.html))
    game = next(one for one in GAMES.values() if one.key in (*name.split("_in_"), "logger"))
    typed = typed_text(
        f"\n\n{unmarked(mail)}",
        None,
        own,
        lambda line: order_lines.is_order(line, game),
    )
    assert not [line for line in typed.lines if order_lines.is_order(line, game)]
