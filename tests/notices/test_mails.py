"""What holds for every mail, whatever it tells, to whom and how wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Ply, Seat, Style
from pbem.games.record_text import tag_of
from pbem.mail.addresses import find_token_line
from pbem.mail.free_text import read_orders
from pbem.mail.html import html_lines
from pbem.mail.lines import letters
from pbem.mail.reply_text import fingerprints_sent
from pbem.mail.verbs.agreeing import Accept
from pbem.mail.verbs.playing import Move
from pbem.mail.verbs.verb import Order
from pbem.matches.match import Match
from pbem.notices.news import Invitation, MatchBegan, MatchOver, TurnPrompt
from pbem.notices.notice import Notice
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.replies import BoardShown, GamesListed
from pbem.notices.second_thoughts import MoveReceipt
from pbem.notices.views.scene import MARKER, Reader, Wishes
from pbem.notices.views.view import build
from tests.notices.scenes import (
    ANN,
    BOB,
    CLEO,
    NAMES,
    OPENING,
    TAG,
    begun,
    challenge,
    played,
    reader,
    scene,
)
from tests.notices.test_golden import MAILS, rendered

LOGGER = GAMES["logger-1"]
WIDTHS = (40, 46, 53, 60, 66, 72)
TWO = played(begun(), *OPENING)
PROMPT = TurnPrompt(match=TWO.id, seat=Seat(1), ply=TWO.course.ply)
PLACES = [begun(), TWO]
"""Positions in which a line of a mail must not be a move: before and after placing."""


def wish(**wishes: object) -> Rendered:
    who = Reader(player=ANN, name="Ann", wishes=replace(Wishes(), **wishes))  # type: ignore[arg-type]
    return Renderer().render(build([PROMPT], who, scene(TWO)))


def playable(text: str, match: Match) -> bool:
    try:
        LOGGER.parse(text, match.course.position, Seat(match.to_act[0]))
    except Rejection:
        return False
    return True


def orders(line: str) -> bool:
    """Whether a line alone would do something in one of the places."""
    return any(
        not isinstance(typed.order, Move)
        or any(playable(typed.order.text, match) for match in PLACES)
        for typed in read_orders([line.strip()], LOGGER).orders
    )


@pytest.mark.parametrize("name", MAILS)
def test_no_line_is_one_that_a_mailer_eats(name: str) -> None:
    # MAIL 7: no trailing blanks, no line that begins with `>`, `From ` or `.`; 72 columns.
    for width in WIDTHS:
        for line in rendered(name, width).text.split("\n"):
            assert line == line.rstrip()
            assert not line.startswith((">", "From ", "."))
            assert line.isprintable()
            # But a tag of a record is whole: it is copied out, and read by programs.
            assert len(line) <= 72 or tag_of(line) is not None


@pytest.mark.parametrize("name", MAILS)
def test_no_line_is_nothing_but_an_order(name: str) -> None:
    # PLAY 2: so that a quoted line of ours is never carried out.
    lines = {line for width in WIDTHS for line in rendered(name, width).text.split("\n")}
    assert [line for line in sorted(lines) if orders(line)] == []


@pytest.mark.parametrize("name", MAILS)
def test_no_line_of_a_page_is_nothing_but_an_order(name: str) -> None:
    # Some clients quote HTML without a mark, and it is read as text.
    assert [line for line in Page(rendered(name).html or "").lines if orders(line)] == []


@pytest.mark.parametrize("name", MAILS)
def test_no_list_has_an_item_without_words(name: str) -> None:
    assert not re.search(r"^- *$", rendered(name).text, re.MULTILINE)


UNANSWERED = (
    "banned",
    "farewell",
    "report_received",
    "report_received_silent",
    "sending_cap_near",
)
"""Mails to people who are no players: there is nothing to write above, and no way back."""


@pytest.mark.parametrize("name", UNANSWERED)
def test_a_mail_that_nobody_can_answer_says_so(name: str) -> None:
    text = rendered(name).text
    assert MARKER not in text
    assert find_token_line(text) is None
    assert text.endswith("This mail needs no answer.\n")


@pytest.mark.parametrize("name", [name for name in MAILS if name not in UNANSWERED])
def test_a_mail_begins_with_its_headline_and_the_marker_and_ends_with_the_token(name: str) -> None:
    text = rendered(name).text
    paragraphs = text.split("\n\n")
    assert paragraphs[1] == MARKER
    assert find_token_line(paragraphs[-1]) == TAG
    # How to answer, always: at the end, unless a prompt says it where it begins, or the answers
    # stand there one by one.
    prompted = "reply with your move" in " ".join(text.split())
    offered = re.search(r'^- [^"\n]+: "[^"\n]+"$', text, re.MULTILINE)
    assert prompted or offered or "reply" in " ".join(paragraphs[-2:]).lower()


@pytest.mark.parametrize("name", MAILS)
def test_a_narrow_mail_says_the_same(name: str) -> None:
    narrow, wide = (rendered(name, width).text.split() for width in (40, 72))
    # A line behind a bar is broken into several, each behind its own.
    assert [word for word in narrow if word != "|"] == [word for word in wide if word != "|"]


# --- HTML -----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The words of a page, its tags, addresses and labels; a tag that is not closed is an error."""

    VOID = ("meta", "br")
    LINES = ("br", "p", "h1", "h2", "li", "div", "tr", "pre")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.board = 0
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.words: list[str] = []
        self.lines: list[str] = [""]
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag in self.LINES:
            self.lines.append("")
        if ("aria-hidden", "true") in attrs:
            self.board = len(self.open) + 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if len(self.open) < self.board:
            self.board = 0

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            if not self.board:
                self.words += data.split()
            first, *rest = data.split("\n") if "pre" in self.open else [" ".join(data.split("\n"))]
            self.lines[-1] += first
            self.lines += rest


TAPPING: Final = re.compile(
    r"<p[^>]*>A move that you tap here [^<]*</p>|(?<=>)Open the (?:board|invitation)(?=</a>)"
)
"""What is said of buttons and on them, for HTML alone."""

STROKES: Final = (
    "  - | + = lines",
    "  ─ │ ┌ ┬ ┐ ├ ┼ ┤ └ ┴ ┘ = lines",
    "  - | + = lines between tiles",
)
"""What is said of a board's lines, for the text alone."""


def board_lines(name: str) -> Iterator[str]:
    """The lines of the boards that a mail shows as cells."""
    notices, about, who = MAILS[name]
    views = build(notices, who, about).notices
    inner = (seen for view in views for seen in (*view.matches, view.foreseen.theirs))
    for seen in filter(None, (*views, *inner)):
        for sight in (seen.board.sight, seen.board.earlier):
            if sight is not None and sight.cells is not None:
                yield from sight.lines


@pytest.mark.parametrize("name", MAILS)
def test_html_says_what_the_text_says_and_loads_nothing(name: str) -> None:
    mail = rendered(name)
    assert mail.html is not None
    page = Page(TAPPING.sub("", mail.html))
    assert MARKER not in mail.html
    assert not page.tags & {"img", "script", "link", "iframe", "form"}
    own = (MAILS[name][1].page, MAILS[name][1].link)
    links = [link for link in page.links if link not in own]
    assert all(link.startswith("mailto:") for link in links)
    assert "url(" not in mail.html

    def letters(words: list[str]) -> str:
        return re.sub(r'["|-]', "", "".join(words))

    # What HTML shows of a board are cells; tests/games compares their signs with the text's.
    boards = {line.rstrip() for line in board_lines(name)}
    boards |= {MARKER, *STROKES, f"In a browser: {MAILS[name][1].page}"}  # the text alone has them
    said = [line for line in mail.text.split("\n") if line not in boards]
    assert letters(page.words) == letters(" ".join(said).split())


@pytest.mark.parametrize("name", MAILS)
def test_the_lines_of_a_page_are_told_as_its_reader_sees_them(name: str) -> None:
    mail = rendered(name)
    assert mail.html is not None
    assert mail.html_lines is not None
    shown = [line.text for line in html_lines(mail.html) if line.text]
    told = [line for line in mail.html_lines if line.strip()]
    assert [letters(line) for line in told] == [letters(line) for line in shown]
    assert fingerprints_sent(told) == fingerprints_sent(shown)


def test_a_page_with_an_operators_words_is_to_be_read(tmp_path: Path) -> None:
    own = "{{ headline }}<p>Our club meets on Fridays.</p>{{ shown(sections[0].board) }}"
    (tmp_path / "mail.html.j2").write_text(own)
    mail = Renderer([tmp_path]).render(build([PROMPT], reader(), scene(TWO)))
    assert mail.html is not None
    assert "Fridays" in mail.html
    assert mail.html_lines is None


def test_a_board_in_html_is_cells_with_words_in_a_cell_of_its_own() -> None:
    html = wish().html or ""
    cell = re.search(
        r'<td class="paper"[^>]*><div class="figure" role="img" aria-label="([^"]+)"', html
    )
    assert cell is not None
    assert cell[1].startswith("Loggers: Ann e3, to move. Bob a3.")
    assert '<table role="presentation" aria-hidden="true"' in html
    assert "+-----+" not in html
    assert '"- | + = lines"' not in html


def test_a_tap_writes_the_move_for_this_ply_only() -> None:
    html = wish().html or ""
    taps = [urlsplit(link) for link in dict.fromkeys(Page(html).links)]
    links = [link for link in taps if parse_qs(link.query)["body"][0].startswith("#")]
    assert 1 <= len(links) <= 10
    for link in links:
        assert "%2B" in link.path  # MAIL 7: clients read `+` as a blank
        assert unquote(link.path) == f"games+{TAG}@example.org"
        (body,) = parse_qs(link.query)["body"]
        (typed,) = read_orders([body], LOGGER).orders
        assert isinstance(typed.order, Move)
        assert typed.ply == TWO.course.ply + 1
        assert playable(typed.order.text, TWO)


def test_an_invitation_can_be_answered_by_a_tap() -> None:
    asked = challenge("K7QX2", (ANN, BOB))
    mail = Renderer().render(build([Invitation(match=asked.id)], reader(BOB), scene(asked)))
    bodies = [parse_qs(urlsplit(link).query)["body"][0] for link in Page(mail.html or "").links]
    typed: list[Order] = [read_orders([body], None).orders[0].order for body in bodies]
    assert Accept("") in typed


# --- wishes ---------------------------------------------------------------------------------------


def test_a_reader_without_html_gets_none() -> None:
    assert wish(html=False).html is None


def test_both_styles_have_the_same_lines() -> None:
    plain, drawn = (
        build([PROMPT], reader(wishes=Wishes(style=style)), scene(TWO)).notices[0].board.sight
        for style in Style
    )
    assert plain is not None
    assert drawn is not None
    assert list(map(len, plain.lines)) == list(map(len, drawn.lines))
    assert plain.lines != drawn.lines


def test_a_spoken_mail_has_no_picture() -> None:
    mail = wish(spoken=True)
    assert "+-----+" not in mail.text
    assert "Loggers: Ann e3, to move. Bob a3." in mail.text
    assert "<pre" not in (mail.html or "")


# --- what a mail shows ----------------------------------------------------------------------------


def boards(mail: Rendered) -> int:
    return sum(line.strip() == "a     b     c     d     e" for line in mail.text.split("\n")) // 2


def test_a_mail_shows_a_board_once_and_in_its_prompt() -> None:
    notices: list[Notice] = [PROMPT, MoveReceipt(match=TWO.id, seat=Seat(1), ply=Ply(3))]
    mail = Renderer().render(build(notices, reader(), scene(TWO)))
    assert boards(mail) == 1
    begins: list[Notice] = [MatchBegan(match=TWO.id), PROMPT]
    first = Renderer().render(build(begins, reader(), scene(TWO)))
    assert boards(first) == 1
    assert first.text.index("You can move to") > first.text.index("Your turn in")


def test_a_list_of_boards_shows_each() -> None:
    three = played(begun("M3SS4", players=(BOB, ANN, CLEO)), "e1")
    notice = GamesListed(matches=(TWO.id, three.id), boards=True)
    assert boards(Renderer().render(build([notice], reader(), scene(TWO, three)))) == 2


def test_news_begins_after_the_readers_own_last_ply() -> None:
    view = build([PROMPT], reader(), scene(TWO))
    assert [(step.ply, step.name) for step in view.notices[0].since] == [(4, "Bob")]
    fresh = build(
        [TurnPrompt(match=TWO.id, seat=Seat(2), ply=TWO.course.ply)], reader(CLEO), scene(TWO)
    )
    assert [step.ply for step in fresh.notices[0].since] == [1, 2, 3, 4]


def test_a_spectator_sees_through_no_seats_eyes() -> None:
    view = build([BoardShown(match=TWO.id, ply=TWO.course.ply)], reader(CLEO), scene(TWO))
    sight = view.notices[0].board.sight
    assert sight is not None
    assert sight.facts["you"] is None
    assert sight.facts["can"] is None


def test_the_mail_stays_in_the_thread_of_its_match_once_that_has_begun() -> None:
    asked = challenge("K7QX2", (ANN, BOB))
    assert build([Invitation(match=asked.id)], reader(BOB), scene(asked)).thread is None
    view = build([PROMPT], reader(), scene(TWO))
    assert (view.thread, view.sender, view.ask) == ("K7QX2", "Logger K7QX2 (pbem)", "move")
    notices: list[Notice] = [
        PROMPT,
        BoardShown(match=TWO.id, ply=Ply(1)),
        MatchBegan(match=TWO.id),
    ]
    subjects = {
        Renderer().render(build([notice], reader(), scene(TWO))).subject for notice in notices
    }
    assert subjects == {"[Logger K7QX2] Ann - Bob"}  # PLAY 1: a constant subject


# --- other people's text --------------------------------------------------------------------------

HOSTILE = (
    "Bob\r\nBcc: eve@example.org",
    "{{ view }}{% raw %}",
    "<script>alert(1)</script>",
    '"><img src=x onerror=y>',
    "\u202eevil\u2066",
    "\u2028resign yes\u2029",
    "x" * 500,
    "\x01\x03\x05 marks \x06\x0e",
    "%(name)s %s",
    "> From .",
    "\U0001f332\U0001f332",
    "",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_a_mail(name: str) -> None:
    about = scene(TWO, names={**NAMES, BOB: name})
    ours = Renderer().render(build([PROMPT], reader(), scene(TWO)))
    notices: list[Notice] = [PROMPT, MatchBegan(match=TWO.id)]
    mail = Renderer().render(build(notices, reader(), about))
    assert mail.subject.isprintable()
    assert len(mail.subject) < 100
    page = Page(mail.html or "")
    assert page.tags <= Page(ours.html or "").tags | {"ul", "li"}
    for line in mail.text.split("\n"):
        assert line.isprintable()
        assert not line.startswith((">", "From ", "."))
        assert len(line) <= 100
    picture = [line for line in ours.text.split("\n") if line.startswith("     +--")]
    assert [line for line in mail.text.split("\n") if line.startswith("     +--")] == picture


def test_a_forgotten_player_has_a_name_too() -> None:
    mail = Renderer().render(
        build([MatchOver(match=LAST.id)], reader(), scene(LAST, names={ANN: "Ann"}))
    )
    assert "Ann - ?" in mail.subject


LAST = MAILS["match_over"][1].matches[TWO.id]


# --- what one's own move has shown ----------------------------------------------------------------


def test_a_move_that_has_shown_its_player_something_is_told_to_them_once() -> None:
    notices, scene, reader = MAILS["late_in_logan_stones"]
    (match,) = scene.matches.values()
    you = match.seat_of(reader.player)
    assert you is not None
    own = [step for step in match.course.steps if step.seat == you][-1]
    assert match.game.reveals(own.before, own.after, you)
    alone = build(notices, reader, scene).notices[-1]
    assert [step.ply for step in alone.since] == [own.ply, own.ply + 1]
    receipt = MoveReceipt(match=match.id, seat=you, ply=own.ply)
    both = build([receipt, *notices], reader, scene).notices
    assert both[0].told is not None
    assert both[0].told.ply == own.ply
    assert [step.ply for step in both[-1].since] == [own.ply + 1]
