"""Who watches a match: who may, what it changes, and what verification says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.matches.commands import Resign, Say, Unwatch, Watch
from pbem.matches.events import Event, WatchBegan, WatchEnded
from pbem.matches.verify import Caused, verify
from pbem.names import Digest, PlayerId
from tests.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story, begun, challenge, started

HELLO = Digest("0" * 64)


def test_somebody_watches_and_watches_no_more() -> None:
    story = started(ANN, BOB)
    assert story.when(Watch(player=CLEO)) == [WatchBegan(player=CLEO)]
    assert story.when(Watch(player=CLEO)) == []
    assert CLEO in story.match.table.watchers
    assert CLEO not in story.match.table.players
    assert story.when(Unwatch(player=CLEO)) == [WatchEnded(player=CLEO)]
    assert CLEO not in story.match.table.watchers
    story.refuses(Unwatch(player=CLEO), "not_watching")
    assert verify(MATCH, story.stream).findings == ()


def test_who_plays_watches_nothing_and_a_private_match_is_watched_by_nobody() -> None:
    started(ANN, BOB).refuses(Watch(player=ANN), "own_match")
    story = begun(Story(), replace(challenge(ANN, BOB, seat_order="given"), private=True))
    story.refuses(Watch(player=CLEO), "nothing_to_watch")


def test_who_watches_speaks_only_when_the_match_is_over() -> None:
    story = started(ANN, BOB)
    story.when(Watch(player=CLEO))
    story.refuses(Say(player=CLEO, text=HELLO), "not_seated")
    story.when(Resign(player=BOB))
    story.when(Say(player=CLEO, text=HELLO))
    story.refuses(Say(player=DAN, text=HELLO), "not_seated")
    story.refuses(Watch(player=DAN), "game_over")
    assert verify(MATCH, story.stream).findings == ()


@pytest.mark.parametrize("player", [ANN, CLEO])
@pytest.mark.parametrize("kind", [WatchBegan, WatchEnded])
def test_verification_finds_spectators_who_could_not_be(
    player: PlayerId, kind: type[WatchBegan | WatchEnded]
) -> None:
    story = started(ANN, BOB)
    story.when(Watch(player=CLEO))
    if kind is WatchEnded:
        story.when(Unwatch(player=CLEO))
    event: Event = kind(player=player)
    forged = [*story.stream, Caused(event=event, cause="9")]
    assert verify(MATCH, forged).findings != ()
