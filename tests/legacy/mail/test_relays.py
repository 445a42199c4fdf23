"""Replies whose text a relay or a client changed on its way: blanks, line ends, widths."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

import pytest

from pbem.legacy.mail.letter import read_letter
from pbem.legacy.mail.reply_text import typed_text
from tests.legacy.mail.corpus.samples import read_samples, read_sent

MAILS = read_sent()
SAMPLES = [sample for sample in read_samples() if sample.wanted.words][::4]


def wrapped(width: int) -> Callable[[str], str]:
    """Long lines broken, their ends without a prefix."""

    def wrap(text: str) -> str:
        lines = (
            textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
            if len(line) > width
            else [line]
            for line in text.split("\n")
        )
        return "\n".join(line for broken in lines for line in broken)

    return wrap


@pytest.mark.parametrize(
    ("relay", "share"),
    [
        (lambda text: text.replace("\n", "  \n"), 1.0),
        (lambda text: text.replace("\n", "\r\n"), 1.0),
        (lambda text: re.sub("  +", "\t", text), 1.0),
        (lambda text: re.sub("  +", " ", text), 1.0),
        (lambda text: text.replace("  ", " \u00a0"), 1.0),
        (lambda text: "\n".join(f" {line}" for line in text.split("\n")), 0.98),
        (lambda text: "\n".join(line.strip() for line in text.split("\n")), 0.98),
        (wrapped(76), 0.98),
        (wrapped(70), 0.95),
        (wrapped(60), 0.95),
    ],
    ids=["trailing", "crlf", "tabs", "squashed", "nbsp", "indented", "stripped", "76", "70", "60"],
)
def test_a_relay_changes_nothing_that_matters(relay: Callable[[str], str], share: float) -> None:
    exact, ours = 0, []
    for sample in SAMPLES:
        sent, letter = MAILS[sample.sent], read_letter(sample.raw)
        html = None if letter.text and letter.text.strip() else letter.html
        typed = typed_text(relay(letter.text or ""), html, sent.own, sent.is_order)
        words = " ".join(" ".join(typed.lines).split())
        exact += words == sample.wanted.words
        if any(sent.is_order(line) and line not in sample.wanted.words for line in typed.lines):
            ours.append((sample.name, typed.lines))
    assert ours == []
    assert exact >= share * len(SAMPLES)
