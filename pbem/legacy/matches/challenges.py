"""Before the start: a challenge, its terms, its link, the colours that players choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.errors import Rejection
from pbem.fairness import PROTOCOL
from pbem.games import GAMES, AnyGame
from pbem.legacy.matches.clocks import NONE, time_control
from pbem.legacy.matches.events import Event, Eyes, MatchStarted, Visible
from pbem.legacy.matches.match import Match, Table, Terms
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, before_start
from pbem.names import MatchId, PlayerId, is_bot

LINK_LASTS: Final = timedelta(days=14)
"""So long a seat waits for whoever has its link."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeIssued(Event):
    """A player asked others for a match.

    `players` is everybody with the challenger, in the order in which they sit unless it is drawn.
    `secret_commitment` is that of the chain of secret draws, where the game has them. `open_seats`
    more are for anybody who joins. A `private` match is watched by nobody, an `unrated` one changes
    no ratings. `time` is the time control in hours, bank/increment/cap. `stand_in` is the level of
    the bot that plays on for who goes; empty: the seat leaves. `asks` is how reliable and good who
    joins must be. A `tournament` set it. `protocol`: what draws are bound to (docs/fairness.md).
    """

    visible = Visible(Eyes.EVERYBODY)
    ruleset: str
    options: Mapping[str, str]
    challenger: PlayerId
    players: tuple[PlayerId, ...]
    seats_drawn: bool
    commitment: str
    links: int
    protocol: int
    secret_commitment: str = ""
    rematch_of: MatchId | None = None
    open_seats: int = 0
    private: bool = False
    unrated: bool = False
    time: str = "none"
    stand_in: str = ""
    asks: Mapping[str, int] = field(default_factory=dict)
    tournament: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeClosed(Event):
    """The challenge will not become a match."""

    visible = Visible(Eyes.EVERYBODY)
    reason: Literal["declined", "withdrawn", "expired"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkMade(Event):
    """The open seat of a challenge is for whoever has its link, and is listed nowhere.

    Nobody can take it by the link from `until` on: the challenge is closed then.
    """

    visible = Visible(Eyes.EVERYBODY)
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonPlanned(Event):
    """The match is to teach its challenger the game."""

    visible = Visible(Eyes.EVERYBODY)


@dataclass(frozen=True, kw_only=True, slots=True)
class ColourChosen(Event):
    """A player chose a colour of the game for the seat to come; nobody else in the match has it.

    A later choice of the same player takes its place. Whoever has chosen none by the start gets
    what is left.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    colour: str


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


def _coloured(table: Table, event: ColourChosen, _: Match) -> Table:
    return replace(table, colours={**table.colours, event.player: event.colour})


TABLE: Final[Changes[Table]] = {
    ChallengeIssued: _issued,
    LinkMade: _linked,
    ColourChosen: _coloured,
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


def _begun(terms: Terms, event: MatchStarted, _: Match) -> Terms:
    return replace(terms, ruleset=event.ruleset, options=event.options)


TERMS: Final[Changes[Terms]] = {
    ChallengeIssued: _offered,
    MatchStarted: _begun,
    LessonPlanned: _teaches,
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


# --- what is decided ------------------------------------------------------------------------------


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


def expire(unfolding: Unfolding) -> Deciding:
    """Close a challenge that nobody has completed in time."""
    require_challenge(unfolding.match)
    yield ChallengeClosed(reason="expired")


def require_challenge(match: Match) -> None:
    """Raise Rejection unless it has neither begun nor been called off."""
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_has_started")


# --- whether it may stand in the log --------------------------------------------------------------


def _challenge(state: Match, event: ChallengeIssued) -> Iterator[str]:
    if state.version:
        yield "a second challenge"
    game = GAMES[event.ruleset]
    try:
        normal = game.normal_options(event.options)
    except Rejection:
        normal = {}
    if dict(event.options) != normal:
        yield f"{game.title} has no such options"
    players, seats = event.players, len(event.players) + event.open_seats
    if len(set(players)) != len(players) or seats not in game.seats or event.open_seats < 0:
        yield f"{game.title} cannot be played by {seats} such players"
    if event.challenger not in players:
        yield "who asked for the match is not in it"
    fixed = event.rematch_of is not None or bool(event.tournament)
    if event.seats_drawn != (not fixed and game.draws_seats(event.options)):
        yield "the seats are drawn, or not, against the options"
    if bool(event.secret_commitment) != game.secrets:
        yield "the commitment for secret draws is missing, or there should be none"


def _closed(state: Match, event: ChallengeClosed) -> Iterator[str]:
    if (event.reason == "declined") != (state.table.declined_by is not None):
        yield f"the challenge was not {event.reason}"


def _link(state: Match, _: LinkMade) -> Iterator[str]:
    if state.table.open_seats != 1:
        yield "a link was made to a challenge that has no such seat"
    if state.table.link_until is not None:
        yield "a second link was made"


def _lesson(state: Match, _: LessonPlanned) -> Iterator[str]:
    others = [player for player in state.table.players if player != state.table.challenger]
    if state.terms.lesson:
        yield "a lesson was planned twice"
    if not others or not all(map(is_bot, others)):
        yield "a lesson was planned with people"


def _judged_colour(state: Match, event: ColourChosen) -> Iterator[str]:
    """What is wrong with a choice, in words."""
    if event.player not in state.table.players:
        yield "a colour was chosen by somebody who is not in the match"
    if event.colour not in free_colours(state, event.player):
        yield f"{event.colour} was chosen, which is no colour of the game or somebody else's"


AUDIT: Final[Audit] = {
    ChallengeIssued: _challenge,
    **before_start(
        {
            ChallengeClosed: _closed,
            LinkMade: _link,
            LessonPlanned: _lesson,
            ColourChosen: _judged_colour,
        }
    ),
}
