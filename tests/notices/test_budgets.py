"""Bounds of mails: what they weigh, what mail programs show of them, what can be tapped in them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final
from urllib.parse import unquote, urlsplit

import pytest

from pbem.mail.compose import Headers, InlineImage, compose
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.playing import Move
from pbem.mail.verbs.verb_table import VERBS
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.views.view import build
from pbem.replays import raster
from tests.notices.game_mails import GAME_MAILS
from tests.notices.scenes import NOW
from tests.notices.test_golden import MAILS

PAGE: Final = 60_000
"""Bytes of HTML: some programs show no more than 102,000 of a mail (Gmail's help: clipped)."""

WHOLE: Final = 40_000
"""Bytes of a mail with a picture."""

ADDRESS: Final = 2_000
"""Signs of an address that can be tapped: the shortest bound of a mail program is near 2,000."""

SHOWN: Final = {
    "a", "b", "body", "br", "code", "div", "h1", "h2", "head", "html", "img", "li", "meta", "p",
    "pre", "span", "style", "table", "td", "th", "title", "tr", "ul",
}  # fmt: skip
"""Elements that we use. caniemail.com: all clients show them; `details`, `form`, `svg`, `button`,
`section` and their like are dropped by some."""

STYLED: Final = {
    "background", "border", "border-collapse", "border-color", "border-radius", "border-top",
    "color", "display", "font", "font-family", "font-size", "font-weight", "height", "line-height",
    "margin", "max-width", "min-width", "padding", "padding-left", "table-layout", "text-align",
    "text-decoration", "text-indent", "white-space", "width", "word-break",
}  # fmt: skip
"""Properties of styles in tags. All stand in Gmail's list of what it supports
(developers.google.com/workspace/gmail/design/css); what is none of Outlook's in caniemail.com
(border-radius, max-width) only makes a page less handsome."""

DROPPED: Final = re.compile(
    r"url\(|@import|@font-face|var\(|calc\(|position:|float:|data:|javascript:|expression\("
    r"|display:\s*(?:flex|grid)|!important;?\""
)
"""Gmail drops the whole style of a tag with `url(` in it, all drop scripts, and Outlook knows no
flex and no grid (caniemail.com)."""

UNFINISHED: Final = {
    name for verb in VERBS if verb.name not in verb.examples for name in (verb.name, *verb.also)
}
"""Verbs that say nothing alone."""

RENDERER: Final = Renderer()


@cache
def rendered(name: str, pictures: str = "off") -> Rendered:
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=True, pictures=pictures)
    return RENDERER.render(build(notices, replace(who, wishes=wishes), about))


def page(name: str, pictures: str = "off") -> str:
    html = rendered(name, pictures).html
    assert html is not None
    return html


@pytest.mark.parametrize("name", MAILS)
def test_a_page_is_light_and_mail_programs_show_all_of_it(name: str) -> None:
    for html in {page(name), page(name, "on")}:
        assert len(html.encode()) <= PAGE
        assert set(re.findall(r"<([a-z0-9]+)", html)) <= SHOWN
        styles = re.findall(r'style="([^"]*)"', html)
        names = {one.partition(":")[0].strip() for style in styles for one in style.split(";")}
        assert names - {""} <= STYLED
        assert not any(DROPPED.search(style) for style in styles)
        sizes = re.findall(r"font(?:-size)?:[^;\"]*?(\d+)px", html)
        assert min(map(int, sizes)) >= 12 or "<pre" in html
        assert {one.split(":")[0] for one in re.findall(r'src="([^"]*)"', html)} <= {"cid"}


@pytest.mark.parametrize("name", MAILS)
def test_the_text_is_the_same_with_pictures_and_without(name: str) -> None:
    texts = {rendered(name, pictures).text for pictures in ("off", "on")}
    assert len(texts) == 1
    # An analysis has a line of who led, and two boards for each of three turns.
    most = 7 if name == "analysis_shown" else 1
    assert len(rendered(name, "on").pictures) <= most
    assert not rendered(name, "off").pictures


def test_under_a_picture_no_letter_is_explained_that_stands_in_the_text_alone() -> None:
    pages = {name: page(name, "on") for name in MAILS if rendered(name, "on").pictures}
    alone = [name for name, html in pages.items() if 'role="img"' not in html]  # no other board
    sign = "T* with protester"
    lettered = [name for name in alone if sign in rendered(name).text]
    assert lettered
    for name in lettered:
        assert sign not in re.sub(r"<[^>]*>", "", pages[name])


@pytest.mark.parametrize(
    ("name", "of_text", "of_words"),
    [
        ("late_in_looney_ludo", "Slots A1 to", "Your Small is on"),
        ("late_in_logan_stones", "four in a line win", "Free spaces:"),
        ("late_in_logger", "protesters in hand", "Loggers:"),
        ("late_in_landrush", "Yellow Bob", "Bob, Yellow"),
    ],
)
def test_under_a_picture_the_position_is_told_once(name: str, of_text: str, of_words: str) -> None:
    shown = re.sub(r"<[^>]*>", "", page(name, "on"))
    assert of_text in rendered(name).text
    assert of_text not in shown
    assert shown.count(of_words) == 1


@pytest.mark.skipif(not raster.draws(), reason="the extra `pictures` is missing")
@pytest.mark.parametrize("name", GAME_MAILS)
def test_a_mail_with_a_picture_is_light(name: str) -> None:
    mail = rendered(name, "on")
    images = [InlineImage(one.cid, raster.png(one.svg)) for one in mail.pictures]
    headers = Headers(
        message_id="<1@example.org>",
        from_name="pbem",
        from_address="games@example.org",
        to_name="Ann",
        to_address="ann@example.org",
        reply_to="games@example.org",
        subject=mail.subject,
        date=NOW,
    )
    whole = compose(headers, mail, (), images)
    assert len(images) == 1
    assert len(whole) <= WHOLE
    assert whole == compose(headers, mail, (), images)


# --- taps ----------------------------------------------------------------------------------------


def orders_something(text: str) -> bool:
    """Whether a line is a whole order of the platform, and names nobody who may not be meant."""
    typed = read_orders([text], None).orders
    whole = text.removeprefix("K7QX2 ") not in UNFINISHED and "@" not in text
    return whole and len(typed) == 1 and not isinstance(typed[0].order, Move)


@pytest.mark.parametrize("name", MAILS)
def test_every_order_that_a_mail_offers_can_be_tapped(name: str) -> None:
    # A move without the number of its ply is no tap: it might be played at another time.
    offered = re.findall(r'<code class="typed"[^>]*>"([^<]*)"</code>', page(name))
    assert [text for text in offered if orders_something(text)] == []


def test_what_somebody_wrote_in_the_readers_name_is_no_button() -> None:
    assert re.search(r'<code class="echoed"[^>]*>"resign yes"<', page("sender_doubted"))
    assert "resign%20yes" not in page("sender_doubted")


@pytest.mark.parametrize("name", MAILS)
def test_what_is_tapped_opens_a_mail_that_says_so(name: str) -> None:
    for address in re.findall(r'href="(mailto:[^"]*)"', page(name)):
        assert len(address) < ADDRESS
        assert re.fullmatch(
            r"mailto:[\w.%-]+@[\w.-]+\?subject=[\w.%~-]+&amp;body=[\w.%~-]+", address
        )
        body = unquote(urlsplit(address).query.rpartition("body=")[2])
        # "never" answers the question of such a mail, and is an order nowhere else.
        assert body.startswith("#") or body == "never" or read_orders([body], None).orders, body
