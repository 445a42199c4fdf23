"""Before the start and beside the table: challenges, colours, spectators, what each has to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

from pbem.errors import Rejection
from pbem.fairness import PROTOCOL
from pbem.games import GAMES
from pbem.matches.checks import require_running
from pbem.matches.clocks import NONE, time_control
from pbem.matches.commands import Accept, IssueChallenge, Join
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    Event,
    InvitationDeclined,
    MatchStarted,
    SeatGivenUp,
    SeatTaken,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.match import Match
from pbem.matches.seat_events import ColourChosen
from pbem.matches.steps import Status
from pbem.matches.unfolding import of_the_start, seats_draw
from pbem.names import PlayerId, is_bot

if TYPE_CHECKING:
    from pbem.matches.unfolding import Unfolding


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


def issue(command: IssueChallenge, unfolding: Unfolding) -> None:
    """Ask for a match. Raises Rejection for options or numbers of players that it cannot have."""
    if unfolding.match.status is not Status.NEW:
        raise Rejection("challenge_exists")
    game = GAMES[command.ruleset]
    seats = len(command.players) + command.open_seats
    if seats not in game.seats:
        raise Rejection(
            "wrong_number_of_players",
            game=game.title,
            players=seats,
            seats=list(game.seats),
        )
    control = time_control(command.time)
    if len(set(command.players)) != len(command.players):
        raise Rejection("player_twice")
    options = game.normal_options(command.options)
    game.initial(seats, options)  # refuses options that do not go together
    issued = ChallengeIssued(
        ruleset=command.ruleset,
        options=options,
        challenger=command.challenger,
        players=command.players,
        seats_drawn=command.rematch_of is None and game.draws_seats(options),
        commitment=command.commitment,
        links=command.links,
        protocol=PROTOCOL,
        secret_commitment=command.secret_commitment if game.secrets else "",
        rematch_of=command.rematch_of,
        open_seats=command.open_seats,
        private=command.private,
        time=str(control) if control is not None else NONE,
        stand_in=command.stand_in,
    )
    unfolding.happens(issued)
    _choose(command.colours, unfolding)


def _choose(colours: Mapping[PlayerId, str], unfolding: Unfolding) -> None:
    for player, colour in colours.items():
        unfolding.happens(*chosen(player, colour, unfolding.match))


def accept(command: Accept | Join, unfolding: Unfolding) -> None:
    """Take one's seat; the last one to do so starts the match."""
    match = unfolding.match
    _require_invitation(command.player, match)
    if command.player in match.waiting_for:
        _take(command, unfolding)
        return
    if not command.colour:
        raise Rejection("already_accepted")
    _choose({command.player: command.colour}, unfolding)


def join(command: Join, unfolding: Unfolding) -> None:
    """Take an open seat, or the one that is kept for oneself."""
    match = unfolding.match
    if match.status is Status.CHALLENGE and command.player in match.table.players:
        accept(command, unfolding)
        return
    if match.status is not Status.CHALLENGE or not match.table.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    _take(command, unfolding)


def _take(command: Accept | Join, unfolding: Unfolding) -> None:
    taken = SeatTaken(player=command.player, words=command.words, letter=command.letter)
    unfolding.happens(taken)
    if command.colour:
        _choose({command.player: command.colour}, unfolding)
    if unfolding.match.is_full:
        _start(unfolding)


def _start(unfolding: Unfolding) -> None:
    match = unfolding.match
    unfolding.chances = of_the_start(match, unfolding.chances)
    order = match.table.players
    if match.chance.seats_drawn:
        order = tuple(order[number] for number in unfolding.draw(seats_draw(len(order))))
    options = seated_options(match, order)
    unfolding.happens(MatchStarted(ruleset=match.terms.ruleset, options=options, players=order))
    unfolding.follow()


def decline(player: PlayerId, match: Match) -> list[Event]:
    """Refuse an invitation, or give an open seat back; the challenger withdraws the whole."""
    _require_invitation(player, match)
    if player == match.table.challenger:
        return [ChallengeClosed(reason="withdrawn")]
    if player not in match.table.invited:
        return [SeatGivenUp(player=player)]
    return [InvitationDeclined(player=player), ChallengeClosed(reason="declined")]


def expire(match: Match) -> list[Event]:
    """Close a challenge that nobody has completed in time."""
    _require_challenge(match)
    return [ChallengeClosed(reason="expired")]


def _require_invitation(player: PlayerId, match: Match) -> None:
    if player not in match.table.players:
        raise Rejection("not_invited")
    _require_challenge(match)


def _require_challenge(match: Match) -> None:
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_has_started")


# --- watching ------------------------------------------------------------------------------------
# Who watches a match: a spectator sees what is public, changes nothing, and says nothing.
#
# What is public is so at once: no seat knows less than a spectator, and a move in the correction
# window is nobody's yet. So there is no delay (docs/decisions/0007).


def watch(player: PlayerId, match: Match) -> list[Event]:
    """Begin to watch; nothing happens where one does already. Raises Rejection."""
    require_running(match)
    if player in match.table.players:
        raise Rejection("own_match")
    if match.table.private:
        raise Rejection("nothing_to_watch", match=match.id)
    return [] if player in match.table.watchers else [WatchBegan(player=player)]


def unwatch(player: PlayerId, match: Match) -> list[Event]:
    """Watch no more. Raises Rejection `not_watching`."""
    if player not in match.table.watchers:
        raise Rejection("not_watching")
    return [WatchEnded(player=player)]


def may_speak(player: PlayerId, match: Match) -> bool:
    """Whether somebody may say something: who watches may when the match is over."""
    watches = player in match.table.watchers and match.status is Status.ENDED
    return player in match.table.players or watches


def judged_watching(state: Match, event: WatchBegan | WatchEnded) -> Iterator[str]:
    """What is wrong with somebody coming to watch, or going."""
    player = event.player
    if isinstance(event, WatchEnded):
        if player not in state.table.watchers:
            yield "somebody watched no more who had not watched"
        return
    if state.status is not Status.RUNNING or state.table.private:
        yield "somebody watched what cannot be watched"
    if player in (*state.table.players, *state.table.watchers):
        yield "somebody watched who is there already"


# --- duties --------------------------------------------------------------------------------------
# What a match asks of a seat: of a bot the next thing, of a person a move by a deadline.

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Duty:
    """What a bot is to do next.

    accept: take the seat that it is invited to; decline_draw: answer an offer, which a bot never
    accepts; resign: nobody plays against it any more but other bots; play: make a move.
    """

    player: PlayerId
    what: Literal["accept", "decline_draw", "resign", "play"]


def duty(match: Match) -> Duty | None:
    """The first thing that the match waits for some bot to do, or None."""
    match match.status:
        case Status.CHALLENGE:
            return next((Duty(bot, "accept") for bot in match.waiting_for if is_bot(bot)), None)
        case Status.RUNNING:
            return _duty_at_play(match)
        case Status.NEW | Status.OFF | Status.ENDED:
            return None


def _duty_at_play(match: Match) -> Duty | None:
    playing = [match.player_at(seat) for seat in match.table.playing]
    bots = [player for player in playing if is_bot(player)]
    if not bots:
        return None
    if len(bots) == len(playing):
        # Nobody is left to whom it would matter, and some games of bots alone do not end.
        return Duty(bots[-1], "resign")
    offer = match.pending.offer
    if offer is not None:
        answered = {match.player_at(seat) for seat in (offer.seat, *offer.accepted)}
        asked = [bot for bot in bots if bot not in answered]
        if asked:
            return Duty(asked[0], "decline_draw")
    acting = [match.player_at(seat) for seat in match.to_act]
    return next((Duty(bot, "play") for bot in acting if is_bot(bot)), None)


def deadline(match: Match, player: PlayerId) -> datetime | None:
    """Until when a player has to move, if a clock runs that only their move can stop."""
    seat = match.seat_of(player)
    if seat is None or match.clocks is None or match.status is not Status.RUNNING:
        return None
    running = match.clocks.running.get(seat)
    return running.due if running is not None and seat not in match.pending.held else None


def by_deadline(matches: Iterable[Match], player: PlayerId) -> list[Match]:
    """The matches, those with the nearest deadline of a player first, those without one last."""
    return sorted(matches, key=lambda match: deadline(match, player) or _NEVER)
