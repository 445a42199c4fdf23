"""Who watches a match: who may, what it changes, and what verification says of it."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.matches.events import Event
from pbem.matches.resigning import resign
from pbem.matches.table import WatchBegan, WatchEnded, say, unwatch, watch
from pbem.matches.verify import Caused, verify
from pbem.names import Digest, PlayerId
from tests.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story, begun, challenge, started

HELLO = Digest("0" * 64)


def test_somebody_watches_and_watches_no_more() -> None:
    story = started(ANN, BOB)
    assert story.when(partial(watch, player=CLEO)) == [WatchBegan(player=CLEO)]
    assert story.when(partial(watch, player=CLEO)) == []
    assert CLEO in story.match.table.watchers
    assert CLEO not in story.match.table.players
    assert story.when(partial(unwatch, player=CLEO)) == [WatchEnded(player=CLEO)]
    assert CLEO not in story.match.table.watchers
    story.refuses(partial(unwatch, player=CLEO), "not_watching")
    assert verify(MATCH, story.stream).findings == ()


def test_who_plays_watches_nothing_and_a_private_match_is_watched_by_nobody() -> None:
    started(ANN, BOB).refuses(partial(watch, player=ANN), "own_match")
    story = begun(Story(), partial(challenge(ANN, BOB, seat_order="given"), private=True))
    story.refuses(partial(watch, player=CLEO), "nothing_to_watch")


def test_who_watches_speaks_only_when_the_match_is_over() -> None:
    story = started(ANN, BOB)
    story.when(partial(watch, player=CLEO))
    story.refuses(partial(say, player=CLEO, text=HELLO), "not_seated")
    story.when(partial(resign, player=BOB))
    story.when(partial(say, player=CLEO, text=HELLO))
    story.refuses(partial(say, player=DAN, text=HELLO), "not_seated")
    story.refuses(partial(watch, player=DAN), "game_over")
    assert verify(MATCH, story.stream).findings == ()


@pytest.mark.parametrize("player", [ANN, CLEO])
@pytest.mark.parametrize("kind", [WatchBegan, WatchEnded])
def test_verification_finds_spectators_who_could_not_be(
    player: PlayerId, kind: type[WatchBegan | WatchEnded]
) -> None:
    story = started(ANN, BOB)
    story.when(partial(watch, player=CLEO))
    if kind is WatchEnded:
        story.when(partial(unwatch, player=CLEO))
    event: Event = kind(player=player)
    forged = [*story.stream, Caused(event=event, cause="9")]
    assert verify(MATCH, forged).findings != ()
