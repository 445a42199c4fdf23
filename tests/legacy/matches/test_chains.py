"""A chain that runs out is followed by one that was committed to long before its first draw."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from hashlib import sha256

import pytest

from pbem.fairness import LINKS as WHOLE
from pbem.fairness import ChainExhausted, commitment, link
from pbem.legacy.matches import decide
from pbem.legacy.matches.chance import ChanceCommitted
from pbem.legacy.matches.decide import FORCED_AT_ONCE, go_on, goes_on
from pbem.legacy.matches.events import ChanceDrawn, Event, MovePlayed
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.verify import Caused, verify
from pbem.legacy.notices.views.situation import last_links
from tests.legacy.matches.story import ANN, BOB, MATCH, SECRET, THIRD, Story, challenge

pytestmark = pytest.mark.usefixtures("tiny")


def story_of(links: int, ahead: int) -> Story:
    """A running match whose first chain has few links."""
    story = Story(ahead=ahead)
    issued = challenge(ANN, BOB, ruleset="tiny-1")
    start = commitment(SECRET, links).hex()
    story.when(partial(issued, commitment=start, links=links))
    story.when(partial(accept, player=BOB))
    return story


def play(story: Story, text: str) -> list[Event]:
    player = story.match.player_at(story.match.to_act[0])
    if story.match.course.position.phase == "choose":
        story.when(partial(decide.play, player=player, text="keep"))
    return story.when(partial(decide.play, player=player, text=text))


def drawn(events: list[Event]) -> list[ChanceDrawn]:
    return [event for event in events if isinstance(event, ChanceDrawn)]


def test_the_next_chain_is_committed_to_with_a_draw_of_the_old_one() -> None:
    story = story_of(links=12, ahead=10)
    happened = [play(story, "roll") for _ in range(4)]
    committed = [event for events in happened for event in events[1:2]]
    assert [type(event) for event in committed].count(ChanceCommitted) == 1
    (at,) = [n for n, events in enumerate(happened) if isinstance(events[1], ChanceCommitted)]
    fixed, draw = happened[at][1:3]
    assert fixed == ChanceCommitted(
        commitment=commitment(THIRD, WHOLE).hex(), links=WHOLE, first=13
    )
    assert isinstance(draw, ChanceDrawn)
    assert draw.index < 13


def test_draws_go_on_with_the_links_of_the_next_chain() -> None:
    story = story_of(links=12, ahead=10)
    while len(story.match.chance.draws) < 16:
        play(story, "roll")
    links = [draw.link for draw in story.match.chance.draws]
    assert links[:12] == [link(SECRET, 12, n).hex() for n in range(1, 13)]
    assert links[12:] == [link(THIRD, WHOLE, n).hex() for n in range(1, len(links) - 11)]
    assert [draw.index for draw in story.match.chance.draws] == list(range(1, len(links) + 1))
    assert verify(MATCH, story.stream).findings == ()
    assert replay(MATCH, story.events) == story.match


def test_a_chain_ends_in_the_middle_of_forced_draws() -> None:
    story = story_of(links=60, ahead=55)
    for _ in range(8):  # the chain that follows is committed to, and some letters come
        play(story, "roll")
    assert story.match.chance.later_chains
    happened = play(story, "run 150")
    indexes = [draw.index for draw in drawn(happened)]
    assert indexes[0] < 61 < indexes[-1]
    assert verify(MATCH, story.stream).findings == ()
    assert replay(MATCH, story.events) == story.match


@pytest.mark.parametrize("plies", [99, 100, 101, 199, 200, 201, 300, 450])
def test_forced_plies_stop_at_the_limit_and_a_timer_takes_them_to_their_end(plies: int) -> None:
    story = story_of(links=WHOLE, ahead=0)
    play(story, f"run {plies}")
    timers = 0
    while goes_on(story.match):
        before = len(story.events)
        assert story.when(partial(go_on))
        assert len(story.events) - before <= FORCED_AT_ONCE + 1
        timers += 1
    # Half of what is done at once are draws.
    assert timers == -(-2 * plies // FORCED_AT_ONCE) - 1
    passes = [event for event in story.events if isinstance(event, MovePlayed) and event.forced]
    assert len(passes) == plies
    assert story.match.course.position.run == 0
    assert story.when(partial(go_on)) == []
    assert verify(MATCH, story.stream).findings == ()


def test_a_stream_that_stops_before_the_limit_is_cut_off() -> None:
    story = story_of(links=WHOLE, ahead=0)
    play(story, "run 20")
    assert verify(MATCH, story.stream).findings == ()
    for cut in (1, 2, 7):
        (finding,) = verify(MATCH, story.stream[:-cut]).findings
        assert finding.endswith("something was to follow that did not")


def test_without_a_next_chain_the_draws_end() -> None:
    story = story_of(links=3, ahead=0)
    while len(story.match.chance.draws) < 3:
        play(story, "roll")
    with pytest.raises(ChainExhausted, match="all 3 links"):
        play(story, "run 1")


def test_from_the_last_link_of_each_chain_all_links_follow() -> None:
    match = crossing().match
    shown = dict(text.split(":") for text in last_links(match))
    assert list(shown) == ["12", str(match.chance.draws[-1].index)]
    link, found = "", []
    for draw in reversed(match.chance.draws):
        known = shown.get(str(draw.index))
        link = known or sha256(b"pbem chain 1" + bytes.fromhex(link)).hexdigest()
        found.append(link)
    assert found[::-1] == [draw.link for draw in match.chance.draws]


# --- what a dishonest server could try -----------------------------------------------------------


def crossing() -> Story:
    story = story_of(links=12, ahead=10)
    while len(story.match.chance.draws) < 16:
        play(story, "roll")
    return story


def findings(stream: list[Caused]) -> str:
    return "\n".join(verify(MATCH, stream).findings)


def changed(story: Story, **fields: object) -> list[Caused]:
    return [
        replace(one, event=replace(one.event, **fields))  # type: ignore[arg-type]
        if isinstance(one.event, ChanceCommitted)
        else one
        for one in story.stream
    ]


def test_a_chain_for_another_draw_is_found() -> None:
    for first in (1, 12, 14, 15):
        assert "committed for draw" in findings(changed(crossing(), first=first))


def test_another_chain_is_found() -> None:
    other = commitment(bytes(32), WHOLE).hex()
    assert "is not of the chain" in findings(changed(crossing(), commitment=other))


def test_a_chain_that_is_shorter_than_its_draws_is_found() -> None:
    assert "draw 14 is beyond all chains" in findings(changed(crossing(), links=1))


def test_a_chain_without_a_commitment_is_found() -> None:
    story = crossing()
    left = [one for one in story.stream if not isinstance(one.event, ChanceCommitted)]
    assert "draw 13 is beyond all chains" in findings(left)


def test_a_chain_that_could_have_been_chosen_to_suit_is_found() -> None:
    """It must be fixed before the last move that its first draw is bound to."""
    story = crossing()
    stream = list(story.stream)
    (at,) = [n for n, one in enumerate(stream) if isinstance(one.event, ChanceCommitted)]
    first = next(
        n
        for n, one in enumerate(stream)
        if isinstance(one.event, ChanceDrawn) and one.event.index == 13
    )
    committed = stream.pop(at)
    stream.insert(first - 1, replace(committed, cause=stream[first - 1].cause))
    assert "draw 13 was committed after what it is bound to" in findings(stream)
