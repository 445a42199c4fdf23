"""The letters of seats in mails: those of the names by which the seats were taken, everywhere."""

from __future__ import annotations

import re
from dataclasses import replace

from pbem.notices.news import TurnPrompt
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.scene import Reader, Wishes
from pbem.notices.views.view import build
from tests.notices.scenes import ANN, BOB, begun, played, scene

MATCH = played(begun(), "e1", "a5")
(SEAT,) = MATCH.to_act
PROMPT = TurnPrompt(match=MATCH.id, seat=SEAT, ply=MATCH.course.ply)
FIRST, SECOND = MATCH.table.players


def mail(names: dict[str, str], seated: dict[int, str] | None, pictures: str = "off") -> str:
    about = scene(MATCH, names=names)  # type: ignore[arg-type]
    if seated:
        about = replace(about, seated={MATCH.id: seated})
    player = MATCH.player_at(SEAT)
    who = Reader(player=player, name=names[player], wishes=Wishes(pictures=pictures))
    shown = Renderer().render(build([PROMPT], who, about))
    return f"{shown.text}\n{shown.html}\n" + "".join(one.svg for one in shown.pictures)


def test_bob_is_b_and_alice_is_a_wherever_they_sit() -> None:
    text = mail({FIRST: "Bob", SECOND: "Alice"}, None)
    assert re.search(r"^  B Bob", text, re.MULTILINE)
    assert re.search(r"^  A Alice", text, re.MULTILINE)
    assert re.search(r"^ *5 +\|  A ", text, re.MULTILINE)  # the second seat is on a5
    assert re.search(r">B</b> Bob", text)


def test_letters_are_those_of_the_start() -> None:
    text = mail({FIRST: "Zoe", SECOND: "Alice"}, {1: "Bob", 2: "Alice"})
    assert re.search(r"^  B Zoe", text, re.MULTILINE)
    forgotten = mail({FIRST: "?", SECOND: "Alice"}, {2: "Alice"})
    assert re.search(r"^  B \?", forgotten, re.MULTILINE)


def test_a_picture_has_the_same_letters() -> None:
    drawn = mail({FIRST: "Bob", SECOND: "Alice"}, None, pictures="on")
    assert 'id="lgo1B"' in drawn
    assert 'id="lgo2A"' in drawn
    assert {ANN, BOB} == {FIRST, SECOND}


def test_notation_knows_no_letters_of_seats() -> None:
    text = mail({FIRST: "Bob", SECOND: "Alice"}, None)
    (told,) = re.findall(r"^- Alice .*", text, re.MULTILINE)
    assert '"place a5"' in told
    offered = re.findall(r": \"([^\"]+)\"$", text, re.MULTILINE)
    assert offered
    assert not any(re.search(r"\b[AB]\b", line) for line in (told, *offered))
