"""Views of a match: what one reader may see, as plain values for templates.

Emails and pages get a match only as a view that `build_match_view` returns. While the match
runs, the board and the choices come from the position as far as the reader's seat knows it
(`game.redact`), so a template cannot reveal more by mistake. The facts that `game.move_facts`
returns about a move are public. The notation of a sealed random draw is left out until the match
has ended. A scheduled move appears only in the view of the player who made it, where the match
looks as if the move had been played.

Views contain codes and facts but no sentences. Templates express them in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final

from pbem.errors import Facts, Rejection
from pbem.games import AnyGame
from pbem.games.game import (
    Board,
    Marks,
    PartialMove,
    Seat,
    Seats,
    Style,
    Transition,
    Translate,
)
from pbem.games.options import ColourChoice
from pbem.games.seat_letters import choose_seat_letters
from pbem.match.clocks import DAY
from pbem.match.events import (
    ChallengeClosed,
    InvitationDeclined,
    MatchEvent,
    MatchRolledBack,
    PauseReason,
    SeatReleased,
    SeatTaken,
)
from pbem.match.state import Match, Status
from pbem.names import PlayerId, is_bot
from pbem.notifications.happenings import HappeningView, list_happenings
from pbem.notifications.lessons import LessonView, count_topics_left, view_lesson
from pbem.notifications.move_views import MoveView, view_move, view_ply

MAX_CHOICES: Final = 4  # moves that an email offers as links; more do not fit a phone's screen
MAX_LISTED: Final = 1_000  # legal moves that are considered as choices; Looney Ludo has more
MAX_RECENT: Final = 12  # moves that an email lists, for a player who resigned long before the end
HEAD_DIGITS: Final = 32  # digits of the hash that an email shows: 128 bits

_WORD: Final = re.compile(r"[a-z]+\d*|\d+")  # in notation, such as `plant` or `a1`


@dataclass(frozen=True, kw_only=True, slots=True)
class StepView:
    """The board after the first `number` moves and random draws of a match; 0 is the start.

    `move` is the last of these moves and random draws; None at the start. `board` has the lines of
    the board, and `board_facts` has everything that the board shows. `draw_board` returns the board
    as SVG, with `move` marked. Its argument is a function that translates the words on the board.
    """

    number: int
    move: MoveView | None
    board: tuple[str, ...]
    board_facts: Facts
    draw_board: Callable[[Translate], str] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock of the player `name`: the time left, and the deadline (None if it does not run)."""

    name: str
    is_reader: bool
    left: timedelta
    deadline: datetime | None
    vacation_days: int  # vacation days that are left in the match


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultView:
    """The result of a match.

    `placings` has a triple for each player: the place (1 is best), the name and the seat. It is
    sorted by place; `by_seat` has the places in seat order. `termination` is the cause of the end.
    `winners` has the names of the players who finished first. `has_won` is True if the reader is
    the only winner, `is_shared` if there are several winners, and `is_draw` if all players are.
    `is_voided` is True if the operator annulled the match.
    """

    placings: tuple[tuple[int, str, Seat], ...]
    by_seat: tuple[int, ...]
    termination: str
    winners: tuple[str, ...]
    has_won: bool
    is_shared: bool
    is_draw: bool
    is_voided: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class NewsView:
    """The news of a challenge: the names of the players who accepted, declined or left.

    `closed` is the reason for which the challenge was closed; None if it was not closed.
    """

    accepted: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    closed: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchView:
    """A match as one reader may see it.

    Attributes:
        options: The game options that differ from their defaults, except who begins.
        first: The name of the player who begins; None if the challenge does not say who.
        opponents: The names of the other players, the challenger first.
        waiting_for: The names of the invited players who have not accepted yet.
        open_seats: The number of seats that can still be taken: by any player if `is_listed`,
            otherwise by people who have the link.
        colours: The colours that players have chosen before the start, by player name.
        is_first_email: Whether this is the first email to the reader about the match.
        lesson: This turn of a lesson; None if the match is not a lesson, the lesson is over, or it
            is not the reader's turn.
        topics_left: The number of topics that the lesson has left for the reader, not counting the
            last topic; 0 if the match is not a lesson.
        names: The players' names by seat; empty until the match starts.
        board: The lines of the board; empty before the start, or if they are too wide for an email.
        board_facts: Everything that the board shows, as facts.
        draw_board: A function that returns the board as SVG, with the moves since the reader's last
            move marked. Its argument is a function that translates the words on the board. It
            returns an empty text if the game has no picture. None before the start.
        recent: The moves and random draws since the reader's last move.
        history: All moves and random draws.
        is_opening: Whether no move was made yet. False if this email reports that moves were taken
            back.
        choices: Some of the moves that the reader can make now.
        scheduled: The reader's own move in its undo window; None without one. `board` and `to_move`
            are as after this move.
        happened: Events other than moves that the reader is notified of.
        offer: The kind of offer that the reader can answer: `draw`, `takeback` or None.
        offering_player: The name of the player who made that offer; None without one.
        does_move_decline: Whether that offer is declined if the reader plays a move.
        own_offer: The kind of the reader's own unanswered offer: `draw`, `takeback` or None.
        version: The number of the newest event.
        head: The beginning of the hash of the newest event, in hex.
    """

    code: str
    game: str
    title: str
    options: Mapping[str, str]
    first: str | None
    status: Status
    challenger: str
    is_challenger: bool
    opponents: tuple[str, ...]
    waiting_for: tuple[str, ...]
    open_seats: int
    is_listed: bool
    colours: Mapping[str, str]
    is_first_email: bool
    lesson: LessonView | None
    topics_left: int
    seat: Seat | None
    names: Mapping[Seat, str]
    to_move: tuple[str, ...]
    is_reader_to_move: bool
    board: tuple[str, ...]
    board_facts: Facts
    draw_board: Callable[[Translate], str] | None = field(repr=False, compare=False)
    recent: tuple[MoveView, ...]
    history: tuple[MoveView, ...]
    is_opening: bool
    choices: tuple[MoveView, ...]
    scheduled: MoveView | None
    time_control: str
    is_rated: bool
    is_private: bool
    tournament: str | None
    clocks: tuple[ClockView, ...]
    expires: datetime
    result: ResultView | None
    news: NewsView
    happened: tuple[HappeningView, ...]
    offer: str | None
    offering_player: str | None
    does_move_decline: bool
    own_offer: str | None
    version: int
    head: str


def build_match_view(
    match: Match,
    reader: PlayerId | None,
    names: Mapping[PlayerId, str],
    *,
    head: str,
    now: datetime,
    tournament: str | None = None,
    scheduled: str | None = None,
    typed: str = "",
    meant: Sequence[str] = (),
    events: Sequence[MatchEvent] = (),
    is_first_email: bool = False,
    style: Style = Style.ASCII,
    marks_moves: bool = True,
) -> MatchView:
    """Return a match as one reader may see it.

    Args:
        match: The match, with at least its first event, the challenge.
        reader: The player who reads; None for a spectator.
        names: The names of all players, by id.
        head: The hash of the newest event, in hex.
        now: The current time, for running clocks.
        tournament: The name of the tournament to which the match belongs; None for no tournament.
        scheduled: The notation of the reader's own scheduled move; None without one.
        typed: The text of a refused move of the reader, or empty; moves that resemble it are
            offered as choices.
        meant: The notations of moves that the reader may have meant; they are the first choices.
        events: The events that the reader is notified of; moves among them are ignored.
        is_first_email: Whether the reader has had no email about the match yet.
        style: The characters in which the board is written.
        marks_moves: Whether the picture marks where the reader can move. Pages show links there
            instead.
    """
    seat = match.seat_of(reader) if reader is not None else None
    seat_names = {Seat(n): names[player] for n, player in enumerate(match.players, 1)}
    news = match.plies[_recent_start(match, seat) :]
    transitions = tuple(Transition(played.move, played.before, played.after) for played in news)
    position, scheduled_move = _known(match, match.position, seat), None
    if scheduled is not None:
        if seat is None or seat not in match.to_move:
            raise ValueError(f"{reader} has no move to make in {match.id}")
        waiting, scheduled_move = _play_scheduled(match, seat, scheduled, seat_names)
        position, transitions = waiting.after, (waiting,)
    to_move = _list_seats_to_move(match, position)
    is_reader_to_move = seat is not None and seat in to_move
    board, draw_board = None, None
    if match.players:
        marks = replace(
            _mark_board(match, names, transitions),
            is_idle=match.status is not Status.RUNNING,
            hides_choices=not (is_reader_to_move and marks_moves),
        )
        board = match.game.board(position, seat, style, marks.letters)
        draw_board = partial(_draw_board, match.game, position, seat, marks)
    choices: tuple[MoveView, ...] = ()
    lesson = view_lesson(match, seat) if seat is not None and is_reader_to_move else None
    if lesson is not None and lesson.example:
        choices = _view_choices(match.game, position, [lesson.example])
    elif is_reader_to_move:
        choices = _list_choices(match, position, board, typed, meant)
    terms, (offer, offering, own_offer) = match.terms, _find_offers(match, seat)
    return MatchView(
        code=match.id,
        game=match.game.key,
        title=match.game.title,
        options=_list_options(match),
        first=None if (first := _find_first(match)) is None else names[first],
        status=match.status,
        challenger=names[terms.challenger],
        is_challenger=reader == terms.challenger,
        opponents=tuple(names[player] for player in match.list_opponents(reader)),
        waiting_for=tuple(names[player] for player in match.waiting_for),
        open_seats=match.open_seats,
        is_listed=terms.is_listed,
        colours={names[player]: colour for player, colour in match.colours.items()},
        is_first_email=is_first_email,
        lesson=lesson,
        topics_left=count_topics_left(match, seat) if seat is not None else 0,
        seat=seat,
        names=seat_names,
        to_move=tuple(seat_names[n] for n in to_move),
        is_reader_to_move=is_reader_to_move,
        board=board.lines if board is not None else (),
        board_facts=_board_facts(match, board) if board is not None else {},
        draw_board=draw_board,
        recent=tuple(view_move(match, played, seat_names, seat) for played in news),
        history=tuple(view_ply(match, played, seat_names) for played in match.plies),
        is_opening=all(played.seat is None for played in match.plies)
        and not any(isinstance(event, MatchRolledBack) for event in events),
        choices=choices,
        scheduled=scheduled_move,
        time_control=terms.time_control,
        is_rated=terms.is_rated,
        is_private=terms.is_private,
        tournament=tournament,
        clocks=_view_clocks(match, seat, seat_names, now, is_stopped=scheduled is not None),
        expires=terms.expires,
        result=_view_result(match, seat, seat_names),
        news=_view_news(events, names),
        happened=tuple(list_happenings(match, events, names, reader)),
        offer=offer,
        offering_player=None if offering is None else seat_names[offering],
        does_move_decline=offer == "takeback" or not match.game.has_lasting_draw_offers,
        own_offer=own_offer,
        version=match.version,
        head=head[:HEAD_DIGITS],
    )


def _mark_board(
    match: Match, names: Mapping[PlayerId, str], transitions: tuple[Transition[Any, Any], ...]
) -> Marks[Any, Any]:
    """Return the marks for the picture of a board: the players' names, seat letters and moves.

    `names` has the names of the players by id. `transitions` are the moves and random draws to
    mark. Possible moves are not marked.
    """
    seat_names = tuple(names[player] for player in match.players)
    letters = choose_seat_letters(seat_names, match.game.reserved_letters)
    return Marks(transitions=transitions, names=seat_names, letters=letters, hides_choices=True)


def _draw_board(
    game: AnyGame, position: Any, seat: Seat | None, marks: Marks[Any, Any], word: Translate
) -> str:
    return game.picture(position, seat, replace(marks, translate=word))


def _board_facts(match: Match, board: Board) -> Facts:
    """Return the facts of a board for templates.

    If the match is not running, they do not say of any seat that it is to move.
    """
    seats = board.facts.get("seats")
    if match.status is Status.RUNNING or not isinstance(seats, Sequence):
        return board.facts
    idle = [{**seat, "to_move": False} for seat in seats if isinstance(seat, Mapping)]
    return {**board.facts, "seats": idle}


def view_step(
    match: Match,
    reader: PlayerId | None,
    names: Mapping[PlayerId, str],
    number: int,
    style: Style = Style.ASCII,
) -> StepView:
    """Return the board after the first `number` moves and random draws, as the reader may see it.

    Args:
        match: The match, which has started.
        reader: The player who reads; None for a spectator.
        names: The names of the players, by id.
        number: The number of moves and random draws, from 0 to `match.ply`.
        style: The characters in which the board is written.
    """
    seat = match.seat_of(reader) if reader is not None else None
    seat_names = {Seat(n): names[player] for n, player in enumerate(match.players, 1)}
    played = match.plies[number - 1] if number else None
    first = match.plies[0].before if match.plies else match.position
    position = _known(match, first if played is None else played.after, seat)
    transitions = () if played is None else (Transition(played.move, played.before, played.after),)
    marks = replace(_mark_board(match, names, transitions), is_idle=True)
    board = match.game.board(position, seat, style, marks.letters)
    return StepView(
        number=number,
        move=None if played is None else view_move(match, played, seat_names, seat),
        board=board.lines,
        board_facts=board.facts,
        draw_board=partial(_draw_board, match.game, position, seat, marks),
    )


def draw_composed_move(
    match: Match,
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    partial_move: PartialMove[Any, Any],
) -> Callable[[Translate], str]:
    """Return a function that draws the board with the move that a player is composing.

    That function returns SVG. Its argument is a function that translates the words on the board.

    Args:
        match: The match, in which `reader` is to move.
        reader: The player who composes the move.
        names: The names of the players, by id.
        partial_move: The part of the move that is composed so far, and the position after that
            part, as far as the player knows it.
    """
    seat = match.seat_of(reader)
    known = _known(match, match.position, seat)
    transitions = (
        ()
        if partial_move.move is None
        else (Transition(partial_move.move, known, partial_move.position),)
    )
    marks = _mark_board(match, names, transitions)
    return partial(_draw_board, match.game, partial_move.position, seat, marks)


def _list_options(match: Match) -> dict[str, str]:
    """Return the game options that differ from their defaults, by name, except who begins.

    The values are written as players type them.
    """
    values = match.terms.options
    options = {}
    for option in match.game.options:
        value = values.get(option.name, option.default)
        if value == option.default or option.is_starter:
            continue
        if isinstance(option, ColourChoice):
            names = (option.find_colour(letter) or letter for letter in value[: match.seats])
            value = "-".join(names).lower()
        options[option.name] = value
    return options


def _find_first(match: Match) -> PlayerId | None:
    """Return the player who begins, or None if the challenge leaves that open."""
    terms, options = match.terms, match.terms.options
    if terms.seat_order:
        return terms.seat_order[0]
    is_given = any(
        option.is_starter and options.get(option.name) == "given" for option in match.game.options
    )
    return terms.challenger if is_given else None


def _known(match: Match, position: Any, seat: Seat | None) -> Any:
    """Return `position` as far as the player of `seat` knows it.

    If the match is not running, nothing is hidden. For a spectator (`seat` is None) the position is
    complete, too, and `game.board` then shows only what is public.
    """
    if seat is None or match.status is not Status.RUNNING:
        return position
    return match.game.redact(position, seat)


def _play_scheduled(
    match: Match, seat: Seat, notation: str, seat_names: Mapping[Seat, str]
) -> tuple[Transition[Any, Any], MoveView]:
    """Return the scheduled move with the positions before and after it, and its view.

    `notation` is the move's notation. The positions are as the player knows them. Random draws and
    hidden values that follow from the move are unknown until the move is executed.
    """
    game, known = match.game, _known(match, match.position, seat)
    move = game.read_notation(notation, known)
    after = game.play(known, move)
    facts = game.move_facts(move, known, after)
    view = MoveView(name=seat_names[seat], notation=notation, facts=facts, is_reader=True)
    return Transition(move, known, after), view


def _list_seats_to_move(match: Match, position: Any) -> tuple[Seat, ...]:
    if match.status is not Status.RUNNING:
        return ()
    turn = match.game.turn(position)
    return turn.seats if isinstance(turn, Seats) else ()


def _recent_start(match: Match, seat: Seat | None) -> int:
    """Return the index in `match.plies` of the first move or random draw that is news to a reader.

    `seat` is the reader's seat. News begins after the last move that the reader chose on seeing the
    board. If no player has moved since, the reader's own move is the news. If all opponents are
    bots, the reader's own move is always included, because no receipt has shown it. At most the
    last MAX_RECENT moves are news. A spectator (None) gets as many of the last moves as there are
    seats.
    """
    moves = [index for index, played in enumerate(match.plies) if played.seat is not None]
    if not moves:
        return 0
    if seat is None:
        return moves[-match.seats :][0]
    own = [
        ply.ply
        for ply in match.plies
        if ply.seat == seat and ply.is_chosen and not ply.is_conditional
    ]
    start = own[-1] if own else 0
    if start > moves[-1]:
        return moves[-1]
    if start and match.has_only_bots_against(match.player_at(seat)):
        return start - 1
    return max(start, moves[-MAX_RECENT:][0]) if len(moves) > MAX_RECENT else start


def _list_choices(
    match: Match, known: Any, board: Board | None, typed: str, meant: Sequence[str]
) -> tuple[MoveView, ...]:
    """Return legal moves to offer, at most MAX_CHOICES, without judging how good they are.

    First come the moves in `meant`, then the legal moves that share the most words with `typed`. If
    there are no such moves, the list begins with the moves that the game suggests in the fact `can`
    of `board`. It is then filled up with the shortest legal moves whose first words are not in the
    list yet, so that the choices cover more pieces and spaces.

    Args:
        match: The match.
        known: The position as the reader knows it.
        board: The board that the email shows, or None.
        typed: The text that the player typed in place of a legal move; empty if none.
        meant: The legal moves that `typed` may mean.
    """
    game = match.game
    legal = sorted(map(game.notation, islice(game.legal_moves(known), MAX_LISTED)), key=len)
    near = find_near_moves(legal, game.vocabulary.normalise(typed)) if typed else []
    notations = list(dict.fromkeys([*meant, *near]))[:MAX_CHOICES]
    if not notations:
        can = board.facts.get("can") if board is not None else None
        samples = can.get("samples") if isinstance(can, Mapping) else None
        notations = list(map(str, samples))[:MAX_CHOICES] if isinstance(samples, Sequence) else []
        first_words = {notation.split()[0] for notation in notations}
        for notation in legal:
            if len(notations) < MAX_CHOICES and notation.split()[0] not in first_words:
                notations.append(notation)
                first_words.add(notation.split()[0])
    return _view_choices(game, known, notations)


def _view_choices(game: AnyGame, known: Any, notations: Iterable[str]) -> tuple[MoveView, ...]:
    """Return views of the moves with these notations in the position `known`, if they are legal."""
    views = []
    for notation in notations:
        with suppress(Rejection):
            move = game.read_notation(notation, known)
            facts = game.move_facts(move, known, game.play(known, move))
            views.append(MoveView(name=None, notation=game.notation(move), facts=facts))
    return tuple(views)


def find_near_moves(notations: Sequence[str], typed: str) -> list[str]:
    """Return the `notations` that share the most words with a typed text.

    If no notation shares a word with the text, the list is empty.
    """
    words = set(_WORD.findall(typed.casefold()))
    shared = [len(words & set(_WORD.findall(notation.casefold()))) for notation in notations]
    largest = max(shared, default=0)
    return [
        notation
        for notation, count in zip(notations, shared, strict=True)
        if largest and count == largest
    ]


def _view_clocks(
    match: Match,
    reader: Seat | None,
    seat_names: Mapping[Seat, str],
    now: datetime,
    *,
    is_stopped: bool,
) -> tuple[ClockView, ...]:
    """Return the clocks in seat order, without the clocks of players who are out of the game.

    `reader` is the reader's seat; None for a spectator. If `is_stopped`, as during an undo window,
    the reader's own clock has no deadline.
    """
    if match.clocks is None:
        return ()
    views = []
    for seat, name in seat_names.items():
        if match.game.leave(match.position, seat) == match.position:
            continue  # out of the game
        deadline = match.clocks.deadline(seat)
        time = match.clocks.banks[seat - 1]
        if deadline is not None:
            time = max(deadline - now, timedelta(0))
        if is_stopped and seat == reader:
            deadline = None
        days = match.clocks.allowance_left(seat, PauseReason.VACATION) // DAY
        views.append(ClockView(name, seat == reader, time, deadline, days))
    return tuple(views)


def _view_result(
    match: Match, seat: Seat | None, seat_names: Mapping[Seat, str]
) -> ResultView | None:
    if match.outcome is None:
        return None
    places = sorted(zip(match.outcome.placings, seat_names, strict=True))
    winners = [n for place, n in places if place == 1]
    return ResultView(
        placings=tuple((place, seat_names[n], n) for place, n in places),
        by_seat=match.outcome.placings,
        termination=match.outcome.termination,
        winners=tuple(seat_names[n] for n in winners),
        has_won=winners == [seat],
        is_shared=len(winners) > 1,
        is_draw=len(winners) == len(places),
        is_voided=match.is_voided,
    )


def _view_news(events: Sequence[MatchEvent], names: Mapping[PlayerId, str]) -> NewsView:
    closed = [event.reason for event in events if isinstance(event, ChallengeClosed)]
    return NewsView(
        accepted=tuple(
            names[event.player]
            for event in events
            if isinstance(event, SeatTaken) and not is_bot(event.player)
        ),
        left=tuple(names[event.player] for event in events if isinstance(event, SeatReleased)),
        declined=tuple(
            names[event.player] for event in events if isinstance(event, InvitationDeclined)
        ),
        closed=closed[0] if closed else None,
    )


def _find_offers(match: Match, seat: Seat | None) -> tuple[str | None, Seat | None, str | None]:
    """Return the unanswered offers that concern a seat. A spectator (`seat` is None) has none.

    Returns:
        The kind of offer that the seat can answer, the seat that made this offer, and the kind of
        the seat's own offer. A kind is `draw` or `takeback`. If there is no such offer, the value
        is None.
    """
    offers = match.offers
    if seat is None or seat not in match.playing:
        return None, None, None
    own = "draw" if offers.draw == seat else None
    if offers.takeback is not None and offers.takeback.seat != seat:
        return "takeback", offers.takeback.seat, own
    own = own if offers.takeback is None else "takeback"
    if offers.draw is not None and seat not in offers.agreed:
        return "draw", offers.draw, own
    return None, None, own
