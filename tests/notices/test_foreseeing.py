"""What a preview is made of: nothing that its reader does not know."""

from __future__ import annotations

from pbem.notices.views.foreseeing import as_known
from tests.matches.story import ANN, BOB, Story, begun, challenge


def test_a_move_is_tried_on_the_faces_that_its_player_has_seen() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1"))
    seat = story.match.to_act[0]
    game, position = story.match.game, story.match.position
    tried_on = as_known(story.match, seat).position
    assert tried_on == game.known(position, seat)
    assert tried_on != position
    assert game.dump(as_known(story.match, seat).position) != game.dump(position)
