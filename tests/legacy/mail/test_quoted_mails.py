"""Answers that quote our mails as they look with pictures, buttons and chips, as clients do."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.legacy.mail.free_text import order_lines
from pbem.legacy.mail.html import html_lines
from pbem.legacy.mail.lines import OwnText
from pbem.legacy.mail.reply_text import fingerprints, typed_text
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.notices.views.view import build
from tests.legacy.mail.clients import ADDRESS, CLIENTS, NAME, Mail
from tests.legacy.mail.corpus.written import broken
from tests.legacy.notices.test_golden import MAILS

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
ASKED: Final = (
    "Gmail en",
    "Gmail Android",
    "Apple iOS de",
    "Apple macOS",
    "Outlook desktop de",
    "Outlook web en",
    "Thunderbird HTML",
    "Thunderbird bottom",
    "Claws en",
    "Claws de",
    "Claws top",
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


@pytest.mark.parametrize("client", ASKED)
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


WROTE: Final = """\
On Sat, 21 Nov 2026 14:05:00 +0000
"Logger K7QX2 (pbem)" <games+k7qx2.1.aahscv3ifp64ef5laf@pbem.example> wrote:"""
TOLD: Final = """\
- Bob stays on b1 and fells c1 for 1 point ("stay; c1>d1; chop c1"). Now
  a sapling: a1. New seedling: d1.

- Stay, fell a5 b5 c5 (3 points), seedling on e3: "stay; d3>e3; chop c5"
- Stay, fell d3 d4 (2 points), seedling on e3: "stay; d3>e3; chop d4"
"""


def test_lines_are_broken_as_claws_mail_broke_them() -> None:
    # What version 4.1.1 wrote.
    assert broken(WROTE.split("\n")) == [
        "On Sat, 21 Nov 2026 14:05:00 +0000",
        '"Logger K7QX2 (pbem)" <games+k7qx2.1.aahscv3ifp64ef5laf@pbem.example>',
        "wrote:",
    ]
    assert broken(TOLD.split("\n"), "> ") == [
        '> - Bob stays on b1 and fells c1 for 1 point ("stay; c1>d1; chop c1").',
        "> Now a sapling: a1. New seedling: d1.",
        "> ",
        '> - Stay, fell a5 b5 c5 (3 points), seedling on e3: "stay; d3>e3; chop',
        '> c5"',
        '> - Stay, fell d3 d4 (2 points), seedling on e3: "stay; d3>e3; chop d4"',
        "> ",
    ]
