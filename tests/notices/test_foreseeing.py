"""What a preview is made of: nothing that its reader does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat
from pbem.notices.news import TurnPrompt
from pbem.notices.rendering.render import Renderer
from pbem.notices.replies import MovePreviewed
from pbem.notices.views.foreseeing import as_known
from pbem.notices.views.view import build
from tests.matches.story import ANN, BOB, Story, begun, challenge
from tests.notices.game_mails import about_of, reader_of, recorded
from tests.notices.scenes import OPENING, played, reader, scene
from tests.notices.scenes import begun as table


def test_a_move_is_tried_on_the_faces_that_its_player_has_seen() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1"))
    seat = story.match.to_act[0]
    game, position = story.match.game, story.match.course.position
    tried_on = as_known(story.match, seat).course.position
    assert tried_on == game.known(position, seat)
    assert tried_on != position
    assert game.dump(as_known(story.match, seat).course.position) != game.dump(position)


def test_a_move_that_was_tried_on_an_earlier_board_is_shown_on_no_other() -> None:
    # Its player is on turn again, and could make it now as well; but that is not what was asked.
    earlier, later = played(table(), *OPENING[:2]), played(table(), *OPENING)
    for asked, match, shown in (
        (earlier, earlier, True),
        (later, later, True),
        (earlier, later, False),
    ):
        tried = MovePreviewed(
            match=match.id, seat=Seat(1), ply=asked.course.ply, notation="e2; plant e3"
        )
        view = build([tried], reader(), scene(match)).notices[0]
        assert (view.told is not None) is shown


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_prompt_tells_no_more_than_its_reader_knows(game: AnyGame, share: float) -> None:
    # PLAY 4: the moves that it offers are told as far as their outcome can be known.
    match = recorded(game.ruleset, share)
    seat = match.to_act[0]
    position = game.known(match.course.position, seat)
    known = replace(match, course=replace(match.course, position=position))
    prompt = TurnPrompt(match=match.id, seat=seat, ply=match.course.ply)
    who = reader_of(match, match.player_at(seat))
    texts = {Renderer().render(build([prompt], who, about_of(one))).text for one in (match, known)}
    assert len(texts) == 1
