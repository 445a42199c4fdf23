"""What one reader may see of a match, as plain values for templates.

`build_match_view` is the only way from a match to an email or a page. It asks the game for what the
reader's seat may see, so a template cannot show more by mistake. A scheduled move belongs to one
player: for them the match looks as if it had been made, and no other reader's view is given it.

Views hold codes and facts, and no sentences: the templates put them into the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.errors import Facts
from pbem.games import AnyGame
from pbem.games.game import Drawn, Seat, Seats, Style
from pbem.games.signs import signs_of
from pbem.match.events import (
    AUTOMATIC_SOURCES,
    ChallengeClosed,
    ChanceSealed,
    InvitationDeclined,
    MatchEvent,
    MovePlayed,
    SeatResigned,
    SeatTaken,
    Source,
)
from pbem.match.state import Match, PlayedPly, Status
from pbem.names import PlayerId

MAX_CHOICES: Final = 4  # moves to tap in an email: as many as fit a phone's first screen
MAX_RECENT: Final = 12  # plies that an email lists, for a player who resigned long before the end
HEAD_DIGITS: Final = 32  # of the hash that an email shows: 128 bits

_WORD: Final = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveView:
    """A move or a draw: its notation, and what happened as facts for the game's words.

    `seat` and `name` are None for a draw. `is_forced` is set for a move that the server made.
    """

    seat: Seat | None
    name: str | None
    notation: str
    facts: Facts
    is_forced: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockView:
    """The time that a player has left; `deadline` is None while the clock does not run."""

    name: str
    is_reader: bool
    left: timedelta
    deadline: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultView:
    """How a match ended.

    `placings` are pairs of place and name, the best first. `has_won` is set if the reader alone is
    first, `is_shared` if several players are.
    """

    placings: tuple[tuple[int, str], ...]
    termination: str
    winners: tuple[str, ...]
    has_won: bool
    is_shared: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class NewsView:
    """What else happened, by the names of the players who did it; `closed` is the reason."""

    accepted: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    resigned: tuple[str, ...] = ()
    closed: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchView:
    """A match as one reader may see it.

    `names` has the players' names by seat; it is empty until the match starts. `opponents` are the
    other players, the challenger first. `recent` has what happened since the reader's last move,
    `history` all moves and draws. `choices` are moves that the reader can make now. `scheduled` is
    the reader's own move that waits in the undo window; board and turn are those after it.
    """

    code: str
    game: str
    title: str
    status: Status
    challenger: str
    is_challenger: bool
    opponents: tuple[str, ...]
    waiting_for: tuple[str, ...]
    seat: Seat | None
    names: Mapping[Seat, str]
    to_move: tuple[str, ...]
    is_reader_to_move: bool
    board: tuple[str, ...]
    board_facts: Facts
    recent: tuple[MoveView, ...]
    history: tuple[MoveView, ...]
    choices: tuple[MoveView, ...]
    scheduled: MoveView | None
    time_control: str
    clocks: tuple[ClockView, ...]
    expires: datetime
    result: ResultView | None
    news: NewsView
    version: int
    head: str


def build_match_view(
    match: Match,
    reader: PlayerId | None,
    names: Mapping[PlayerId, str],
    *,
    head: str,
    now: datetime,
    scheduled: str | None = None,
    events: Sequence[MatchEvent] = (),
) -> MatchView:
    """Return what a reader may see of a match.

    Args:
        match: The match, which has at least its challenge.
        reader: The player who reads; None for a spectator.
        names: The names of all its players, by id.
        head: The hash of its newest event, in hex.
        now: The time up to which running clocks are shown.
        scheduled: The notation of the reader's own scheduled move.
        events: What the reader is notified of, besides moves.
    """
    seat = match.seat_of(reader) if reader is not None else None
    seat_names = {Seat(n): names[player] for n, player in enumerate(match.players, 1)}
    position, scheduled_move = match.position, None
    if scheduled is not None:
        if seat is None or seat not in match.to_move:
            raise ValueError(f"{reader} has no move to make in {match.id}")
        position, scheduled_move = _play_scheduled(match, seat, scheduled, seat_names)
    to_move = _list_seats_to_move(match, position)
    is_reader_to_move = seat is not None and seat in to_move
    board = None
    if match.players:
        signs = signs_of([*seat_names.values()], match.game.reserved)
        board = match.game.board(position, seat, Style.ASCII, signs)
    history = tuple(_view_ply(match.game, played, seat_names) for played in match.plies)
    terms = match.terms
    return MatchView(
        code=match.id,
        game=match.game.key,
        title=match.game.title,
        status=match.status,
        challenger=names[terms.challenger],
        is_challenger=reader == terms.challenger,
        opponents=tuple(names[player] for player in match.entrants if player != reader),
        waiting_for=tuple(names[player] for player in match.waiting_for),
        seat=seat,
        names=seat_names,
        to_move=tuple(seat_names[n] for n in to_move),
        is_reader_to_move=is_reader_to_move,
        board=board.lines if board is not None else (),
        board_facts=board.facts if board is not None else {},
        recent=history[_recent_start(match, seat) :],
        history=history,
        choices=_list_choices(match, seat) if seat and is_reader_to_move else (),
        scheduled=scheduled_move,
        time_control=terms.time_control,
        clocks=_view_clocks(match, seat, seat_names, now, is_stopped=scheduled is not None),
        expires=terms.expires,
        result=_view_result(match, seat, seat_names),
        news=_view_news(match, events, names),
        version=match.version,
        head=head[:HEAD_DIGITS],
    )


def _play_scheduled(
    match: Match, seat: Seat, notation: str, seat_names: Mapping[Seat, str]
) -> tuple[Any, MoveView]:
    """Return the position after a scheduled move, as far as its player may know it, and the move.

    Nothing is drawn or revealed before the move is executed.
    """
    game = match.game
    before = game.known(match.position, seat)
    move = game.read(notation, match.position)
    after = game.play(before, move)
    facts = game.facts(move, before, after)
    view = MoveView(seat=seat, name=seat_names[seat], notation=notation, facts=facts)
    return after, view


def _list_seats_to_move(match: Match, position: Any) -> tuple[Seat, ...]:
    if match.status is not Status.RUNNING:
        return ()
    turn = match.game.turn(position)
    return turn.seats if isinstance(turn, Seats) else ()


def _view_ply(game: AnyGame, played: PlayedPly, seat_names: Mapping[Seat, str]) -> MoveView:
    if isinstance(played.event, ChanceSealed):
        notation = played.event.request.partition(":")[0]  # what was dealt stays secret
    elif isinstance(played.move, Drawn):
        notation = game.chance_notation(played.before, played.move)
    else:
        notation = game.notation(played.move)
    return MoveView(
        seat=played.seat,
        name=None if played.seat is None else seat_names[played.seat],
        notation=notation,
        facts=game.facts(played.move, played.before, played.after),
        is_forced=isinstance(played.event, MovePlayed) and played.event.source is Source.FORCED,
    )


def _recent_start(match: Match, seat: Seat | None) -> int:
    """Return the index of the first ply that is news to a reader.

    It follows the last move that they chose. A reader who moved last sees that move; a spectator
    sees one round.
    """
    count = len(match.plies)
    if seat is None:
        return max(count - match.seats, 0)
    own = [
        index
        for index, played in enumerate(match.plies, 1)
        if played.seat == seat
        and isinstance(played.event, MovePlayed)
        and played.event.source not in AUTOMATIC_SOURCES
    ]
    start = own[-1] if own else 0
    return max(min(start, count - 1), count - MAX_RECENT, 0)


def _list_choices(match: Match, seat: Seat) -> tuple[MoveView, ...]:
    game, known = match.game, match.game.known(match.position, seat)
    moves = {game.notation(move): move for move in game.legal(match.position)}
    return tuple(
        MoveView(
            seat=seat,
            name=None,
            notation=notation,
            facts=game.facts(moves[notation], known, game.play(known, moves[notation])),
        )
        for notation in spread_moves([*moves], MAX_CHOICES)
    )


def spread_moves(notations: Sequence[str], count: int) -> list[str]:
    """Return at most `count` moves, spread over the kinds of moves and over the list.

    Moves are of one kind if their last words are the same, as in `b1; plant a1` and `stay; plant
    a2`.
    """
    kinds: dict[str, list[str]] = {}
    for notation in notations:
        words = _WORD.findall(notation)
        kinds.setdefault(words[-1] if words else "", []).append(notation)
    chosen: list[str] = []
    while kinds and len(chosen) < count:
        share = max((count - len(chosen)) // len(kinds), 1)
        group = kinds.pop(min(kinds, key=lambda kind: len(kinds[kind])))
        share = min(share, len(group))
        chosen.extend(group[(2 * n + 1) * len(group) // (2 * share)] for n in range(share))
    return [notation for notation in notations if notation in chosen]


def _view_clocks(
    match: Match,
    reader: Seat | None,
    seat_names: Mapping[Seat, str],
    now: datetime,
    *,
    is_stopped: bool,
) -> tuple[ClockView, ...]:
    """Return the clocks in seat order; the reader's own has stopped with their scheduled move."""
    if match.clocks is None:
        return ()
    views = []
    for seat, name in seat_names.items():
        if match.game.leave(match.position, seat) == match.position:
            continue  # out of the game
        deadline = match.clocks.deadline(seat)
        left = match.clocks.banks[seat - 1]
        if deadline is not None:
            left = max(deadline - now, timedelta(0))
        if is_stopped and seat == reader:
            deadline = None
        views.append(ClockView(name=name, is_reader=seat == reader, left=left, deadline=deadline))
    return tuple(views)


def _view_result(
    match: Match, seat: Seat | None, seat_names: Mapping[Seat, str]
) -> ResultView | None:
    if match.outcome is None:
        return None
    by_seat = {n: match.outcome.placings[n - 1] for n in seat_names}
    winners = [n for n, place in by_seat.items() if place == 1]
    return ResultView(
        placings=tuple(
            (place, seat_names[n]) for n, place in sorted(by_seat.items(), key=lambda pair: pair[1])
        ),
        termination=match.outcome.termination,
        winners=tuple(seat_names[n] for n in winners),
        has_won=winners == [seat],
        is_shared=len(winners) > 1,
    )


def _view_news(
    match: Match, events: Iterable[MatchEvent], names: Mapping[PlayerId, str]
) -> NewsView:
    events = list(events)
    closed = [event.reason for event in events if isinstance(event, ChallengeClosed)]
    return NewsView(
        accepted=tuple(names[event.player] for event in events if isinstance(event, SeatTaken)),
        declined=tuple(
            names[event.player] for event in events if isinstance(event, InvitationDeclined)
        ),
        resigned=tuple(
            names[match.player_at(event.seat)]
            for event in events
            if isinstance(event, SeatResigned)
        ),
        closed=closed[0] if closed else None,
    )
