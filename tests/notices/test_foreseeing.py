"""What a preview is made of: nothing that its reader does not know."""

from __future__ import annotations

from pbem.games.game import Seat
from pbem.notices.replies import MovePreviewed
from pbem.notices.views.foreseeing import as_known
from pbem.notices.views.view import build
from tests.matches.story import ANN, BOB, Story, begun, challenge
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
