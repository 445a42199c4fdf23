"""Before the start: challenges, who accepts and declines, colours; and who sits at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from pbem.errors import Rejection
from pbem.fairness import PROTOCOL
from pbem.games import GAMES, AnyGame
from pbem.matches.clocks import NONE, time_control
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    InvitationDeclined,
    MatchStarted,
    MessageSaid,
    SeatGivenUp,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.match import Match, Table, Terms
from pbem.matches.operator_events import MatchUnrated, SeatReassigned
from pbem.matches.seat_events import ColourChosen, LessonPlanned, LinkMade, NoteKept, SeatTakenOver
from pbem.matches.steps import Remark, Status
from pbem.matches.unfolding import Deciding, Unfolding
from pbem.names import MatchId, PlayerId, is_bot

LINK_LASTS: Final = timedelta(days=14)
"""So long a seat waits for whoever has its link."""


# --- what events make of it ----------------------------------------------------------------------


def _issued(_: Table, event: ChallengeIssued, _match: Match) -> Table:
    return Table(
        challenger=event.challenger,
        entrants=event.players,
        invited=event.players,
        players=event.players,
        open_seats=event.open_seats,
        private=event.private,
        accepted=((event.challenger, "", ""),),
    )


def _linked(table: Table, event: LinkMade, _: Match) -> Table:
    return replace(table, link_until=event.until)


def _taken(table: Table, event: SeatTaken, _: Match) -> Table:
    player, accepted = event.player, (*table.accepted, (event.player, event.words, event.letter))
    if player in table.players:
        return replace(table, accepted=accepted)
    return replace(
        table,
        accepted=accepted,
        players=(*table.players, player),
        entrants=_with(table.entrants, player),
        open_seats=table.open_seats - 1,
    )


def _with(entrants: tuple[PlayerId, ...], player: PlayerId) -> tuple[PlayerId, ...]:
    """Who comes back has the number of before: the reply address is known by it."""
    return entrants if player in entrants else (*entrants, player)


def _coloured(table: Table, event: ColourChosen, _: Match) -> Table:
    return replace(table, colours={**table.colours, event.player: event.colour})


def _given_up(table: Table, event: SeatGivenUp, _: Match) -> Table:
    player = event.player
    return replace(
        table,
        accepted=tuple(one for one in table.accepted if one[0] != player),
        players=tuple(other for other in table.players if other != player),
        colours={one: colour for one, colour in table.colours.items() if one != player},
        open_seats=table.open_seats + 1,
    )


def _declined(table: Table, event: InvitationDeclined, _: Match) -> Table:
    return replace(table, declined_by=event.player)


def _started(table: Table, event: MatchStarted, _: Match) -> Table:
    return replace(table, players=event.players)


def _watched(table: Table, event: WatchBegan, _: Match) -> Table:
    return replace(table, watchers=(*table.watchers, event.player))


def _gone(table: Table, event: WatchEnded, _: Match) -> Table:
    return replace(table, watchers=tuple(one for one in table.watchers if one != event.player))


def _said(table: Table, event: MessageSaid, match: Match) -> Table:
    return replace(table, said=(*table.said, Remark(event.author, match.course.ply, event.text)))


def _noted(table: Table, event: NoteKept, match: Match) -> Table:
    return replace(table, notes=(*table.notes, Remark(event.author, match.course.ply, event.text)))


def _left(table: Table, event: SeatResigned | SeatTimedOut, _: Match) -> Table:
    return replace(table, left=(*table.left, event.seat))


def _taken_over(table: Table, event: SeatTakenOver, match: Match) -> Table:
    return replace(_reassigned(table, event, match), stood_in_for=(*table.stood_in_for, event.left))


def _reassigned(table: Table, event: SeatTakenOver | SeatReassigned, _: Match) -> Table:
    """The newcomer sits there, with a number of their own for reply addresses."""
    players, newcomer = list(table.players), event.player
    players[event.seat - 1] = newcomer
    return replace(
        table,
        players=tuple(players),
        entrants=_with(table.entrants, newcomer),
        watchers=tuple(one for one in table.watchers if one != newcomer),
    )


TABLE: Final[Mapping[type[Any], Callable[[Table, Any, Match], Table]]] = {
    ChallengeIssued: _issued,
    LinkMade: _linked,
    SeatTaken: _taken,
    ColourChosen: _coloured,
    SeatGivenUp: _given_up,
    InvitationDeclined: _declined,
    MatchStarted: _started,
    WatchBegan: _watched,
    WatchEnded: _gone,
    MessageSaid: _said,
    NoteKept: _noted,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _taken_over,
    SeatReassigned: _reassigned,
}


def _offered(_: Terms, event: ChallengeIssued, _match: Match) -> Terms:
    return Terms(
        ruleset=event.ruleset,
        options=event.options,
        time=event.time,
        stand_in=event.stand_in,
        rematch_of=event.rematch_of,
        unrated=event.unrated,
        asks=event.asks,
        tournament=event.tournament,
    )


def _teaches(terms: Terms, _: LessonPlanned, _match: Match) -> Terms:
    return replace(terms, lesson=True)


def _unrated(terms: Terms, _: MatchUnrated, _match: Match) -> Terms:
    return replace(terms, unrated=True)


def _begun(terms: Terms, event: MatchStarted, _: Match) -> Terms:
    return replace(terms, ruleset=event.ruleset, options=event.options)


TERMS: Final[Mapping[type[Any], Callable[[Terms, Any, Match], Terms]]] = {
    ChallengeIssued: _offered,
    MatchStarted: _begun,
    LessonPlanned: _teaches,
    MatchUnrated: _unrated,
}


# --- colours -------------------------------------------------------------------------------------
# Colours that players choose before the start (LL-1.2, LR-1.6).


def chosen(player: PlayerId, typed: str, match: Match) -> list[ColourChosen]:
    """The choice of a colour by its name; nothing where the player has it already.

    Raises Rejection where the game has no colours or not this one, or somebody else has it.
    """
    option = match.game.colours
    if option is None:
        raise Rejection("no_colours", game=match.game.title)
    colour, free = option.colour(typed), list(free_colours(match, player))
    if colour is None:
        raise Rejection("no_such_colour", colour=typed, free=free)
    if colour not in free:
        raise Rejection("colour_taken", colour=colour, free=free)
    if match.table.colours.get(player) == colour:
        return []
    return [ColourChosen(player=player, colour=colour)]


def free_colours(match: Match, player: PlayerId | None = None) -> tuple[str, ...]:
    """The colours of the game that nobody, or nobody but this player, has chosen."""
    names = match.game.colours.names if match.game.colours is not None else ()
    taken = {colour for other, colour in match.table.colours.items() if other != player}
    return tuple(name for name in names if name not in taken)


def seated_options(match: Match, order: Sequence[PlayerId]) -> Mapping[str, str]:
    """The options of the match, with the colours as the players chose them, in seat order.

    Who has not chosen gets what is left, in the order of the rules or of the challenge.
    """
    option = match.game.colours
    if option is None or not match.table.colours:
        return match.terms.options
    wanted = [match.table.colours.get(player) for player in order]
    return {
        **match.terms.options,
        option.name: option.seated(match.terms.options[option.name], wanted),
    }


def judged_colour(state: Match, event: object) -> Iterator[str]:
    """What is wrong with a choice, in words; nothing with other events."""
    if not isinstance(event, ColourChosen):
        return
    if event.player not in state.table.players:
        yield "a colour was chosen by somebody who is not in the match"
    if event.colour not in free_colours(state, event.player):
        yield f"{event.colour} was chosen, which is no colour of the game or somebody else's"


# --- beginnings ----------------------------------------------------------------------------------
# Before the start: challenges, who accepts and declines, and the seats.


def issue(
    unfolding: Unfolding,
    *,
    ruleset: str,
    options: Mapping[str, str],
    challenger: PlayerId,
    players: tuple[PlayerId, ...],
    commitment: str,
    links: int,
    secret_commitment: str = "",
    rematch_of: MatchId | None = None,
    open_seats: int = 0,
    linked: bool = False,
    private: bool = False,
    unrated: bool = False,
    time: str = NONE,
    stand_in: str = "",
    asks: Mapping[str, int] | None = None,
    lesson: bool = False,
    tournament: str = "",
    colours: Mapping[PlayerId, str] | None = None,
) -> Deciding:
    """Ask for a match; a rematch and a tournament's table sit as given. Raises Rejection."""
    if unfolding.match.status is not Status.NEW:
        raise Rejection("challenge_exists")
    game = GAMES[ruleset]
    seats = len(players) + open_seats
    _require_seats(game, seats, players)
    options = game.normal_options(options)
    game.initial(seats, options)  # refuses options that do not go together
    yield ChallengeIssued(
        ruleset=ruleset,
        options=options,
        challenger=challenger,
        players=players,
        seats_drawn=rematch_of is None and not tournament and game.draws_seats(options),
        commitment=commitment,
        links=links,
        protocol=PROTOCOL,
        secret_commitment=secret_commitment if game.secrets else "",
        rematch_of=rematch_of,
        open_seats=open_seats,
        private=private,
        unrated=unrated,
        time=str(time_control(time) or NONE),
        stand_in=stand_in,
        asks=asks or {},
        tournament=tournament,
    )
    if lesson:
        yield LessonPlanned()
    if linked:
        yield LinkMade(until=unfolding.now + LINK_LASTS)
    for player, colour in (colours or {}).items():
        yield from chosen(player, colour, unfolding.match)


def _require_seats(game: AnyGame, seats: int, players: tuple[PlayerId, ...]) -> None:
    if len(set(players)) != len(players):
        raise Rejection("player_twice")
    if seats not in game.seats:
        raise Rejection(
            "wrong_number_of_players", game=game.title, players=seats, seats=list(game.seats)
        )


def accept(
    unfolding: Unfolding, player: PlayerId, *, words: str = "", letter: str = "", colour: str = ""
) -> Deciding:
    """Take the seat that one is invited to; the last one to do so starts the match.

    `letter` is the digest of the letter that says so. With a `colour`, as typed, one may also have
    taken it before: it is changed then.
    """
    _require_invitation(player, unfolding.match)
    if player in unfolding.match.waiting_for:
        yield SeatTaken(player=player, words=words, letter=letter)
    elif not colour:
        raise Rejection("already_accepted")
    if colour:
        yield from chosen(player, colour, unfolding.match)


def join(
    unfolding: Unfolding, player: PlayerId, *, words: str = "", letter: str = "", colour: str = ""
) -> Deciding:
    """Take an open seat, or the one that is kept for oneself; see `accept`."""
    match = unfolding.match
    if match.status is Status.CHALLENGE and player in match.table.players:
        yield from accept(unfolding, player, words=words, letter=letter, colour=colour)
        return
    if match.status is not Status.CHALLENGE or not match.table.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    yield SeatTaken(player=player, words=words, letter=letter)
    if colour:
        yield from chosen(player, colour, unfolding.match)


def decline(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Refuse an invitation, or give an open seat back; the challenger withdraws the whole."""
    table = unfolding.match.table
    _require_invitation(player, unfolding.match)
    if player == table.challenger:
        yield ChallengeClosed(reason="withdrawn")
    elif player not in table.invited:
        yield SeatGivenUp(player=player)
    else:
        yield InvitationDeclined(player=player)
        yield ChallengeClosed(reason="declined")


def judged_link(state: Match) -> Iterator[str]:
    """What is wrong with a link, in words."""
    if state.status is not Status.CHALLENGE or state.table.open_seats != 1:
        yield "a link was made to a challenge that has no such seat"
    if state.table.link_until is not None:
        yield "a second link was made"


def judged_lesson(state: Match) -> Iterator[str]:
    """What is wrong with a lesson, in words."""
    others = [player for player in state.table.players if player != state.table.challenger]
    if state.status is not Status.CHALLENGE or state.terms.lesson:
        yield "a lesson was planned twice, or after the challenge"
    if not others or not all(map(is_bot, others)):
        yield "a lesson was planned with people"


def expire(unfolding: Unfolding) -> Deciding:
    """Close a challenge that nobody has completed in time."""
    _require_challenge(unfolding.match)
    yield ChallengeClosed(reason="expired")


def _require_invitation(player: PlayerId, match: Match) -> None:
    if player not in match.table.players:
        raise Rejection("not_invited")
    _require_challenge(match)


def _require_challenge(match: Match) -> None:
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_has_started")
