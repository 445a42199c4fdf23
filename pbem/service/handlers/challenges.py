"""Commands that begin a match: propose, list open seats, join, accept, decline, rematch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from pbem import fairness
from pbem.bots.levels import EASY, MEDIUM, STRONG, default_level, list_levels
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.naming import find_game
from pbem.mail.commands import Argument
from pbem.match.automatic import commit_draws
from pbem.match.events import ChallengeIssued, MatchEvent, SeatReleased
from pbem.match.setup import (
    Commitments,
    Proposal,
    accept_invitation,
    count_free_seats,
    decline_invitation,
    issue_challenge,
    join_match,
    propose_rematch,
)
from pbem.match.state import Match, Status
from pbem.names import MatchId, PlayerId, is_bot, next_bot
from pbem.service.bots import add_bot
from pbem.service.naming import record_consent
from pbem.service.registry import N_, Group, Request, command
from pbem.store import event_log, matches, messages, players, waiting
from pbem.store.tables import PlayerRow

MAX_LISTED: Final = 20  # challenges that `open` lists

_OPTION: Final = re.compile(r"(?<!\S)([a-z_]+)=(\S+)", re.IGNORECASE)
_FLAGS: Final = re.compile(r"(?<!\S)(unrated|private)(?!\S)", re.IGNORECASE)
_PROPOSAL: Final = re.compile(
    r"(?P<game>.*?)(?: (?:with|mit) (?P<names>.*?))?(?: (?P<seats>open|link))?", re.IGNORECASE
)
_BOT: Final = re.compile(r"(?:(\w+) )?(bots?)(?: (\w+))?", re.IGNORECASE)  # `bot easy`, `easy bot`
_OTHER_WORDS: Final = {  # words that players use for a bot level
    "hard": STRONG,
    "leicht": EASY,
    "mittel": MEDIUM,
    "schwer": STRONG,
    "stark": STRONG,
}


def _read_proposal(argument: str) -> tuple[str, str, str, dict[str, str]]:
    """Return the parts of the argument of the command `new`.

    They are the game as typed, the list of opponents as typed, `open`, `link` or an empty text, and
    the options.
    """
    argument = _FLAGS.sub(r"\1=yes", argument)
    text = re.sub(r"\s+", " ", _OPTION.sub(" ", argument)).strip()
    parsed = _PROPOSAL.fullmatch(text)
    parts = parsed.groupdict(default="") if parsed is not None else {}
    options = {name.lower(): value for name, value in _OPTION.findall(argument)}
    return parts.get("game", ""), parts.get("names", ""), parts.get("seats", "").lower(), options


@command(
    "new",
    german=("neu",),
    group=Group.START,
    usage=N_("new GAME with PLAYER, ..."),
    help=N_("invite others to a game"),
    details=N_(
        "Name players by their email address, or by their name if they already play here. A player "
        'can also be "bot", "easy bot" or "strong bot". Write "open" at the end for a seat that '
        'anyone can take, or "link" for one that only people with its code can take: "new logger '
        'open". Options come last: "time=fast" (or slow, medium, none), "starter=given" (you go '
        'first), "unrated", "private", "colour=red", "seats=3". You can\'t invite people who have '
        "blocked you or who want no email."
    ),
    argument=Argument.REQUIRED,
)
def propose_match(request: Request) -> None:
    """Invite named players to a match, or offer seats that anyone can take.

    Raises:
        Rejection: The game, a player or a bot level is unknown, or any rejection by `begin_match`.
    """
    typed_game, names, seats, options = _read_proposal(request.argument)
    game = find_game(typed_game)
    options.setdefault("time", request.uow.app.site.time_control)
    with request.uow.conn.begin_nested():  # if it fails, no new player is added
        proposal = Proposal(
            game=game,
            opponents=_find_opponents(request, game, names, options),
            options=options,
            has_open_seats=seats == "open",
            has_link=seats == "link",
        )
        begin_match(request, proposal)


def begin_match(request: Request, proposal: Proposal) -> None:
    """Create a match as a challenge by the sender, and invite the opponents.

    Raises:
        Rejection: `player_limit`, `stranger_limit`, or any rejection by `issue_challenge`.
    """
    player, now = request.player_id, request.uow.now
    _create_match(request, lambda commitments: issue_challenge(proposal, player, commitments, now))


def _create_match(request: Request, decide: Callable[[Commitments], list[MatchEvent]]) -> None:
    uow = request.uow
    match_id, secret = uow.app.new_match_id(), uow.app.entropy(fairness.SECRET_BYTES)
    events = decide(commit_draws(secret))
    _require_invitations(request, events)
    uow.create_match(match_id, secret)
    uow.append(match_id, events)


def _require_invitations(request: Request, events: Iterable[MatchEvent]) -> None:
    """Count the invitations in `events` towards the rate limits, or refuse them all.

    Invitations to people who have never agreed to play count towards the limits on emails to
    strangers.

    Raises:
        Rejection: `player_limit` or `stranger_limit`.
    """
    uow = request.uow
    invited = [
        player
        for event in events
        if isinstance(event, ChallengeIssued)
        for player in event.invited
        if not is_bot(player)
    ]
    rows = players.list_players(uow.conn, invited)
    strangers = [player for player in invited if rows[player].confirmed_at is None]
    uow.limits.reserve_player_emails(
        request.player_id, [player for player in invited if player not in strangers]
    )
    uow.limits.reserve_stranger_emails(
        [players.list_addresses(uow.conn, player)[0] for player in strangers],
        causer=request.player_id,
    )


def find_named_game(argument: str) -> str:
    """Return the title of the game that an argument of the command `new` names.

    The result is empty if the argument names no game.
    """
    try:
        return find_game(_read_proposal(argument)[0]).title
    except Rejection:
        return ""


# --- opponents -----------------------------------------------------------------------------------


def _find_opponents(
    request: Request, game: AnyGame, names: str, options: dict[str, str]
) -> list[PlayerId]:
    """Return the opponents in the typed list `names`, in its order.

    The word `bots` in the list fills the remaining seats. The option `seats` is then removed from
    `options`. An unknown address is added as a new player.
    """
    opponents: list[PlayerId] = []
    filler: str | None = None
    for name in filter(None, map(str.strip, re.split(r",| and ", names))):
        bot = _BOT.fullmatch(name)
        if bot is None:
            opponents.append(PlayerId(_find_opponent(request, name).id))
        elif bot[2].casefold() == "bots":
            filler = read_level(game, bot[1] or bot[3])
        else:
            opponents.append(next_bot(read_level(game, bot[1] or bot[3]), opponents))
    if filler is not None:
        for _ in range(count_free_seats(game, 1 + len(opponents), options)):
            opponents.append(next_bot(filler, opponents))
    for player in filter(is_bot, opponents):
        add_bot(request.uow.conn, player, request.uow.now)
    return opponents


def read_level(game: AnyGame, typed: str | None) -> str:
    """Return the bot level that a player typed, or the game's default if they typed none.

    Raises:
        Rejection: `no_bots` or `no_such_level`.
    """
    levels, unnamed = list_levels(game), default_level(game)
    if unnamed is None:
        raise Rejection("no_bots", game=game.title)
    if typed is None:
        return unnamed
    level = _OTHER_WORDS.get(typed.casefold(), typed.casefold())
    if level not in levels:
        raise Rejection("no_such_level", typed=typed, game=game.title, levels=[*levels])
    return level


def _find_opponent(request: Request, name: str) -> PlayerRow:
    """Return the player with the address or name `name`, as the sender typed it.

    If the address is unknown, a new player is added for it.

    Raises:
        Rejection: `unknown_player`, `bad_address` or `cannot_invite`.
    """
    uow = request.uow
    if "@" in name:
        address = uow.app.site.read_address(name)
        if players.has_refused_mail(uow.conn, address):
            raise Rejection("cannot_invite", typed=name)
        player = players.find_by_address(uow.conn, address)
        if player is None:
            new, player_name = PlayerId(uow.app.new_id()), default_name(address)
            return players.add_player(uow.conn, new, name=player_name, address=address, now=uow.now)
    else:
        player = players.find_by_name(uow.conn, name)
        if player is None:
            raise Rejection("unknown_player", typed=name)
    _require_willing(request, player, name)
    return player


def _require_willing(request: Request, player: PlayerRow, typed: str) -> None:
    """Refuse to invite a player who has left, was banned, blocked the sender, or wants no email.

    The refusal does not reveal the reason. It shows `typed`, the name or address as the sender
    typed it.

    Raises:
        Rejection: `cannot_invite`.
    """
    conn, player_id = request.uow.conn, PlayerId(player.id)
    has_blocked = messages.has_blocked(conn, player_id, request.player_id)
    addresses = players.list_addresses(conn, player_id)
    if (
        player.deleted_at is not None
        or player.banned_at is not None
        or has_blocked
        or any(players.has_refused_mail(conn, address) for address in addresses)
    ):
        raise Rejection("cannot_invite", typed=typed)


def default_name(address: str) -> str:
    """Return a name for a new player, made from the address: `Bob` for `bob.b@example.org`."""
    local = re.split(r"[.+_\d-]", address.partition("@")[0])[0]
    return (local or "Player")[:20].capitalize()


# --- seats ---------------------------------------------------------------------------------------


@command(
    "open",
    german=("offene partien",),
    group=Group.START,
    help=N_("list the games with an open seat"),
    details=N_('To offer a game with an open seat yourself, write "new logger open".'),
)
def list_open_seats(request: Request) -> None:
    """Reply with the newest challenges in which the sender can take an open seat."""
    conn = request.uow.conn
    challenges = []
    for match_id in matches.list_challenges(conn, limit=MAX_LISTED):
        match, _ = event_log.load_match(conn, match_id)
        if request.player_id not in [player for player, _ in match.accepted]:
            challenges.append(_describe(request, match))
    request.reply("answer", topic="open", challenges=challenges)


def _describe(request: Request, match: Match) -> dict[str, Any]:
    names = players.list_names(request.uow.conn, match.entrants)
    return {
        "code": match.id,
        "title": match.game.title,
        "seats": match.open_seats,
        "names": [names[player] for player, _ in match.accepted],
    }


@command(
    "join",
    german=("beitreten",),
    group=Group.START,
    usage=N_("join CODE"),
    help=N_("take an open seat"),
    details=N_(
        'For example: "join K7QX2". In games with colours you can choose one: "join K7QX2 red".'
    ),
    argument=Argument.REQUIRED,
    is_binding=True,
)
def join(request: Request) -> None:
    """Take a seat that is open to all players, or to players who know the code of the match.

    Raises:
        Rejection: `no_such_match`, or any rejection by `join_match`.
    """
    code, _, colour = request.argument.partition(" ")
    try:
        match = request.uow.load_match(MatchId(code.upper()))
    except LookupError:
        raise Rejection("no_such_match", typed=code) from None
    request = replace(request, match_id=match.id)
    events = join_match(
        match,
        request.player_id,
        message_hash=request.submission.message_hash,
        now=request.uow.now,
        colour=colour.strip() or None,
    )
    _take_seat(request, match, events)


@command(
    "accept",
    german=("annehmen",),
    group=Group.START,
    usage=N_("accept [COLOUR]"),
    help=N_("accept an invitation"),
    details=N_(
        'A plain "yes" does the same. In games with colours you can choose one that '
        'is free: "accept red".'
    ),
    needs_match=True,
    argument=Argument.OPTIONAL,
    is_binding=True,
)
def accept(request: Request) -> None:
    """Accept an invitation. The argument may name a colour.

    Raises:
        Rejection: Any rejection by `accept_invitation`.
    """
    match = request.match()
    events = accept_invitation(
        match,
        request.player_id,
        message_hash=request.submission.message_hash,
        now=request.uow.now,
        colour=request.argument.strip() or None,
    )
    _take_seat(request, match, events)


def _take_seat(request: Request, match: Match, events: list[MatchEvent]) -> None:
    uow = request.uow
    waiting.close_match_questions(uow.conn, match.id, request.player_id, uow.now)
    record_consent(uow, request.player)
    if uow.append(match.id, events).status is Status.CHALLENGE:
        request.reply("answer", topic="accepted")


@command(
    "decline",
    "leave",
    german=("ablehnen", "lehne ab", "aussteigen"),
    group=Group.START,
    help=N_("decline an invitation, withdraw your own, or give up your seat"),
    details=N_(
        'You can use this only before the game starts; after that, use "resign". If you were '
        "invited by name, or proposed the game, it won't start. An open seat can be taken by "
        "another player."
    ),
    needs_match=True,
    is_binding=True,
)
def decline(request: Request) -> None:
    """Decline an invitation, withdraw one's own challenge, or give up a seat before the start.

    Raises:
        Rejection: Any rejection by `decline_invitation`.
    """
    uow, match = request.uow, request.match()
    events = decline_invitation(match, request.player_id, now=uow.now)
    waiting.close_match_questions(uow.conn, match.id, request.player_id, uow.now)
    uow.append(match.id, events)
    has_left = isinstance(events[0], SeatReleased)
    request.reply("answer", topic="left" if has_left else "declined")


@command(
    "rematch",
    german=("revanche",),
    group=Group.START,
    help=N_("ask for another game with the same players"),
    details=N_(
        "You can use this only after the end of a game. Players, options and clocks stay the same, "
        "and the player in the second seat goes first. If your opponent has already proposed a "
        "rematch, you accept it."
    ),
    needs_match=True,
    is_binding=True,
)
def rematch(request: Request) -> None:
    """Propose another match with the same players, or accept such a proposal by an opponent.

    Raises:
        Rejection: `rematch_proposed`, `cannot_invite`, or any rejection by `propose_rematch`.
    """
    uow, match = request.uow, request.match()
    for match_id in matches.list_open_matches(uow.conn, request.player_id):
        proposed = uow.load_match(match_id)
        if proposed.status is not Status.CHALLENGE or proposed.terms.rematch_of != match.id:
            continue
        if request.player_id not in proposed.waiting_for:
            raise Rejection("rematch_proposed", match=match.id)
        accept(replace(request, match_id=match_id, argument=""))
        return
    for opponent in match.list_opponents(request.player_id):
        if not is_bot(opponent):
            row = players.get_player(uow.conn, opponent)
            _require_willing(request, row, row.name)
    _create_match(
        request,
        lambda commitments: propose_rematch(match, request.player_id, commitments, uow.now),
    )
