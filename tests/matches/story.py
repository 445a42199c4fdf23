"""Given, when, then for the life of a match: events in, a command, events or a rejection out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from pbem.errors import Rejection
from pbem.fairness import Draws, commitment, moves_digest
from pbem.matches.chances import Chances
from pbem.matches.commands import Accept, Command, IssueChallenge, Play
from pbem.matches.decide import decide
from pbem.matches.events import Event
from pbem.matches.match import Match, evolve, initial
from pbem.names import MatchId, PlayerId

MATCH = MatchId("K7QX2")
SECRET = bytes(range(32))
LINKS = 64
ANN, BOB, CLEO, DAN = (PlayerId(name) for name in ("ann", "bob", "cleo", "dan"))


def challenge(*players: PlayerId, **options: str) -> IssueChallenge:
    """A challenge in Logger by the first of the players."""
    return IssueChallenge(
        ruleset="logger-1",
        options=options,
        challenger=players[0],
        players=players,
        commitment=commitment(SECRET, LINKS).hex(),
        links=LINKS,
    )


@dataclass
class Story:
    """A match that goes on command by command."""

    match: Match = field(default_factory=lambda: initial(MATCH))
    events: list[Event] = field(default_factory=list)

    def when(self, command: Command) -> list[Event]:
        """Carry out a command, and remember what happened."""
        index = len(self.match.draws) + 1
        draws = Draws(MATCH, SECRET, LINKS, index)
        chances = Chances(draws, moves_digest(self.match.moves()))
        happened = decide(command, self.match, chances=chances)
        for event in happened:
            self.match = evolve(self.match, event)
        self.events.extend(happened)
        return happened

    def refuses(self, command: Command, code: str, **facts: object) -> None:
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
            self.when(Play(player=player, text=move))


def started(*players: PlayerId, **options: str) -> Story:
    """A running match in which the players sit as they are named."""
    story = Story()
    story.when(challenge(*players, **{"seat_order": "given", **options}))
    for player in players[1:]:
        story.when(Accept(player=player))
    return story


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [type(event).__name__ for event in events]
