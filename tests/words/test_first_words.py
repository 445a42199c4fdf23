"""What a phone shows of a mail: its first words tell its kind; and how long each part may be."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.replies import OrderRefused
from pbem.notices.views.scene import MARKER
from pbem.notices.views.view import build
from tests.notices.test_golden import MAILS, rendered

NAMES: Final = re.compile(
    r'"[^"]*"|\b(?:Anna?|Bob|Cleo|Dan|Robot \(\w+\)|pbem|[A-Z][A-Z\d]{4})(?:\'s)?\b'
    r"|\b(?:" + "|".join(re.escape(game.title) for game in GAMES.values()) + r")\b|\d[\d:.]*"
)
"""Names, labels of matches, times and numbers, and what is typed: no kind is told by them."""

FIRST_WORDS, FIRST_SIGNS = 3, 25

_RENDERER: Final = Renderer()


def mail(name: str, lang: str) -> Rendered:
    """A mail in a language, as text."""
    notices, about, who = MAILS[name]
    reader = replace(who, wishes=replace(who.wishes, lang=lang, html=False))
    return _RENDERER.render(build(notices, reader, about))


def begins(name: str, lang: str) -> tuple[str, str]:
    """The first words of a mail and its first letters, without names and numbers."""
    first = " ".join(NAMES.sub("_", mail(name, lang).text.partition("\n\n")[0]).split())
    first = re.sub(r"_(?: _)+", "_", first)
    return " ".join(first.split()[:FIRST_WORDS]), first[:FIRST_SIGNS]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_two_kinds_of_mail_begin_alike(lang: str) -> None:
    kinds = {name: type(notices[0]).__name__ for name, (notices, _, _) in MAILS.items()}
    # An account of one order, or a question, begins with what became of it, or is asked.
    free = {"Account", "QuestionAsked"}
    found = {name: begins(name, lang) for name, kind in kinds.items() if kind not in free}
    alike = [
        f"{one} and {other}: {found[one][0]}"
        for one, other in combinations(found, 2)
        if kinds[one] != kinds[other]
        and (found[one][0] == found[other][0] or found[one][1] == found[other][1])
    ]
    assert not alike, "\n".join(alike)


def _board_of(lines: list[str]) -> tuple[int, int]:
    """Where the board of a text begins, and where its lines with their legend end."""
    begins_at = lines.index(MARKER) + 2
    return begins_at, lines.index("", begins_at)


LATE: Final = [name for name in MAILS if name.startswith("late_in_")]


@pytest.mark.parametrize("name", LATE)
def test_a_turn_is_short_for_who_knows_the_game(name: str) -> None:
    lines = rendered(name).text.split("\n")[:-1]
    begin, end = _board_of(lines)
    assert begin < 12
    assert len(lines) <= max(32, end - begin + 16 + lines_more(name))


def lines_more(name: str) -> int:
    """Lines that a game with dice or a coin has more: what was drawn, and the proof of the last."""
    return 4 * bool(rendered(name).text.count("(draw "))


RECEIPTS: Final = ("move_kept", "move_kept_at_the_end", "move_kept_with_offer", "move_receipt")


@pytest.mark.parametrize("name", RECEIPTS)
def test_a_receipt_is_twelve_lines(name: str) -> None:
    lines = [line for line in rendered(name).text.split("\n") if line]
    assert len(lines) <= 12


REFUSALS: Final = [
    name for name, (notices, _, _) in MAILS.items() if isinstance(notices[0], OrderRefused)
]


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_tells_first_what_can_be_done(name: str) -> None:
    text = rendered(name).text
    choices, reason = text.find("For example:"), text.find("You wrote")
    assert choices < 0 or reason < 0 or choices < reason
