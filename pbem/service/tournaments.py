"""Tournaments: entries, the start, and the tables that emails show.

Players can enter a tournament and withdraw from it until it starts: at its date, or when
the first group is full. Then all matches of all groups begin, without invitations. Entering
counts as accepting, so each match has the same events as one that was proposed and
accepted. Apart from its matches, a tournament consists of database rows. The standings are
computed from the results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from pbem import fairness
from pbem.errors import Fact, Rejection
from pbem.games import GAMES, AnyGame
from pbem.match.automatic import commit_draws
from pbem.match.clocks import NO_TIME_CONTROL, parse_time_control
from pbem.match.setup import STARTER, Proposal, accept_invitation, issue_challenge
from pbem.names import PlayerId, TournamentId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import players, ratings, tournaments
from pbem.store.tables import TournamentEntryRow, TournamentRow
from pbem.store.tournaments import TournamentMatch
from pbem.tournaments import (
    Entrant,
    Result,
    Standing,
    compute_standings,
    divide_into_groups,
    list_pairings,
)

SEATS: Final = 2  # seats of every match in a tournament
GROUP_SIZES: Final = range(3, 9)  # players; wider tables do not fit the lines of an email
GAMES_A_PAIR: Final = (1, 2)
MAX_LISTED: Final = 20  # tournaments that an email lists
MAX_BEGUN: Final = 10  # matches that a unit of work begins, which takes about a second

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{1,29}")


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentView:
    """A tournament as a reader sees it; `state` is `open`, `running` or `over`."""

    row: TournamentRow
    game: str  # the title of the game
    state: str
    entries: int
    is_reader_entered: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingsView:
    """The standings of a tournament.

    `groups` has the table of each group; it is empty before the start. `names` has the names of all
    players who entered, in the order of entry. `running` is the number of matches that are not
    over.
    """

    name: str
    names: Mapping[PlayerId, str]
    groups: tuple[tuple[Standing, ...], ...]
    running: int


# --- before the start ----------------------------------------------------------------------------


def create_tournament(
    uow: UnitOfWork,
    name: str,
    game: AnyGame,
    *,
    group_size: int,
    games: int,
    time: str,
    starts_at: datetime | None,
) -> None:
    """Create a tournament that players can enter.

    Args:
        uow: The unit of work.
        name: The name that players type: letters, digits and hyphens.
        game: The game, which must be playable by two.
        group_size: The number of players in a group, 3 to 8.
        games: The number of matches that each pair plays, 1 or 2.
        time: The time control, as players type it.
        starts_at: The time of the start, in the future; None to start as soon as a group is full.

    Raises:
        Rejection: `bad_tournament` with the value that cannot be used, `tournament_exists` or
            `bad_time`.
    """
    name = name.lower()
    values: dict[str, tuple[Fact, bool]] = {
        "name": (name, _NAME.fullmatch(name) is not None),
        "game": (game.title, SEATS in game.seats),
        "group": (group_size, group_size in GROUP_SIZES),
        "games": (games, games in GAMES_A_PAIR),
        "start": (str(starts_at), starts_at is None or starts_at > uow.now),
    }
    for field, (value, is_possible) in values.items():
        if not is_possible:
            raise Rejection("bad_tournament", field=field, value=value)
    if tournaments.find_tournament(uow.conn, name) is not None:
        raise Rejection("tournament_exists", tournament=name)
    control = parse_time_control(time)
    tournaments.add_tournament(
        uow.conn,
        TournamentRow(
            name=name,
            ruleset=game.ruleset,
            group_size=group_size,
            games=games,
            time_control=NO_TIME_CONTROL if control is None else str(control),
            created_at=uow.now,
            starts_at=starts_at,
            due_at=starts_at,
        ),
    )


def find_tournament(uow: UnitOfWork, name: str) -> TournamentRow:
    """Return the tournament with the name that a player typed, ignoring case.

    Raises:
        Rejection: `no_such_tournament`.
    """
    row = tournaments.find_tournament(uow.conn, name.strip())
    if row is None:
        raise Rejection("no_such_tournament", typed=name)
    return row


def enter_player(
    uow: UnitOfWork, tournament: TournamentRow, player: PlayerId, *, message_hash: str
) -> bool:
    """Enter a player in a tournament.

    If the tournament has no date, it starts as soon as the first group is full.

    Args:
        uow: The unit of work.
        tournament: The tournament.
        player: The player who enters it.
        message_hash: The hash of the email with the entry, which counts as accepting the matches.

    Returns:
        Whether this entry has started the tournament.

    Raises:
        Rejection: `tournament_started` or `already_entered`.
    """
    name = TournamentId(tournament.name)
    if tournament.started_at is not None:
        raise Rejection("tournament_started", tournament=name)
    if _has_entered(uow, name, player):
        raise Rejection("already_entered", tournament=name)
    tournaments.add_entry(uow.conn, name, player, message_hash)
    is_full = len(tournaments.list_entries(uow.conn, name)) == tournament.group_size
    starts = tournament.starts_at is None and is_full
    if starts:
        advance_tournament(uow, name)
    return starts


def cancel_entry(uow: UnitOfWork, tournament: TournamentRow, player: PlayerId) -> None:
    """Delete a player's entry in a tournament.

    The caller must check that the tournament has not started.

    Raises:
        Rejection: `not_entered`.
    """
    name = TournamentId(tournament.name)
    if not _has_entered(uow, name, player):
        raise Rejection("not_entered", tournament=name)
    tournaments.drop_entry(uow.conn, name, player)


def _has_entered(uow: UnitOfWork, tournament: TournamentId, player: PlayerId) -> bool:
    entries = tournaments.list_entries(uow.conn, tournament)
    return any(entry.player == player for entry in entries)


# --- the start -----------------------------------------------------------------------------------


def advance_tournament(uow: UnitOfWork, name: TournamentId) -> None:
    """Begin the next matches of a tournament, or send the final tables after its last match.

    The first call divides the players into groups. Beginning a match takes a tenth of a second with
    its emails, so a large tournament begins in several units of work. The tournament is due again
    at once until all its matches have begun. It is also due whenever one of its matches ends.
    """
    tournament = find_tournament(uow, name)
    if tournament.started_at is None:
        _divide_players(uow, tournament)
    entries = tournaments.list_entries(uow.conn, name)
    hashes = {PlayerId(entry.player): entry.message_hash for entry in entries}
    begun = {match.players for match in tournaments.list_matches(uow.conn, name)}
    pairs = [
        pair
        for group in _list_groups(entries)
        for pair in list_pairings(group, tournament.games)
        if pair not in begun
    ]
    for first, second in pairs[:MAX_BEGUN]:
        _begin_match(uow, tournament, first, second, hashes[second])
    tournaments.set_due(uow.conn, name, uow.now if len(pairs) > MAX_BEGUN else None)
    has_ended = not pairs and not any(
        match.is_running for match in tournaments.list_matches(uow.conn, name)
    )
    if has_ended and tournament.ended_at is None:
        tournaments.mark_ended(uow.conn, name, uow.now)
        if begun:
            _send_final_tables(uow, name)


def _divide_players(uow: UnitOfWork, tournament: TournamentRow) -> None:
    """Divide the players of a tournament into groups, and mark the tournament as started.

    If only one player has entered, they are notified that there are no matches.
    """
    name = TournamentId(tournament.name)
    entries = tournaments.list_entries(uow.conn, name)
    entered = [PlayerId(entry.player) for entry in entries]
    known = ratings.load_ratings(uow.conn, GAMES[tournament.ruleset], entered)
    groups = divide_into_groups(
        (
            Entrant(player, known.get(player, ratings.NO_RATING).rating.value, number)
            for number, player in enumerate(entered, 1)
        ),
        tournament.group_size,
    )
    numbers = {player: number for number, group in enumerate(groups, 1) for player in group}
    tournaments.mark_started(uow.conn, name, numbers, uow.now)
    if len(entered) == 1:
        player = players.get_player(uow.conn, entered[0])
        uow.emails.reply(player, "tournament", topic="too_few", tournament=name)


def _send_final_tables(uow: UnitOfWork, name: TournamentId) -> None:
    standings = view_standings(uow.conn, name)
    readers = players.list_players(uow.conn, standings.names)
    for number, group in enumerate(standings.groups, 1):
        for standing in group:
            uow.emails.reply(
                readers[standing.player],
                "tournament",
                topic="over",
                tournament=name,
                standings=standings,
                group=group,
                number=number,
                place=standing.place,
            )


def _list_groups(entries: Sequence[TournamentEntryRow]) -> list[list[PlayerId]]:
    groups: dict[int, list[PlayerId]] = {}
    for entry in entries:
        if entry.group_number is not None:
            groups.setdefault(entry.group_number, []).append(PlayerId(entry.player))
    return [groups[number] for number in sorted(groups)]


def _begin_match(
    uow: UnitOfWork,
    tournament: TournamentRow,
    first: PlayerId,
    second: PlayerId,
    message_hash: str,
) -> None:
    proposal = Proposal(
        game=GAMES[tournament.ruleset],
        opponents=[second],
        options={STARTER: "given", "time": tournament.time_control},
    )
    match_id, secret = uow.app.new_match_id(), uow.app.entropy(fairness.SECRET_BYTES)
    events = issue_challenge(proposal, first, commit_draws(secret), uow.now)
    uow.create_match(match_id, secret, TournamentId(tournament.name))
    match = uow.append(match_id, events)
    acceptance = accept_invitation(match, second, message_hash=message_hash, now=uow.now)
    uow.append(match_id, acceptance)


# --- after the start -----------------------------------------------------------------------------


def list_open_matches(
    uow: UnitOfWork, tournament: TournamentRow, player: PlayerId
) -> list[TournamentMatch]:
    """Return the running matches of a player in a tournament.

    Raises:
        Rejection: `not_entered` if there are none.
    """
    matches = tournaments.list_matches(uow.conn, TournamentId(tournament.name))
    open_matches = [match for match in matches if match.is_running and player in match.players]
    if not open_matches:
        raise Rejection("not_entered", tournament=tournament.name)
    return open_matches


# --- what emails and pages show ------------------------------------------------------------------


def view_tournaments(
    conn: Connection, reader: PlayerId | None, limit: int = MAX_LISTED
) -> list[TournamentView]:
    """Return views of the newest tournaments, newest first; `reader` is None for a visitor."""
    views = []
    running = tournaments.list_running(conn)
    for row in tournaments.list_tournaments(conn, limit):
        entries = tournaments.list_entries(conn, TournamentId(row.name))
        state = "running" if row.name in running else "over"
        views.append(
            TournamentView(
                row=row,
                game=GAMES[row.ruleset].title,
                state=state if row.started_at is not None else "open",
                entries=len(entries),
                is_reader_entered=any(entry.player == reader for entry in entries),
            )
        )
    return views


def view_standings(conn: Connection, name: TournamentId) -> StandingsView:
    """Return the standings of the tournament with this name."""
    entries = tournaments.list_entries(conn, name)
    entered = [PlayerId(entry.player) for entry in entries]
    rows = players.list_players(conn, entered)
    matches = tournaments.list_matches(conn, name)
    return StandingsView(
        name=name,
        names={player: rows[player].name for player in entered},
        groups=tuple(
            tuple(compute_standings(group, _list_results(group, matches)))
            for group in _list_groups(entries)
        ),
        running=sum(match.is_running for match in matches),
    )


def _list_results(group: Sequence[PlayerId], matches: Sequence[TournamentMatch]) -> list[Result]:
    results = []
    for match in matches:
        first, second = match.players
        # A match does not count if the operator has given a seat to a player outside the group.
        if match.score is not None and {first, second} <= {*group}:
            results.append(Result(first, second, match.score))
    return results
