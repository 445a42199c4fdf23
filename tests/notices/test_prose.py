"""Marked text becomes text that no mailer eats, and HTML of the same words."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.notices.rendering import html_markup, markup
from pbem.notices.views.clean import NAME, clean, clean_lines

BLOCKS = {
    "text": "<p>\n</p>",
    "heading": "<h2>\n</h2>",
    "list": "<ul>\n<li>\n</li>\n</ul>",
    "said": "<q>\n</q>",
    "typed": "<code>\n</code>",
    "tap": '<a href="\n">\n</a>',
    "board": f'<pre title="{markup.LABEL}">\n</pre>',
    "wide": "<pre>\n</pre>",
    "fixed": "<div>\n<i>\n</i>\n</div>",
}
TAGS = html_markup.tags_of(BLOCKS)

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=20)
lines = st.lists(words, max_size=40).map(" ".join)


@pytest.mark.parametrize(
    ("marks", "width", "expected"),
    [
        ("one two three four", 9, "one two\nthree\nfour\n"),
        ("one two three", 10, "one\ntwo three\n"),  # no word alone on the last line
        ("- one two three four five", 12, "- one two\n  three\n  four five\n"),
        ("| one two three four five", 12, "| one two\n| three\n| four five\n"),
        ("say " + markup.typed("e3 plant d3") + " now", 14, 'say "e3 plant d3"\nnow\n'),
        ("it is " + markup.typed("e3 plant d3") + " or so", 15, 'it\nis "e3 plant d3"\nor so\n'),
        ("         or: " + markup.typed("e3 plant d3"), 20, '         or: "e3 plant d3"\n'),
        (markup.marked(["  a   b  |", " . "], markup.BOARD), 4, "  a   b  |\n .\n"),
        ("\n\none\n\n\n\ntwo\n\n", 72, "one\n\ntwo\n"),
        (">one\nFrom two\n.three", 72, " >one\n From two\n .three\n"),
        (markup.FIXED + "  A Ann  10 points  to move", 20, "  A Ann  10 points\n    to move\n"),
        (markup.HEADING + "Since:", 72, "Since:\n"),
        (markup.LABEL + "unseen\nseen", 72, "seen\n"),
        ("x" * 30, 10, "x" * 30 + "\n"),
    ],
)
def test_text_is_wrapped_but_for_what_is_in_one_piece(
    marks: str, width: int, expected: str
) -> None:
    assert markup.to_text(marks, width) == expected


def test_a_text_is_filled_with_one_blank_between_two_words() -> None:
    words = ["x" * 35, "y" * 36, "z", "w" * 80, "v"]
    assert markup.filled("\n  ".join(words)) == "\n".join(
        ["x" * 35 + " " + "y" * 36, "z", "w" * 80, "v"]
    )
    assert markup.filled("") == ""


def test_nobody_s_own_words_are_kept_for_the_next_mail() -> None:
    before = markup._wrapped_before.cache_info().currsize
    markup.to_text("| " + "a secret of mine " * 9, 40)
    assert markup._wrapped_before.cache_info().currsize == before


def test_a_piece_that_no_line_can_hold_is_broken_behind_a_comma() -> None:
    aim = "M top; aim Blue ccw, Green ccw, Orange cw, Purple cw, Red 180, Yellow 180"
    assert markup.to_text(f"- Ann turns ({markup.noted(aim)}).", 40) == (
        "- Ann turns\n"
        '  ("M top; aim Blue ccw, Green ccw, Orange cw, Purple cw, Red 180,\n'
        '  Yellow 180").\n'
    )
    endless = markup.to_text(markup.noted("x " * 60), 40)
    assert [len(row) for row in endless.splitlines()] == [72, 49]


@settings(max_examples=100, deadline=None)
@given(lines, st.integers(20, 72))
def test_wrapping_changes_nothing_but_blanks(line: str, width: int) -> None:
    text = markup.to_text(line, width)
    shown = [row.removeprefix("| ") if line.startswith("| ") else row for row in text.split("\n")]
    assert " ".join(shown).split() == line.removeprefix("| ").split()
    for row in text.split("\n"):
        assert row == row.rstrip(" ")
        assert not row.startswith((">", "From ", "."))
        assert len(row) <= width + 1 or " " not in row.strip(" |-")


@settings(max_examples=100, deadline=None)
@given(st.lists(lines, max_size=6).map("\n".join))
def test_html_says_the_same_and_nothing_of_it_is_markup(text: str) -> None:
    html = html_markup.to_html(text, TAGS)
    said = unescape(re.sub(r"</?(p|ul|li|q|br)>", " ", html)).split()
    assert [word for word in said if word not in "|-"] == [
        word for word in text.split() if word not in "|-"
    ]


def test_html_of_each_kind_of_block() -> None:
    marks = "\n".join(
        [
            markup.HEADING + "Since <then>:",
            "- one",
            "- two",
            "",
            markup.LABEL + 'Ann "a1"',
            markup.marked(["a & b", "c"], markup.BOARD),
            markup.FIXED + "  A Ann",
            markup.barred("hi\n<b>"),
            "Say " + markup.typed("yes") + " or " + markup.typed("no no") + ".",
        ]
    )
    assert html_markup.to_html(marks, TAGS, {"yes": "mailto:a?b&c"}) == (
        "<h2>Since &lt;then&gt;:</h2><ul><li>one</li><li>two</li></ul>"
        '<pre title="Ann &quot;a1&quot;">a &amp; b\nc</pre>'
        "<div><i>  A Ann</i></div><q>| hi<br>| &lt;b&gt;</q>"
        '<p>Say <a href="mailto:a?b&amp;c">yes</a> or <code>no no</code>.</p>'
    )


def test_a_figure_stands_for_the_board_after_it_and_a_legend_has_its_signs() -> None:
    marks = "\n".join(
        [
            markup.LABEL + "a & b",
            markup.FIGURE + "0",
            markup.marked(["| A |", "| B |"], markup.BOARD),
            markup.CHIPS + "  A Ann  <- to move",
            markup.CHIPS + "  B = Bob",
            markup.PLAIN + "  | = lines",
        ]
    )
    tags = {
        "figure": f'<f l="{markup.LABEL}">\n</f>',
        "legend": "<l>\n</l>",
        "chips": "<r>\n<c>\n</c>\n</r>",
        "line": "<o>\n</o>",
    }
    figure = html_markup.Figure("figure", "<t/>", ("A", "B"), {"A": ("<s>", "</s>")})
    html = html_markup.to_html(marks, html_markup.tags_of(BLOCKS | tags), None, {"0": figure})
    assert html == (
        '<f l="a &amp; b"><t/></f><l><r><c><s>A</s> Ann</c> <c>&lt;- to move</c></r>'
        "<o>B = Bob</o></l>"
    )
    said = ["  A Ann  <- to move", "  B = Bob"]
    assert html_markup.to_lines(marks, {"0": figure}) == ["A", "B", *said]
    assert markup.to_text(marks, 40) == "\n".join(["| A |", "| B |", *said, "  | = lines", ""])


def test_a_hand_filled_text_flows_again_and_its_tables_stand() -> None:
    text = "one two\nthree:\n  a  b\n  c  d\nfour\n\nfive"
    table = markup.TABLE
    assert markup.reflowed(text) == f"one two three:\n{table}  a  b\n{table}  c  d\nfour\n\nfive"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        (" Ann\r\nBob\t ", "Ann Bob"),
        ("\u202eAnn\u2028\x85\x00\x9f", "Ann"),
        ("A\x01\x05n", "An"),
        ("x" * 99, "x" * (NAME - 3) + "..."),
        ("\U0001f332 Ann", "\U0001f332 Ann"),
    ],
)
def test_a_name_is_one_line_of_printable_characters(typed: str, shown: str) -> None:
    assert clean(typed, NAME) == shown


def test_a_message_keeps_its_lines() -> None:
    assert clean_lines("\n one \r\ntwo\u2028three\n\n") == "one\ntwo\nthree"
