"""Challenges: how players set up a match.

A player proposes a match to others, or keeps seats open for players who join. When all seats are
taken, the match starts automatically (`automatic.py`). The challenge publishes the commitments to
the random draws before any player accepts, so that the server's secret cannot depend on the
acceptances.

If an invited player declines, the challenge is closed, because no other player can have that seat.
If a player who took an open seat gives it up, the seat becomes available again. Bots accept at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem import fairness
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.match.clocks import NO_TIME_CONTROL, PRESETS, parse_time_control
from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    InvitationDeclined,
    MatchEvent,
    SeatReleased,
    SeatTaken,
)
from pbem.match.state import Match, Status, require_seat
from pbem.names import PlayerId, is_bot

CHALLENGE_DAYS: Final = 30  # days until an invitation without an answer is closed

DEFAULT_TIME_CONTROL: Final = PRESETS["slow"]

STARTER: Final = "starter"  # option for who moves first: `random`, or `given` (the challenger)


@dataclass(frozen=True, kw_only=True, slots=True)
class Commitments:
    """The two commitments that a challenge publishes, each the start of a hash chain, in hex."""

    public: str  # the commitment to draws that all players see
    sealed: str  # the commitment to sealed draws, which not all games have


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """A match as a player proposes it: game, opponents in seat order, and options as typed.

    `options` can contain options of the game, and options of every match: `starter`, `time`,
    `unrated`, `private`, and `colour` (of the challenger). If there are open seats, the option
    `seats` is the total number of seats. Its default is the smallest number of seats of the game
    that leaves at least one seat open.

    Attributes:
        has_open_seats: Whether there are seats that any player can take.
        has_link: Whether there are seats that only people with the link can take.
        is_lesson: Whether the match teaches the game to its challenger; it is not rated.
    """

    game: AnyGame
    opponents: Sequence[PlayerId]
    options: Mapping[str, str]
    has_open_seats: bool = False
    has_link: bool = False
    is_lesson: bool = False


def issue_challenge(
    proposal: Proposal, challenger: PlayerId, commitments: Commitments, now: datetime
) -> list[MatchEvent]:
    """Return the events that begin a challenge: that it was issued, and that bots accepted.

    Raises:
        Rejection: `player_twice`, `wrong_number_of_players`, `bad_option`, `bad_time`, `no_colours`
            or `no_such_colour`.
    """
    game, opponents = proposal.game, tuple(proposal.opponents)
    if len({challenger, *opponents}) != 1 + len(opponents):
        raise Rejection("player_twice")
    typed = dict(proposal.options)
    open_seats, taken = 0, 1 + len(opponents)
    if proposal.has_open_seats or proposal.has_link:
        open_seats = count_free_seats(game, taken, typed)
    seats = taken + open_seats
    if seats not in game.seats:
        raise Rejection(
            "wrong_number_of_players", game=game.title, players=seats, seats=list(game.seats)
        )
    control = parse_time_control(typed.pop("time", DEFAULT_TIME_CONTROL))
    is_private = _read_switch(typed, "private")
    is_unrated = _read_switch(typed, "unrated")
    colour = _read_colour(game, typed.pop("colour", None))
    options = game.normalise_options(_translate_starter(typed, game))
    challenge = ChallengeIssued(
        at=now,
        challenger=challenger,
        ruleset=game.ruleset,
        options=options,
        invited=opponents,
        time_control=NO_TIME_CONTROL if control is None else str(control),
        is_rated=not (is_unrated or is_private or proposal.is_lesson),
        expires=now + timedelta(days=CHALLENGE_DAYS),
        protocol=fairness.PROTOCOL,
        commitment=commitments.public,
        links=fairness.LINKS,
        sealed_commitment=commitments.sealed if game.has_sealed_draws else "",
        open_seats=open_seats,
        is_listed=proposal.has_open_seats,
        is_private=is_private,
        is_lesson=proposal.is_lesson,
        colour=colour,
    )
    return [challenge, *_accept_for_bots(challenge)]


def propose_rematch(
    match: Match, player: PlayerId, commitments: Commitments, now: datetime
) -> list[MatchEvent]:
    """Return the first events of a rematch: another match with the same players and terms.

    `match` has ended, and `player` is the player who proposes the rematch. Each player moves up one
    seat, except that the player in the first seat gets the last seat.

    Raises:
        Rejection: `not_started`, `challenge_closed`, `match_not_over` or `no_seat`.
    """
    if match.status is not Status.ENDED:
        codes = {Status.CHALLENGE: "not_started", Status.CLOSED: "challenge_closed"}
        raise Rejection(codes.get(match.status, "match_not_over"), match=match.id)
    require_seat(match, player)
    seat_order = (*match.players[1:], match.players[0])
    challenge = ChallengeIssued(
        at=now,
        challenger=player,
        ruleset=match.terms.ruleset,
        options=dict(match.options),
        invited=tuple(other for other in seat_order if other != player),
        time_control=match.terms.time_control,
        is_rated=match.terms.is_rated,
        expires=now + timedelta(days=CHALLENGE_DAYS),
        protocol=fairness.PROTOCOL,
        commitment=commitments.public,
        links=fairness.LINKS,
        sealed_commitment=commitments.sealed if match.game.has_sealed_draws else "",
        is_private=match.terms.is_private,
        seat_order=seat_order,
        rematch_of=match.id,
    )
    return [challenge, *_accept_for_bots(challenge)]


def accept_invitation(
    match: Match,
    player: PlayerId,
    *,
    message_hash: str,
    now: datetime,
    colour: str | None = None,
) -> list[MatchEvent]:
    """Return the event by which a player accepts an invitation.

    `message_hash` is the hash of the accepting email or page command. `colour` is the player's
    choice as typed; None without one.

    Raises:
        Rejection: `challenge_closed`, `match_started`, `already_accepted`, `not_invited`,
            `no_colours`, `no_such_colour` or `colour_taken`.
    """
    _require_invited(match, player)
    if player not in match.waiting_for:
        raise Rejection("already_accepted", match=match.id)
    return [_take_seat(match, player, message_hash, colour, now)]


def join_match(
    match: Match,
    player: PlayerId,
    *,
    message_hash: str,
    now: datetime,
    colour: str | None = None,
) -> list[MatchEvent]:
    """Return the event by which a player takes an open seat, or an invited player accepts.

    `message_hash` and `colour` are as in `accept_invitation`.

    Raises:
        Rejection: `no_open_seat`, or a code of `accept_invitation`.
    """
    if player in match.terms.invited or _has_accepted(match, player):
        return accept_invitation(match, player, message_hash=message_hash, now=now, colour=colour)
    if not match.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    return [_take_seat(match, player, message_hash, colour, now)]


def decline_invitation(match: Match, player: PlayerId, *, now: datetime) -> list[MatchEvent]:
    """Return the events by which a player declines an invitation, or leaves before the start.

    If the challenger leaves, the challenge is withdrawn. If a player who took an open seat leaves,
    the seat becomes available again. If an invited player declines, even after accepting, the
    challenge is closed.

    Raises:
        Rejection: `challenge_closed`, `match_started` or `not_invited`.
    """
    if match.status is Status.CHALLENGE and player == match.terms.challenger:
        return [ChallengeClosed(at=now, reason="withdrawn")]
    _require_invited(match, player)
    if player in match.joined:
        return [SeatReleased(at=now, player=player)]
    return [
        InvitationDeclined(at=now, player=player),
        ChallengeClosed(at=now, reason="declined"),
    ]


def expire_challenge(match: Match, *, now: datetime) -> list[MatchEvent]:
    """Return the event that closes a challenge that has expired, or no event if it has not."""
    if match.status is not Status.CHALLENGE or now < match.terms.expires:
        return []
    return [ChallengeClosed(at=now, reason="expired")]


def list_players(match: Match) -> tuple[PlayerId, ...]:
    """Return the players of a challenge in seat order, unless seats are assigned at random.

    In that case, the random draw permutes this list.
    """
    return match.terms.seat_order or (
        match.terms.challenger,
        *match.terms.invited,
        *match.joined,
    )


# --- options -------------------------------------------------------------------------------------


def count_free_seats(game: AnyGame, taken: int, typed: dict[str, str]) -> int:
    """Return the number of seats that are left if `taken` seats are taken.

    The total number is the option `seats`, which is removed from the options in `typed`. Without
    this option, it is the smallest number for the game that leaves a seat free.

    Raises:
        Rejection: `bad_option` if the game cannot be played with this number.
    """
    value = typed.pop("seats", None)
    if value is None:
        return min((number for number in game.seats if number > taken), default=taken) - taken
    if value not in map(str, game.seats):
        raise Rejection("bad_option", name="seats", value=value, values=[*map(str, game.seats)])
    return max(int(value) - taken, 0)


def _read_switch(typed: dict[str, str], name: str) -> bool:
    value = typed.pop(name, "no").casefold()
    if value not in ("yes", "no"):
        raise Rejection("bad_option", name=name, value=value, values=["yes", "no"])
    return value == "yes"


def _translate_starter(typed: dict[str, str], game: AnyGame) -> dict[str, str]:
    """Return the options in `typed` with `starter` replaced by the game's own option for it."""
    value = typed.pop(STARTER, None)
    if value is None:
        return typed
    option = next((option for option in game.options if option.is_starter), None)
    values = ["random", "given"]
    if option is None or value not in values:
        raise Rejection("bad_option", name=STARTER, value=value, values=values)
    return {**typed, option.name: option.default if value == "random" else "given"}


# --- seats and colours ---------------------------------------------------------------------------


def seat_options(match: Match, players: Sequence[PlayerId]) -> dict[str, str]:
    """Return the options of a match, with the colours of `players`, who are in seat order.

    Players who chose no colour get the remaining colours, in the order of the challenge's option.
    """
    options, choice = dict(match.terms.options), match.game.colours
    if choice is not None and match.colours:
        chosen = [match.colours.get(player) for player in players]
        options[choice.name] = choice.assign(options[choice.name], chosen)
    return options


def free_colours(match: Match) -> list[str]:
    """Return the names of the colours that no player of a challenge has chosen."""
    choice = match.game.colours
    taken = set(match.colours.values())
    return [] if choice is None else [name for name in choice.names if name not in taken]


def _read_colour(game: AnyGame, typed: str | None) -> str | None:
    if typed is None:
        return None
    if game.colours is None:
        raise Rejection("no_colours", game=game.title)
    colour = game.colours.find_colour(game.vocabulary.normalise(typed))
    if colour is None:
        raise Rejection("no_such_colour", typed=typed, colours=list(game.colours.names))
    return colour


def _take_seat(
    match: Match, player: PlayerId, message_hash: str, typed: str | None, now: datetime
) -> SeatTaken:
    colour = _read_colour(match.game, typed)
    if colour is not None and colour not in free_colours(match):
        raise Rejection("colour_taken", colour=colour, free=free_colours(match))
    return SeatTaken(at=now, player=player, message_hash=message_hash, colour=colour)


def _accept_for_bots(challenge: ChallengeIssued) -> list[MatchEvent]:
    return [
        SeatTaken(at=challenge.at, player=player, message_hash="")
        for player in challenge.invited
        if is_bot(player)
    ]


def _has_accepted(match: Match, player: PlayerId) -> bool:
    return any(player == other for other, _ in match.accepted)


def _require_invited(match: Match, player: PlayerId) -> None:
    if match.status is Status.CLOSED:
        raise Rejection("challenge_closed", match=match.id)
    if player not in match.terms.invited and not _has_accepted(match, player):
        raise Rejection("not_invited", match=match.id)
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_started", match=match.id)
