"""Given, when, then for the life of a match: events in, a command, events or a rejection out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from pbem.errors import Rejection
from pbem.fairness import LINKS as WHOLE
from pbem.fairness import Draws, commitment
from pbem.legacy.matches import decide as playing
from pbem.legacy.matches.challenges import issue
from pbem.legacy.matches.chance import bound_to_moves
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.events import Event
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import initial
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.unfolding import Act, Chances, Deciding, Unfolding
from pbem.legacy.matches.verify import Caused
from pbem.names import Digest, MatchId, PlayerId

MATCH = MatchId("K7QX2")
SECRET, SECOND, THIRD = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))
LINKS = 64
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ANN, BOB, CLEO, DAN = (PlayerId(name) for name in ("ann", "bob", "cleo", "dan"))


def challenge(
    *players: PlayerId, ruleset: str = "logger-1", stand_in: str = "", **options: str
) -> partial[Deciding]:
    """A challenge by the first of the players; in Logger, unless another ruleset is named."""
    return partial(
        issue,
        ruleset=ruleset,
        options=options,
        challenger=players[0],
        players=players,
        commitment=commitment(SECRET, LINKS).hex(),
        links=LINKS,
        secret_commitment=commitment(SECOND, LINKS).hex(),
        stand_in=stand_in,
    )


@dataclass
class Story:
    """A match that goes on command by command, each from a letter of its own.

    `ahead` is how many links before its end a chain is followed by another. `held` is how long a
    resignation by a condition is held.
    """

    match: Match = field(default_factory=lambda: initial(MATCH))
    events: list[Event] = field(default_factory=list)
    stream: list[Caused] = field(default_factory=list)
    ahead: int = 0
    third: bytes = THIRD
    now: datetime = NOW
    held: timedelta | None = None

    def when(self, command: Act) -> list[Event]:
        """Carry out a command, and remember what happened."""
        chances = self.chances()
        decision = decide(
            Unfolding(
                match=self.match,
                now=self.now,
                chances=chances,
                resign_after=self.held,
            ),
            command,
        )
        happened = [*decision.events]
        self.match = decision.match
        self.events.extend(happened)
        letter = str(int(self.stream[-1].cause) + 1 if self.stream else 1)
        self.stream.extend(Caused(event=event, cause=letter) for event in happened)
        return happened

    def know(self, digest: Digest, text: str) -> None:
        """A sealed text stands beside the log."""
        self.match = replace(self.match, secrets={**self.match.secrets, digest: text})

    def chances(self) -> Chances:
        """The chains where they stand, as the store would give them."""
        match, index = self.match, len(self.match.chance.draws) + 1
        links = match.chance.links or LINKS
        later = [
            Draws(MATCH, self.third, WHOLE, max(index, first), first)
            for first in match.chance.later_chains
        ]
        then = later[0] if later else None
        draws = Draws(MATCH, SECRET, links, min(index, links + 1), then=then)
        secret = Draws(MATCH, SECOND, LINKS, len(match.chance.sealed) + 1)
        fresh = self.third if draws.left <= self.ahead and then is None else None
        return Chances(draws, bound_to_moves(match), secret, fresh)

    def refuses(self, command: Act, code: str, **facts: object) -> None:
        """Expect a rejection with this code and these facts, and no change."""
        before = self.match
        with pytest.raises(Rejection) as refused:
            self.when(command)
        assert refused.value.code == code
        for name, value in facts.items():
            assert refused.value.facts[name] == value
        assert self.match == before

    def play(self, *moves: str) -> None:
        """Play moves, each by whoever is to act."""
        for move in moves:
            player = self.match.player_at(self.match.to_act[0])
            self.when(partial(playing.play, player=player, text=move))


def started(*players: PlayerId, **options: str) -> Story:
    """A running match of Logger in which the players sit as they are named."""
    options.setdefault("seat_order", "given")
    issued = challenge(*players)
    return begun(Story(), partial(issued, options=options))


def begun(story: Story, issued: partial[Deciding]) -> Story:
    """The story after a challenge that all have accepted, each with words of their own."""
    story.when(issued)
    for player in issued.keywords["players"][1:]:
        story.when(partial(accept, player=player, words=f"I am {player}"))
    return story


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [type(event).__name__ for event in events]
