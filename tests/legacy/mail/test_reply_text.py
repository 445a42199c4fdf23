from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import GAMES
from pbem.legacy.mail.free_text import order_lines as orders
from pbem.legacy.mail.html import html_lines
from pbem.legacy.mail.lines import LONGEST, MARKER, OwnText
from pbem.legacy.mail.reply_text import LINES, Typed, fingerprints, typed_text
from tests.legacy.effort import clock, in_reference_seconds
from tests.legacy.mail.clients import (
    ADDRESS,
    CLIENTS,
    NAME,
    OWN,
    SENT,
    SENT_HTML,
    TALK,
    TURN,
    Mail,
)
from tests.legacy.mail.corpus.written import BODIES

GOLDEN = Path(__file__).parent.parent / "notices" / "golden"
LOGGER = next(game for game in GAMES.values() if game.key == "logger")


def is_order(line: str) -> bool:
    """As a letter to a match of Logger is read: a line with a cell anywhere may be a move."""
    return orders.is_order(line, LOGGER)


def real(name: str) -> Mail:
    """A mail as our templates write it."""
    text = (GOLDEN / f"{name}.txt").read_text().partition("\n\n")[2]
    return Mail(text, (GOLDEN / f"{name}.html").read_text())


MAILS = {"model": TURN, "talk": TALK} | {
    name: real(name) for name in ("turn_prompt", "order_refused", "message_received")
}


@cache
def own_of(mail: str) -> OwnText:
    """What we know of one of these mails."""
    return MAILS[mail].own


@cache
def answered(client: str, body: str, mail: str) -> Typed:
    """What is read of an answer to one of these mails."""
    reply = CLIENTS[client](BODIES[body], MAILS[mail])
    return typed_text(reply.text, reply.html, own_of(mail), is_order)


def exact(client: str, body: str, mail: str) -> bool:
    typed = answered(client, body, mail)
    wanted = tuple(BODIES[body].split("\n")) if BODIES[body] else ()
    return typed.lines == wanted and not typed.conflict


@pytest.mark.parametrize("mail", MAILS)
def test_replies_of_all_clients_are_read_exactly(mail: str) -> None:
    results = {client: [exact(client, body, mail) for body in BODIES] for client in CLIENTS}
    right = sum(map(sum, results.values()))
    total = len(CLIENTS) * len(BODIES)
    table = [f"{right} of {total} replies exact ({right / total:.1%})"]
    for client, row in results.items():
        wrong = ", ".join(body for body, good in zip(BODIES, row, strict=True) if not good)
        table.append(f"  {client:20} {sum(row):2}/{len(row)}  {wrong}")
    sys.stdout.write("\n".join(table) + "\n")  # seen with -s, or where it fails
    assert right / total >= 0.99


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("mail", MAILS)
def test_no_line_of_ours_and_no_old_move_is_taken(client: str, mail: str) -> None:
    own = own_of(mail)
    for name, body in BODIES.items():
        typed = answered(client, name, mail)
        taken = [line for line in typed.lines if line and line not in body.split("\n")]
        assert [
            line for line in taken if is_order(line) or fingerprints(line) & own.fingerprints
        ] == []


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("mail", MAILS)
def test_an_unknown_mail_gives_nobody_words(client: str, mail: str) -> None:
    # The fingerprints are gone, or the mail was forwarded to somebody: no order may come out of it.
    reply = CLIENTS[client]("", MAILS[mail])
    own = OwnText(OWN.addresses, NAME)
    typed = typed_text(reply.text, reply.html, own, is_order)
    assert typed.conflict or not any(map(is_order, typed.lines))


# --- single cases: what was typed, and what stands around it -------------------------------------

QUOTE = "".join(f"> {line}".rstrip() + "\n" for line in SENT.splitlines())
WROTE = f"On Mon, Jan 5, 2026 at 10:00 AM {NAME} <{ADDRESS}> wrote:"
BLOCK = f"From: {NAME} <{ADDRESS}>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Ann\n"
HEAD, _, TAIL = SENT.partition("Your clock")
INNER = SENT_HTML.partition("<body>")[2].partition("</body>")[0]
HTML_HEAD, _, HTML_TAIL = INNER.partition("<p>Your clock")
SPACED = SENT.replace("\n", "\n\n").replace(ADDRESS, f"{ADDRESS}<mailto:{ADDRESS}>")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # What keyboards and phones make of a move.
        ("C1\u00a0plant\u00a0c2", ("C1 plant c2",)),
        ("c3 –\u2009c4", ("c3 - c4",)),
        ("\ufeff\u200bc1 plant c2\u200e", ("c1 plant c2",)),
        ("c1 plant c2\u2028say “hi”", ("c1 plant c2", 'say "hi"')),
        ("ｃ１ plant c2", ("c1 plant c2",)),
        ("  c1 plant c2  \r\n", ("c1 plant c2",)),
        # Where a person's words end.
        ("c1 plant c2\n-- \nAnn\nd1 plant d2", ("c1 plant c2",)),
        ("c1 plant c2\n--\nAnn", ("c1 plant c2",)),
        ("c1 plant c2\n—\nAnn", ("c1 plant c2",)),
        ("c1 plant c2\n_____\nA footer", ("c1 plant c2",)),
        ("c1 plant c2\nSIGNOFF\nd1 plant d2", ("c1 plant c2",)),
        ("c1 plant c2\n\nSent from my iPhone", ("c1 plant c2",)),
        ("c1 plant c2\n\nVon meinem Telefon gesendet\nAnn", ("c1 plant c2",)),
        ("Sent from my iPhone\n\nc1 plant c2", ("c1 plant c2",)),
        ("-- \nAnn", ()),
        # Attributions glued to the text, broken, or with words that no table knows.
        (f"c1 plant c2\n{WROTE}\n{QUOTE}", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{WROTE.replace(' at ', ' at' + chr(10))}\n{QUOTE}", ("c1 plant c2",)),
        (f"c1 plant c2\n\nZzz {NAME} <{ADDRESS}> qqq\n{QUOTE}", ("c1 plant c2",)),
        (f"c1 plant c2\n\nOn Monday somebody said:\n\n\n{QUOTE}", ("c1 plant c2",)),
        (f"c1 plant c2\n{QUOTE}", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{WROTE}\n", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{BLOCK}\n", ("c1 plant c2",)),
        (f"c1 plant c2\n\n--- Original ---\n\n{BLOCK}\n{SENT}", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{SENT}", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{SPACED}", ("c1 plant c2",)),
        (f"c1 plant c2\n\n{BLOCK}\n{SPACED}", ("c1 plant c2",)),
        # Only the marker is left, whole, prefixed, wrapped.
        (f"c1 plant c2\n{MARKER}\nd1 plant d2\n> x", ("c1 plant c2",)),
        ("c1 plant c2\n| === write your move\n| above this line ===\nfoo", ("c1 plant c2",)),
        # Below and inside the quote.
        (f"{WROTE}\n{QUOTE}\nc1 plant c2\n\n-- \nAnn", ("c1 plant c2",)),
        (f"{QUOTE}c1 plant c2", ("c1 plant c2",)),
        (f"Hi!\n\n{WROTE}\n{QUOTE}\nc1 plant c2", ("Hi!", "", "c1 plant c2")),
        (f"{WROTE}\n> Three that are legal now:\nc1 plant c2\n", ("c1 plant c2",)),
        (f"{BLOCK}\n{HEAD}\nc1 plant c2\n\nYour clock{TAIL}", ("c1 plant c2",)),
        (f"{BLOCK}\n{SENT}\nc1 plant c2\nGood luck", ("c1 plant c2", "Good luck")),
        # Nothing typed, quoted either way, broken by a relay, or spaced out.
        (f"{WROTE}\n{QUOTE}", ()),
        (QUOTE, ()),
        (SENT, ()),
        (f"{BLOCK}\n{SENT}", ()),
        (f"{BLOCK}\n{SENT}\n\n{BLOCK.replace(NAME, 'Ann')}\nb1 plant b2\n\n{BLOCK}\n{SENT}", ()),
        (f"Thanks!\n\n{BLOCK}\n{SENT}\n\n{BLOCK}\nb1 plant b2", ("Thanks!",)),
        # It names us and is no attribution.
        ("Logger K7QX2 is fun\nc1 plant c2", ("Logger K7QX2 is fun", "c1 plant c2")),
        (f"Is it {ADDRESS}?\nc1 plant c2", (f"Is it {ADDRESS}?", "c1 plant c2")),
        ("", ()),
        ("\n\n\n", ()),
    ],
)  # fmt: skip
def test_what_was_typed_is_told_from_what_stands_around_it(
    text: str, lines: tuple[str, ...]
) -> None:
    assert typed_text(text, None, OWN, is_order).lines == lines


def test_an_order_is_never_removed_by_its_fingerprint_alone() -> None:
    # MAIL 1: people copy our example onto a line of their own.
    own = OwnText(fingerprints=fingerprints("Hello Ann\nc1 plant c2\nHow to answer"))
    quoted = "Hello Ann\nc1 plant c2\nHow to answer"
    assert typed_text("c1 plant c2", None, own, is_order).lines == ("c1 plant c2",)
    assert typed_text(f"c1 plant c2\n\n{quoted}", None, own, is_order).lines == ("c1 plant c2",)
    assert typed_text(f"{quoted}\n\nc1 plant c2", None, own, is_order).lines == ("c1 plant c2",)
    assert typed_text(quoted, None, own, is_order).lines == ()


def test_a_word_of_ours_that_is_no_order_is_only_a_comment() -> None:
    own = OwnText(fingerprints=fingerprints("Good luck\nSettings"))
    typed = typed_text("Good luck\nc1 plant c2", None, own, is_order)
    assert typed.lines == ("Good luck", "c1 plant c2")


# --- HTML ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>c1 plant c2</p>", ("c1 plant c2",)),
        ("c1<br>c2<BR/>c3", ("c1", "c2", "c3")),
        ("<div>c1</div><div>c2</div>", ("c1", "c2")),
        ("<p>c1</p><p>c2</p>", ("c1", "", "c2")),
        ("<b>c1</b> <i>plant</i>\n <span>c2</span>", ("c1 plant c2",)),
        ("c1&nbsp;plant&#32;c&#50;&lt;&amp;", ("c1 plant c2<&",)),
        ("<pre>c1\nc2</pre>", ("c1", "c2")),
        ("<ul><li>c1</li><li>c2</ul>", ("c1", "c2")),
        ("<table><tr><td>c1</td><td>x</td></tr><tr><td>c2</td></tr></table>", ("c1 x", "c2")),
        ("<head><title>x</title></head><body>c1<script>if (a<b) x</script></body>", ("c1",)),
        ("<style>p > a {}</style><!-- d1 --><![if !mso]>c1<![endif]>", ("c1",)),
        ('<div style="display: none">d1</div>c1', ("c1",)),
        ('<div style="font-size:0">d1</div><span hidden>d2</span>c1', ("c1",)),
        ('<span style="mso-hide:all;">d1</span><template>d2</template>c1', ("c1",)),
        ('<p title="a > b">c1</p>', ("c1",)),
        ("<s>d1</s> <strike>d2</strike><del>d3</del>c1", ("c1",)),
        ('<i style="color:red; text-decoration: underline line-through">d1</i>c1', ("c1",)),
        ('<i style="text-decoration-line:line-through">d1 <b>d2</b></i>c1', ("c1",)),
        ('<i style="text-decoration:none;x:line-through">c1</i>', ("c1",)),
        ('c1<div class="gmail_signature">Ann</div>', ("c1",)),
        ('c1<div class="gmail_attr">X:</div><blockquote>d1</blockquote>', ("c1",)),
        (f'<blockquote type="cite">{INNER}</blockquote><div>c1 plant c2</div>', ("c1 plant c2",)),
        (f'<p class="gmail_attr">X:</p><blockquote>{INNER}</blockquote>c1', ("c1",)),
        (f"<blockquote>{HTML_HEAD}</blockquote>c1<blockquote>{HTML_TAIL}</blockquote>", ("c1",)),
        (f"{HTML_HEAD}<p>c1 plant c2</p><p>Your clock{HTML_TAIL}", ("c1 plant c2",)),
        (f"<div>c1 plant c2</div><hr>{INNER}", ("c1 plant c2",)),
        (f'c1 plant c2<div id="appendonsend"></div>{INNER}<p>b1 plant b2</p>', ("c1 plant c2",)),
        (INNER, ()),
        (SENT_HTML, ()),
        ("a < b and 1<2", ("a < b and 1<2",)),
        ("<", ("<",)),
        ("c1 <a", ("c1",)),
        ("c1 <!-- never closed", ("c1",)),
        ('<a title="never closed>c1', ("c1",)),
        ("", ()),
    ],
)  # fmt: skip
def test_html_is_read_as_it_is_shown(html: str, lines: tuple[str, ...]) -> None:
    typed = typed_text(None, html, OWN, is_order)
    assert typed.lines == lines


@pytest.mark.parametrize(
    ("text", "html", "lines", "source", "conflict"),
    [
        ("c1 plant c2", "<p>c1 plant c2</p>", ("c1 plant c2",), "text", False),
        ("C1 plant c2.", "<p>c1 Plant&nbsp;c2</p>", ("C1 plant c2.",), "text", False),
        ("c1 plant c2", "<p>d1 plant d2</p>", ("c1 plant c2",), "text", True),
        ("c1 plant c2", "<p>c1 plant c2</p><p>d1 plant d2</p>", ("c1 plant c2",), "text", True),
        ("See the HTML part", "<p>c1 plant c2</p>", ("See the HTML part",), "text", True),
        ("c1 plant c2", "<p>Hello</p>", ("c1 plant c2",), "text", True),
        ("c1 plant c2", "<s>c1 plant c2</s>", ("c1 plant c2",), "text", True),
        ("Hello!", "<p>Hello</p><p>Ann</p>", ("Hello!",), "text", False),
        (" \n\n", "<p>c1 plant c2</p>", ("c1 plant c2",), "html", False),
        (None, "<p>c1 plant c2</p>", ("c1 plant c2",), "html", False),
        ("c1 plant c2", None, ("c1 plant c2",), "text", False),
        ("c1 plant c2", " ", ("c1 plant c2",), "text", False),
        (None, None, (), "text", False),
        (
            "say " + "word " * 15 + "\nand more",
            "<p>say " + "word " * 15 + "and more</p>",
            (("say " + "word " * 15).strip(), "and more"),
            "text",
            False,
        ),
    ],
)
def test_text_and_html_must_hold_the_same_orders(
    text: str | None,
    html: str | None,
    lines: tuple[str, ...],
    source: str,
    conflict: bool,  # noqa: FBT001 - a table's column
) -> None:
    typed = typed_text(text, html, OWN, is_order)
    assert (typed.lines, typed.source, typed.conflict) == (lines, source, conflict)


# --- fingerprints --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "came_back"),
    [
        ("How to answer: reply to this mail", "  how to answer – reply to this MAIL  "),
        ("Ann (A): 4 points", "Ann (A): 4 points"),
        ("  5 | . | 1 | . |", "5|.|1|.|"),
        ("+---+---+", " +---+---+ "),
        ("Größe", "GRÖSSE"),
    ],
)
def test_a_line_is_known_when_it_comes_back(sent: str, came_back: str) -> None:
    assert fingerprints(sent)
    assert fingerprints(sent) == fingerprints(came_back)


@pytest.mark.parametrize("line", ["", " ", "5", "c3", "--", ">"])
def test_a_line_like_many_others_has_no_fingerprint(line: str) -> None:
    assert not fingerprints(line)


def test_the_text_and_the_html_of_our_mail_have_fingerprints() -> None:
    line = "You can move to 9 cells, from there plant on 21, chop 2 trees or protest."
    assert fingerprints(line) & fingerprints("", SENT_HTML)
    assert len(fingerprints(SENT)) > 20


# --- time, and anything at all -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "On " * 5000,
        "On x wr\n" * 3000,
        "\n" * 5_000,
        "-" * 25_000,
        "On Mon, Jan 1 " * 7000,
        "On Mon, Jan 1, 2026\n" * 5000,
        "> " * 12_500,
        ">\n" * 12_500,
        f"{NAME}\n" * 8000,
        f"{ADDRESS}:\n" * 4000,
        "From: x\n" * 3_000,
        f"{NAME} 2026\n" * 8000,
        SENT * 60,
        "How to answer: reply to this mail with your move above everything else.\n" * 1400,
        "a3 chop b3\n" * 2_500,
        "=== write your move\n" * 5000,
        "_" * 25_000,
        "\u200b" * 25_000,
        "ﷺ" * 12_500,
        "e\u0301\u0300" * 7_500,
        "Sent from\n" * 2_500,
        "a:\n\n\n" * 5_000,
        "Hello there\n" + "a3 chop b3\n" * 2_500,
        "a3 chop b3\nHello there\n" * 1_250,
        "Hello there\n3\n" * 1_250,
    ],
    ids=lambda text: repr(text[:16]),
)
def test_texts_are_read_in_linear_time(text: str) -> None:
    every = OwnText(OWN.addresses, NAME, OWN.fingerprints | fingerprints(text))
    begun = clock()
    typed_text(text, None, OWN, is_order)
    typed_text(text, None, every, is_order)
    typed_text(text, None, every, lambda _line: True)
    typed_text(text, None, OWN, lambda _line: True)
    typed_text(text + QUOTE, None, OWN, lambda _line: False)
    assert in_reference_seconds(clock() - begun) < 0.4


def test_an_attribution_broken_into_thousands_of_lines_is_read() -> None:
    assert typed_text("x<\n\n" * 2_400 + WROTE, None, OWN, is_order).lines == ()


@pytest.mark.parametrize(
    "html",
    [
        "<a " * 25_000,
        '<a b="' * 12_500,
        "<!--" * 25_000,
        "<![CDATA[" * 12_500,
        "<div>" * 25_000,
        "<div>" * 12_500 + "</p>" * 12_500 + "</div>" * 12_500,
        "<script>" * 12_500,
        "</" * 25_000,
        "<" * 75_000,
        "&" * 75_000,
        "&#" + "9" * 75_000 + ";",
        "&#x" + "f" * 75_000,
        "<p" + " a" * 37_500 + ">x",
        "<p " + "a" * 75_000 + ">x",
        "<p style='" + "display:" * 7_500 + "'>x",
        "<br>" * 25_000,
        "<blockquote>" * 5_000 + "x" + "</blockquote>" * 5_000,
        "<td>" * 25_000,
        "<p>x" * 12_500,
        " " * 125_000,
        "<pre>" + "\n" * 50_000,
        "<p class='" + "a " * 25_000 + "'>x",
    ],
    ids=lambda html: html[:12],
)
def test_pages_are_read_in_linear_time(html: str) -> None:
    begun = clock()
    typed_text(None, html, OWN, is_order)
    html_lines(html)
    assert in_reference_seconds(clock() - begun) < 0.4


@given(st.text(), st.text(), st.booleans())
def test_any_text_is_read(text: str, html: str, orders: bool) -> None:  # noqa: FBT001 - drawn
    typed = typed_text(text, html, OWN, lambda _line: orders)
    assert all("\n" not in line for line in typed.lines)


PIECES = st.sampled_from(
    ["<div>", "</div>", "<p", ">", "<br>", "<blockquote>", "</blockquote>", "<pre>", "</pre>",
     '"', "'", "<!--", "-->", "<script>", "</script>", "&nbsp;", "&#", "c1", " ", "\n", "<td>",
     'class="', "=", 'id="divRplyFwdMsg"', "style=display:none", "<a href=", "</", "<",
     "/>", "<style>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_page_is_read(html: str) -> None:
    assert all("\n" not in line for line in typed_text(None, html, OWN, is_order).lines)


OURS = [line for line in SENT.splitlines() if fingerprints(line)]
typed_lines = st.lists(
    st.sampled_from(["c1 plant c2", "Hi Bob", "", "say hello", "a3 chop b3", "3"]), max_size=4
)


@given(typed_lines, typed_lines, st.integers(0, len(OURS)), st.sampled_from(["> ", ">", ">> ", ""]))
def test_no_line_of_ours_is_ever_typed(
    above: list[str], below: list[str], at: int, prefix: str
) -> None:
    quote = [prefix + line for line in SENT.splitlines()]
    text = "\n".join([*above, "", WROTE, "", *quote[:at], "", *below, "", *quote[at:]])
    typed = typed_text(text, None, OWN, is_order)
    assert set(typed.lines) <= {*above, *below, ""}


# --- how much is read -----------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["-", "\ufdfa", "x ", "\u3000a", "\u0344"])
def test_no_expression_sees_more_than_a_thousand_characters(sign: str) -> None:
    longest = 0

    def seen(line: str) -> bool:
        nonlocal longest
        longest = max(longest, len(line))
        return False

    typed_text(sign * 20_000, f"<p>no9 {sign * 20_000}</p>", OwnText(), seen)
    assert 0 < longest <= LONGEST


def test_a_long_line_of_a_quote_is_quoted_to_its_end() -> None:
    typed = typed_text(f"e1\n\n> {'plant a1 ' * 400}\n", None, OwnText(), lambda line: "a1" in line)
    assert typed.lines == ("e1",)


def test_a_long_line_is_cut_between_words_and_loses_none() -> None:
    words = [f"word{number}" for number in range(1_000)]
    typed = typed_text(" ".join(words), None, OwnText())
    assert len(typed.lines) > 5
    assert " ".join(typed.lines).split() == words
    assert typed.left_out == 0


def test_typed_text_ends_and_says_what_was_left_out() -> None:
    line = "a hundred bytes with the end of the line: " + "x" * 57
    typed = typed_text("\n".join([line] * 1_000), None, OwnText())
    assert sum(len(one.encode()) + 1 for one in typed.lines) <= 32_768
    assert len(typed.lines) == 327
    assert len(typed.lines) * 99 + typed.left_out == 99_000


def test_lines_that_are_not_looked_at_are_left_out_unless_they_are_a_quote() -> None:
    many = "x\n" * (LINES + 50)
    assert typed_text(many, None, OwnText()).left_out == 50
    assert typed_text("e1\n\n" + "> x\n" * (LINES + 50), None, OwnText()).left_out == 0
