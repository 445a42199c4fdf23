"""Tournaments: groups, pairings, and the table of each group.

There is one kind of tournament. Players are divided into groups, and in a group each pair plays one
or two matches of two players. Nothing is random. The ratings and the order of entry determine the
groups, and the order of the players in a group determines who has the first seat in a match. Anyone
can therefore check a tournament by hand.

Points are 1 for a win and 0.5 for a draw. Players with equal points are ordered by their points
against each other (direct encounter), then by their Sonneborn-Berger score. This score is a sum
over all opponents: the opponent's total points, times the points won against that opponent. Players
who are still equal share a place. All numbers are multiples of a quarter, which floats represent
exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pbem.names import PlayerId


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who entered a tournament.

    `rating` is the player's rating in points. `number` is the player's place in the order of entry.
    """

    player: PlayerId
    rating: float
    number: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match of two. The first player has `score` points, the second 1 - `score`."""

    first: PlayerId
    second: PlayerId
    score: float  # 1, 0.5 or 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A player's line in the table of a group.

    `place` is 1 for the leading player. `played` is the number of the player's matches that have
    ended, and `points` is the sum of the player's points in these matches. `scores` has the
    player's points against each opponent with whom a match has ended.
    """

    player: PlayerId
    place: int
    played: int
    points: float
    sonneborn_berger: float
    scores: Mapping[PlayerId, float]


def divide_into_groups(entrants: Iterable[Entrant], size: int) -> list[list[PlayerId]]:
    """Return the groups of a tournament, with the players in the order of their ratings.

    The player with the highest rating is the first one of the first group. There are as few groups
    as possible without a group larger than `size`. Group sizes differ by at most one, and the first
    groups are the larger ones.

    Args:
        entrants: The players who entered.
        size: The largest number of players in a group, at least 3. With two or more entrants, each
            group then has at least 2 players.
    """
    ordered = sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.number))
    players = [entrant.player for entrant in ordered]
    count = -(-len(players) // size)
    groups = []
    while count:
        share = -(-len(players) // count)
        groups.append(players[:share])
        players, count = players[share:], count - 1
    return groups


def list_pairings(group: Sequence[PlayerId], games: int) -> list[tuple[PlayerId, PlayerId]]:
    """Return all matches of a group as pairs of players, each in the order of the seats.

    If the difference of the two players' numbers is odd, the player with the lower number has the
    first seat, otherwise the other player. So each player has both seats equally often, or has one
    seat once more than the other. In the second match of a pair, the seats are swapped.

    Args:
        group: The players, in the order of their numbers in the group.
        games: The number of matches that each pair plays, 1 or 2.
    """
    pairs = [
        (group[low], group[high]) if (high - low) % 2 else (group[high], group[low])
        for low, high in combinations(range(len(group)), 2)
    ]
    exchanged = [(second, first) for first, second in pairs]
    return [*pairs, *exchanged] if games > 1 else pairs


def compute_standings(group: Sequence[PlayerId], results: Iterable[Result]) -> list[Standing]:
    """Return the table of a group from its results so far, with the leading player first.

    Players who share a place are in the same order as in `group`.
    """
    scores: dict[PlayerId, dict[PlayerId, float]] = {player: {} for player in group}
    counts: dict[PlayerId, int] = defaultdict(int)
    for result in results:
        for player, opponent, score in (
            (result.first, result.second, result.score),
            (result.second, result.first, 1 - result.score),
        ):
            scores[player][opponent] = scores[player].get(opponent, 0.0) + score
            counts[player] += 1
    points = {player: sum(scores[player].values()) for player in group}

    def rank(player: PlayerId) -> tuple[float, float, float]:
        own = scores[player]
        direct = sum(own[rival] for rival in own if points[rival] == points[player])
        return points[player], direct, sum(points[rival] * score for rival, score in own.items())

    ranks = {player: rank(player) for player in group}
    return [
        Standing(
            player=player,
            place=1 + sum(other > ranks[player] for other in ranks.values()),
            played=counts[player],
            points=ranks[player][0],
            sonneborn_berger=ranks[player][2],
            scores=scores[player],
        )
        for player in sorted(group, key=lambda player: ranks[player], reverse=True)
    ]
