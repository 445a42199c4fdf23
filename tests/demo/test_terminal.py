"""The person at the terminal always gets an email, or is told that none comes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

import pytest

from tests.demo.conftest import END, MOVE, Person

Make = Callable[..., Person]


def test_a_match_with_mistakes_goes_on_to_its_end(people: Make) -> None:
    person = people("stones")
    lines = ["hello", "danke", "/skip", *["add 9 Z99"] * 25, MOVE, "stop", MOVE]
    lines += ["set digest 08:00", MOVE, END]
    answers = dict(zip(lines, person.types(*lines), strict=False))
    assert all(answers.values())
    assert "not played" in answers["add 9 Z99"]
    assert "/skip" in answers["/skip"]
    woken = [answer for _, answer in person.answers if "for you" in answer and "Email" in answer]
    assert any('"start"' in answer for answer in woken)
    end = person.answers[-1][1]
    assert "We found no errors in this game" in end
    [replay] = person.terminal._files.iterdir()  # type: ignore[union-attr]
    assert str(replay) in end
    assert replay.suffix == ".html"
    assert "<svg" in replay.read_text() or "<pre" in replay.read_text()


def test_the_twentieth_refusal_is_not_the_last(people: Make) -> None:
    answers = people("logger").types(*["place c3"] * 22)
    assert all("c3 is not a corner" in answer for answer in answers)
    assert not any("answers like this one" in answer for answer in answers)


def test_digest_does_not_silence_alice(people: Make) -> None:
    settings, move = people("logger").types("set digest 08:00", "place a1")
    assert "08:00" in settings
    assert 'written "set digest off"' in move


def test_deleted_account_says_that_no_email_comes(people: Make) -> None:
    person = people("logger")
    _, yes, after = person.types("delete me", "yes", "board")
    assert "deleted" in yes.lower()
    assert after


def test_bob_agrees_to_undo_and_answers_several_lines(people: Make) -> None:
    script = ("place a1", "undo", "place e5\\", "say Good luck!")
    _, undo, _, answer = people("logger").types(*script)
    assert "Your last move was taken back" in undo
    assert "Bob placed their logger" in answer
    assert "Bob says" in answer
    assert "program" in answer


def test_bob_answers_a_draw_offer(people: Make) -> None:
    _, answer = people("stones").types(MOVE, "draw")
    assert "accepted" in answer or "declined" in answer


def test_a_match_is_played_again(people: Make) -> None:
    person = people("logger")
    first = person.club.inbox[0].match
    _, over, _, move = person.types("resign", "yes", "rematch", MOVE)
    assert "The game is over" in over
    assert 'Reply "rematch" to play again' in over
    assert "Your turn" in move
    assert person.email.match != first


def test_emails_to_others_can_be_answered(people: Make) -> None:
    invited, _, accepted = people("logger").types(
        "new logger with dora@example.net", "/open 2", "yes"
    )
    assert "To: dora@example.net" in invited
    assert "Your turn - Logger vs Dora" in accepted or "Your turn - Logger vs Alice" in accepted


def test_emails_are_listed_and_opened_again(people: Make) -> None:
    person = people("logger")
    _, listed, first, nothing, wrong = person.types(
        "hello", "/emails", "/open 1", "/more", "/open 7"
    )
    assert listed.count("Your turn - Logger vs Bob") == 2
    assert "In Logger, each player" in first
    assert "all of this email" in nothing
    assert "from 1 to 2" in wrong


def test_long_emails_are_shown_by_the_screen(people: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    person = people("logger")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    size = os.terminal_size((80, 24))
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: size)
    [rest] = person.types("/more")
    shown = "".join(person.shown).partition("/more")[0]
    assert "Logger vs" in shown
    assert "Reply with a move" not in shown
    assert "Reply with a move" in rest


def test_the_demo_speaks_german(people: Make) -> None:
    person = people("logger", language="de")
    person.terminal.greet()
    [answer] = person.types("hallo")
    assert "Bob hat zugesagt" in person.shown[0]
    assert "Du bist am Zug" in answer


def test_four_players(people: Make) -> None:
    [answer] = people("logger", seats=4).types(MOVE)
    for name in ("Bob", "Cleo", "Dan"):
        assert name in answer
