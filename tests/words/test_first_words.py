"""What a phone shows of a mail: its first words tell its kind; and how long each part may be."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.replies import BoardShown, OrderRefused
from pbem.notices.views.view import build
from tests.notices.test_golden import MAILS

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


REFUSALS: Final = [
    name for name, (notices, _, _) in MAILS.items() if isinstance(notices[0], OrderRefused)
]


OFFERED: Final = {"en": "You can play, for example:", "de": "Du kannst zum Beispiel so ziehen:"}
WROTE: Final = {"en": "You wrote", "de": "geschrieben."}


@pytest.mark.parametrize("lang", OFFERED)
def test_a_refusal_tells_why_and_then_at_once_what_can_be_played(lang: str) -> None:
    texts = [mail(name, lang).text for name in REFUSALS]
    offers = [text.partition("\n\n")[2] for text in texts if OFFERED[lang] in text]
    assert len(offers) > 3
    for text in offers:
        above, _, below = text.partition(OFFERED[lang])
        assert WROTE[lang] in above
        assert len([line for line in above.splitlines() if line]) <= 8
        assert below.startswith("\n- ")


@pytest.mark.parametrize("name", ["move_kept", "move_receipt"])
def test_a_receipt_shows_what_comes_of_the_move_in_a_picture_alone(name: str) -> None:
    notices, about, who = MAILS[name]
    (match,) = about.matches.values()

    def made(pictures: str, *, beside: bool = False) -> Rendered:
        wishes = replace(who.wishes, html=True, pictures=pictures)
        board = BoardShown(match=match.id, ply=match.course.ply)
        shown = (*notices, board) if beside else notices
        return _RENDERER.render(build(shown, replace(who, wishes=wishes), about))

    seen, plain, both = made("on"), made("off"), made("on", beside=True)
    after = {"move_kept": "Ann 2 points", "move_receipt": "Bob a3"}[name]
    assert len(seen.pictures) == 1
    assert f'src="cid:{seen.pictures[0].cid}"' in (seen.html or "")
    assert after in re.sub(r"<[^>]*>", "", seen.html or "")
    assert (plain.text, plain.pictures) == (seen.text, ())
    assert "+--" not in seen.text
    assert "figure" not in (plain.html or "")
    # The board that was asked for has the one picture that a mail may have.
    assert len(both.pictures) == 1
    assert both.text.count("+-----+\n") > 1
