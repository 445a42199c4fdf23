"""The record of a match is complete: it can be played again from its lines."""

from __future__ import annotations

import re

from pbem.games import GAMES
from pbem.games.game import Over
from pbem.notices.views.told import record_lines
from tests.matches.test_secrets import resign, stones
from tests.notices.scenes import ANN, BOB, CLEO, NAMES, begun, played, played_out, resigned


def test_the_lines_of_a_record_replay_the_match() -> None:
    match = played_out(begun())
    lines = record_lines(match, NAMES)
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', "\n".join(lines), re.MULTILINE))
    assert tags["Ruleset"] == match.terms.ruleset
    assert tags["Commitment"] == match.chance.commitment
    game = GAMES[tags["Ruleset"]]
    options = dict(re.findall(r'^\[Option "(\w+)=(\w+)"\]$', "\n".join(lines), re.MULTILINE))
    position = game.initial(2, options)
    for line in lines[lines.index("") + 1 : -1]:
        number, _, notation = line.partition(". ")
        assert number.isdigit()
        position = game.play(position, game.read(notation, position))
    turn = game.turn(position)
    assert isinstance(turn, Over)
    places = " ".join(map(str, turn.outcome.placings))
    assert lines[-1] == f"{{{turn.outcome.termination}}} {places}"


def test_a_record_tells_who_left_and_that_the_match_goes_on() -> None:
    match = resigned(played(begun(players=(ANN, BOB, CLEO)), "e1", "a5"), CLEO)
    assert record_lines(match, NAMES)[-4:] == ["1. place e1", "2. place a5", "{seat 3 left}", "*"]


def test_a_name_stays_in_its_tag() -> None:
    match = begun()
    lines = record_lines(match, {ANN: 'A "x" \\\n[Seat2 "Eve"]'})
    assert '[Seat1 "A \\"x\\" \\\\ [Seat2 \\"Eve\\"]"]' in lines
    assert '[Seat2 "?"]' in lines


def test_a_secret_draw_is_open_in_the_record_when_the_match_is_over() -> None:
    story = stones()
    match = story.match
    drawn = [line for line in record_lines(match, NAMES) if line.startswith("{drawn")]
    assert drawn == ["{drawn in secret}"]
    resign(story)
    (opened,) = [line for line in record_lines(story.match, NAMES) if line.startswith("{drawn")]
    game, start = match.game, match.course.steps[0].before
    text = opened.removeprefix("{drawn: ").removesuffix("}")
    assert game.play(start, game.read_chance(text, start)) == match.course.position
